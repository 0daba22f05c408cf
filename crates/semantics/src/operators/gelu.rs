//! Gaussian error linear unit.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "gelu",
    summary: "Every element times how likely a normal number lies below it, exactly or approximated with `tanh`.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[word("approximate", &["none", "tanh"]).or_word("none")],
    outputs: &["output"],
    spellings: &[onnx(20, "Gelu(input; approximate)")],
    define,
    examples: &[
        "gelu(f32[N,3]) -> f32[N,3]",
        "gelu(f32[...]) -> f32[...]",
        "gelu(f32[3]{-1,0,1}) -> f32[3]{-0.15865525393145707,0,0.8413447460685429}",
        "gelu(f32[3]{-1,0,1}, approximate=tanh) -> f32[3]{-0.15880800939172324,0,0.8411919906082768}",
        "gelu(f32[2], approximate=erf) fails: `approximate` is one of none, tanh",
        "gelu(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let range = (-0.18, f64::INFINITY);
    match call.text("approximate")?.as_str() {
        "tanh" => unary_within(call, range, gelu_tanh),
        _ => unary_within(call, range, gelu),
    }
}

/// `x / 2 * (1 + erf(x / sqrt(2)))`.
pub fn gelu(x: Element) -> Element {
    x * 0.5 * ((x * std::f64::consts::FRAC_1_SQRT_2).erf() + 1.0)
}

/// `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`.
pub fn gelu_tanh(x: Element) -> Element {
    let scale = std::f64::consts::FRAC_2_SQRT_PI * std::f64::consts::FRAC_1_SQRT_2;
    let inner = (x * x * x * 0.044715 + x) * scale;
    x * 0.5 * (inner.tanh() + 1.0)
}
