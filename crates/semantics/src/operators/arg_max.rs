//! Where the largest element along an axis is.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "arg_max",
    summary: "The position of the largest element along an axis; of equal ones the first, or the last.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[
        int("axis").or(0),
        flag("keepdims").or_flag(true),
        flag("select_last_index").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(1, "ArgMax(input; axis, keepdims:one)"),
        onnx(12, "ArgMax(input; axis, keepdims:one, select_last_index)"),
        tensorflow("ArgMax(input, axis:scalar; output_type=i64 as result, with keepdims=false)"),
    ],
    define: |call| position_of(call, Fold::Max),
    examples: &[
        "arg_max(f32[N,10], axis=1) -> i64[N,1]",
        "arg_max(f32[2,2]{2,2,3,10}, axis=1, keepdims=false) -> i64[2]{0,1}",
        "arg_max(f32[2,2]{2,2,3,10}, axis=-1, select_last_index=true) -> i64[2,1]{1,1}",
        "arg_max(f32[3]{1,nan,3}) -> i64[1]{1}",
        "arg_max(f32[2,0]) -> i64[1,0]",
        "arg_max(f32[...], axis=-1) -> i64[...]",
        "arg_max(f32[0,2]) fails: the axis is not empty",
        "arg_max(f32[]) fails: `axis` is within the rank",
        "arg_max(bool[2]) fails: `input` is a real number type",
    ],
};

/// The first or last position of the extreme element along `axis`. NaN counts as extreme.
pub fn position_of(call: &mut Call, extreme: Fold) -> Outcome {
    let input = call.tensor("input")?;
    let shape = input.shape();
    let axis = call.axis("axis", "`axis` is within the rank", shape)?;
    let (keep, last) = (call.flag("keepdims")?, call.flag("select_last_index")?);
    let size = shape.size(axis);
    call.require_legal("the axis is not empty", size.ge(1));
    let reduced = if keep { shape.with_size(axis, 1.into()) } else { shape.without(axis) };
    let Some(rank) = shape.known_rank() else { return one(unknown_elements(Kind::I64.into(), reduced)) };
    let axis = position(axis, rank);
    Ok(Tensor::composed([(Kind::I64.into(), reduced)], move || {
        vec![places(extreme, input, axis, last, keep)]
    }))
}

/// The first or last position of the extreme element along an axis, with the axis of size 1 or without it.
pub fn places(extreme: Fold, input: Tensor, axis: usize, last: bool, keep: bool) -> Tensor {
    let (shape, size) = (input.shape(), input.shape().size(Front(axis as u32)));
    let peak = reduce(extreme, input, &[axis], true);
    let none = Dim::select(last.into(), -1, size);
    let places = Tensor::from_elements(Kind::I64, shape, move |index| {
        let mut row = index.to_vec();
        row[axis] = 0.into();
        let x = input.at(index);
        let mut found = x.eq(peak.at(&row));
        if input.kind().is_float() {
            found = found.or(x.is_nan());
        }
        found.select(Element::index(Kind::I64, index[axis]), Element::index(Kind::I64, none))
    });
    reduce(if last { Fold::Max } else { Fold::Min }, places, &[axis], keep)
}
