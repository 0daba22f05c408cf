//! Numbers at equal distances.

use super::prelude::*;
use crate::values::steps;

pub static OPERATOR: Operator = Operator {
    name: "range",
    summary: "The numbers `start`, `start + delta`, `start + 2 delta`, … before `limit`.",
    inputs: &[
        tensor("start", NUMERIC),
        tensor("limit", NUMERIC).like("start"),
        tensor("delta", NUMERIC).like("start"),
    ],
    parameters: &[],
    outputs: &["output"],
    onnx: &[onnx(11, "Range(start, limit, delta)"), onnx(27, "Range(start, limit, delta; !stash_type)")],
    define,
    examples: &[
        "range(i64[]{0}, i64[]{5}, i64[]{2}) -> i64[3]{0,2,4}",
        "range(i32[]{10}, i32[]{6}, i32[]{-3}) -> i32[2]{10,7}",
        "range(i64[]{5}, i64[]{0}, i64[]{2}) -> i64[0]",
        "range(f32[]{0}, f32[]{1}, f32[]{0.25}) -> f32[4]{0,0.25,0.5,0.75}",
        "range(f32[]{0}, f32[]{1}, f32[]{0.1}) -> f32[10]",
        "range(i64[]{0}, i64[]{5}, i64[]{0}) fails: `delta` is not zero",
        "range(i64[2], i64[]{5}, i64[]{1}) fails: `start` is one number",
        "range(i64[1,1], i64[]{5}, i64[]{1}) fails: `start` is one number",
        "range(i64[]{0}, i64[2], i64[]{1}) fails: `limit` is one number",
        "range(i64[]{0}, i64[]{5}, i64[2]) fails: `delta` is one number",
        "range(i64[]{0}, i32[]{5}, i64[]{1}) fails: `limit` has the element type of `start`",
        "range(i64[]{0}, i64[]{5}, i32[]{1}) fails: `delta` has the element type of `start`",
        "range(bool[]{true}, bool[], bool[]) fails: `start` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (start, limit, delta) = (call.tensor("start")?, call.tensor("limit")?, call.tensor("delta")?);
    let single = |tensor: Tensor| tensor.shape().rank().le(1) & tensor.shape().count().eq(1);
    call.demand(IncompatibleShape, "`start` is one number", single(start))?;
    call.demand(IncompatibleShape, "`limit` is one number", single(limit))?;
    call.demand(IncompatibleShape, "`delta` is one number", single(delta))?;

    let value = |tensor: Tensor| tensor.values()?.first().copied();
    if let Some(delta) = value(delta).and_then(|delta| delta.prop()) {
        call.demand(IllegalValue, "`delta` is not zero", delta)?;
    }
    let length = match (value(start), value(limit), value(delta)) {
        (Some(start), Some(limit), Some(delta)) => steps(start, limit, delta),
        _ => None,
    };
    let length = length.unwrap_or_else(|| Dim::symbol("the number of steps", 0, LARGEST_SIZE));
    one(Tensor::from_elements(start.dtype(), Shape::new([length]), move |index| {
        only(start) + Element::index(start.kind(), index[0]) * only(delta)
    }))
}
