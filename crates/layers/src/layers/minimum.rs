//! The smallest of the elements that meet.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Minimum",
        summary: "The smallest of the elements that meet.",
        inputs: merge::NUMBERS,
        parameters: &[],
        outputs: &["output"],
        spellings: &[],
        define: |call| merge::folded_masked(call, |a, b| a.min(b)),
        examples: &[
            "Minimum(f32[1,2]{1,20}, f32[1,2]{10,2}) -> f32[1,2]{1,2}",
            "Minimum(f32[N,3,4], f32[N,1,4]) -> f32[N,3,4]",
            "Minimum(f32[2,3,4], f32[2,4]) -> f32[2,3,4]",
            "Minimum(f32[2,3], f32[]) fails: every tensor has a batch",
            "Minimum(f32[2,3], f32[3,3]) fails: the tensors have one batch",
            "Minimum(f32[2,3], f32[2,4]) fails: the tensors broadcast",
            "Minimum(i32[2,3], i32[2,3]) fails: `inputs` are floats, as a symbolic build supposes",
            "Minimum(f32[2,3], f32[2,3], mask=bool[3], mask=bool[2]) fails: a mask broadcasts to the rows of its tensor",
            "Minimum(i32[2,3], f32[2,3]) -> f32[2,3]",
            "Minimum(f32[2,3,4], f32[2,4], mask=bool[2,3], mask=bool[5]) fails: the masks broadcast",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: merge::MASK,
};
