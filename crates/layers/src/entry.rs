//! What a model inside another one makes of the tensors that it is called on.

use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::reshape;
use semantics::dim::Dim;
use semantics::dtype::ANY;
use semantics::operator::Category::IncompatibleShape;
use semantics::operator::{Operator, Parameter, ParameterKind, Preset, ints, tensor};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// An input of a model that is called as a layer: the model takes what it declares.
pub static ENTRY: Operator = Operator {
    name: "InputLayer",
    summary: "What a model inside another one takes: a tensor of the declared shape, -1 for sizes that are left \
              open, in the declared type. The batch is free. An axis of size 1 at the end may be missing, or be one \
              too many.",
    inputs: &[tensor("inputs", ANY)],
    parameters: &[
        ints("shape"),
        Parameter { name: "dtype", kind: ParameterKind::Type, default: Preset::Absent },
    ],
    outputs: &["output"],
    spellings: &[],
    define,
    examples: &[
        "InputLayer(f32[N,3], shape=[-1,3]) -> f32[N,3]",
        "InputLayer(i32[2,3]{1,2,3,4,5,6}, shape=[-1,-1], dtype=f32) -> f32[2,3]{1,2,3,4,5,6}",
        "InputLayer(f32[2,3,1], shape=[-1,3]) -> f32[2,3]",
        "InputLayer(f32[2,3], shape=[-1,3,1]) -> f32[2,3,1]",
        "InputLayer(f32[2,1], shape=[-1,3]) -> f32[2,1]",
        "InputLayer(f32[2,3], shape=[-1,4]) fails: a model is called on what its inputs declare",
        "InputLayer(f32[2,3,4], shape=[-1,3]) fails: a model is called on what its inputs declare",
        "InputLayer(f32[2], shape=[-1,3,4]) fails: a model is called on what its inputs declare",
        "InputLayer(f32[2,3]) fails: `shape` is given",
    ],
};

/// An axis of the declared shape along which the model is called, and which it does not declare itself; any number
/// below zero is left open.
pub const TIME: i64 = -2;

const LABEL: &str = "a model is called on what its inputs declare";

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let declared = call.ints("shape")?;
    let declared = call.positions("shape", &declared)?;
    let adjusted = adjusted(call, input, &declared)?;
    let sizes = call.known_sizes(adjusted)?;
    let last = sizes.len().saturating_sub(1);
    for (k, (&size, &declared)) in sizes.iter().zip(&declared).enumerate().skip(1) {
        // Keras leaves an axis of size 1 at the end out of the comparison.
        let fits = size.eq(declared) | (k == last && declared == 1).into();
        let fits = if k == last { fits | size.eq(1) } else { fits };
        if declared >= 0 {
            call.demand(IncompatibleShape, LABEL, fits)?;
        }
    }
    match (call.optional_type("dtype")?, adjusted.dtype().known()) {
        (Some(to), Some(from)) if from != to => {
            one(Tensor::from_elements(to, adjusted.shape(), move |index| adjusted.at(index).cast(to)))
        }
        _ => one(adjusted),
    }
}

/// The tensor with as many axes as are declared: one of size 1 at the end is left out, or put there.
fn adjusted(call: &mut Call, input: Tensor, declared: &[i64]) -> Result<Tensor, Stop> {
    let sizes = call.known_sizes(input)?;
    let rank = declared.len();
    if sizes.len() == rank + 1 {
        call.demand(IncompatibleShape, LABEL, sizes[rank].eq(1))?;
        return Ok(reshape(input, Shape::new(sizes[..rank].iter().copied())));
    }
    if sizes.len() + 1 == rank && declared[rank - 1] == 1 {
        return Ok(reshape(input, Shape::new(sizes.iter().copied().chain([Dim::from(1)]))));
    }
    call.insist(IncompatibleShape, LABEL, sizes.len() == rank)?;
    Ok(input)
}
