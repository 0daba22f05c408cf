//! The sum of the tensors.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Add",
        summary: "The sum of the tensors.",
        inputs: merge::NUMBERS,
        parameters: &[],
        outputs: &["output"],
        spellings: &[],
        define: |call| merge::folded(call, |a, b| a + b),
        examples: &[
            "Add(f32[1,2]{1,2}, f32[1,2]{10,20}) -> f32[1,2]{11,22}",
            "Add(f32[N,3,4], f32[N,1,4]) -> f32[N,3,4]",
            "Add(f32[2,3,4], f32[2,4]) -> f32[2,3,4]",
            "Add(f32[2,3], f32[]) fails: every tensor has a batch",
            "Add(f32[2,3], f32[3,3]) fails: the tensors have one batch",
            "Add(f32[2,3], f32[2,4]) fails: the tensors broadcast",
            "Add(i32[2,3], i32[2,3]) fails: `inputs` are floats, as a symbolic build supposes",
            "Add(i32[2,3], f32[2,3]) -> f32[2,3]",
            "Add(f32[2,3], f32[2,3], mask=bool[2], mask=bool[3]) fails: the masks broadcast",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: merge::MASK,
};
