//! Chooses between two tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "where",
    summary: "Takes each element from `a` where `condition` is true, else from `b`; all three broadcast.",
    inputs: &[tensor("condition", BOOL), tensor("a", COMMON), tensor("b", COMMON).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "Where(condition, a, b)"), tensorflow("SelectV2(condition, a, b)")],
    define,
    examples: &[
        "where(bool[2]{true,false}, i64[2]{1,2}, i64[1]{9}) -> i64[2]{1,9}",
        "where(bool[N,1], f32[3], f32[]) -> f32[N,3]",
        "where(bool[2], f32[3], f32[]) fails: the tensors broadcast",
        "where(i64[2], f32[2], f32[2]) fails: `condition` is bool",
        "where(bool[2], f32[2], i64[2]) fails: `b` has the element type of `a`",
        "where(bool[N,1], f8e4m3fn[3], f8e4m3fn[]) fails: `a` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (condition, a, b) = (call.tensor("condition")?, call.tensor("a")?, call.tensor("b")?);
    let shape = call.broadcast("the tensors broadcast", &[condition, a, b]);
    one(Tensor::from_elements(a.dtype(), shape, move |index| {
        condition
            .broadcast_in(shape, index)
            .select(a.broadcast_in(shape, index), b.broadcast_in(shape, index))
    }))
}
