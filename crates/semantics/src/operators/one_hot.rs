//! Marks indices along a new axis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "one_hot",
    summary: "Adds an axis of size `depth` that holds `values[1]` at the index and `values[0]` elsewhere; \
              an index outside is nowhere.",
    inputs: &[tensor("indices", NUMERIC), tensor("depth", NUMERIC), tensor("values", ANY)],
    parameters: &[int("axis").or(-1)],
    outputs: &["output"],
    spellings: &[onnx(9, "OneHot(indices, depth, values; axis)")],
    define,
    examples: &[
        "one_hot(i64[N], i64[]{10}, f32[2]) -> f32[N,10]",
        "one_hot(i64[2]{0,-1}, i64[]{3}, f32[2]{0,1}) -> f32[2,3]{1,0,0,0,0,1}",
        "one_hot(i64[2]{5,-6}, f32[1]{2.5}, i32[2]{4,7}) -> i32[2,2]{4,4,4,4}",
        "one_hot(f32[2,2], i64[]{10}, f32[2], axis=1) -> f32[2,10,2]",
        "one_hot(f32[2,2], i64[]{10}, f32[2], axis=-3) -> f32[10,2,2]",
        "one_hot(i64[...], i64[]{10}, f32[2]) -> f32[...]",
        "one_hot(i64[], i64[]{3}, f32[2]) fails: `indices` has at least one axis",
        "one_hot(i64[2], i64[]{3}, f32[2], axis=2) fails: `axis` is within the rank of the output",
        "one_hot(i64[2], i64[]{0}, f32[2]) fails: `depth` is positive",
        "one_hot(i64[2], i64[2], f32[2]) fails: `depth` is one number",
        "one_hot(i64[2], i64[1,1]{3}, f32[2]) fails: `depth` is one number",
        "one_hot(i64[2], i64[]{3}, f32[3]) fails: `values` has two elements",
        "one_hot(i64[2], i64[]{3}, f32[1,2]) fails: `values` is a vector",
        "one_hot(bool[2], i64[]{3}, f32[2]) fails: `indices` is a real number type",
        "one_hot(i64[2], bool[]{true}, f32[2]) fails: `depth` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (indices, depth, values) = (call.tensor("indices")?, call.tensor("depth")?, call.tensor("values")?);
    call.demand(IncompatibleShape, "`indices` has at least one axis", indices.shape().rank().ge(1))?;
    let single = depth.shape().rank().le(1) & depth.shape().count().eq(1);
    call.demand(IncompatibleShape, "`depth` is one number", single)?;
    let [length] = call.dims("`values` is a vector", values)?;
    call.require_shape("`values` has two elements", length.eq(2));
    let depth = call.integer(depth).unwrap_or_else(|| Dim::symbol("depth", 1, LARGEST_SIZE));
    call.require_value("`depth` is positive", depth.ge(1));
    let widest = indices.shape().followed_by([depth]);
    let axis = call.axis("axis", "`axis` is within the rank of the output", widest)?;

    let shape = indices.shape().with_inserted(axis, depth);
    one(Tensor::from_elements(values.dtype(), shape, move |index| {
        let mut place = index.to_vec();
        let at = place.remove(position(axis, index.len()));
        let hot = wrapped(indices.at(&place).cast(Kind::I64), depth);
        Element::when(hot.eq(at), values.at(&[1.into()]), values.at(&[0.into()]))
    }))
}
