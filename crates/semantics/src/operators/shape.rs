//! The shape of a tensor as a tensor.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "shape",
    summary: "The sizes of a tensor, or of its axes from `start` to before `end`, as a vector.",
    inputs: &[tensor("input", ANY)],
    parameters: &[int("start").or(0), int("end").optional()],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Shape(input)"),
        onnx(15, "Shape(input; start, end)"),
        tensorflow("Shape(input; out_type=i32 as result)"),
    ],
    define,
    examples: &[
        "shape(f32[2,3]) -> i64[2]{2,3}",
        "shape(f32[N,3,5], start=1) -> i64[2]{3,5}",
        "shape(f32[2,3,4], start=-2, end=-1) -> i64[1]{3}",
        "shape(f32[2,3], start=5) -> i64[0]",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let (start, end) = (call.int("start")?, call.optional_int("end")?);
    let rank = input.shape().rank();
    let clamp = |axis: Dim| Dim::select(axis.lt(0), axis + rank, axis).max(0).min(rank);
    let (start, end) = (clamp(start), end.map_or(rank, clamp));
    let length = (end - start).max(0);
    let Some(sizes) = input.shape().sizes() else {
        return one(unknown_elements(Kind::I64.into(), Shape::new([length])));
    };
    let chosen: Vec<i64> = call.positions("start", &[start, end])?;
    one(Tensor::of_dims(Kind::I64, (chosen[0]..chosen[1]).map(|k| sizes[k as usize])))
}
