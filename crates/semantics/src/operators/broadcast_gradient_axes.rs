//! Which axes broadcasting has repeated.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "broadcast_gradient_axes",
    summary: "For two shapes that broadcast, the axes of the result along which each was repeated.",
    inputs: &[tensor("a", INDEX), tensor("b", INDEX).like("a")],
    parameters: &[],
    outputs: &["axes_a", "axes_b?"],
    spellings: &[tensorflow("BroadcastGradientArgs(a, b)")],
    define,
    examples: &[
        "broadcast_gradient_axes(i32[2]{2,3}, i32[1]{3}) -> i32[0], i32[1]{0}",
        "broadcast_gradient_axes(i32[2]{2,1}, i32[2]{1,3}) -> i32[1]{1}, i32[1]{0}",
        "broadcast_gradient_axes(i32[], i32[2]) fails: `a` is a vector",
        "broadcast_gradient_axes(i32[2], i32[1,2]) fails: `b` is a vector",
        "broadcast_gradient_axes(i32[1]{2}, i32[1]{3}) fails: `a` and `b` broadcast",
        "broadcast_gradient_axes(f32[2], f32[2]) fails: `a` is int32 or int64",
        "broadcast_gradient_axes(i32[2], i64[2]) fails: `b` has the element type of `a`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    call.dims::<1>("`a` is a vector", a)?;
    call.dims::<1>("`b` is a vector", b)?;
    let dtype = a.dtype();
    let (Some(left), Some(right)) = (call.values(a), call.values(b)) else { return open(dtype) };
    let rank = left.len().max(right.len());
    let padded = |sizes: &[Dim]| {
        let ones = std::iter::repeat_n(Dim::from(1), rank - sizes.len());
        ones.chain(sizes.iter().copied()).collect::<Vec<Dim>>()
    };
    let (left, right) = (padded(&left), padded(&right));
    let pairs = || left.iter().zip(&right);
    let agree = pairs().map(|(&a, &b)| a.eq(b) | a.eq(1) | b.eq(1));
    call.require_shape("`a` and `b` broadcast", Prop::all(agree));
    // Where both are 1 the framework names the axis for both.
    let repeated = |own: &[Dim], other: &[Dim]| {
        let flags: Vec<Dim> = own.iter().zip(other).map(|(&own, &other)| flag_of(own, other)).collect();
        call.positions("axes", &flags)
    };
    let (Ok(of_a), Ok(of_b)) = (repeated(&left, &right), repeated(&right, &left)) else { return open(dtype) };
    let listed = |flags: Vec<i64>| {
        let axes = flags.iter().enumerate().filter(|(_, flag)| **flag == 1);
        let axes: Vec<Dim> = axes.map(|(axis, _)| Dim::from(axis)).collect();
        Tensor::of_dims(a.kind(), axes)
    };
    Ok([listed(of_a), listed(of_b)].into_iter().collect())
}

/// 1 where a size was repeated, or may as well have been.
fn flag_of(own: Dim, other: Dim) -> Dim {
    Dim::select(own.eq(1) & (other.ne(1) | other.eq(1)), 1, 0)
}

/// Sizes that only the run will tell: how many axes there are is not known either.
fn open(dtype: DType) -> Outcome {
    let vector = |name: &str| unknown_elements(dtype, Shape::new([Dim::symbol(name, 0, 254)]));
    Ok([vector("axes of a"), vector("axes of b")].into_iter().collect())
}
