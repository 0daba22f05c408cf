//! Marks indices along a new axis by two given numbers.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "one_hot_between",
    summary: "Adds an axis of size `depth` that holds `on` at the index and `off` elsewhere; an index outside is nowhere.",
    inputs: &[tensor("indices", INTEGER), tensor("on", COMMON), tensor("off", COMMON).like("on")],
    parameters: &[int("depth"), int("axis").or(-1)],
    outputs: &["output"],
    spellings: &[tensorflow("OneHot(indices, depth:scalar, on, off; axis)")],
    define,
    examples: &[
        "one_hot_between(i64[N], f32[], f32[], depth=10) -> f32[N,10]",
        "one_hot_between(i64[2]{0,-1}, f32[]{1}, f32[]{0}, depth=2) -> f32[2,2]{1,0,0,0}",
        "one_hot_between(i32[2,3], f32[], f32[], depth=4, axis=0) -> f32[4,2,3]",
        "one_hot_between(i64[2], f32[], f32[], depth=-1) fails: `depth` is not negative",
        "one_hot_between(i64[2], f32[], f32[], depth=3, axis=2) fails: `axis` is within the rank of the output",
        "one_hot_between(i64[2], f32[2], f32[], depth=3) fails: `on` and `off` are scalars",
        "one_hot_between(i64[2], f32[], f32[]) fails: `depth` is given",
        "one_hot_between(f32[2], f32[], f32[], depth=3) fails: `indices` is an integer type",
        "one_hot_between(i64[2], f32[], f64[], depth=3) fails: `off` has the element type of `on`",
        "one_hot_between(i64[2], f8e4m3fn[], f8e4m3fn[], depth=3) fails: `on` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (indices, on, off) = (call.tensor("indices")?, call.tensor("on")?, call.tensor("off")?);
    let depth = call.int_or_symbol("depth", 0, LARGEST_SIZE);
    call.require_value("`depth` is not negative", depth.ge(0));
    let scalars = on.shape().rank().eq(0) & off.shape().rank().eq(0);
    call.demand(IncompatibleShape, "`on` and `off` are scalars", scalars)?;
    let widest = indices.shape().followed_by([depth]);
    let axis = call.axis("axis", "`axis` is within the rank of the output", widest)?;
    let shape = indices.shape().with_inserted(axis, depth);
    one(Tensor::from_elements(on.dtype(), shape, move |index| {
        let mut place = index.to_vec();
        let at = place.remove(position(axis, index.len()));
        Element::when(indices.at(&place).cast(Kind::I64).as_index().eq(at), on.at(&[]), off.at(&[]))
    }))
}
