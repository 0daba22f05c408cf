//! What a framework might compute: every operation rounded to its type, sums in a random order.

use super::super::number::Number;
use super::super::plain::Scalar;
use super::super::reading::Reading;
use super::super::walk::Tensors;
use super::{Case, Random, read_all};
use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};
use semantics::scalar::{Binary, Fold, Unary};
use std::cell::RefCell;

thread_local!(static ORDER: RefCell<Random> = RefCell::new(Random::new(0)));

/// Evaluates a case that way; `None` if it has no value.
pub(super) fn evaluate(case: &Case, around: &dyn Tensors, seed: u64) -> Option<Array> {
    ORDER.with(|order| *order.borrow_mut() = Random::new(seed ^ 0xabcd));
    let kind = case.tensor.kind();
    let mut values = Vec::new();
    read_all::<Rounded>(case, around, |_, value| values.push(value.ok().map(|Rounded(value)| value)));
    let values: Vec<Scalar> = values.into_iter().collect::<Option<_>>()?;
    let mut data = Data::zeros(kind, values.len());
    for (at, value) in values.into_iter().enumerate() {
        match (&mut data, value) {
            (Data::Float(own), Scalar::Float(value)) => own[at] = value,
            (Data::Int(own), Scalar::Int(value)) => own[at] = value,
            (Data::Bool(own), Scalar::Bool(value)) => own[at] = value,
            _ => return None,
        }
    }
    Some(Array::new(kind, case.sizes.clone(), data))
}

#[derive(Clone)]
struct Rounded(Scalar);

impl Rounded {
    fn of(kind: Kind, value: Scalar) -> Rounded {
        Rounded(match value {
            Scalar::Float(value) => Scalar::Float(kind.round(value)),
            other => other,
        })
    }
    /// Elementary functions are a little off.
    fn nudged(function: Unary, kind: Kind, value: Scalar) -> Rounded {
        use Unary::*;
        let elementary = !matches!(
            function,
            Neg | Abs
                | Sign
                | Sqrt
                | Reciprocal
                | Floor
                | Ceil
                | Round
                | Trunc
                | IsNan
                | IsPosInf
                | IsNegInf
                | Not
                | BitNot
        );
        match value {
            Scalar::Float(value) if elementary => {
                let amount = ORDER.with(|order| order.borrow_mut().unit()) * 2.0 - 1.0;
                Rounded::of(kind, Scalar::Float(value * (1.0 + amount * kind.unit_roundoff())))
            }
            value => Rounded::of(kind, value),
        }
    }
}

impl Number for Rounded {
    fn float(kind: Kind, value: f64) -> Self {
        Rounded::of(kind, Scalar::float(kind, value))
    }
    fn int(kind: Kind, value: i64) -> Self {
        Rounded(Scalar::int(kind, value))
    }
    fn bool(value: bool) -> Self {
        Rounded(Scalar::Bool(value))
    }
    fn read(reading: &Reading, at: usize) -> Option<Self> {
        Scalar::read(reading, at).map(Rounded)
    }
    fn unary(function: Unary, kind: Kind, x: &Self) -> Option<Self> {
        Some(Rounded::nudged(function, kind, Scalar::unary(function, kind, &x.0)?))
    }
    fn binary(function: Binary, kind: Kind, x: &Self, y: &Self) -> Option<Self> {
        Scalar::binary(function, kind, &x.0, &y.0).map(|value| Rounded::of(kind, value))
    }
    fn cast(from: Kind, to: Kind, x: &Self) -> Option<Self> {
        Scalar::cast(from, to, &x.0).map(Rounded)
    }
    fn fold(with: Fold, kind: Kind, terms: &[Self]) -> Option<Self> {
        let mut terms: Vec<Scalar> = terms.iter().map(|term| term.0).collect();
        if kind.class() != Class::Float || terms.is_empty() {
            return Scalar::fold(with, kind, &terms).map(Rounded);
        }
        // Combine any two until one is left: every order and every tree.
        while terms.len() > 1 {
            let (i, j) = ORDER.with(|order| {
                let mut order = order.borrow_mut();
                let tree = order.chance(50);
                (order.below(terms.len()), if tree { order.below(terms.len() - 1) } else { 0 })
            });
            let x = terms.swap_remove(i);
            let j = j.min(terms.len() - 1);
            let y = terms[j];
            terms[j] = Rounded::of(kind, Scalar::binary(with.step(), kind, &x, &y)?).0;
        }
        Some(Rounded(terms[0]))
    }
    fn truth(&self) -> Option<bool> {
        self.0.truth()
    }
    fn integer(&self) -> Option<i64> {
        self.0.integer()
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
