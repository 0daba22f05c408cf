//! Definitions of operators that work element by element.

use crate::call::{Call, Outcome, Stop, one, position};
use crate::compose::{map, zip};
use crate::dim::Dim;
use crate::dtype::{DType, Kind};
use crate::element::Element;
use crate::operator::{Category, Parameter, flag, int};
use crate::prop::Prop;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// A function of the one input `input`, of the same type.
pub fn unary(call: &mut Call, f: impl Fn(Element) -> Element + 'static) -> Outcome {
    let input = call.tensor("input")?;
    one(map(input, input.dtype(), f))
}

/// The same of a function whose results lie between two numbers, which a formula that takes `x` twice does not show.
/// The ends leave room for rounding in the shortest types.
pub fn unary_within(
    call: &mut Call,
    (low, high): (f64, f64),
    f: impl Fn(Element) -> Element + 'static,
) -> Outcome {
    let input = call.tensor("input")?;
    one(map(input, input.dtype(), f).within(low, high))
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

/// What ONNX said of the operands before version 7: whether `b` is repeated to the shape of `a` at all, and on which
/// axis of `a` its first axis lies. Since then they broadcast.
pub const LAID: &[Parameter] = &[int("axis").optional(), flag("broadcast").or_flag(true)];

/// How ONNX combined `a` and `b` before version 7 (see [`LAID`]): the definition is called with `b` laid along `a`,
/// whose shape the result has. A tensor of one element lies along every other.
pub fn aligned(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let axis = call.optional_int("axis")?;
    if !call.flag("broadcast")? {
        call.require_shape("`a` and `b` have one shape", b.shape().same(a.shape()));
        return (call.operator.define)(call);
    }
    let Some(axis) = axis else {
        call.require_broadcast_to("`b` fits the last axes of `a`", b, a.shape());
        return (call.operator.define)(call);
    };
    let axis = call.axis_at(axis, "`axis` is within the rank", a.shape())?;
    let (Some(whole), Some(part)) = (a.shape().known_rank(), b.shape().known_rank()) else {
        return call.valueless(a.dtype(), a.shape(), "how `b` is laid along `a`: a rank is not known");
    };
    let label = "`b` fits `a` from `axis` on";
    let after = whole.checked_sub(position(axis, whole) + part);
    call.insist(Category::IncompatibleShape, label, after.is_some())?;
    let ones = std::iter::repeat_n(Dim::from(1), after.unwrap_or(0));
    let laid =
        Tensor::from_elements(b.dtype(), b.shape().followed_by(ones), move |index| b.at(&index[..part]));
    call.require_broadcast_to(label, laid, a.shape());
    call.replace("b", laid);
    let outcome = (call.operator.define)(call);
    // Messages show what was given.
    call.replace("b", b);
    outcome
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
        let first = tensors[0].broadcast_in(shape, index);
        tensors[1..].iter().fold(first, |folded, tensor| f(folded, tensor.broadcast_in(shape, index)))
    })
}

/// States that no integer of `b` is zero.
pub fn require_divisors(call: &mut Call) -> Result<(), Stop> {
    let b = call.tensor("b")?;
    if matches!(b.dtype(), DType::Known(kind) if kind.is_int()) {
        call.require_of("no integer is divided by zero", b, |divisors| {
            Prop::all(divisors.iter().map(|divisor| divisor.ne(0)))
        });
    }
    Ok(())
}

/// What reaches the argument of a function: a formula of `gradients` and of another input of the same shape.
pub fn gradient(
    call: &mut Call,
    other: &str,
    label: &'static str,
    f: impl Fn(Element, Element) -> Element + 'static,
) -> Outcome {
    let (gradients, at) = (call.tensor("gradients")?, call.tensor(other)?);
    call.require_shape(label, gradients.shape().same(at.shape()));
    one(zip(gradients, at, gradients.dtype(), at.shape(), f))
}
