//! Random integers.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "random_uniform_int",
    summary: "Draws integers of a shape from `low` up to and without `high`.",
    inputs: &[tensor("low", INDEX), tensor("high", INDEX).like("low")],
    parameters: &[ints("shape")],
    outputs: &["output"],
    spellings: &[tensorflow("RandomUniformInt(shape, low, high; !seed, !seed2)")],
    define,
    examples: &[
        "random_uniform_int(i32[]{0}, i32[]{5}, shape=[N]) -> i32[N]",
        "random_uniform_int(i32[2], i32[], shape=[2]) fails: `low` and `high` are scalars",
        "random_uniform_int(i32[]{5}, i32[]{5}, shape=[2]) fails: `low` is below `high`",
        "random_uniform_int(i32[], i32[], shape=[-1]) fails: no size is negative",
        "random_uniform_int(i32[], i32[]) fails: `shape` is given",
        "random_uniform_int(f32[], f32[], shape=[2]) fails: `low` is int32 or int64",
        "random_uniform_int(i32[], i64[], shape=[2]) fails: `high` has the element type of `low`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (low, high) = (call.tensor("low")?, call.tensor("high")?);
    let scalars = low.shape().rank().eq(0) & high.shape().rank().eq(0);
    call.demand(IncompatibleShape, "`low` and `high` are scalars", scalars)?;
    let shape = super::random_normal::given_shape(call)?;
    let ends = (call.integer(low), call.integer(high));
    if let (Some(low), Some(high)) = ends {
        call.require_value("`low` is below `high`", low.lt(high));
    }
    let number = |end: Option<Dim>, otherwise: f64| {
        end.and_then(|end| call.positions("ends", &[end]).ok()).map_or(otherwise, |end| end[0] as f64)
    };
    let (least, most) = (number(ends.0, f64::NEG_INFINITY), number(ends.1, f64::INFINITY) - 1.0);
    one(Tensor::random(low.dtype(), shape, Random { low: least, high: most, mean: None, deviation: None }))
}
