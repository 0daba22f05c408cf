//! The interval domain: every number that a formula may give in exact arithmetic lies between two ends.
//!
//! Ends are rounded outwards with `next_down` and `next_up`. It is the reference that other domains are
//! checked against, so it is simple rather than sharp.

use super::number::Number;
use super::plain::Scalar;
use super::reading::Reading;
use super::run_number::bool_binary;
use semantics::dtype::{Class, Kind};
use semantics::scalar::{Binary, Fold, Unary};
use semantics::{integer, number};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// A set of floats, integers or bools.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// All floats from `low` to `high`, and NaN if so said.
    Float {
        low: f64,
        high: f64,
        nan: bool,
    },
    Int {
        low: i128,
        high: i128,
    },
    Bool {
        may_be_true: bool,
        may_be_false: bool,
    },
}

use Interval::{Bool, Float, Int};

impl Interval {
    pub fn contains(&self, value: Scalar, kind: Kind) -> bool {
        match (*self, value) {
            (Float { nan, .. }, Scalar::Float(value)) if value.is_nan() => nan,
            (Float { low, high, .. }, Scalar::Float(value)) => (low..=high).contains(&value),
            (Int { low, high }, Scalar::Int(value)) => (low..=high).contains(&integer::widen(kind, value)),
            (Bool { may_be_true, may_be_false }, Scalar::Bool(value)) => {
                if value {
                    may_be_true
                } else {
                    may_be_false
                }
            }
            _ => false,
        }
    }

    const NOT_A_NUMBER: Interval = Float { low: f64::INFINITY, high: f64::NEG_INFINITY, nan: true };
    const ANY_FLOAT: Interval = Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    const ANY_BOOL: Interval = Bool { may_be_true: true, may_be_false: true };

    fn point(value: f64) -> Interval {
        if value.is_nan() {
            return Interval::NOT_A_NUMBER;
        }
        Float { low: value, high: value, nan: false }
    }
    /// Sums, differences, products and quotients of the ends, each rounded once, unless it is exact.
    /// A corner that is not a number (`inf - inf`, `0 * inf`) leaves the others, and zero, as the ends.
    fn arithmetic(function: Binary, ends: [(f64, f64); 4], nan: bool) -> Interval {
        let (mut low, mut high, mut nan) = (f64::INFINITY, f64::NEG_INFINITY, nan);
        for (x, y) in ends {
            let (mut corner, exact) = match function {
                Binary::Add => (x + y, sums_exactly(x, y)),
                Binary::Sub => (x - y, sums_exactly(x, -y)),
                Binary::Mul => (x * y, x.mul_add(y, -(x * y)) == 0.0 && (x * y).abs() > f64::MIN_POSITIVE),
                _ => (x / y, (x / y).mul_add(y, -x) == 0.0 && x.abs() > f64::MIN_POSITIVE),
            };
            let divides = function == Binary::Div && y.is_infinite() && x.is_finite();
            let zero = x == 0.0 && y.is_finite() || y == 0.0 && x.is_finite() || divides;
            if corner.is_nan() {
                nan = true;
                if matches!(function, Binary::Add | Binary::Sub) {
                    continue;
                }
                corner = 0.0;
            }
            let exact = exact || corner.is_infinite() || (corner == 0.0 && zero);
            low = low.min(if exact { corner } else { corner.next_down() });
            high = high.max(if exact { corner } else { corner.next_up() });
        }
        Float { low, high, nan }
    }
    /// Within the values that the function can have.
    fn clamped(self, (least, most): (f64, f64)) -> Interval {
        match self {
            Float { low, high, nan } if low <= high => {
                Float { low: low.clamp(least, most), high: high.clamp(least, most), nan }
            }
            other => other,
        }
    }
    /// The hull of computed corners, each off by at most two units in the last place.
    fn around(corners: &[f64], nan: bool) -> Interval {
        if corners.iter().any(|corner| corner.is_nan()) {
            return Interval::ANY_FLOAT;
        }
        let low = corners.iter().copied().fold(f64::INFINITY, f64::min);
        let high = corners.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Float { low: low.next_down().next_down(), high: high.next_up().next_up(), nan }
    }
    fn int(kind: Kind, low: Option<i128>, high: Option<i128>) -> Option<Interval> {
        let (least, most) = kind.int_range()?;
        Some(match (low, high) {
            (Some(low), Some(high)) if low >= least && high <= most => Int { low, high },
            _ => Int { low: least, high: most },
        })
    }
    fn truth_of(may_be_true: bool, may_be_false: bool) -> Interval {
        Bool { may_be_true, may_be_false }
    }
}

impl Number for Interval {
    fn float(_: Kind, value: f64) -> Interval {
        Interval::point(value)
    }
    fn int(kind: Kind, value: i64) -> Interval {
        match Scalar::int(kind, value) {
            Scalar::Int(value) => Int { low: integer::widen(kind, value), high: integer::widen(kind, value) },
            Scalar::Bool(value) => Interval::bool(value),
            Scalar::Float(value) => Interval::point(value),
            Scalar::Complex(_) => Interval::ANY_FLOAT,
        }
    }
    fn bool(value: bool) -> Interval {
        Interval::truth_of(value, !value)
    }
    fn read(reading: &Reading, at: usize) -> Option<Interval> {
        Some(match Scalar::read(reading, at)? {
            Scalar::Float(value) => Interval::point(value),
            Scalar::Int(value) => <Interval as Number>::int(reading.array.kind, value),
            Scalar::Bool(value) => Interval::bool(value),
            Scalar::Complex(_) => return None,
        })
    }

    fn unary(function: Unary, kind: Kind, x: &Interval) -> Option<Interval> {
        match *x {
            Float { low, high, .. } if low > high && function.result(kind).is_float() => {
                Some(Interval::NOT_A_NUMBER)
            }
            Float { low, high, nan } => Some(match function {
                Unary::IsNan => Interval::truth_of(nan, low <= high),
                Unary::IsPosInf => Interval::truth_of(high == f64::INFINITY, nan || low < f64::INFINITY),
                Unary::IsNegInf => {
                    Interval::truth_of(low == f64::NEG_INFINITY, nan || high > f64::NEG_INFINITY)
                }
                Unary::Neg => Float { low: -high, high: -low, nan },
                Unary::Abs if low >= 0.0 => *x,
                Unary::Abs if high <= 0.0 => Float { low: -high, high: -low, nan },
                Unary::Abs => Float { low: 0.0, high: high.max(-low), nan },
                Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc | Unary::Sign => {
                    Float { low: number::unary(function, low)?, high: number::unary(function, high)?, nan }
                }
                Unary::Sin | Unary::Cos if low.is_finite() && high.is_finite() => {
                    turning(function, (low, high), nan)
                }
                // Between two poles it only grows.
                Unary::Tan if low > -FRAC_PI_2 && high < FRAC_PI_2 => {
                    keeps_side(function, &[low, high], Interval::around(&[low.tan(), high.tan()], nan))
                }
                Unary::Exp
                | Unary::Expm1
                | Unary::Ln
                | Unary::Log1p
                | Unary::Sqrt
                | Unary::Asin
                | Unary::Acos
                | Unary::Atan
                | Unary::Sinh
                | Unary::Tanh
                | Unary::Sigmoid
                | Unary::Asinh
                | Unary::Acosh
                | Unary::Atanh
                | Unary::Erf => {
                    let (least, most) = function.domain();
                    if high < least || low > most {
                        return Some(Interval::NOT_A_NUMBER);
                    }
                    let nan = nan || low < least || high > most;
                    let ends = [low.max(least), high.min(most)];
                    let corners = [number::unary(function, ends[0])?, number::unary(function, ends[1])?];
                    keeps_side(function, &ends, Interval::around(&corners, nan).clamped(function.image()))
                }
                Unary::Cosh => {
                    let bottom = if low <= 0.0 && high >= 0.0 { 1.0 } else { low.cosh() };
                    Interval::around(&[low.cosh(), high.cosh(), bottom], nan).clamped(function.image())
                }
                Unary::Reciprocal => Interval::binary(Binary::Div, kind, &Interval::point(1.0), x)?,
                Unary::Sin | Unary::Cos => Float { low: -1.0, high: 1.0, nan: true },
                Unary::Tan => Interval::ANY_FLOAT,
                _ => return None,
            }),
            Int { low, high } if low == high => {
                let value = integer::unary(function, kind, low as i64);
                value.map(|value| <Interval as Number>::int(kind, value))
            }
            Int { low, high } => match function {
                Unary::Neg => Interval::int(kind, Some(-high), Some(-low)),
                _ => Interval::anything(function.result(kind)),
            },
            Bool { may_be_true, may_be_false } => {
                (function == Unary::Not).then_some(Interval::truth_of(may_be_false, may_be_true))
            }
        }
    }

    fn binary(function: Binary, kind: Kind, x: &Interval, y: &Interval) -> Option<Interval> {
        match (*x, *y) {
            (Float { low: a, high: b, nan: p }, Float { low: c, high: d, nan: q }) => {
                let nan = p || q;
                if (a > b || c > d) && function.result(kind).is_float() {
                    return Some(Interval::NOT_A_NUMBER);
                }
                let ends = [(a, c), (a, d), (b, c), (b, d)];
                // Zero may lie between the ends, and then no corner tells of `0 * inf`.
                let holds_zero = |low: f64, high: f64| low <= 0.0 && high >= 0.0;
                let is_endless = |low: f64, high: f64| low.is_infinite() || high.is_infinite();
                let meets = holds_zero(a, b) && is_endless(c, d) || holds_zero(c, d) && is_endless(a, b);
                Some(match function {
                    Binary::Mul => Interval::arithmetic(function, ends, nan || meets),
                    Binary::Add | Binary::Sub => Interval::arithmetic(function, ends, nan),
                    Binary::Div if c > 0.0 || d < 0.0 => Interval::arithmetic(function, ends, nan),
                    Binary::Max => Float { low: a.max(c), high: b.max(d), nan },
                    Binary::Min => Float { low: a.min(c), high: b.min(d), nan },
                    Binary::Pow if a > 0.0 || (a >= 0.0 && c >= 0.0) => powers((a, b), (c, d), nan),
                    Binary::Pow if c == d && c.fract() == 0.0 && (c >= 0.0 || b < 0.0) => {
                        // A whole power: even ones have their least value at zero.
                        let around = powers((a, b), (c, d), nan);
                        match around {
                            Float { low, high, nan } if c % 2.0 == 0.0 => {
                                let least = if b >= 0.0 { 0.0 } else { low.max(0.0) };
                                Float { low: if c == 0.0 { low } else { least }, high, nan }
                            }
                            other => other,
                        }
                    }
                    // Rounding may reach the divisor itself.
                    Binary::Modulo if c > 0.0 && a.is_finite() && b.is_finite() => {
                        Float { low: 0.0, high: d, nan }
                    }
                    Binary::Remainder if c > 0.0 && a.is_finite() && b.is_finite() => Float {
                        low: if a < 0.0 { (-d).max(a) } else { 0.0 },
                        high: if b > 0.0 { d.min(b) } else { 0.0 },
                        nan,
                    },
                    Binary::Atan2 => Interval::around(&[-PI, PI], nan),
                    Binary::Lt => Interval::truth_of(a < d, nan || b >= c),
                    Binary::Le => Interval::truth_of(a <= d, nan || b > c),
                    Binary::Eq => Interval::truth_of(a <= d && c <= b, nan || !(a == b && b == c && c == d)),
                    _ => Interval::anything(function.result(kind))?,
                })
            }
            (Int { low: a, high: b }, Int { low: c, high: d }) => {
                if a == b && c == d {
                    let scalar =
                        Scalar::binary(function, kind, &Scalar::Int(a as i64), &Scalar::Int(c as i64))?;
                    return Some(match scalar {
                        Scalar::Bool(value) => Interval::bool(value),
                        Scalar::Int(value) => <Interval as Number>::int(kind, value),
                        _ => return None,
                    });
                }
                match function {
                    Binary::Add => Interval::int(kind, a.checked_add(c), b.checked_add(d)),
                    Binary::Sub => Interval::int(kind, a.checked_sub(d), b.checked_sub(c)),
                    Binary::Mul => {
                        let corners: Option<Vec<i128>> =
                            [(a, c), (a, d), (b, c), (b, d)].iter().map(|(x, y)| x.checked_mul(*y)).collect();
                        let corners = corners.unwrap_or_default();
                        Interval::int(kind, corners.iter().min().copied(), corners.iter().max().copied())
                    }
                    Binary::Max => Some(Int { low: a.max(c), high: b.max(d) }),
                    Binary::Min => Some(Int { low: a.min(c), high: b.min(d) }),
                    // Towards minus infinity, and by something positive: it rises with the one and the corners say all.
                    Binary::FloorDiv if c > 0 => {
                        let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.div_euclid(y));
                        Interval::int(kind, corners.iter().min().copied(), corners.iter().max().copied())
                    }
                    Binary::Lt => Some(Interval::truth_of(a < d, b >= c)),
                    Binary::Le => Some(Interval::truth_of(a <= d, b > c)),
                    Binary::Eq => Some(Interval::truth_of(a <= d && c <= b, true)),
                    _ => Interval::anything(function.result(kind)),
                }
            }
            (Bool { may_be_true: a, may_be_false: b }, Bool { may_be_true: c, may_be_false: d }) => {
                let choices = |may_be_true: bool, may_be_false: bool| {
                    [(may_be_true, true), (may_be_false, false)]
                        .into_iter()
                        .filter(|(may, _)| *may)
                        .map(|(_, value)| value)
                };
                let mut result = Interval::truth_of(false, false);
                for x in choices(a, b) {
                    for y in choices(c, d) {
                        result = result.hull(&Interval::bool(bool_binary(function, x, y)))?;
                    }
                }
                Some(result)
            }
            _ => None,
        }
    }

    fn cast(from: Kind, to: Kind, x: &Interval) -> Option<Interval> {
        match (*x, to.class()) {
            (Float { low, high, nan }, Class::Float) => {
                Some(Float { low: to.round(low), high: to.round(high), nan })
            }
            (Float { low, high, nan }, Class::Int) => {
                let ends = [low, high].map(|end| integer::widen(to, integer::from_float(to, end)));
                if nan { Interval::anything(to) } else { Some(Int { low: ends[0], high: ends[1] }) }
            }
            (Float { low, high, nan }, Class::Bool) => {
                Some(Interval::truth_of(nan || low != 0.0 || high != 0.0, low <= 0.0 && high >= 0.0))
            }
            (Int { low, high }, Class::Float) => {
                let round = |end: i128| {
                    if from == Kind::U64 { to.round(end as u64 as f64) } else { to.round(end as f64) }
                };
                Some(Float { low: round(low), high: round(high), nan: false })
            }
            (Int { low, high }, Class::Int) if low == high => Some(<Interval as Number>::int(to, low as i64)),
            (Int { low, high }, Class::Int) => Interval::int(to, Some(low), Some(high)),
            (Int { low, high }, Class::Bool) => {
                Some(Interval::truth_of(low != 0 || high != 0, low <= 0 && high >= 0))
            }
            (Bool { may_be_true, may_be_false }, _) => {
                let number = |value: bool| <Interval as Number>::int(to, i64::from(value));
                match (may_be_true, may_be_false) {
                    (true, true) => number(false).hull(&number(true)),
                    (value, _) => Some(number(value)),
                }
            }
            _ => None,
        }
    }

    fn fold(with: Fold, kind: Kind, terms: &[Interval]) -> Option<Interval> {
        let neutral = match Scalar::fold(with, kind, &[])? {
            Scalar::Float(value) => Interval::point(value),
            Scalar::Int(value) => <Interval as Number>::int(kind, value),
            Scalar::Bool(value) => Interval::bool(value),
            Scalar::Complex(_) => return None,
        };
        terms.iter().try_fold(neutral, |sum, term| Interval::binary(with.step(), kind, &sum, term))
    }

    fn truth(&self) -> Option<bool> {
        match *self {
            Bool { may_be_true, may_be_false } if may_be_true != may_be_false => Some(may_be_true),
            _ => None,
        }
    }
    fn integer(&self) -> Option<i64> {
        match *self {
            Int { low, high } if low == high => Some(low as i64),
            _ => self.truth().map(i64::from),
        }
    }
    fn candidates(&self) -> Option<Vec<Interval>> {
        match *self {
            Bool { may_be_true: true, may_be_false: true } => {
                Some(vec![Interval::bool(true), Interval::bool(false)])
            }
            Int { low, high } if low < high && high - low < 4 => {
                Some((low..=high).map(|value| Int { low: value, high: value }).collect())
            }
            _ => None,
        }
    }
    fn hull(&self, other: &Interval) -> Option<Interval> {
        Some(match (*self, *other) {
            (Float { low: a, high: b, nan: p }, Float { low: c, high: d, nan: q }) => {
                Float { low: a.min(c), high: b.max(d), nan: p || q }
            }
            (Int { low: a, high: b }, Int { low: c, high: d }) => Int { low: a.min(c), high: b.max(d) },
            (Bool { may_be_true: a, may_be_false: b }, Bool { may_be_true: c, may_be_false: d }) => {
                Interval::truth_of(a || c, b || d)
            }
            _ => return None,
        })
    }
    fn anything(kind: Kind) -> Option<Interval> {
        match kind.class() {
            Class::Bool => Some(Interval::ANY_BOOL),
            Class::Int => kind.int_range().map(|(low, high)| Int { low, high }),
            Class::Float => Some(Interval::ANY_FLOAT),
            Class::Complex | Class::Opaque => None,
        }
    }
}

/// Functions that rise through zero or one at a point which every implementation hits: on either side of it they are on
/// either side of that.
fn keeps_side(function: Unary, argument: &[f64; 2], result: Interval) -> Interval {
    let (point, value) = match function {
        Unary::Ln => (1.0, 0.0),
        Unary::Exp => (0.0, 1.0),
        Unary::Expm1
        | Unary::Log1p
        | Unary::Asin
        | Unary::Atan
        | Unary::Sinh
        | Unary::Tanh
        | Unary::Asinh
        | Unary::Atanh
        | Unary::Erf => (0.0, 0.0),
        _ => return result,
    };
    match result {
        Float { low, high, nan } if low <= high => Float {
            low: if argument[0] >= point { low.max(value) } else { low },
            high: if argument[1] <= point { high.min(value) } else { high },
            nan,
        },
        other => other,
    }
}

/// Knuth's two-sum: whether an addition loses nothing.
fn sums_exactly(x: f64, y: f64) -> bool {
    let sum = x + y;
    let part = sum - x;
    (x - (sum - part)) + (y - part) == 0.0
}

/// A sine or cosine: what it is at the ends, and the extremes between them.
fn turning(function: Unary, (low, high): (f64, f64), nan: bool) -> Interval {
    /// Where numbers lie so close that a turn can be told.
    const FAR: f64 = 1e6;
    if low.abs() > FAR || high.abs() > FAR {
        return Float { low: -1.0, high: 1.0, nan };
    }
    let (at, peak): (fn(f64) -> f64, f64) = match function {
        Unary::Sin => (f64::sin, FRAC_PI_2),
        _ => (f64::cos, 0.0),
    };
    // Whether a number of the form `place + 2 pi n` lies between the ends, or so near that rounding may reach it.
    let holds = |place: f64| {
        let turns = ((low - 1e-6 - place) / TAU).ceil();
        place + turns * TAU <= high + 1e-6
    };
    let Float { low: least, high: most, .. } = Interval::around(&[at(low), at(high)], nan) else {
        return Float { low: -1.0, high: 1.0, nan };
    };
    let low = if holds(peak + PI) { -1.0 } else { least.max(-1.0) };
    let high = if holds(peak) { 1.0 } else { most.min(1.0) };
    Float { low, high, nan }
}

/// Powers at the ends of both ranges. Those of 0 and 1, and first powers, are what they are: no other end is moved beyond
/// them.
fn powers((a, b): (f64, f64), (c, d): (f64, f64), nan: bool) -> Interval {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (base, exponent) in [(a, c), (a, d), (b, c), (b, d)] {
        let power = base.powf(exponent);
        if power.is_nan() {
            return Interval::ANY_FLOAT;
        }
        let is_exact = base == 0.0 || base == 1.0 || exponent == 0.0 || exponent == 1.0;
        let (least, most) = if is_exact {
            (power, power)
        } else {
            (power.next_down().next_down(), power.next_up().next_up())
        };
        low = low.min(least);
        high = high.max(most);
    }
    Float { low: if a >= 0.0 { low.max(0.0) } else { low }, high, nan }
}
