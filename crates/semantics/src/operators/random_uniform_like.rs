//! Random numbers from an interval, as many as a tensor has.

use super::prelude::*;
use super::random_uniform::uniform;

pub static OPERATOR: Operator = Operator {
    name: "random_uniform_like",
    summary: "Draws a tensor of the shape of another one evenly from `low` to `high`.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[element_type("dtype").optional(), float("low").or_float(0.0), float("high").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(1, "RandomUniformLike(input; dtype, low, high, !seed)")],
    define,
    examples: &[
        "random_uniform_like(f64[N,3]) -> f64[N,3]",
        "random_uniform_like(bool[...], dtype=f32) -> f32[...]",
        "random_uniform_like(f32[2], low=3) fails: `low` does not exceed `high`",
        "random_uniform_like(bool[2]) fails: the output is floating point",
        "random_uniform_like(f8e4m3fn[N,3], dtype=f32) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let dtype = call.optional_type("dtype")?.map_or(input.dtype(), DType::from);
    uniform(call, dtype, input.shape())
}
