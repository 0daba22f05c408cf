//! Cuts a tensor into parts along an axis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "split",
    summary: "Cuts a tensor into parts along an axis: of the sizes `split`, or `num_outputs` equal ones, \
              of which the last may be smaller.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("split").optional(), int("num_outputs").optional(), int("axis").or(0)],
    outputs: &["outputs..."],
    spellings: &[
        onnx(1, "Split(input, split; split, axis)").adapted(into_equal_parts),
        onnx(2, "Split(input; split, axis)").adapted(into_equal_parts),
        onnx(13, "Split(input, split; axis)").adapted(into_equal_parts),
        onnx(18, "Split(input, split; axis, num_outputs)").adapted(as_onnx),
        tensorflow("Split(axis:scalar, input; !num_split)").adapted(into_equal_parts),
    ],
    define,
    examples: &[
        "split(f32[2,6], split=[2,4], axis=1) -> f32[2,2], f32[2,4]",
        "split(f32[N,3*C], num_outputs=3, axis=-1) -> f32[N,C], f32[N,C], f32[N,C]",
        "split(i64[7]{1,2,3,4,5,6,7}, num_outputs=3) -> i64[3]{1,2,3}, i64[3]{4,5,6}, i64[1]{7}",
        "split(f32[0], split=[0,0]) -> f32[0], f32[0]",
        "split(f32[6], split=[5]) fails: the parts are as long as the axis together",
        "split(f32[2,3], split=[2,1], axis=1) fails: `split` has one size per output",
        "split(f32[2,6], split=[6], axis=2) fails: `axis` is within the rank",
        "split(f32[6]) fails: either `split` or `num_outputs` is given",
        "split(f32[6], split=[6], num_outputs=1) fails: either `split` or `num_outputs` is given",
        "split(f32[6], num_outputs=0) fails: `num_outputs` is positive",
        "split(f32[4], num_outputs=3) fails: every part has an element",
        "split(f32[0], split=[-1]) fails: no size is negative",
        "split(f8e4m3fn[6], split=[6]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let (split, number) = (call.optional_ints("split")?, call.optional_int("num_outputs")?);
    let either = "either `split` or `num_outputs` is given";
    call.insist(IllegalValue, either, split.is_some() != number.is_some())?;
    let size = input.shape().size(axis);
    let Some(number) = number else { return parts(call, input, axis, split.unwrap_or_default()) };

    call.demand(IllegalValue, "`num_outputs` is positive", number.ge(1))?;
    let number = call.positions("num_outputs", &[number])?[0] as usize;
    Ok(cut(input, axis, &with_smaller_last(call, size, number)))
}

/// Sizes of equal parts of which the last may be smaller.
fn with_smaller_last(call: &mut Call, size: Dim, number: usize) -> Vec<Dim> {
    let part = size.div_ceil(number);
    let last = size - part * (number as i64 - 1);
    call.require_legal("every part has an element", last.ge(1));
    // Only the parts that somebody wants are made, whatever number is stated.
    (1..=number).take(call.wanted.max(1)).map(|k| if k == number { last } else { part }).collect()
}

/// ONNX Runtime makes as many parts as the node has outputs, whatever `num_outputs` says, unless its own inference of
/// shapes, which loses sight of many, has found the size of the axis. Where the number is not said, or is negative,
/// the parts must be truly equal.
fn as_onnx(call: &mut Call) -> Outcome {
    let (split, number) = (call.optional_ints("split")?, call.optional_int("num_outputs")?);
    if split.is_some() {
        return define(call);
    }
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    call.require(ToleratedValue, "either `split` or `num_outputs` is given", number.is_some().into());
    if let Some(number) = number {
        call.require(ToleratedValue, "`num_outputs` is the number of outputs", number.eq(call.wanted));
    }
    let number = call.positions("num_outputs", number.as_slice())?;
    if !number.iter().any(|&number| number >= 0) {
        return into_equal_parts(call);
    }
    let sizes = with_smaller_last(call, input.shape().size(axis), call.wanted.max(1));
    Ok(cut(input, axis, &sizes))
}

/// Before version 18 equal parts must be truly equal, and there are as many as outputs.
fn into_equal_parts(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    if let Some(split) = call.optional_ints("split")? {
        return parts(call, input, axis, split);
    }
    let (size, number) = (input.shape().size(axis), call.wanted.max(1));
    call.require_shape("the axis divides evenly among the outputs", Dim::from(number).divides(size));
    Ok(cut(input, axis, &vec![size.div_floor(number); number]))
}

/// Parts of given sizes.
fn parts(call: &mut Call, input: Tensor, axis: Slot, sizes: Vec<Dim>) -> Outcome {
    let not_negative = Prop::all(sizes.iter().map(|size| size.ge(0)));
    call.demand(IllegalValue, "no size is negative", not_negative)?;
    let total = Dim::sum(sizes.iter().copied());
    let size = input.shape().size(axis);
    call.require_shape("the parts are as long as the axis together", total.eq(size));
    call.insist(IllegalValue, "`split` has one size per output", sizes.len() == call.wanted)?;
    Ok(cut(input, axis, &sizes))
}

/// Consecutive parts of the given sizes.
pub fn cut(input: Tensor, axis: Slot, sizes: &[Dim]) -> Outputs {
    let mut start = Dim::from(0);
    let mut outputs = Outputs::new();
    for &size in sizes {
        let shape = input.shape().with_size(axis, size);
        outputs.push(Tensor::from_elements(input.dtype(), shape, move |index| {
            let mut source = index.to_vec();
            let axis = position(axis, index.len());
            source[axis] = source[axis] + start;
            input.at(&source)
        }));
        start = start + size;
    }
    outputs
}
