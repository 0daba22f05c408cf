//! The upper or lower triangle of matrices.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "trilu",
    summary: "Keeps what is on and above diagonal `k` of the last two axes (with `upper` false: on and below), \
              else zero.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[int("k").or(0), flag("upper").or_flag(true)],
    outputs: &["output"],
    spellings: &[onnx(14, "Trilu(input, k; upper)")],
    define,
    examples: &[
        "trilu(f32[N,S,S]) -> f32[N,S,S]",
        "trilu(i64[2,2]{1,2,3,4}) -> i64[2,2]{1,2,0,4}",
        "trilu(i64[2,2]{1,2,3,4}, upper=false, k=-1) -> i64[2,2]{0,0,3,0}",
        "trilu(f32[3,0,5], k=6) -> f32[3,0,5]",
        "trilu(f32[...]) -> f32[...]",
        "trilu(f32[2]) fails: `input` has at least two axes",
        "trilu(f8e4m3fn[N,S,S]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.demand(IncompatibleShape, "`input` has at least two axes", input.shape().rank().ge(2))?;
    let upper = call.flag("upper")?;
    let diagonal = match call.int("k") {
        Ok(diagonal) => diagonal,
        Err(Stop::Unknown(reason)) => return call.valueless(input.dtype(), input.shape(), &reason),
        Err(stop) => return Err(stop),
    };
    one(triangle(input, diagonal, upper))
}

/// What is on and above a diagonal of the last two axes, or on and below it, else zero.
pub fn triangle(input: Tensor, diagonal: Dim, upper: bool) -> Tensor {
    Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let (row, column) = (index[index.len() - 2], index[index.len() - 1]);
        let kept = if upper { column.ge(row + diagonal) } else { column.le(row + diagonal) };
        Element::when(kept, input.at(index), Element::constant(input.kind(), 0.0))
    })
}
