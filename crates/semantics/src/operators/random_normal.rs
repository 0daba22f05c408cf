//! Random numbers from the normal distribution.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "random_normal",
    summary: "Draws a tensor of a shape from the normal distribution.",
    inputs: &[],
    parameters: &[
        ints("shape"),
        element_type("dtype").optional(),
        float("mean").or_float(0.0),
        float("scale").or_float(1.0),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "RandomNormal(; shape, dtype, mean, scale, !seed)"),
        tensorflow("RandomStandardNormal(shape; dtype, !seed, !seed2)"),
    ],
    define,
    examples: &[
        "random_normal(shape=[N,3]) -> f32[N,3]",
        "random_normal(shape=[2,0], dtype=f64, mean=5, scale=2) -> f64[2,0]",
        "random_normal(shape=[2,-1]) fails: no size is negative",
        "random_normal(shape=[2], scale=0) fails: `scale` is positive",
        "random_normal(shape=[2], dtype=i32) fails: the output is floating point",
        "random_normal() fails: `shape` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let shape = given_shape(call)?;
    let dtype = call.optional_type("dtype")?.unwrap_or(Kind::F32);
    normal(call, dtype.into(), shape)
}

/// The parameter `shape`, none of whose sizes may be negative.
pub fn given_shape(call: &mut Call) -> Result<Shape, Stop> {
    let sizes = call.ints("shape")?;
    call.demand(IllegalValue, "no size is negative", Prop::all(sizes.iter().map(|size| size.ge(0))))?;
    Ok(Shape::new(sizes))
}

/// Reads `mean` and `scale`.
pub fn normal(call: &mut Call, dtype: DType, shape: Shape) -> Outcome {
    let (mean, scale) = (call.float("mean")?, call.float("scale")?);
    call.insist(IllegalValue, "`scale` is positive", scale > 0.0)?;
    call.require_type("the output is floating point", dtype.is_in(FLOAT));
    let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
    one(Tensor::random(dtype, shape, Random { low, high, mean: Some(mean), deviation: Some(scale) }))
}
