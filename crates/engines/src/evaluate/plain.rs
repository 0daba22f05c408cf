//! The plain domain: floats as `f64`, integers and bools as they are.

use super::number::Number;
use super::reading::Reading;
use super::run::int_to_float;
use super::run_number::bool_binary;
use semantics::array::Data;
use semantics::dtype::{Class, Kind};
use semantics::scalar::{Binary, Fold, Unary};
use semantics::{integer, number};
use std::cmp::Ordering;

/// One element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    Float(f64),
    Int(i64),
    Bool(bool),
    Complex([f64; 2]),
}

use Scalar::{Bool, Complex, Float, Int};

impl Number for Scalar {
    fn float(kind: Kind, value: f64) -> Scalar {
        if kind.class() == Class::Complex { Complex([value, 0.0]) } else { Float(value) }
    }
    fn int(kind: Kind, value: i64) -> Scalar {
        match kind.class() {
            Class::Int => Int(kind.wrap(value)),
            Class::Bool => Bool(value != 0),
            _ => Scalar::float(kind, kind.round(value as f64)),
        }
    }
    fn bool(value: bool) -> Scalar {
        Bool(value)
    }
    fn read(reading: &Reading, at: usize) -> Option<Scalar> {
        match &reading.array.data {
            Data::Bool(values) => values.get(at).map(|&value| Bool(value)),
            Data::Int(values) => values.get(at).map(|&value| Int(value)),
            Data::Float(values) => values.get(at).map(|&value| Float(value)),
            Data::Complex(values) => values.get(at).map(|&value| Complex(value)),
            Data::Opaque(_) => None,
        }
    }

    fn unary(function: Unary, kind: Kind, x: &Scalar) -> Option<Scalar> {
        match (function, *x) {
            (Unary::IsNan, Float(x)) => Some(Bool(x.is_nan())),
            (Unary::IsPosInf, Float(x)) => Some(Bool(x == f64::INFINITY)),
            (Unary::IsNegInf, Float(x)) => Some(Bool(x == f64::NEG_INFINITY)),
            (Unary::IsNan | Unary::IsPosInf | Unary::IsNegInf, Int(_)) => Some(Bool(false)),
            (_, Float(x)) => number::unary(function, x).map(Float),
            (_, Int(x)) => integer::unary(function, kind, x).map(Int),
            (Unary::Not, Bool(x)) => Some(Bool(!x)),
            (Unary::Real, Complex([a, _])) => Some(Float(a)),
            (Unary::Imag, Complex([_, b])) => Some(Float(b)),
            (Unary::Abs, Complex([a, b])) => Some(Float(a.hypot(b))),
            (Unary::Neg, Complex([a, b])) => Some(Complex([-a, -b])),
            (Unary::Reciprocal, Complex(_)) => Scalar::binary(Binary::Div, kind, &Complex([1.0, 0.0]), x),
            _ => None,
        }
    }
    fn binary(function: Binary, kind: Kind, x: &Scalar, y: &Scalar) -> Option<Scalar> {
        match (*x, *y) {
            (Float(x), Float(y)) => match function {
                Binary::Eq => Some(Bool(x == y)),
                Binary::Lt => Some(Bool(x < y)),
                Binary::Le => Some(Bool(x <= y)),
                Binary::Complex => Some(Complex([x, y])),
                _ => number::binary(function, x, y).map(Float),
            },
            (Int(x), Int(y)) => match function {
                Binary::Eq => Some(Bool(x == y)),
                Binary::Lt => Some(Bool(integer::compare(kind, x, y) == Ordering::Less)),
                Binary::Le => Some(Bool(integer::compare(kind, x, y) != Ordering::Greater)),
                _ => integer::binary(function, kind, x, y).map(Int),
            },
            (Bool(x), Bool(y)) => Some(Bool(bool_binary(function, x, y))),
            (Complex([a, b]), Complex([c, d])) => {
                let square = c * c + d * d;
                Some(match function {
                    Binary::Add => Complex([a + c, b + d]),
                    Binary::Sub => Complex([a - c, b - d]),
                    Binary::Mul => Complex([a * c - b * d, a * d + b * c]),
                    Binary::Div => Complex([(a * c + b * d) / square, (b * c - a * d) / square]),
                    Binary::Eq => Bool(a == c && b == d),
                    _ => return None,
                })
            }
            _ => None,
        }
    }
    fn cast(from: Kind, to: Kind, x: &Scalar) -> Option<Scalar> {
        Some(match (*x, to.class()) {
            (Float(x), Class::Float) => Float(to.round(x)),
            (Float(x), Class::Int) => Int(integer::from_float(to, x)),
            (Float(x), Class::Bool) => Bool(x != 0.0),
            (Float(x), Class::Complex) => Complex([to.round(x), 0.0]),
            (Int(x), Class::Float) => Float(int_to_float(from, to, x)),
            (Int(x), Class::Int) => Int(to.wrap(x)),
            (Int(x), Class::Bool) => Bool(x != 0),
            (Int(x), Class::Complex) => Complex([int_to_float(from, to, x), 0.0]),
            (Bool(x), _) => Scalar::int(to, i64::from(x)),
            (Complex(x), Class::Complex) => Complex(x.map(|part| to.round(part))),
            _ => return None,
        })
    }
    fn fold(with: Fold, kind: Kind, terms: &[Scalar]) -> Option<Scalar> {
        let (least, most) = integer::extremes(kind);
        let neutral = match (with, kind.class()) {
            (Fold::Sum | Fold::Any, _) => Scalar::int(kind, 0),
            (Fold::Product | Fold::All, _) => Scalar::int(kind, 1),
            (Fold::Max, Class::Int) => Int(least),
            (Fold::Min, Class::Int) => Int(most),
            (Fold::Max, Class::Bool) => Bool(false),
            (Fold::Min, Class::Bool) => Bool(true),
            (Fold::Max, _) => Float(f64::NEG_INFINITY),
            (Fold::Min, _) => Float(f64::INFINITY),
        };
        terms.iter().try_fold(neutral, |sum, term| Scalar::binary(with.step(), kind, &sum, term))
    }

    fn truth(&self) -> Option<bool> {
        if let Bool(truth) = self { Some(*truth) } else { None }
    }
    fn integer(&self) -> Option<i64> {
        match self {
            Int(value) => Some(*value),
            Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }
    fn candidates(&self) -> Option<Vec<Scalar>> {
        None
    }
    fn hull(&self, other: &Scalar) -> Option<Scalar> {
        (self == other).then_some(*self)
    }
    fn anything(_: Kind) -> Option<Scalar> {
        None
    }
}
