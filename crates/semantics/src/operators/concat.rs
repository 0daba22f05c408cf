//! Joins tensors along one axis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "concat",
    summary: "Joins tensors along one axis.",
    inputs: &[tensor("tensors", COMMON).like("tensors").variadic()],
    parameters: &[int("axis")],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Concat(tensors; axis=1)"),
        onnx(4, "Concat(tensors; axis)"),
        tensorflow("ConcatV2(tensors, axis:scalar)"),
        tensorflow("Concat(axis:scalar, tensors)"),
    ],
    define,
    examples: &[
        "concat(f32[2,3], f32[2,4], axis=1) -> f32[2,7]",
        "concat(f32[N,3], f32[M,3], axis=0) -> f32[N + M,3]",
        "concat(i64[2]{1,2}, i64[1]{3}, axis=-1) -> i64[3]{1,2,3}",
        "concat(f32[2,3], f32[3,3], axis=1) fails: sizes agree outside the axis",
        "concat(f32[2,3], f32[2], axis=0) fails: the tensors have one rank",
        "concat(f32[2,3], f32[2,3], axis=2) fails: `axis` is within the rank",
        "concat(f32[2,3], f64[2,3], axis=0) fails: `tensors` have one element type",
        "concat(f8e4m3fn[2,3], f8e4m3fn[2,4], axis=1) fails: `tensors` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let tensors = call.list("tensors");
    let shapes = tensors.iter().map(|tensor| tensor.shape());
    let shape = shapes.clone().find(|shape| shape.known_rank().is_some()).unwrap_or(tensors[0].shape());
    let axis = call.axis("axis", "`axis` is within the rank", shape)?;
    for other in shapes {
        call.demand(IncompatibleShape, "the tensors have one rank", other.rank().eq(shape.rank()))?;
        let agree = other.without(axis).same(shape.without(axis));
        call.require_shape("sizes agree outside the axis", agree);
    }

    let extents: Vec<Dim> = tensors.iter().map(|tensor| tensor.shape().size(axis)).collect();
    let shape = shape.with_size(axis, Dim::sum(extents.iter().copied()));
    one(Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let axis = position(axis, index.len());
        let mut index = index.to_vec();
        let mut pieces = Vec::with_capacity(tensors.len());
        for (tensor, &extent) in tensors.iter().zip(&extents) {
            pieces.push((index[axis].lt(extent), tensor.at(&index)));
            index[axis] = index[axis] - extent;
        }
        let (_, last) = pieces.pop().expect("a variadic input has at least one tensor");
        pieces.into_iter().rfold(last, |rest, (here, element)| Element::when(here, element, rest))
    }))
}
