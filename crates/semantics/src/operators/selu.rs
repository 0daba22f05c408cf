//! Scaled exponential linear unit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "selu",
    summary: "`gamma` times the exponential linear unit with `alpha`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[
        float("alpha").or_float(1.673_263_192_176_818_8),
        float("gamma").or_float(1.050_701_022_148_132_3),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Selu(input; alpha=1.673200011253357, gamma=1.0506999492645264)"),
        onnx(6, "Selu(input; alpha, gamma)"),
        tensorflow("Selu(input)"),
    ],
    define,
    examples: &[
        "selu(f32[N,3]) -> f32[N,3]",
        "selu(f32[...]) -> f32[...]",
        "selu(f32[3]{-1,0,2}) -> f32[3]{-1.1113307476043701,0,2.1014020442962646}",
        "selu(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let alpha = call.float("alpha")?;
    let gamma = call.float("gamma")?;
    unary(call, move |x| selu(x, alpha, gamma))
}

/// `gamma * elu(x)`; the defaults keep mean 0 and variance 1 from layer to layer.
pub fn selu(x: Element, alpha: f64, gamma: f64) -> Element {
    super::elu::elu(x, alpha) * gamma
}
