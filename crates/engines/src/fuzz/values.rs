//! Comparing arrays as the rules of the oracle say, and telling a difference in words.

use crate::evaluate::{Bound, Comparison, Reading, compare};
use semantics::array::{Array, Data};
use semantics::dtype::Kind;

/// As [`compare`], where a number too small to be normal may have been flushed to zero, on either side of a
/// computation: each element may be off by the least normal number where it is itself below it.
pub(super) fn compare_flushed(reading: &Reading, observed: &Array) -> Comparison {
    let comparison = compare(reading, observed);
    if comparison.agrees() {
        return comparison;
    }
    let widened = Reading { bound: flushed(&reading.array, reading.bound.clone()), ..reading.clone() };
    compare(&widened, observed)
}

/// A bound on an array whose numbers that are too small to be normal may have become zeros.
pub(super) fn flushed(array: &Array, bound: Bound) -> Bound {
    let (Data::Float(own), Some(least)) = (&array.data, least_normal(array.kind)) else { return bound };
    if own.iter().all(|value| *value == 0.0 || value.abs() >= least) {
        return bound;
    }
    let before: Vec<f64> = match bound {
        Bound::Float(bounds) => bounds,
        _ => vec![0.0; own.len()],
    };
    let widened = own
        .iter()
        .zip(before)
        .map(|(value, bound)| if value.abs() < least { bound.max(value.abs()) } else { bound });
    Bound::Float(widened.collect())
}

/// The least positive normal number of a type.
fn least_normal(kind: Kind) -> Option<f64> {
    Some(match kind {
        Kind::F16 => 2f64.powi(-14),
        Kind::BF16 | Kind::F32 => f64::from(f32::MIN_POSITIVE),
        Kind::F64 => f64::MIN_POSITIVE,
        _ => return None,
    })
}

/// What was expected and what was seen, of the element that is farthest off.
pub(super) fn difference(comparison: &Comparison, reading: &Reading, observed: &Array) -> (String, String) {
    let Some(worst) = &comparison.worst else {
        return (reading.array.to_string(), observed.to_string());
    };
    let place = worst.place(&observed.shape);
    let expected = format!("{} at {place}, give or take {:.1e}", worst.expected, worst.bound);
    let others = match comparison.outside {
        1 => String::new(),
        outside => format!(" ({outside} of {} elements are off)", observed.len()),
    };
    (expected, format!("{}{others}", worst.observed))
}
