//! Scales each row along an axis to norm one.

use super::lp_pool::{power, root};
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "lp_normalization",
    summary: "Divides each row along `axis` by its sum of magnitudes (`p` = 1) or its length (`p` = 2); a row of zeros stays.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[int("axis").or(-1), int("p").or(2)],
    outputs: &["output"],
    spellings: &[onnx(1, "LpNormalization(input; axis, p)")],
    define,
    examples: &[
        "lp_normalization(f32[N,64]) -> f32[N,64]",
        "lp_normalization(f32[2,2]{3,4,0,0}) -> f32[2,2]{0.6,0.8,0,0}",
        "lp_normalization(f32[2,2]{3,1,-1,3}, axis=0, p=1) -> f32[2,2]{0.75,0.25,-0.25,0.75}",
        "lp_normalization(f32[2,0]) -> f32[2,0]",
        "lp_normalization(f32[...], axis=1) -> f32[...]",
        "lp_normalization(f32[2,3], axis=2) fails: `axis` is within the rank",
        "lp_normalization(f32[2,3], p=3) fails: `p` is 1 or 2",
        "lp_normalization(i32[2,3]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let p = call.int("p")?;
    call.demand(IllegalValue, "`p` is 1 or 2", p.eq(1) | p.eq(2))?;
    let Some(rank) = input.shape().known_rank() else {
        return one(unknown_elements(input.dtype(), input.shape()));
    };
    let p = call.positions("p", &[p])?[0] as f64;
    let axes = [position(axis, rank)];
    let powers = reduce_map(Fold::Sum, input, input.dtype(), &axes, true, move |x| power(x, p));
    let norms = map(powers, input.dtype(), move |sum| root(sum, p));
    one(zip(input, norms, input.dtype(), input.shape(), |x, norm| norm.eq(0.0).select(x, x / norm))
        .within(-1.0, 1.0))
}
