//! The same elements under another shape.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reshape",
    summary: "Gives the elements, in row-major order, another shape. One size may be -1 (whatever is left); \
              0 keeps the input's size unless `allowzero`.",
    inputs: &[tensor("input", ANY)],
    parameters: &[ints("shape"), flag("allowzero").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Reshape(input; shape)"),
        onnx(5, "Reshape(input, shape)"),
        onnx(14, "Reshape(input, shape; allowzero:one)"),
        tensorflow("Reshape(input, shape; with allowzero=true)"),
    ],
    define,
    examples: &[
        "reshape(f32[2,3,4], shape=[4,6]) -> f32[4,6]",
        "reshape(f32[N,3,H,W], shape=[0,-1]) -> f32[N,3*H*W]",
        "reshape(f32[N,3,H,W], shape=[N,3,H*W]) -> f32[N,3,H*W]",
        "reshape(i64[2,2]{1,2,3,4}, shape=[4]) -> i64[4]{1,2,3,4}",
        "reshape(f32[0,3], shape=[3,0], allowzero=true) -> f32[3,0]",
        "reshape(f32[2,3], shape=[4]) fails: the new shape has as many elements as the input",
        "reshape(f32[2,3], shape=[4,-1]) fails: the new shape has as many elements as the input",
        "reshape(f32[2,3], shape=[-1,-1]) fails: at most one size is -1",
        "reshape(f32[2,3], shape=[-2,-3]) fails: no size is below -1",
        "reshape(f32[0,3], shape=[0,-1]) fails: -1 stands for a size that follows from the others",
        "reshape(f32[2], shape=[1,2,0]) fails: 0 in `shape` stands for an axis that `input` has",
        "reshape(f32[0,3], shape=[0,-1], allowzero=true) fails: with `allowzero`, `shape` has not both 0 and -1",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::AnyShape);
    let wanted = call.ints("shape")?;
    let allow_zero = call.flag("allowzero")?;

    call.require_value("no size is below -1", Prop::all(wanted.iter().map(|size| size.ge(-1))));
    let inferred = |size: Dim| size.eq(-1);
    let inferred_count = Dim::sum(wanted.iter().map(|&size| Dim::select(inferred(size), 1, 0)));
    call.require_value("at most one size is -1", inferred_count.le(1));
    let infers = inferred_count.ge(1);
    let mut sizes = Vec::with_capacity(wanted.len());
    for (k, &size) in wanted.iter().enumerate() {
        if allow_zero {
            call.require_value("with `allowzero`, `shape` has not both 0 and -1", !(infers & size.eq(0)));
            sizes.push(size);
            continue;
        }
        call.require_value(
            "0 in `shape` stands for an axis that `input` has",
            size.ne(0) | input.shape().rank().gt(k),
        );
        sizes.push(Dim::select(size.eq(0), input.shape().size(Front(k as u32)), size));
    }

    let count = input.shape().count();
    let given = Dim::product(sizes.iter().map(|&size| Dim::select(inferred(size), 1, size)));
    if !allow_zero {
        call.require_value("-1 stands for a size that follows from the others", !infers | given.ne(0));
    }
    let fits = (!infers & given.eq(count)) | (infers & given.divides(count));
    call.require_shape("the new shape has as many elements as the input", fits);
    let shape =
        Shape::new(sizes.iter().map(|&size| Dim::select(inferred(size), count.div_floor(given), size)));
    one(reshape(input, shape))
}
