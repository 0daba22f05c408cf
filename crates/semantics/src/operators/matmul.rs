//! Matrix product.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "matmul",
    summary: "Matrix product over the last two axes; the axes before them broadcast, a vector is a row or a column.",
    inputs: &[tensor("a", WIDE), tensor("b", WIDE).like("a")],
    parameters: &[],
    outputs: &["output"],
    onnx: &[onnx(1, "MatMul(a, b)")],
    define,
    examples: &[
        "matmul(f32[2,3], f32[3,4]) -> f32[2,4]",
        "matmul(f32[2,2]{1,2,3,4}, f32[2,2]{5,6,7,8}) -> f32[2,2]{19,22,43,50}",
        "matmul(f32[N,2,3], f32[5,1,3,4]) -> f32[5,N,2,4]",
        "matmul(f32[3], f32[3,4]) -> f32[4]",
        "matmul(f32[2,3], f32[3]) -> f32[2]",
        "matmul(f32[3], f32[3]) -> f32[]",
        "matmul(i32[1,2]{1,2}, i32[2,1]{3,4}) -> i32[1,1]{11}",
        "matmul(f32[], f32[3]) fails: `a` has at least one axis",
        "matmul(f32[3], f32[]) fails: `b` has at least one axis",
        "matmul(f32[2,3], f32[4,5]) fails: the last axis of `a` is as long as the second to last of `b`",
        "matmul(f32[2,2,3], f32[3,3,4]) fails: the leading axes broadcast",
        "matmul(bool[2,3], bool[3,4]) fails: `a` is a number type of at least 32 bits or half precision",
        "matmul(f32[2,3], f64[3,4]) fails: `b` has the element type of `a`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let (rank_a, rank_b) = (call.known_sizes(a)?.len(), call.known_sizes(b)?.len());
    call.insist(IncompatibleShape, "`a` has at least one axis", rank_a > 0)?;
    call.insist(IncompatibleShape, "`b` has at least one axis", rank_b > 0)?;

    // A vector on the left is a row, on the right a column; the axis made for it is dropped again.
    let left = if rank_a == 1 { reshape(a, Shape::new([1i64.into()]).join(a.shape())) } else { a };
    let right = if rank_b == 1 { reshape(b, b.shape().followed_by([1i64.into()])) } else { b };
    call.require_shape(
        "the last axis of `a` is as long as the second to last of `b`",
        left.shape().size(Back(0)).eq(right.shape().size(Back(1))),
    );
    let (batch, agree) = left.shape().trim(0, 2).broadcast(right.shape().trim(0, 2));
    call.require_shape("the leading axes broadcast", agree);

    let product = matmul(left, right, batch);
    let mut shape = product.shape();
    if rank_a == 1 {
        shape = shape.without(Back(1));
    }
    if rank_b == 1 {
        shape = shape.without(Back(0));
    }
    one(if rank_a == 1 || rank_b == 1 { reshape(product, shape) } else { product })
}
