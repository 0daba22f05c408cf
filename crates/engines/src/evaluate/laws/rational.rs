//! Exact rationals: what sums, differences, products and quotients really are.

use super::super::number::Number;
use super::super::plain::Scalar;
use super::super::reading::Reading;
use dashu_ratio::RBig;
use semantics::dtype::Kind;
use semantics::scalar::{Binary, Fold, Unary};

#[derive(Clone, Debug)]
pub(super) enum Rational {
    Exact(RBig),
    Other(Scalar),
}

use Rational::{Exact, Other};

impl Rational {
    fn of(value: f64) -> Option<Rational> {
        RBig::try_from(value).ok().map(Exact)
    }
    /// How far a float is from it.
    pub fn distance(&self, value: f64) -> Option<f64> {
        match (self, Rational::of(value)?) {
            (Exact(own), Exact(other)) => {
                let off = if *own > other { own - other } else { other - own };
                // Rounded to nearest: an error bound is at most that far off itself.
                Some(off.to_f64().value() * (1.0 - 1e-15))
            }
            _ => None,
        }
    }
}

impl Number for Rational {
    fn float(kind: Kind, value: f64) -> Self {
        // The constant of the formula, not what it is rounded to.
        Rational::of(value).unwrap_or(Other(Scalar::float(kind, value)))
    }
    fn int(kind: Kind, value: i64) -> Self {
        match Scalar::int(kind, value) {
            Scalar::Float(value) => Rational::of(value).unwrap_or(Other(Scalar::Float(value))),
            other => Other(other),
        }
    }
    fn bool(value: bool) -> Self {
        Other(Scalar::Bool(value))
    }
    fn read(reading: &Reading, at: usize) -> Option<Self> {
        match Scalar::read(reading, at)? {
            Scalar::Float(value) => Rational::of(value),
            other => Some(Other(other)),
        }
    }
    fn unary(function: Unary, _: Kind, x: &Self) -> Option<Self> {
        let Exact(x) = x else { return None };
        Some(Exact(match function {
            Unary::Neg => -x.clone(),
            Unary::Abs => {
                if *x < RBig::ZERO {
                    -x.clone()
                } else {
                    x.clone()
                }
            }
            _ => return None,
        }))
    }
    fn binary(function: Binary, _: Kind, x: &Self, y: &Self) -> Option<Self> {
        let (Exact(x), Exact(y)) = (x, y) else { return None };
        Some(Exact(match function {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            Binary::Mul => x * y,
            Binary::Div if *y != RBig::ZERO => x / y,
            Binary::Max => {
                if x > y {
                    x.clone()
                } else {
                    y.clone()
                }
            }
            Binary::Min => {
                if x < y {
                    x.clone()
                } else {
                    y.clone()
                }
            }
            _ => return None,
        }))
    }
    fn cast(_: Kind, _: Kind, _: &Self) -> Option<Self> {
        None
    }
    fn fold(with: Fold, kind: Kind, terms: &[Self]) -> Option<Self> {
        let (first, rest) = terms.split_first()?;
        rest.iter().try_fold(first.clone(), |sum, term| Rational::binary(with.step(), kind, &sum, term))
    }
    fn truth(&self) -> Option<bool> {
        if let Other(value) = self { value.truth() } else { None }
    }
    fn integer(&self) -> Option<i64> {
        if let Other(value) = self { value.integer() } else { None }
    }
    fn candidates(&self) -> Option<Vec<Self>> {
        None
    }
    fn hull(&self, _: &Self) -> Option<Self> {
        Some(self.clone())
    }
    fn anything(_: Kind) -> Option<Self> {
        None
    }
}
