//! The bounded domain: floats with an error, integers with a range, bools that may be both.

use super::begun;
use super::complex::{self, Disc};
use super::near::{Format, Near};
use super::number::Number;
use super::plain::Scalar;
use super::reading::{Bound, Reading};
use super::run_number::{bool_binary, larger, smaller, widens};
use super::sums::Terms;
use semantics::array::Data;
use semantics::dtype::{Class, Kind};
use semantics::integer;
use semantics::scalar::{Binary, Fold, Unary};

/// One element, and what a computed result may be instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Estimate {
    Float(Near),
    /// A value and the range that it lies in.
    Int {
        value: i64,
        low: i128,
        high: i128,
    },
    Bool {
        value: bool,
        undecided: bool,
    },
    Complex(Disc),
}

use Estimate::{Bool, Complex, Float, Int};

/// More admissible integers than this are not tried one by one.
const FEW: i128 = 4;

impl Estimate {
    fn decided_int(kind: Kind, value: i64) -> Estimate {
        let wide = integer::widen(kind, value);
        Int { value, low: wide, high: wide }
    }
    const fn decided_bool(value: bool) -> Estimate {
        Bool { value, undecided: false }
    }
    /// An integer of a type in a range; a range that leaves the type wraps to anything.
    fn int_range(kind: Kind, value: i64, low: i128, high: i128) -> Estimate {
        let (least, most) = kind.int_range().unwrap_or((i128::MIN, i128::MAX));
        if low < least || high > most {
            Int { value, low: least, high: most }
        } else {
            Int { value, low, high }
        }
    }
    fn plain(&self) -> Scalar {
        match *self {
            Float(near) => Scalar::Float(near.value),
            Int { value, .. } => Scalar::Int(value),
            Bool { value, .. } => Scalar::Bool(value),
            Complex(disc) => Scalar::Complex(disc.value),
        }
    }
    fn is_decided(&self) -> bool {
        match self {
            Int { low, high, .. } => low == high,
            Bool { undecided, .. } => !undecided,
            Float(_) | Complex(_) => true,
        }
    }
    fn of(kind: Kind, value: Scalar) -> Estimate {
        match value {
            Scalar::Float(value) => Float(Near::exact(value)),
            Scalar::Int(value) => Estimate::decided_int(kind, value),
            Scalar::Bool(value) => Estimate::decided_bool(value),
            Scalar::Complex(value) => Complex(Disc { value, error: 0.0 }),
        }
    }
    /// The integers that floats between two ends are cut or rounded to.
    fn whole_between(function: Unary, near: Near) -> Option<Estimate> {
        let (low, high) = near.ends();
        let (low, high) =
            (semantics::number::unary(function, low)?, semantics::number::unary(function, high)?);
        let value = semantics::number::unary(function, near.value)?;
        Some(Float(Near::around(value, low, high)))
    }
}

impl Number for Estimate {
    fn float(kind: Kind, value: f64) -> Estimate {
        let near = Format::of(kind).constant(value);
        match kind.class() {
            Class::Complex => Complex(Disc { value: [value, 0.0], error: near.error }),
            _ => Float(near),
        }
    }
    fn int(kind: Kind, value: i64) -> Estimate {
        Estimate::of(kind, Scalar::int(kind, value))
    }
    fn bool(value: bool) -> Estimate {
        Estimate::decided_bool(value)
    }
    fn read(reading: &Reading, at: usize) -> Option<Estimate> {
        let kind = reading.array.kind;
        Some(match (&reading.array.data, &reading.bound) {
            (Data::Float(values), Bound::Float(errors)) => {
                Float(Near { value: *values.get(at)?, error: *errors.get(at)? })
            }
            (Data::Int(values), Bound::Int(ranges)) => {
                let (low, high) = *ranges.get(at)?;
                Int { value: *values.get(at)?, low, high }
            }
            (Data::Bool(values), Bound::Bool(flags)) => {
                Bool { value: *values.get(at)?, undecided: *flags.get(at)? }
            }
            (Data::Complex(values), Bound::Complex(errors)) => {
                Complex(Disc { value: *values.get(at)?, error: *errors.get(at)? })
            }
            _ => Estimate::of(kind, Scalar::read(reading, at)?),
        })
    }

    fn unary(function: Unary, kind: Kind, x: &Estimate) -> Option<Estimate> {
        match *x {
            Float(near) => match function {
                Unary::IsNan | Unary::IsPosInf | Unary::IsNegInf => {
                    let value = Scalar::unary(function, kind, &x.plain())?.truth()?;
                    Some(Bool { value, undecided: near.error.is_infinite() })
                }
                Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc | Unary::Sign => {
                    Estimate::whole_between(function, near)
                }
                _ => Format::of(kind).unary(function, near).map(Float),
            },
            Complex(disc) => complex::unary(function, kind, disc)
                .map(Complex)
                .or_else(|| complex::part(function, kind, disc).map(Float)),
            Bool { value, undecided } if function == Unary::Not => Some(Bool { value: !value, undecided }),
            Int { low, high, .. } if !x.is_decided() => {
                let value = Scalar::unary(function, kind, &x.plain())?;
                match (function, value) {
                    (Unary::Neg, Scalar::Int(value)) => Some(Estimate::int_range(kind, value, -high, -low)),
                    _ => Estimate::anything(function.result(kind)),
                }
            }
            _ => Scalar::unary(function, kind, &x.plain())
                .map(|value| Estimate::of(function.result(kind), value)),
        }
    }

    fn binary(function: Binary, kind: Kind, x: &Estimate, y: &Estimate) -> Option<Estimate> {
        match (*x, *y) {
            (Float(a), Float(b)) => match function {
                Binary::Eq | Binary::Lt | Binary::Le => {
                    let value = Scalar::binary(function, kind, &x.plain(), &y.plain())?.truth()?;
                    Some(Bool { value, undecided: a.compare(function, b).is_none() })
                }
                Binary::Complex => Some(Complex(Disc::new([a.value, b.value], a.error.hypot(b.error)))),
                Binary::FloorDiv => Estimate::whole_between(Unary::Floor, Format::of(kind).div(a, b)),
                _ => Format::of(kind).binary(function, a, b).map(Float),
            },
            (Complex(a), Complex(b)) if function == Binary::Eq => {
                let equal = complex::equal(a, b);
                Some(Bool { value: equal.unwrap_or(a.value == b.value), undecided: equal.is_none() })
            }
            (Complex(a), Complex(b)) => complex::binary(function, kind, a, b).map(Complex),
            (Bool { value: a, undecided: p }, Bool { value: b, undecided: q }) => {
                let value = bool_binary(function, a, b);
                let choices =
                    |value: bool, undecided: bool| if undecided { vec![value, !value] } else { vec![value] };
                let same = choices(a, p)
                    .into_iter()
                    .all(|a| choices(b, q).into_iter().all(|b| bool_binary(function, a, b) == value));
                Some(Bool { value, undecided: !same })
            }
            (Int { low: a, high: b, .. }, Int { low: c, high: d, .. })
                if !(x.is_decided() && y.is_decided()) =>
            {
                let value = Scalar::binary(function, kind, &x.plain(), &y.plain())?;
                let products = || [a.checked_mul(c), a.checked_mul(d), b.checked_mul(c), b.checked_mul(d)];
                Some(match (function, value) {
                    (Binary::Add, Scalar::Int(value)) => Estimate::int_range(kind, value, a + c, b + d),
                    (Binary::Sub, Scalar::Int(value)) => Estimate::int_range(kind, value, a - d, b - c),
                    (Binary::Mul, Scalar::Int(value)) => {
                        let corners: Option<Vec<i128>> = products().into_iter().collect();
                        let corners = corners.unwrap_or_else(|| vec![i128::MIN, i128::MAX]);
                        Estimate::int_range(kind, value, *corners.iter().min()?, *corners.iter().max()?)
                    }
                    (Binary::Max, Scalar::Int(value)) => Int { value, low: a.max(c), high: b.max(d) },
                    (Binary::Min, Scalar::Int(value)) => Int { value, low: a.min(c), high: b.min(d) },
                    (Binary::Lt, Scalar::Bool(value)) => Bool { value, undecided: !(b < c || a >= d) },
                    (Binary::Le, Scalar::Bool(value)) => Bool { value, undecided: !(b <= c || a > d) },
                    (Binary::Eq, Scalar::Bool(value)) => Bool { value, undecided: b >= c && a <= d },
                    _ => Estimate::anything(function.result(kind))?,
                })
            }
            _ => Scalar::binary(function, kind, &x.plain(), &y.plain())
                .map(|value| Estimate::of(function.result(kind), value)),
        }
    }

    fn begun(kind: Kind, sum: Estimate, sides: [&Estimate; 2], terms: [f64; 2]) -> Estimate {
        match (sum, sides) {
            (Float(sum), [Float(x), Float(y)]) => {
                Float(Format::of(kind).begun(sum, [*x, *y], terms.map(begun::any_order)))
            }
            _ => sum,
        }
    }

    fn cast(from: Kind, to: Kind, x: &Estimate) -> Option<Estimate> {
        match (*x, to.class()) {
            (Float(near), Class::Float) if widens(from, to) => Some(Float(near)),
            (Float(near), Class::Float) => Some(Float(Format::of(to).converted(near))),
            (Float(near), Class::Int) => {
                let value = integer::from_float(to, near.value);
                let (least, most) = to.int_range()?;
                let (low, high) = near.ends();
                let inside = |end: f64| end.trunc() >= least as f64 && end.trunc() < most as f64 + 1.0;
                if !(inside(low) && inside(high)) {
                    return Some(Int { value, low: least, high: most });
                }
                Some(Int { value, low: low.trunc() as i128, high: high.trunc() as i128 })
            }
            (Float(near), Class::Bool) => {
                let (low, high) = near.ends();
                let undecided = near.error > 0.0 && !(low > 0.0 || high < 0.0);
                Some(Bool { value: near.value != 0.0, undecided })
            }
            (Float(near), Class::Complex) => {
                Some(Complex(complex::cast(to, Disc { value: [near.value, 0.0], error: near.error })))
            }
            (Complex(disc), Class::Complex) => Some(Complex(complex::cast(to, disc))),
            (Int { value, low, high }, class) if low != high => Some(match class {
                Class::Int => Estimate::int_range(to, to.wrap(value), low, high),
                Class::Float => Float(Near::around(
                    to.round(integer::to_float(from, value)),
                    to.round(low as f64),
                    to.round(high as f64),
                )),
                Class::Bool => Bool { value: value != 0, undecided: low <= 0 && high >= 0 },
                _ => return None,
            }),
            (Bool { value, undecided: true }, class) => Some(match class {
                Class::Int => Int { value: i64::from(value), low: 0, high: 1 },
                Class::Float => Float(Near::around(f64::from(u8::from(value)), 0.0, 1.0)),
                Class::Bool => *x,
                _ => return None,
            }),
            _ => Scalar::cast(from, to, &x.plain()).map(|value| Estimate::of(to, value)),
        }
    }

    fn fold(with: Fold, kind: Kind, terms: &[Estimate]) -> Option<Estimate> {
        if kind.class() == Class::Complex {
            let discs = terms.iter().map(|term| if let Complex(disc) = term { Some(*disc) } else { None });
            return Some(Complex(complex::fold(with, kind, &discs.collect::<Option<Vec<_>>>()?)));
        }
        if kind.class() != Class::Float || terms.is_empty() {
            let neutral = Estimate::of(kind, Scalar::fold(with, kind, &[])?);
            return terms
                .iter()
                .try_fold(neutral, |sum, term| Estimate::binary(with.step(), kind, &sum, term));
        }
        let nears =
            || terms.iter().filter_map(|term| if let Float(near) = term { Some(*near) } else { None });
        let (format, count) = (Format::of(kind), terms.len() as f64);
        Some(Float(match with {
            Fold::Sum => {
                let magnitudes = nears().map(|near| near.value.abs()).filter(|size| size.is_finite()).sum();
                let whole = nears()
                    .all(|near| near.error == 0.0 && near.value.abs() < 4e15 && near.value.fract() == 0.0);
                let error = nears().map(|near| if near.is_sure_nan() { f64::NAN } else { near.error }).sum();
                let terms = Terms { count, error, magnitudes, whole, likely: None };
                format.sum(nears().map(|near| near.value).sum(), terms)
            }
            Fold::Product => format.product(
                nears().map(|near| near.value).product(),
                nears().map(|near| near.value.abs() + near.error).product(),
                nears().map(|near| (near.value.abs() + near.error).max(1.0)).product(),
                count,
            ),
            _ => {
                let pick = if with == Fold::Max { larger } else { smaller };
                let value = nears().map(|near| near.value).reduce(pick)?;
                if value.is_nan() || nears().all(|near| near.error == 0.0) {
                    return Some(Float(Near::exact(value)));
                }
                let low = nears().map(|near| near.value - near.error).reduce(pick)?;
                let high = nears().map(|near| near.value + near.error).reduce(pick)?;
                Near::around(value, low, high)
            }
        }))
    }

    fn truth(&self) -> Option<bool> {
        match *self {
            Bool { value, undecided: false } => Some(value),
            _ => None,
        }
    }
    fn integer(&self) -> Option<i64> {
        match *self {
            Int { value, low, high } if low == high => Some(value),
            Bool { value, undecided: false } => Some(i64::from(value)),
            _ => None,
        }
    }
    fn candidates(&self) -> Option<Vec<Estimate>> {
        match *self {
            Bool { undecided: true, value } => {
                Some(vec![Estimate::decided_bool(value), Estimate::decided_bool(!value)])
            }
            // What `f64` says comes first: it is what the others are measured from.
            Int { value, low, high } if low < high && high - low < FEW => {
                let decided = |wide: i128| Int { value: wide as i64, low: wide, high: wide };
                let first = (low..=high).filter(|&wide| wide as i64 == value);
                Some(first.chain((low..=high).filter(|&wide| wide as i64 != value)).map(decided).collect())
            }
            Float(near) if near.error > 0.0 && near.error < FEW as f64 => {
                let low = (near.value - near.error).round();
                let steps = ((near.value + near.error).round() - low) as i64;
                let others = (0..=steps).map(|step| low + step as f64).filter(|&whole| whole != near.value);
                Some([near.value].into_iter().chain(others).map(|whole| Float(Near::exact(whole))).collect())
            }
            _ => None,
        }
    }
    fn hull(&self, other: &Estimate) -> Option<Estimate> {
        Some(match (*self, *other) {
            (Float(a), Float(b)) => {
                if a.value.is_nan() && b.value.is_nan() && a.error == b.error {
                    return Some(*self);
                }
                if a.value == b.value {
                    return Some(Float(Near { value: a.value, error: a.error.max(b.error) }));
                }
                let ((p, q), (r, s)) = (a.ends(), b.ends());
                Float(Near::around(a.value, p.min(r), q.max(s)))
            }
            (Int { value, low, high }, Int { low: c, high: d, .. }) => {
                Int { value, low: low.min(c), high: high.max(d) }
            }
            (Bool { value, undecided }, Bool { value: b, undecided: q }) => {
                Bool { value, undecided: undecided || q || value != b }
            }
            (Complex(a), Complex(b)) => {
                let gap = (a.value[0] - b.value[0]).hypot(a.value[1] - b.value[1]);
                Complex(Disc::new(a.value, a.error.max(gap + b.error)))
            }
            _ => return None,
        })
    }
    fn anything(kind: Kind) -> Option<Estimate> {
        Some(match kind.class() {
            Class::Bool => Bool { value: false, undecided: true },
            Class::Int => {
                let (low, high) = kind.int_range()?;
                Int { value: 0, low, high }
            }
            Class::Complex => Complex(Disc { value: [0.0; 2], error: f64::INFINITY }),
            _ => Float(Near::anything(0.0)),
        })
    }
}
