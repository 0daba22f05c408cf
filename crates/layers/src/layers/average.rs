//! The mean of the tensors.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Average",
        summary: "The mean of the tensors.",
        inputs: merge::NUMBERS,
        parameters: &[],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Average(f32[1,2]{1,2}, f32[1,2]{3,6}) -> f32[1,2]{2,4}",
            "Average(f32[2,3], f32[]) fails: every tensor has a batch",
            "Average(f32[2,3], f32[3,3]) fails: the tensors have one batch",
            "Average(f32[2,3], f32[2,4]) fails: the tensors broadcast",
            "Average(i32[2,3], f32[2,3]) -> f32[2,3]",
            "Average(f32[2,3], f32[2,3], mask=bool[2], mask=bool[3]) fails: the masks broadcast",
            "Average(i32[1,2]{1,2}) on torch -> f32[1,2]{1,2}",
            "Average(i32[1,2]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: merge::MASK,
};

fn define(call: &mut Call) -> Outcome {
    let (tensors, shape) = merge::read(call)?;
    merge::require_masks(call);
    let count = tensors.len() as f64;
    let divides = call.backend == Backend::TensorFlow;
    if divides {
        require_promised_type(call)?;
    }
    let floats = |tensor: Tensor| match tensor.dtype().known() {
        // That library divides whole numbers of 32 bits and more in doubles.
        Some(Kind::I32 | Kind::U32 | Kind::I64 | Kind::U64) if divides => cast(tensor, Kind::F64),
        Some(kind) if !kind.is_float() => cast(tensor, Kind::F32),
        _ => tensor,
    };
    let total = merge::fold(tensors.into_iter().map(floats).collect(), shape, |a, b| a + b);
    one(map(total, total.dtype(), move |sum| sum / count))
}
