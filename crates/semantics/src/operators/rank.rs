//! How many axes a tensor has.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "rank",
    summary: "The number of axes of `input`.",
    inputs: &[tensor("input", ANY)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Rank(input)")],
    define,
    examples: &["rank(f32[2,3]) -> i32[]{2}", "rank(f32[...]) -> i32[]"],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    one(Tensor::of_dim(Kind::I32, input.shape().rank()))
}
