//! Floats with a bound on what computing in their element type may have changed.
//!
//! The value is computed in `f64`; the error covers the rounding of every operation in the element type,
//! with the accuracies of [`super::accuracy`], fused multiply-add, and flushing of results too small to be
//! normal. An error of infinity says that nothing is known; a value that is surely infinite or NaN is exact.

use super::accumulators;
use super::accuracy::{self, Accuracy};
use super::propagate::{propagated, turned};
use semantics::dtype::Kind;
use semantics::integer;
use semantics::number;
use semantics::scalar::{Binary, Unary};

/// A float and how far the real result may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    pub value: f64,
    pub error: f64,
}

/// What rounding to a float type does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Format {
    pub kind: Kind,
    /// Relative error of one correctly rounded operation, our own evaluation in `f64` included.
    pub unit: f64,
    /// The smallest normal number.
    pub normal: f64,
    /// Absolute error of a result below the smallest normal number.
    pub tiny: f64,
    /// The smallest magnitude that rounds to infinity, in the type of intermediate results.
    pub limit: f64,
    /// The same, in the type itself.
    pub own_limit: f64,
    /// Mantissa bits of an `f64` that the type does not hold.
    pub spare: u64,
}

/// Rounding errors of our own evaluation.
pub(super) const OWN: f64 = f64::EPSILON / 2.0;

impl Format {
    pub fn of(kind: Kind) -> Format {
        let kind = kind.real();
        let (normal, tiny, precision) = match kind {
            // Half precision is computed in f32 and rounded: nothing is flushed.
            Kind::F16 => (f64::powi(2.0, -14), f64::powi(2.0, -25), 11),
            Kind::BF16 => (f64::powi(2.0, -126), f64::powi(2.0, -126), 8),
            Kind::F32 => (f64::powi(2.0, -126), f64::powi(2.0, -126), 24),
            _ => (f64::MIN_POSITIVE, f64::MIN_POSITIVE, 53),
        };
        let own_limit = limit_of(kind, precision);
        let limit = match accumulators::range_of(kind) {
            Kind::F32 => limit_of(Kind::F32, 24),
            _ => own_limit,
        };
        let unit = kind.unit_roundoff() + OWN;
        Format { kind, unit, normal, tiny, limit, own_limit, spare: (1u64 << (53 - precision)) - 1 }
    }
    /// Whether the type holds the value exactly (numbers too small to be normal count as not held).
    #[inline]
    pub fn holds(&self, value: f64) -> bool {
        value == 0.0
            || (value.to_bits() & self.spare == 0
                && value.abs() >= self.normal
                && value.abs() < self.own_limit)
    }
    /// A number of the formula, rounded to the type.
    pub fn constant(&self, value: f64) -> Near {
        if !value.is_finite() || self.kind.round(value) == value {
            return Near::exact(value);
        }
        Near { value, error: self.unit * value.abs() + self.tiny }
    }
    /// One operation with a result that is off by `spread` before it is rounded with the given accuracy.
    pub fn rounded(&self, value: f64, spread: f64, accuracy: Accuracy) -> Near {
        if value.is_nan() || spread.is_nan() || spread.is_infinite() {
            // Only where something undecided took part can a NaN turn out to be a number.
            let sure = value.is_nan() && spread.is_finite();
            return Near { value, error: if sure { 0.0 } else { f64::INFINITY } };
        }
        if value.is_infinite() {
            return Near::exact(value);
        }
        let magnitude = value.abs() + spread;
        let mut error = spread + (accuracy.relative + OWN) * magnitude + accuracy.absolute;
        if value.abs() <= self.normal + spread {
            error += self.tiny;
        }
        self.note(value.abs() + error);
        if value.abs() - error >= self.limit {
            return Near::exact(f64::INFINITY.copysign(value));
        }
        // The largest finite number may be rounded up to.
        if value.abs() + error >= self.limit {
            error = f64::INFINITY;
        }
        Near { value, error }
    }
    /// Takes note of a magnitude that the type itself does not hold, where intermediate results may be wider.
    #[inline]
    pub fn note(&self, magnitude: f64) {
        if magnitude >= self.own_limit && self.own_limit < self.limit {
            accumulators::note();
        }
    }
    /// A result that is rounded to the type itself: the value and its error.
    pub fn stored(&self, value: f64, error: f64) -> (f64, f64) {
        if value.is_nan()
            || value.is_infinite()
            || error.is_infinite()
            || value.abs() + error < self.own_limit
        {
            return (value, error);
        }
        match value.abs() - error >= self.own_limit {
            true => (f64::INFINITY.copysign(value), 0.0),
            false => (value, f64::INFINITY),
        }
    }
    /// A correctly rounded operation; `exact` if the operation itself loses nothing in `f64`.
    fn correctly(&self, value: f64, spread: f64, exact: bool) -> Near {
        if spread == 0.0 && exact && self.holds(value) {
            return Near::exact(value);
        }
        self.rounded(value, spread, Accuracy { relative: self.kind.unit_roundoff(), absolute: 0.0 })
    }

    // Arithmetic.

    pub fn add(&self, x: Near, y: Near) -> Near {
        let value = x.value + y.value;
        if value.is_nan() && (x.is_sure_nan() || y.is_sure_nan()) {
            return Near::exact(value);
        }
        self.correctly(value, x.error + y.error, self.kind != Kind::F64 || sums_exactly(x.value, y.value))
    }
    pub fn sub(&self, x: Near, y: Near) -> Near {
        self.add(x, y.negated())
    }
    pub fn mul(&self, x: Near, y: Near) -> Near {
        let value = x.value * y.value;
        if value.is_nan() && (x.is_sure_nan() || y.is_sure_nan())
            || value.is_infinite()
                && (x.is_sure_infinity() && y.has_sign() || y.is_sure_infinity() && x.has_sign())
        {
            return Near::exact(value);
        }
        let spread = spread_of(x.value, y.error) + spread_of(y.value, x.error) + x.error * y.error;
        let short = self.kind != Kind::F64
            || x.value == 0.0
            || y.value == 0.0
            || (is_short(x.value) && is_short(y.value));
        self.correctly(value, spread, short)
    }
    pub fn div(&self, x: Near, y: Near) -> Near {
        let value = x.value / y.value;
        if x.error == 0.0 && y.error == 0.0 {
            let exact = self.kind != Kind::F64
                || (is_short(value) && is_short(y.value) && value * y.value == x.value);
            if exact && self.holds(value) {
                return Near::exact(value);
            }
            return self.rounded(value, 0.0, accuracy::binary(Binary::Div, self.kind));
        }
        if y.value.is_infinite() && y.error == 0.0 && x.value.is_finite() && x.error.is_finite() {
            return Near::exact(value);
        }
        if x.is_sure_nan() || y.is_sure_nan() || x.is_sure_infinity() && y.has_sign() {
            return Near::exact(value);
        }
        let least = y.value.abs() - y.error;
        if least.is_nan() || least <= 0.0 || y.value.is_infinite() {
            return Near::anything(value);
        }
        let spread = (x.error + spread_of(value, y.error)) / least;
        if spread == 0.0 && value == 0.0 {
            return Near::exact(value);
        }
        self.rounded(value, spread, accuracy::binary(Binary::Div, self.kind))
    }

    /// A float function; `None` where rounding may decide otherwise, or for functions that give no float.
    pub fn unary(&self, function: Unary, x: Near) -> Option<Near> {
        let near = match function {
            Unary::Neg => x.negated(),
            Unary::Abs if x.error > x.value.abs() && x.error.is_finite() => {
                Near::between(0.0, x.value.abs() + x.error)
            }
            Unary::Abs => Near { value: x.value.abs(), error: x.error },
            Unary::Reciprocal => self.div(Near::exact(1.0), x),
            Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc | Unary::Sign => {
                let at = |x: f64| number::unary(function, x);
                let (low, high) = x.ends();
                if x.error > 0.0 && at(low)? != at(high)? {
                    return None;
                }
                Near::exact(at(x.value)?)
            }
            Unary::Sqrt if x.error == 0.0 => {
                let value = x.value.sqrt();
                let exact = self.kind != Kind::F64 || (is_short(value) && value * value == x.value);
                if exact && self.holds(value) {
                    return Some(Near::exact(value));
                }
                self.rounded(value, 0.0, accuracy::unary(function, self.kind))
            }
            _ => {
                let value = number::unary(function, x.value)?;
                if x.error == 0.0
                    && (value == 0.0 && x.value.abs() < 2.0 || value.is_nan() || value.is_infinite())
                {
                    // Zeros (of ln at 1, sin at 0), poles and what lies outside the domain are hit exactly.
                    return Some(Near::exact(value));
                }
                if x.is_sure_infinity() && self.holds(value) {
                    // So are limits: erf, tanh, exp and sigmoid of every library that was asked give 1, -1 and 0.
                    return Some(Near::exact(value));
                }
                let ((low, high), (least, most)) = (x.ends(), function.domain());
                if high < least || low > most {
                    // However it was rounded, it lies outside the domain.
                    return Some(Near::exact(f64::NAN));
                }
                if function == Unary::Exp && x.error < f64::INFINITY && x.ends().0.exp() >= self.limit * 2.0 {
                    // Beyond every number of the type, from the lower end on.
                    return Some(Near::exact(f64::INFINITY));
                }
                let spread = if x.error == 0.0 { 0.0 } else { propagated(function, x, value)? };
                let has_sign = spread <= value.abs() || function.image().0 >= 0.0;
                if self.kind != Kind::F64 && has_sign && value.abs() + spread < VANISHING {
                    return Some(Near::exact(0f64.copysign(value)));
                }
                self.rounded(value, spread, accuracy::unary(function, self.kind))
            }
        };
        Some(near)
    }

    /// A float function of two numbers; `None` where rounding may decide otherwise, or for comparisons.
    pub fn binary(&self, function: Binary, x: Near, y: Near) -> Option<Near> {
        Some(match function {
            Binary::Add => self.add(x, y),
            Binary::Sub => self.sub(x, y),
            Binary::Mul => self.mul(x, y),
            Binary::Div => self.div(x, y),
            Binary::Max => x.joined(y, f64::max),
            Binary::Min => x.joined(y, f64::min),
            Binary::FloorDiv => self.unary(Unary::Floor, self.div(x, y))?,
            Binary::Remainder | Binary::Modulo => self.remainder(function, x, y),
            Binary::Pow => self.power(x, y),
            Binary::Atan2 => {
                let value = x.value.atan2(y.value);
                self.rounded(value, turned(x, y), accuracy::binary(function, self.kind))
            }
            _ => return None,
        })
    }

    /// Exact for exact operands, but for the one addition that Python's `%` makes.
    fn remainder(&self, function: Binary, x: Near, y: Near) -> Near {
        let value = number::binary(function, x.value, y.value).unwrap_or(f64::NAN);
        if x.error == 0.0 && y.error == 0.0 {
            return self.correctly(value, 0.0, true);
        }
        let quotient =
            |x: f64, y: f64| if function == Binary::Modulo { (x / y).floor() } else { (x / y).trunc() };
        let ((low, high), (least, most)) = (x.ends(), y.ends());
        let turns = quotient(x.value, y.value);
        let steady = [(low, least), (low, most), (high, least), (high, most)]
            .iter()
            .all(|&(x, y)| quotient(x, y) == turns);
        if steady && least * most > 0.0 {
            return self.correctly(value, x.error + turns.abs() * y.error, false);
        }
        let reach = y.value.abs() + y.error + value.abs();
        Near { value, error: if reach.is_nan() { f64::INFINITY } else { reach } }
    }

    fn power(&self, x: Near, y: Near) -> Near {
        let value = x.value.powf(y.value);
        let accuracy = accuracy::binary(Binary::Pow, self.kind);
        if x.error == 0.0 && y.error == 0.0 {
            let whole = self.holds(value) && is_short(x.value) && [0.0, 1.0, 2.0].contains(&y.value);
            if whole || value.is_nan() || value.is_infinite() || (value == 0.0 && x.value == 0.0) {
                return Near::exact(value);
            }
            return self.rounded(value, 0.0, accuracy);
        }
        let ((low, high), (least, most)) = (x.ends(), y.ends());
        let mut corners = vec![low.powf(least), low.powf(most), high.powf(least), high.powf(most)];
        if low < 0.0 || (low == 0.0 && least <= 0.0) {
            // Below zero only whole exponents have a value, and around zero the function may turn.
            if y.error > 0.0 || y.value.fract() != 0.0 || (high >= 0.0 && y.value < 0.0) {
                return Near::anything(value);
            }
            if high >= 0.0 {
                corners.push(0f64.powf(y.value));
            }
        }
        let spread = corners.iter().fold(0.0, |spread: f64, corner| {
            nan_max(spread, (corner - value).abs() + 2.0 * OWN * corner.abs())
        });
        self.rounded(value, spread, accuracy)
    }

    /// Rounding to this type what was computed in another.
    pub fn converted(&self, x: Near) -> Near {
        if x.error == 0.0 {
            return Near::exact(self.kind.round(x.value));
        }
        self.correctly(x.value, x.error, false)
    }
}

impl Near {
    pub const fn exact(value: f64) -> Near {
        Near { value, error: 0.0 }
    }
    pub const fn anything(value: f64) -> Near {
        Near { value, error: f64::INFINITY }
    }
    /// What is NaN, and not only because something undecided took part.
    pub fn is_sure_nan(self) -> bool {
        self.value.is_nan() && self.error == 0.0
    }
    fn is_sure_infinity(self) -> bool {
        self.value.is_infinite() && self.error == 0.0
    }
    /// Whether it is surely not zero, and neither NaN nor anything.
    fn has_sign(self) -> bool {
        self.value.abs() > self.error
    }
    pub fn negated(self) -> Near {
        Near { value: -self.value, error: self.error }
    }
    /// The smallest and the largest it may be, rounded outwards.
    pub fn ends(self) -> (f64, f64) {
        if self.error == 0.0 {
            return (self.value, self.value);
        }
        let (low, high) = (self.value - self.error, self.value + self.error);
        // Zero is reached without rounding: what is not negative stays so.
        (if low == 0.0 { 0.0 } else { low.next_down() }, if high == 0.0 { 0.0 } else { high.next_up() })
    }
    /// The larger or the smaller of two, as `pick` says; NaN if one is NaN.
    fn joined(self, other: Near, pick: fn(f64, f64) -> f64) -> Near {
        if self.error == 0.0 && other.error == 0.0 {
            let nan = self.value.is_nan() || other.value.is_nan();
            return Near::exact(if nan { f64::NAN } else { pick(self.value, other.value) });
        }
        if self.error.is_infinite()
            || other.error.is_infinite()
            || self.value.is_nan()
            || other.value.is_nan()
        {
            // A sure NaN decides, whatever the other is.
            let sure =
                (self.value.is_nan() && self.error == 0.0) || (other.value.is_nan() && other.error == 0.0);
            return if sure { Near::exact(f64::NAN) } else { Near::anything(pick(self.value, other.value)) };
        }
        let ((a, b), (c, d)) = (self.ends(), other.ends());
        match (pick(a, c), pick(b, d)) {
            ends if ends == (a, b) => self,
            ends if ends == (c, d) => other,
            (low, high) => Near::between(low, high),
        }
    }
    /// Anything between two ends. An error around one of the values that were compared would reach below the floor
    /// that a `max` has set, and a logarithm or root of it would be lost.
    fn between(low: f64, high: f64) -> Near {
        if low == 0.0 {
            return Near { value: 0.5 * high, error: 0.5 * high };
        }
        Near::around(low + 0.5 * (high - low), low, high)
    }
    /// The value, with an error that reaches both ends, which may themselves be a rounding off.
    pub fn around(value: f64, low: f64, high: f64) -> Near {
        if low == value && high == value {
            return Near::exact(value);
        }
        let error = nan_max(high - value, value - low);
        Near { value, error: if error.is_nan() { f64::INFINITY } else { error + 4.0 * OWN * value.abs() } }
    }
    /// A comparison; `None` if rounding may decide otherwise.
    #[inline]
    pub fn compare(self, function: Binary, other: Near) -> Option<bool> {
        let gap = (self.value - other.value).abs();
        let reach = (self.error + other.error) * (1.0 + 4.0 * OWN);
        let sure_nan = reach < f64::INFINITY && (self.value.is_nan() || other.value.is_nan());
        if reach != 0.0 && !sure_nan && (gap <= reach || gap.is_nan()) {
            return None;
        }
        match function {
            Binary::Eq => Some(self.value == other.value),
            Binary::Lt => Some(self.value < other.value),
            Binary::Le => Some(self.value <= other.value),
            _ => None,
        }
    }
    /// The integral part; `None` if rounding may decide otherwise or the type cannot hold it.
    pub fn truncated(self, kind: Kind) -> Option<i64> {
        let (low, high) = self.ends();
        let (least, most) = kind.int_range()?;
        let fits = low.trunc() >= least as f64 && high.trunc() < most as f64 + 1.0;
        (fits && low.trunc() == high.trunc()).then(|| integer::from_float(kind, self.value))
    }
}

/// A thousandth of the least number of `f32`, in which half precision is computed, too: every library gives 0 instead.
const VANISHING: f64 = 6.8e-49;

/// The smallest magnitude that rounds to infinity.
fn limit_of(kind: Kind, precision: i32) -> f64 {
    if kind == Kind::F64 { f64::INFINITY } else { kind.largest() * (1.0 + f64::powi(2.0, -precision - 1)) }
}

/// `factor * error`, where no error stays none even if the factor is infinite.
#[inline]
fn spread_of(factor: f64, error: f64) -> f64 {
    if error == 0.0 { 0.0 } else { factor.abs() * error }
}

pub(super) fn nan_max(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() { f64::NAN } else { x.max(y) }
}

/// Whether the product of two such numbers is exact in `f64`.
fn is_short(value: f64) -> bool {
    value.to_bits() & ((1 << 27) - 1) == 0 && (1e-150..1e150).contains(&value.abs())
}

/// Knuth's two-sum: whether an addition in `f64` loses nothing.
fn sums_exactly(x: f64, y: f64) -> bool {
    let sum = x + y;
    let part = sum - x;
    (x - (sum - part)) + (y - part) == 0.0
}
