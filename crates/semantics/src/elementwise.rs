//! Definitions of operators that work element by element.

use crate::call::{Call, Outcome, one};
use crate::compose::{map, zip};
use crate::element::Element;

/// A function of the one input `input`, of the same type.
pub fn unary(call: &mut Call, f: impl Fn(Element) -> Element + 'static) -> Outcome {
    let input = call.tensor("input")?;
    one(map(input, input.dtype(), f))
}

/// A function of `a` and `b`, broadcast, of their type.
pub fn binary(call: &mut Call, f: impl Fn(Element, Element) -> Element + 'static) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let shape = call.broadcast("`a` and `b` broadcast", &[a, b]);
    one(zip(a, b, a.dtype(), shape, f))
}

/// A yes-or-no function of `a` and `b`, broadcast.
pub fn compare(call: &mut Call, f: impl Fn(Element, Element) -> Element + 'static) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let shape = call.broadcast("`a` and `b` broadcast", &[a, b]);
    one(zip(a, b, crate::dtype::Kind::Bool, shape, f))
}
