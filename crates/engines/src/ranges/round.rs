//! Rounding ends outwards to what an element type can hold.

use super::conditions::smallest_normal;
use super::settings::Settings;
use crate::evaluate::interval::Interval;
use semantics::dtype::Kind;

/// The interval with its ends moved to numbers of the type. As rounding keeps the order, what is computed in
/// the type from numbers inside stays inside.
pub(super) fn outwards(kind: Kind, interval: Interval) -> Interval {
    match interval {
        Interval::Float { low, high, nan } if low <= high && kind.is_float() => {
            Interval::Float { low: down(kind, low), high: -down(kind, -high), nan }
        }
        other => other,
    }
}

fn down(kind: Kind, value: f64) -> f64 {
    let rounded = kind.round(value);
    if rounded <= value || !value.is_finite() {
        return rounded;
    }
    if rounded.is_infinite() {
        // Beyond the largest number: in the type it is infinite, in exact arithmetic it is itself.
        return value;
    }
    // The neighbour below: half a step up to a whole one away from it, what is nearest is that, but for a tie.
    let least = 2.0 * kind.smallest_error();
    let step = (kind.unit_roundoff() * rounded.abs()).max(least);
    match kind.round(rounded - step) {
        below if below < rounded => below.min(value),
        _ => kind.round(rounded - (2.0 * step).max(least)).min(value),
    }
}

/// The interval of a whole tensor's elements as the next one reads them: rounded to the type, or flushed to zero.
pub(super) fn as_read(kind: Kind, interval: Interval, settings: Settings) -> Interval {
    let Interval::Float { mut low, mut high, nan } = interval else { return interval };
    if low > high || !kind.is_float() {
        return interval;
    }
    if settings.rounded {
        (low, high) = (kind.round(low), kind.round(high));
    }
    if settings.flushes {
        let normal = smallest_normal(kind);
        let flushed = |end: f64| if end.abs() < normal { 0.0 } else { end };
        // Either may be: a device that keeps them has the ends as they are.
        let both = !settings.rounded;
        low = if both { low.min(flushed(low)) } else { flushed(low) };
        high = if both { high.max(flushed(high)) } else { flushed(high) };
    }
    Interval::Float { low, high, nan }
}

/// Whether every sum of these numbers, so often each, is one that the type holds.
pub(super) fn sums_exactly(terms: &[(i64, f64)], unit: f64) -> bool {
    let scale = terms.iter().filter(|(_, value)| *value != 0.0).map(|(_, value)| lowest_bit(*value));
    let scale = scale.fold(f64::INFINITY, f64::min);
    let total: f64 = terms.iter().map(|(count, value)| *count as f64 * value.abs()).sum();
    total == 0.0 || (scale > f64::MIN_POSITIVE && total / scale <= 1.0 / unit)
}

/// The largest power of two that divides a number.
fn lowest_bit(value: f64) -> f64 {
    let bits = value.abs().to_bits();
    let (exponent, fraction) = (bits >> 52, bits & ((1 << 52) - 1));
    if exponent == 0 || exponent == 0x7ff {
        return 0.0;
    }
    let trailing = if fraction == 0 { 52 } else { fraction.trailing_zeros().min(52) };
    2f64.powi(exponent as i32 - 1023 - 52 + trailing as i32)
}
