//! Each example with its axes in another order.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Permute",
        summary: "Each example with its axes in another order.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[ints("dims")],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Permute(f32[N,3,4], dims=[2,1]) -> f32[N,4,3]",
            "Permute(f32[2,3,4], dims=[1]) fails: `inputs` has an axis for each of `dims`, and a batch",
            "Permute(f32[2,3,4], dims=[1,1]) fails: `dims` names each axis after the batch once",
            "Permute(f32[2,3]) fails: `dims` is given",
            "Permute(bool[N,3,4], dims=[2,1]) -> bool[N,4,3]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let dims = call.ints("dims")?;
    let dims = call.positions("dims", &dims)?;
    let mut sorted = dims.clone();
    sorted.sort_unstable();
    let each = sorted.into_iter().eq(1..=dims.len() as i64);
    call.insist(IllegalValue, "`dims` names each axis after the batch once", each)?;
    call.sizes("`inputs` has an axis for each of `dims`, and a batch", input, dims.len() + 1)?;
    let order: Vec<usize> = [0].into_iter().chain(dims.iter().map(|axis| *axis as usize)).collect();
    one(transpose(input, &order))
}
