//! Number domains: what the scalar functions of formulas mean for one kind of number.
//!
//! The careful reader ([`super::walk`]) is written once for all of them.

use super::reading::Reading;
use semantics::dtype::Kind;
use semantics::scalar::{Binary, Fold, Unary};

/// A number of some domain: a float, an integer, a bool or a complex number.
/// `None` stands for a function that the domain gives no meaning.
pub trait Number: Clone {
    fn float(kind: Kind, value: f64) -> Self;
    fn int(kind: Kind, value: i64) -> Self;
    fn bool(value: bool) -> Self;
    /// An element of an evaluated tensor.
    fn read(reading: &Reading, at: usize) -> Option<Self>;

    /// `kind` is the type of the argument.
    fn unary(function: Unary, kind: Kind, x: &Self) -> Option<Self>;
    /// `kind` is the type of both arguments.
    fn binary(function: Binary, kind: Kind, x: &Self, y: &Self) -> Option<Self>;
    /// The sum of two numbers that are sums of so many terms, if either may have begun with the other.
    fn begun(_kind: Kind, sum: Self, _sides: [&Self; 2], _terms: [f64; 2]) -> Self {
        sum
    }
    fn cast(from: Kind, to: Kind, x: &Self) -> Option<Self>;
    fn fold(with: Fold, kind: Kind, terms: &[Self]) -> Option<Self>;

    /// The bool, if there is no doubt about it.
    fn truth(&self) -> Option<bool>;
    /// The integer, if there is no doubt about it.
    fn integer(&self) -> Option<i64>;
    /// The few values that an undecided number may have. The reader tries each, keeping its choice for all
    /// uses of that element. `None`: it is decided, or may be anything.
    fn candidates(&self) -> Option<Vec<Self>>;
    /// What covers both.
    fn hull(&self, other: &Self) -> Option<Self>;
    /// A number of which nothing is known.
    fn anything(kind: Kind) -> Option<Self>;
}
