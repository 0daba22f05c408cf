//! The difference of two tensors.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Subtract",
        summary: "The first tensor less the second.",
        inputs: merge::NUMBERS,
        parameters: &[],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Subtract(f32[1,2]{1,2}, f32[1,2]{3,6}) -> f32[1,2]{-2,-4}",
            "Subtract(f32[2,3], f32[2,3], f32[2,3]) fails: there are exactly two tensors",
            "Subtract(f32[2,3], f32[]) fails: every tensor has a batch",
            "Subtract(f32[2,3], f32[3,3]) fails: the tensors have one batch",
            "Subtract(f32[2,3], f32[2,4]) fails: the tensors broadcast",
            "Subtract(i32[2,3], i32[2,3]) fails: `inputs` are floats, as a symbolic build supposes",
            "Subtract(i32[2,3], f32[2,3]) -> f32[2,3]",
            "Subtract(f32[2,3], f32[2,3], mask=bool[2], mask=bool[3]) fails: the masks broadcast",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: merge::MASK,
};

fn define(call: &mut Call) -> Outcome {
    let (tensors, shape) = merge::read_numbers(call)?;
    merge::require_masks(call);
    call.insist(IncompatibleShape, "there are exactly two tensors", tensors.len() == 2)?;
    one(merge::fold(tensors, shape, |a, b| a - b))
}
