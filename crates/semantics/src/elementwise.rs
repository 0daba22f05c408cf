//! Definitions of operators that work element by element.

use crate::call::{Call, Outcome, Stop, one};
use crate::compose::{map, unknown_elements, zip};
use crate::dtype::{DType, Kind};
use crate::element::Element;
use crate::prop::Prop;
use crate::shape::Shape;
use crate::tensor::Tensor;

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
    one(zip(a, b, Kind::Bool, shape, f))
}

/// How ONNX combined `a` and `b` before version 7: `b` was laid along some axes of `a`, which two attributes named.
/// The result has the shape of `a`; which elements meet is not read.
pub fn aligned(call: &mut Call, dtype: impl Into<DType>) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    call.require_shape("`b` has no more axes than `a`", b.shape().rank().le(a.shape().rank()));
    call.lost.push("how `b` is laid along `a`".into());
    one(unknown_elements(dtype.into(), a.shape()))
}

/// A function of all `tensors`, broadcast, folded from the first to the last.
pub fn variadic(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let tensors = call.list("tensors");
    let shape = call.broadcast("the tensors broadcast", &tensors);
    one(folded(&tensors, shape, f))
}

/// Like [`variadic`], for tensors that do not broadcast.
pub fn variadic_alike(call: &mut Call, f: fn(Element, Element) -> Element) -> Outcome {
    let tensors = call.list("tensors");
    let shape = tensors[0].shape();
    for tensor in &tensors[1..] {
        call.require_shape("the tensors have one shape", tensor.shape().same(shape));
    }
    one(folded(&tensors, shape, f))
}

fn folded(tensors: &[Tensor], shape: Shape, f: fn(Element, Element) -> Element) -> Tensor {
    let tensors = tensors.to_vec();
    Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let first = tensors[0].broadcast_at(index);
        tensors[1..].iter().fold(first, |folded, tensor| f(folded, tensor.broadcast_at(index)))
    })
}

/// States that no integer is divided by zero, where the divisors `b` are known.
pub fn require_divisors(call: &mut Call) -> Result<(), Stop> {
    let b = call.tensor("b")?;
    let is_int = matches!(b.dtype(), DType::Known(kind) if kind.is_int());
    if let Some(divisors) = is_int.then(|| call.values(b)).flatten() {
        call.require_value("no integer is divided by zero", Prop::all(divisors.iter().map(|d| d.ne(0))));
    }
    Ok(())
}
