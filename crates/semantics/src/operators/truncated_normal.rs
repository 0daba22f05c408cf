//! Random numbers from the normal distribution, cut at two deviations.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "truncated_normal",
    summary: "Draws a tensor of a shape from the standard normal distribution without what lies beyond two deviations.",
    inputs: &[],
    parameters: &[ints("shape"), element_type("dtype").optional()],
    outputs: &["output"],
    spellings: &[tensorflow("TruncatedNormal(shape; dtype, !seed, !seed2)")],
    define,
    examples: &[
        "truncated_normal(shape=[N,3]) -> f32[N,3]",
        "truncated_normal(shape=[2], dtype=f64) -> f64[2]",
        "truncated_normal(shape=[-1]) fails: no size is negative",
        "truncated_normal(shape=[2], dtype=i32) fails: the output is floating point",
        "truncated_normal() fails: `shape` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let shape = super::random_normal::given_shape(call)?;
    let dtype = DType::from(call.optional_type("dtype")?.unwrap_or(Kind::F32));
    call.require_type("the output is floating point", dtype.is_in(FLOAT));
    one(Tensor::random(dtype, shape, Random { low: -2.0, high: 2.0, mean: Some(0.0), deviation: None }))
}
