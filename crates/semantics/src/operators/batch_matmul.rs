//! Products of stacks of matrices, transposed on request.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "batch_matmul",
    summary: "Matrix product over the last two axes, each side transposed on request; the axes before them broadcast.",
    inputs: &[tensor("a", WIDE), tensor("b", WIDE).like("a")],
    parameters: &[flag("adjoint_a").or_flag(false), flag("adjoint_b").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        tensorflow("BatchMatMul(a, b; adj_x as adjoint_a, adj_y as adjoint_b, !grad_x, !grad_y)")
            .adapted(of_one_batch),
        tensorflow("BatchMatMulV2(a, b; adj_x as adjoint_a, adj_y as adjoint_b, !grad_x, !grad_y)"),
        tensorflow("BatchMatMulV3(a, b; adj_x as adjoint_a, adj_y as adjoint_b, !grad_x, !grad_y)"),
    ],
    define,
    examples: &[
        "batch_matmul(f32[N,2,3], f32[N,3,4]) -> f32[N,2,4]",
        "batch_matmul(f32[2,3], f32[4,3], adjoint_b=true) -> f32[2,4]",
        "batch_matmul(f32[1,2,1]{3,4}, f32[1,2,1]{5,6}, adjoint_a=true) -> f32[1,1,1]{39}",
        "batch_matmul(f32[3], f32[3,4]) fails: `a` has at least two axes",
        "batch_matmul(f32[3,4], f32[4]) fails: `b` has at least two axes",
        "batch_matmul(f32[2,3], f32[4,5]) fails: the last axis of `a` is as long as the second to last of `b`",
        "batch_matmul(f32[2,2,3], f32[3,3,4]) fails: the leading axes broadcast",
        "batch_matmul(bool[2,3], bool[3,4]) fails: `a` is a number type of at least 32 bits or half precision",
        "batch_matmul(f32[2,3], f64[3,4]) fails: `b` has the element type of `a`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    call.promise(a.dtype(), Promised::RankOf(a.shape()));
    let a = adjoint(call, a, "`a` has at least two axes", "adjoint_a")?;
    let b = adjoint(call, b, "`b` has at least two axes", "adjoint_b")?;
    let inner = a.shape().size(Back(0)).eq(b.shape().size(Back(1)));
    call.require_shape("the last axis of `a` is as long as the second to last of `b`", inner);
    let (batch, agree) = a.shape().trim(0, 2).broadcast(b.shape().trim(0, 2));
    call.require_shape("the leading axes broadcast", agree);
    one(matmul(a, b, batch))
}

fn adjoint(call: &mut Call, tensor: Tensor, label: &'static str, flag: &str) -> Result<Tensor, Stop> {
    call.demand(IncompatibleShape, label, tensor.shape().rank().ge(2))?;
    if !call.flag(flag)? {
        return Ok(tensor);
    }
    let rank = call.known_sizes(tensor)?.len();
    let order: Vec<usize> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    Ok(transpose(tensor, &order))
}

/// The first version does not broadcast.
fn of_one_batch(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let same = a.shape().trim(0, 2).same(b.shape().trim(0, 2));
    let deep = a.shape().rank().ge(2) & b.shape().rank().ge(2);
    call.demand(IncompatibleShape, "`a` and `b` have the same leading axes", deep & same)?;
    define(call)
}
