//! Repeats a tensor by broadcasting it.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "expand",
    summary: "Broadcasts a tensor together with `shape`: axes of size 1 are repeated, and 1 keeps a size.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("shape")],
    outputs: &["output"],
    spellings: &[onnx(8, "Expand(input, shape)"), tensorflow("BroadcastTo(input, shape)")],
    define,
    examples: &[
        "expand(f32[3,1], shape=[2,1,6]) -> f32[2,3,6]",
        "expand(f32[N,1], shape=[N,H]) -> f32[N,H]",
        "expand(f32[2,3], shape=[3]) -> f32[2,3]",
        "expand(f32[2,1], shape=[2,0]) -> f32[2,0]",
        "expand(i64[2,1]{1,2}, shape=[2,2]) -> i64[2,2]{1,1,2,2}",
        "expand(f32[...], shape=[]) -> f32[...]",
        "expand(f32[2,3], shape=[2,2]) fails: `input` and `shape` broadcast",
        "expand(f32[2,1], shape=[2,-1]) fails: no size is negative",
        "expand(f8e4m3fn[3,1], shape=[2,1,6]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::AnyShape);
    let sizes = call.ints("shape")?;
    call.require_value("no size is negative", Prop::all(sizes.iter().map(|size| size.ge(0))));
    let (shape, agree) = input.shape().broadcast(Shape::new(sizes));
    call.require_shape("`input` and `shape` broadcast", agree);
    one(broadcast_to(input, shape))
}
