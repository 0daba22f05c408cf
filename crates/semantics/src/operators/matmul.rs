//! Matrix product.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "matmul",
    summary: "Matrix product over the last two axes; the axes before them broadcast, a vector is a row or a column.",
    inputs: &[tensor("a", WIDE), tensor("b", WIDE).like("a")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "MatMul(a, b)").adapted(of_floats), onnx(9, "MatMul(a, b)")],
    define,
    examples: &[
        "matmul(f32[2,3], f32[3,4]) -> f32[2,4]",
        "matmul(f32[2,2]{1,2,3,4}, f32[2,2]{5,6,7,8}) -> f32[2,2]{19,22,43,50}",
        "matmul(f32[N,2,3], f32[5,1,3,4]) -> f32[5,N,2,4]",
        "matmul(f32[3], f32[3,4]) -> f32[4]",
        "matmul(f32[2,3], f32[3]) -> f32[2]",
        "matmul(f32[3], f32[3]) -> f32[]",
        "matmul(i32[1,2]{1,2}, i32[2,1]{3,4}) -> i32[1,1]{11}",
        "matmul(f32[2,0], f32[0,1]) -> f32[2,1]{0,0}",
        "matmul(f32[...], f32[3,4]) -> f32[...]",
        "matmul(f32[...], f32[3]) -> f32[...]",
        "matmul(f32[2,3], f32[...]) -> f32[...]",
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
    one(product(call, a, b)?)
}

/// Before version 9 only floats are taken.
fn of_floats(call: &mut Call) -> Outcome {
    let a = call.tensor("a")?;
    call.require_kinds("`a` is floating point", a, FLOAT);
    define(call)
}

/// The product of two tensors of one type, whatever `a` and `b` of the call are made of; states that it exists.
pub fn product(call: &mut Call, a: Tensor, b: Tensor) -> Result<Tensor, Stop> {
    let (shape_a, shape_b) = (a.shape(), b.shape());
    call.demand(IncompatibleShape, "`a` has at least one axis", shape_a.rank().ge(1))?;
    call.demand(IncompatibleShape, "`b` has at least one axis", shape_b.rank().ge(1))?;
    let (Some(rank_a), Some(rank_b)) = (shape_a.known_rank(), shape_b.known_rank()) else {
        return of_unknown_rank(call, a, b);
    };

    // A vector on the left is a row, on the right a column; the axis made for it is dropped again.
    let left = if rank_a == 1 { reshape(a, Shape::new([1i64.into()]).join(shape_a)) } else { a };
    let right = if rank_b == 1 { reshape(b, shape_b.followed_by([1i64.into()])) } else { b };
    require_inner(call, left.shape().size(Back(0)), right.shape().size(Back(1)));
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
    Ok(if rank_a == 1 || rank_b == 1 { reshape(product, shape) } else { product })
}

fn require_inner(call: &mut Call, a: Dim, b: Dim) {
    call.require_shape("the last axis of `a` is as long as the second to last of `b`", a.eq(b));
}

/// A vector or one matrix on the right says what becomes of a left side of any rank.
fn of_unknown_rank(call: &mut Call, a: Tensor, b: Tensor) -> Result<Tensor, Stop> {
    let (shape_a, shape_b, dtype) = (a.shape(), b.shape(), a.dtype());
    let inner = shape_a.size(Back(0));
    match shape_b.known_rank() {
        Some(1) => {
            require_inner(call, inner, shape_b.size(Back(0)));
            Ok(unknown_elements(dtype, shape_a.trim(0, 1)))
        }
        Some(2) => {
            require_inner(call, inner, shape_b.size(Back(1)));
            Ok(unknown_elements(dtype, shape_a.trim(0, 1).followed_by([shape_b.size(Back(0))])))
        }
        Some(_) => {
            require_inner(call, inner, shape_b.size(Back(1)));
            Ok(call.shapeless(dtype, "the rank of `a` is not known")?[0])
        }
        None => Ok(call.shapeless(dtype, "the rank of `b` is not known")?[0]),
    }
}
