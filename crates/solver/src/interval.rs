//! Intervals of integers, either end possibly infinite.
//!
//! Every operation gives an interval that contains all results: ends that leave 64 bits become infinite
//! or stop at the largest number, whichever is the weaker claim.

use semantics::dim::{UNBOUNDED, UNBOUNDED_BELOW};

/// `low..=high`; the ends of the 64-bit range stand for infinity. Empty if `low > high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) low: i64,
    pub(crate) high: i64,
}

impl Interval {
    pub(crate) const ALL: Interval = Interval { low: UNBOUNDED_BELOW, high: UNBOUNDED };

    pub(crate) fn new(low: i64, high: i64) -> Interval {
        Interval { low, high }
    }
    pub(crate) fn point(value: i64) -> Interval {
        Interval { low: value, high: value }
    }
    pub(crate) fn at_least(low: i64) -> Interval {
        Interval { low, high: UNBOUNDED }
    }
    pub(crate) fn at_most(high: i64) -> Interval {
        Interval { low: UNBOUNDED_BELOW, high }
    }
    pub(crate) fn is_empty(self) -> bool {
        self.low > self.high
    }
    /// The only integer it holds, if there is one. An end of the 64-bit range is none: it means more.
    pub(crate) fn value(self) -> Option<i64> {
        (self.low == self.high && self.is_bounded()).then_some(self.low)
    }
    pub(crate) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }
    pub(crate) fn is_bounded(self) -> bool {
        ![self.low, self.high].iter().any(|end| [UNBOUNDED_BELOW, UNBOUNDED].contains(end))
    }
    /// How many integers it holds, if finitely many.
    pub(crate) fn count(self) -> Option<u64> {
        if self.is_empty() {
            return Some(0);
        }
        self.is_bounded().then(|| self.high.abs_diff(self.low).saturating_add(1))
    }
    pub(crate) fn intersect(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
    pub(crate) fn union(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }
    pub(crate) fn min(self, other: Interval) -> Interval {
        Interval { low: self.low.min(other.low), high: self.high.min(other.high) }
    }
    pub(crate) fn max(self, other: Interval) -> Interval {
        Interval { low: self.low.max(other.low), high: self.high.max(other.high) }
    }
    pub(crate) fn plus(self, other: Interval) -> Interval {
        let low = match (self.low, other.low) {
            (UNBOUNDED_BELOW, _) | (_, UNBOUNDED_BELOW) => UNBOUNDED_BELOW,
            (a, b) => weak_low(i128::from(a) + i128::from(b)),
        };
        let high = match (self.high, other.high) {
            (UNBOUNDED, _) | (_, UNBOUNDED) => UNBOUNDED,
            (a, b) => weak_high(i128::from(a) + i128::from(b)),
        };
        Interval { low, high }
    }
    pub(crate) fn negated(self) -> Interval {
        let low = if self.high == UNBOUNDED { UNBOUNDED_BELOW } else { weak_low(-i128::from(self.high)) };
        let high = if self.low == UNBOUNDED_BELOW { UNBOUNDED } else { weak_high(-i128::from(self.low)) };
        Interval { low, high }
    }
    pub(crate) fn scaled(self, factor: i64) -> Interval {
        self.times(Interval::point(factor))
    }
    pub(crate) fn times(self, other: Interval) -> Interval {
        let ends = [
            product(self.end_low(), other.end_low()),
            product(self.end_low(), other.end_high()),
            product(self.end_high(), other.end_low()),
            product(self.end_high(), other.end_high()),
        ];
        let low = ends.iter().copied().fold(ends[0], i128::min);
        let high = ends.iter().copied().fold(ends[0], i128::max);
        Interval { low: weak_low(low), high: weak_high(high) }
    }
    pub(crate) fn power(self, power: usize) -> Interval {
        let mut result = (1..power).fold(self, |total, _| total.times(self));
        if power.is_multiple_of(2) {
            result.low = result.low.max(0);
        }
        result
    }
    /// The floor quotients, where every divisor is at least 1.
    pub(crate) fn div_floor(self, divisor: Interval) -> Interval {
        if divisor.low < 1 {
            return Interval::ALL;
        }
        let low = match self.low {
            UNBOUNDED_BELOW => UNBOUNDED_BELOW,
            low if low < 0 => low.div_euclid(divisor.low),
            _ if divisor.high == UNBOUNDED => 0,
            low => low / divisor.high,
        };
        let high = match self.high {
            UNBOUNDED => UNBOUNDED,
            high if high >= 0 => high / divisor.low,
            _ if divisor.high == UNBOUNDED => -1,
            high => high.div_euclid(divisor.high),
        };
        Interval { low, high }
    }
    /// The remainders of [`Interval::div_floor`], where every divisor is at least 1.
    pub(crate) fn modulo(self, divisor: Interval) -> Interval {
        if divisor.low < 1 {
            return Interval::ALL;
        }
        let top = if divisor.high == UNBOUNDED { UNBOUNDED } else { divisor.high - 1 };
        Interval { low: 0, high: if self.low >= 0 { top.min(self.high) } else { top } }
    }
    /// The integers `x` for which `x * factor` can lie in `self` for some factor of the given interval,
    /// which must not hold zero.
    pub(crate) fn quotient(self, factor: Interval) -> Interval {
        if factor.low <= 0 {
            return if factor.high < 0 { self.negated().quotient(factor.negated()) } else { Interval::ALL };
        }
        // x >= low / factor: the smallest such x, over all factors.
        let low = match self.low {
            UNBOUNDED_BELOW => UNBOUNDED_BELOW,
            low if low <= 0 => ceil(low, factor.low),
            _ if factor.high == UNBOUNDED => 1,
            low => ceil(low, factor.high),
        };
        let high = match self.high {
            UNBOUNDED => UNBOUNDED,
            high if high >= 0 => high / factor.low,
            _ if factor.high == UNBOUNDED => -1,
            high => high.div_euclid(factor.high),
        };
        Interval { low, high }
    }
    fn end_low(self) -> End {
        if self.low == UNBOUNDED_BELOW { End::Below } else { End::Finite(self.low) }
    }
    fn end_high(self) -> End {
        if self.high == UNBOUNDED { End::Above } else { End::Finite(self.high) }
    }
}

impl From<(i64, i64)> for Interval {
    fn from((low, high): (i64, i64)) -> Interval {
        Interval { low, high }
    }
}

#[derive(Clone, Copy)]
enum End {
    Below,
    Finite(i64),
    Above,
}

/// Zero times infinity is zero, because every value inside an interval is finite.
fn product(a: End, b: End) -> i128 {
    let sign = |end: End| match end {
        End::Below => -1,
        End::Finite(value) => value.signum(),
        End::Above => 1,
    };
    match (a, b) {
        (End::Finite(a), End::Finite(b)) => i128::from(a) * i128::from(b),
        _ => i128::from(sign(a) * sign(b)).saturating_mul(i128::MAX),
    }
}

fn weak_low(value: i128) -> i64 {
    if value <= i128::from(UNBOUNDED_BELOW) {
        return UNBOUNDED_BELOW;
    }
    i64::try_from(value).unwrap_or(UNBOUNDED).min(UNBOUNDED - 1)
}
fn weak_high(value: i128) -> i64 {
    if value >= i128::from(UNBOUNDED) {
        return UNBOUNDED;
    }
    i64::try_from(value).unwrap_or(UNBOUNDED_BELOW).max(UNBOUNDED_BELOW + 1)
}

/// `a / b` rounded up, `b > 0`.
fn ceil(a: i64, b: i64) -> i64 {
    let quotient = a.div_euclid(b);
    if a.rem_euclid(b) != 0 { quotient + 1 } else { quotient }
}

/// Rounds towards minus infinity; a zero divisor gives zero, as in `semantics`. `None` on overflow.
pub fn floor_div(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return Some(0);
    }
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// The remainder of [`floor_div`]: `a` itself for a zero divisor.
pub fn floor_mod(a: i64, b: i64) -> Option<i64> {
    if b == 0 {
        return Some(a);
    }
    let rest = a.checked_rem(b)?;
    Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest })
}

pub(crate) fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_contain_every_result() {
        let ends = [-3, -1, 0, 1, 2, 5];
        let all: Vec<Interval> = ends
            .iter()
            .flat_map(|&low| {
                ends.iter().filter(move |&&high| high >= low).map(move |&high| Interval { low, high })
            })
            .collect();
        for &a in &all {
            for &b in &all {
                for x in a.low..=a.high {
                    for y in b.low..=b.high {
                        assert!(a.plus(b).contains(x + y));
                        assert!(a.times(b).contains(x * y));
                        assert!(a.negated().contains(-x));
                        assert!(y == 0 || a.div_floor(b).contains(floor_div(x, y).unwrap()));
                        assert!(y == 0 || a.modulo(b).contains(floor_mod(x, y).unwrap()));
                        if b.low > 0 || b.high < 0 {
                            assert!(a.times(b).quotient(b).contains(x), "{a:?} {b:?} {x}");
                            // From x * y in a, x must lie in the quotient.
                            assert!(!a.contains(x * y) || a.quotient(b).contains(x));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn infinite_ends_stay_infinite() {
        let half = Interval::at_least(2);
        assert_eq!(half.times(half), Interval::at_least(4));
        assert_eq!(half.times(Interval::point(0)), Interval::point(0));
        assert_eq!(half.scaled(-1), Interval::at_most(-2));
        assert_eq!(Interval::at_least(1 << 62).plus(Interval::at_least(1 << 62)).low, UNBOUNDED - 1);
        assert_eq!(half.div_floor(half), Interval::at_least(0));
    }
}
