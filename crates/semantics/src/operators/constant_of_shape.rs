//! A tensor of one repeated value.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "constant_of_shape",
    summary: "A tensor of the given shape whose elements are all `value`, by default a `f32` zero.",
    inputs: &[tensor("value", ANY).optional()],
    parameters: &[ints("shape")],
    outputs: &["output"],
    spellings: &[onnx(9, "ConstantOfShape(shape; value)")],
    define,
    examples: &[
        "constant_of_shape(i64[1]{7}, shape=[N,3]) -> i64[N,3]",
        "constant_of_shape(i32[1]{7}, shape=[2]) -> i32[2]{7,7}",
        "constant_of_shape(shape=[2,0]) -> f32[2,0]",
        "constant_of_shape(bool[1]{true}, shape=[]) -> bool[]{true}",
        "constant_of_shape(shape=[2,-1]) fails: no size is negative",
        "constant_of_shape(f32[2], shape=[3]) fails: `value` has one element",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let dtype = call.optional("value").map_or(Kind::F32.into(), |value| value.dtype());
    call.promise(dtype, Promised::AnyShape);
    let sizes = call.ints("shape")?;
    call.require_value("no size is negative", Prop::all(sizes.iter().map(|size| size.ge(0))));
    let shape = Shape::new(sizes);
    let Some(value) = call.optional("value") else { return one(full(Kind::F32, shape, 0.0)) };
    call.require_shape("`value` has one element", value.shape().count().eq(1));
    one(Tensor::from_elements(value.dtype(), shape, move |_| only(value)))
}
