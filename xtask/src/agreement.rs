//! What it means that a computed array agrees with a reading, and that the reading's bound is tight.

use engines::evaluate::{Bound, Reading, compare};
use semantics::array::{Array, Data};

/// What is wrong with an observed array, in words; an infinite bound says nothing and counts as wrong.
pub fn fault(reading: &Reading, observed: &Array) -> Option<String> {
    let comparison = compare(reading, observed);
    if let Some(mismatch) = comparison.mismatch {
        return Some(mismatch);
    }
    if comparison.unbounded > 0 && matches!(observed.data, Data::Float(_) | Data::Complex(_)) {
        return Some(format!("{} of {} elements have no finite bound", comparison.unbounded, observed.len()));
    }
    let worst = comparison.worst.filter(|_| comparison.outside > 0)?;
    Some(format!(
        "{} of {} outside: [{}] is {} instead of {}, off by {:.3e} with a bound of {:.3e}",
        comparison.outside,
        observed.len(),
        worst.at,
        worst.observed,
        worst.expected,
        worst.error,
        worst.bound
    ))
}

/// How sharp the bounds of an output are.
pub struct Tightness {
    /// The largest bound by the largest error seen, if any element has a bound.
    pub ratio: Option<f64>,
    /// Whether an array that is off by ten bounds is noticed.
    pub notices: bool,
}

/// How much larger the bound is than the error seen, and whether an error of ten bounds would be noticed.
pub fn tightness(reading: &Reading, observed: &Array) -> Tightness {
    let (Bound::Float(bounds), Some(own), Some(theirs)) =
        (&reading.bound, reading.array.as_floats(), observed.as_floats())
    else {
        return Tightness { ratio: None, notices: true };
    };
    let (mut largest_bound, mut largest_error) = (0f64, 0f64);
    for ((&bound, &x), &y) in bounds.iter().zip(own).zip(theirs) {
        if x.is_finite() && bound > 0.0 {
            // Rounding to the element type alone costs up to half a unit in the last place: no bound can be
            // tighter than that, however lucky the observation.
            let least = observed.kind.unit_roundoff() * x.abs() + observed.kind.smallest_error();
            largest_bound = largest_bound.max(bound);
            largest_error = largest_error.max((x - y).abs()).max(least);
        }
    }
    let mut moved = reading.array.clone();
    if let Data::Float(values) = &mut moved.data {
        for (value, &bound) in values.iter_mut().zip(bounds) {
            if value.is_finite() && bound > 0.0 {
                *value += 10.0 * bound;
            }
        }
    }
    let bounded = bounds.iter().zip(own).any(|(&bound, x)| bound > 0.0 && x.is_finite());
    Tightness {
        ratio: (largest_bound > 0.0).then(|| largest_bound / largest_error),
        notices: !bounded || compare(reading, &moved).outside > 0,
    }
}

/// The number below which the given share of the sorted numbers lie.
pub fn quantile(sorted: &[f64], share: f64) -> f64 {
    let position = (share * (sorted.len().max(1) - 1) as f64) as usize;
    sorted.get(position).copied().unwrap_or(0.0)
}
