//! Chooses between two tensors of one shape, by element or by row.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "select_rows",
    summary: "Takes elements from `a` where `condition` is true, else from `b`. It is a scalar, has their shape, or one value per row.",
    inputs: &[tensor("condition", BOOL), tensor("a", COMMON), tensor("b", COMMON).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("Select(condition, a, b)")],
    define,
    examples: &[
        "select_rows(bool[N,3], f32[N,3], f32[N,3]) -> f32[N,3]",
        "select_rows(bool[2]{true,false}, i32[2,2]{1,2,3,4}, i32[2,2]{5,6,7,8}) -> i32[2,2]{1,2,7,8}",
        "select_rows(bool[], f32[2], f32[2]) -> f32[2]",
        "select_rows(bool[2], f32[2], f32[3]) fails: `a` and `b` have one shape",
        "select_rows(bool[3], f32[2], f32[2]) fails: `condition` has the shape of `a`, or one value per row",
        "select_rows(i32[2], f32[2], f32[2]) fails: `condition` is bool",
        "select_rows(bool[2], f32[2], f64[2]) fails: `b` has the element type of `a`",
        "select_rows(bool[2], f8e4m3fn[2], f8e4m3fn[2]) fails: `a` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (condition, a, b) = (call.tensor("condition")?, call.tensor("a")?, call.tensor("b")?);
    let shape = a.shape();
    call.require_shape("`a` and `b` have one shape", b.shape().same(shape));
    let rank = condition.shape().known_rank();
    let by_row = rank == Some(1) && shape.known_rank() != Some(1);
    let fits = match rank {
        Some(0) => true.into(),
        Some(1) if by_row => condition.shape().size(Front(0)).eq(shape.size(Front(0))),
        _ => condition.shape().same(shape),
    };
    call.require_shape("`condition` has the shape of `a`, or one value per row", fits);
    one(Tensor::from_elements(a.dtype(), shape, move |index| {
        let chosen = match rank {
            Some(0) => condition.at(&[]),
            Some(1) => condition.at(&index[..1]),
            _ => condition.at(index),
        };
        chosen.select(a.at(index), b.at(index))
    }))
}
