//! Half the sum of squares.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "l2_loss",
    summary: "Half the sum of the squares of all elements.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("L2Loss(input)")],
    define,
    examples: &[
        "l2_loss(f32[N,3]) -> f32[]",
        "l2_loss(f32[2]{3,4}) -> f32[]{12.5}",
        "l2_loss(f32[...]) -> f32[]",
        "l2_loss(i32[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let Some(rank) = input.shape().known_rank() else {
        return one(unknown_elements(input.dtype(), Shape::scalar()));
    };
    let axes: Vec<usize> = (0..rank).collect();
    let total = reduce_map(Fold::Sum, input, input.dtype(), &axes, false, |x| x * x);
    one(map(total, input.dtype(), |total| total * 0.5))
}
