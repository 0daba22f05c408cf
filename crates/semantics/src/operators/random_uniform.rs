//! Random numbers from an interval.

use super::prelude::*;
use super::random_normal::given_shape;

pub static OPERATOR: Operator = Operator {
    name: "random_uniform",
    summary: "Draws a tensor of a shape evenly from `low` to `high`.",
    inputs: &[],
    parameters: &[
        ints("shape"),
        element_type("dtype").optional(),
        float("low").or_float(0.0),
        float("high").or_float(1.0),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "RandomUniform(; shape, dtype, low, high, !seed)"),
        tensorflow("RandomUniform(shape; dtype, !seed, !seed2)"),
    ],
    define,
    examples: &[
        "random_uniform(shape=[N,3]) -> f32[N,3]",
        "random_uniform(shape=[2,0], dtype=f64, low=5, high=5) -> f64[2,0]",
        "random_uniform(shape=[2,-1]) fails: no size is negative",
        "random_uniform(shape=[2], low=3) fails: `low` does not exceed `high`",
        "random_uniform(shape=[2], dtype=i32) fails: the output is floating point",
        "random_uniform() fails: `shape` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let shape = given_shape(call)?;
    let dtype = call.optional_type("dtype")?.unwrap_or(Kind::F32);
    uniform(call, dtype.into(), shape)
}

/// Reads `low` and `high`.
pub fn uniform(call: &mut Call, dtype: DType, shape: Shape) -> Outcome {
    let (low, high) = (call.float("low")?, call.float("high")?);
    call.insist(IllegalValue, "`low` does not exceed `high`", low <= high)?;
    call.require_type("the output is floating point", dtype.is_in(FLOAT));
    let (mean, deviation) = ((low + high) / 2.0, (high - low) / f64::sqrt(12.0));
    // No framework draws 1 itself; in other intervals scaling may round up to the end.
    let high = if (low, high) == (0.0, 1.0) { dtype.before_one() } else { high };
    one(Tensor::random(dtype, shape, Random { low, high, mean: Some(mean), deviation: Some(deviation) }))
}
