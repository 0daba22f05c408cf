//! How far sums and products of many terms may be off.
//!
//! Two models. *Any order*: by Rump, a sum of `n` terms in any order is off by at most `(n - 1) u Σ|x|`;
//! fused multiply-add and wider accumulators do no worse. That is rigorous, and for long sums far from what
//! happens (measured: 7,000 times for 1,024 terms), because rounding errors mostly cancel.
//! *Likely*: independent rounding errors of the partial sums `s` are together below `2 u sqrt(Σ s²)` but for
//! one case in a million (they are uniform, so that is 6 standard deviations at least). The partial sums of
//! an unknown order are taken to be `sqrt(value² + 4 Σx²)` each: in random order their mean square is below
//! a third of that. Two kinds of data are not like that, repeated terms (all errors alike) and
//! terms in order of size (large partial sums); both show when the sum is tried out in `f32`, so four times the
//! error of that trial is added. Short sums are always bounded for any order.

use super::near::{Format, Near, OWN};
use semantics::dtype::Kind;

/// What is known of the terms of a sum.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub count: f64,
    /// The sum of the terms' own errors; NaN if one of them surely is not a number.
    pub error: f64,
    /// The sum of the magnitudes of the finite terms.
    pub magnitudes: f64,
    /// Whether all are exact integers.
    pub whole: bool,
    pub likely: Option<Likely>,
}

/// What the likely error takes.
#[derive(Clone, Copy)]
pub(super) struct Likely {
    /// The sum of the squares of the terms.
    pub squares: f64,
    /// How far off the sum was when tried out.
    pub trial: f64,
}

/// Shorter sums are bounded for any order.
const SHORT: f64 = 16.0;

/// How many roundings of one number count that takes part in each addition of a sum, if they are likely to cancel.
pub(super) fn likely_roundings(terms: f64, kind: Kind) -> Option<f64> {
    (terms > SHORT && kind != Kind::F64).then_some(2.0 * terms.sqrt())
}

impl Terms {
    /// The error of adding up, apart from the terms' own errors.
    pub fn rounding(&self, value: f64, kind: Kind) -> f64 {
        let unit = kind.unit_roundoff() + 2.0 * OWN;
        let any_order = (self.count - 1.0).max(0.0) * unit * (self.magnitudes + self.error);
        match self.likely {
            // Our own sum in f64 is as far off as any other.
            Some(likely) if self.count > SHORT && kind != Kind::F64 => {
                let partial = (value * value + 4.0 * likely.squares).sqrt() + self.error;
                let random = 2.0 * unit * self.count.sqrt() * partial;
                any_order.min(random + 4.0 * likely.trial + self.count * OWN * self.magnitudes)
            }
            _ => any_order,
        }
    }
}

impl Format {
    /// A sum.
    pub fn sum(&self, value: f64, terms: Terms) -> Near {
        let Terms { count, error, magnitudes, whole, .. } = terms;
        let integers = 1.0 / self.kind.unit_roundoff();
        if whole && magnitudes <= integers || !value.is_finite() && error == 0.0 && magnitudes < self.limit {
            return Near::exact(value);
        }
        if error.is_nan() {
            return Near::exact(f64::NAN);
        }
        if error.is_infinite() {
            return Near::anything(value);
        }
        let spread = (error + terms.rounding(value, self.kind)) * (1.0 + 4.0 * OWN);
        self.note(magnitudes + spread);
        if value.abs() - spread >= self.limit && (magnitudes - value.abs()) / 2.0 < self.limit {
            return Near::exact(f64::INFINITY.copysign(value));
        }
        if value.is_nan() || magnitudes + spread >= self.limit {
            let sure = value.is_nan() && magnitudes + spread < self.limit;
            return if sure { Near::exact(value) } else { Near::anything(value) };
        }
        if value.is_infinite() {
            return Near::exact(value);
        }
        // Sums too small to be normal may be flushed.
        let tiny = if count > 1.0 && value.abs() <= self.normal + spread && magnitudes + error > 0.0 {
            self.tiny
        } else {
            0.0
        };
        Near { value, error: spread + tiny }
    }

    /// A product in any order: `whole` of all magnitudes with their errors, and the `largest` of some of them.
    pub fn product(&self, value: f64, whole: f64, largest: f64, terms: f64) -> Near {
        if value.is_nan() || whole.is_nan() {
            return if value.is_nan() && !largest.is_infinite() {
                Near::exact(value)
            } else {
                Near::anything(value)
            };
        }
        self.note(largest);
        if value.is_infinite() || largest >= self.limit {
            return Near::anything(value);
        }
        let unit = self.kind.unit_roundoff() + 2.0 * OWN;
        let growth = ((terms - 1.0).max(0.0) * unit).exp_m1();
        let spread = (whole - value.abs()).max(0.0) + growth * whole;
        // A partial product too small to be normal is off by at most that, times what still follows.
        let tiny = if terms > 1.0 && whole > 0.0 { terms * self.tiny * largest } else { 0.0 };
        Near { value, error: spread + tiny }
    }
}
