//! Random numbers from the normal distribution, as many as a tensor has.

use super::prelude::*;
use super::random_normal::normal;

pub static OPERATOR: Operator = Operator {
    name: "random_normal_like",
    summary: "Draws a tensor of the shape of another one from the normal distribution.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[
        element_type("dtype").optional(),
        float("mean").or_float(0.0),
        float("scale").or_float(1.0),
    ],
    outputs: &["output"],
    spellings: &[onnx(1, "RandomNormalLike(input; dtype, mean, scale, !seed)")],
    define,
    examples: &[
        "random_normal_like(f64[N,3]) -> f64[N,3]",
        "random_normal_like(i32[...], dtype=f32) -> f32[...]",
        "random_normal_like(f32[2], scale=-1) fails: `scale` is positive",
        "random_normal_like(i32[2]) fails: the output is floating point",
        "random_normal_like(f8e4m3fn[N,3], dtype=f32) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let dtype = call.optional_type("dtype")?.map_or(input.dtype(), DType::from);
    normal(call, dtype, input.shape())
}
