//! A tensor of one repeated number.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "fill",
    summary: "A tensor of a shape whose every element is `value`.",
    inputs: &[tensor("value", COMMON)],
    parameters: &[ints("shape")],
    outputs: &["output"],
    spellings: &[tensorflow("Fill(shape, value)")],
    define,
    examples: &[
        "fill(f32[], shape=[N,3]) -> f32[N,3]",
        "fill(i32[]{7}, shape=[2]) -> i32[2]{7,7}",
        "fill(f32[2], shape=[2]) fails: `value` is a scalar",
        "fill(f32[], shape=[-1]) fails: no size is negative",
        "fill(f32[]) fails: `shape` is given",
        "fill(f8e4m3fn[], shape=[1]) fails: `value` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let value = call.tensor("value")?;
    call.promise(value.dtype(), Promised::AnyShape);
    call.demand(IncompatibleShape, "`value` is a scalar", value.shape().rank().eq(0))?;
    let shape = super::random_normal::given_shape(call)?;
    one(Tensor::from_elements(value.dtype(), shape, move |_| value.at(&[])))
}
