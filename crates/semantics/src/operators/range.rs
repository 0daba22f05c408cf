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
    spellings: &[
        onnx(11, "Range(start, limit, delta)").adapted(as_onnx),
        onnx(27, "Range(start, limit, delta; !stash_type)").adapted(as_onnx),
        tensorflow("Range(start, limit, delta)"),
    ],
    define,
    examples: &[
        "range(i64[]{0}, i64[]{5}, i64[]{2}) -> i64[3]{0,2,4}",
        "range(i32[]{10}, i32[]{6}, i32[]{-3}) -> i32[2]{10,7}",
        "range(i64[]{5}, i64[]{0}, i64[]{2}) -> i64[0]",
        "range(f32[]{0}, f32[]{1}, f32[]{0.25}) -> f32[4]{0,0.25,0.5,0.75}",
        "range(f32[]{0}, f32[]{1}, f32[]{0.1}) -> f32[10]",
        "range(f32[]{1}, f32[]{-0.2}, f32[]{-0.5}) -> f32[3]{1,0.5,0}",
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
    let drift = drift(start, delta, length);
    one(Tensor::from_elements(start.dtype(), Shape::new([length]), move |index| {
        let way = Element::index(start.kind(), index[0]) * only(delta);
        if !start.kind().is_float() {
            return only(start) + way;
        }
        let drift = drift.at(index);
        only(start) * drift + way * drift
    }))
}

/// ONNX takes scalars. ONNX Runtime lets lists of one number pass, unless all of them stand in the file: then it
/// complains before the run.
fn as_onnx(call: &mut Call) -> Outcome {
    let numbers = [call.tensor("start")?, call.tensor("limit")?, call.tensor("delta")?];
    let stored = numbers.iter().all(|number| number.is_stored());
    let fault = if stored { IncompatibleShape } else { ToleratedValue };
    let labels = ["`start` is a scalar", "`limit` is a scalar", "`delta` is a scalar"];
    for (number, label) in numbers.into_iter().zip(labels) {
        call.require(fault, label, number.shape().rank().eq(0));
    }
    define(call)
}

/// Ones, off by what adding `delta` again and again may lose: so the specification defines the numbers, and so
/// ONNX Runtime computes them, while others multiply. Steps that the type holds lose nothing.
fn drift(start: Tensor, delta: Tensor, length: Dim) -> Tensor {
    let (kind, number) = (start.kind(), Tensor::of_dim(Kind::I64, length));
    let outputs = [(start.dtype(), Shape::new([length]))];
    let ones = Tensor::opaque(&[start, delta, number], outputs, move |arrays| {
        let first = |array: &Array| array.as_floats().and_then(|values| values.first().copied());
        let (Some(start), Some(delta)) = (first(&arrays[0]), first(&arrays[1])) else {
            return Err("only floats drift".into());
        };
        let length = arrays[2].as_ints().map_or(0, |length| length[0].max(0)) as usize;
        let (mut sum, mut error) = (start, 0.0);
        let errors = (0..length).map(|step| {
            let relative =
                if error == 0.0 { 0.0 } else { error / (start.abs() + (step as f64 * delta).abs()) };
            let next = sum + delta;
            let exact = next - sum == delta && next - delta == sum && kind.round(next) == next;
            if !exact || error > 0.0 {
                error += kind.unit_roundoff() * (next.abs() + error);
            }
            sum = next;
            relative
        });
        let errors = errors.collect();
        Ok(vec![Computed { array: Array::floats(kind, &[length], vec![1.0; length]), error: Some(errors) }])
    });
    ones[0].within(1.0, 1.0)
}
