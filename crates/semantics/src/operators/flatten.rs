//! Turns a tensor into a matrix.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "flatten",
    summary: "Makes a matrix: the axes before `axis` become its rows, the others its columns.",
    inputs: &[tensor("input", ANY)],
    parameters: &[int("axis").or(1)],
    outputs: &["output"],
    spellings: &[onnx(1, "Flatten(input; axis)").adapted(from_the_front), onnx(11, "Flatten(input; axis)")],
    define,
    examples: &[
        "flatten(f32[N,3,H,W]) -> f32[N,3*H*W]",
        "flatten(f32[2,3,4], axis=0) -> f32[1,24]",
        "flatten(f32[2,3,4], axis=3) -> f32[24,1]",
        "flatten(f32[2,3,4,5], axis=-1) -> f32[24,5]",
        "flatten(f32[], axis=0) -> f32[1,1]",
        "flatten(i64[2,2]{1,2,3,4}) -> i64[2,2]{1,2,3,4}",
        "flatten(f32[]) fails: `axis` is within the rank or the rank itself",
        "flatten(f32[2,3], axis=-3) fails: `axis` is within the rank or the rank itself",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.int("axis")?;
    let shape = input.shape();
    let rank = shape.rank();
    let exists = axis.ge(-rank) & axis.le(rank);
    call.demand(IllegalValue, "`axis` is within the rank or the rank itself", exists)?;
    let axis = call.positions("axis", &[axis])?[0];
    let count = axis.unsigned_abs() as u32;
    let (rows, columns) = match shape.known_rank() {
        None if axis < 0 => (shape.trim(0, count), shape.last(count)),
        Some(rank) if axis < 0 => (shape.trim(0, count), shape.trim(rank as u32 - count, 0)),
        _ => (shape.first(count), shape.trim(count, 0)),
    };
    let matrix = Shape::new([rows.count(), columns.count()]);
    one(Tensor::from_elements(input.dtype(), matrix, move |index| {
        let (rows, columns) = (rows.sizes().unwrap_or_default(), columns.sizes().unwrap_or_default());
        let mut source = unflatten(index[0], &rows);
        source.extend(unflatten(index[1], &columns));
        input.at(&source)
    }))
}

/// Before version 11 an axis was not counted from the back.
fn from_the_front(call: &mut Call) -> Outcome {
    let axis = call.int("axis")?;
    call.demand(IllegalValue, "`axis` is not negative", axis.ge(0))?;
    define(call)
}
