//! How a scalar function changes with its argument, as a formula: what the backward pass multiplies by.
//!
//! Each is written as frameworks compute it, so that it is infinite or not a number where theirs is.

use crate::element::Element;
use crate::scalar::{Binary, Unary};

/// The derivative of a function at an argument; `None` where it is finite whatever the argument.
pub fn of_unary(function: Unary, x: Element) -> Option<Element> {
    Some(match function {
        Unary::Sqrt => 0.5 / x.sqrt(),
        Unary::Ln => x.reciprocal(),
        Unary::Log1p => (x + 1.0).reciprocal(),
        Unary::Exp => x.exp(),
        Unary::Expm1 => x.exp(),
        Unary::Reciprocal => -(x.reciprocal() * x.reciprocal()),
        Unary::Asin => (1.0 - x * x).sqrt().reciprocal(),
        Unary::Acos => -(1.0 - x * x).sqrt().reciprocal(),
        Unary::Acosh => (x * x - 1.0).sqrt().reciprocal(),
        Unary::Atanh => (1.0 - x * x).reciprocal(),
        Unary::Sinh => x.cosh(),
        Unary::Cosh => x.sinh(),
        _ => return None,
    })
}

/// The derivatives of a function of two numbers, by the first and by the second.
pub fn of_binary(function: Binary, x: Element, y: Element) -> Vec<Element> {
    match function {
        Binary::Div => vec![y.reciprocal(), -((x / y) / y)],
        // Of what is always 1 it is zero, also where the base has no logarithm and no inverse.
        Binary::Pow => vec![y.eq(0.0).select(y * 0.0, y * x.pow(y - 1.0))],
        _ => Vec::new(),
    }
}
