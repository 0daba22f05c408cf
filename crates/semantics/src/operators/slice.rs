//! Cuts ranges out of axes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "slice",
    summary: "Takes positions `start`, `start + step`, … before `end` of each axis named, as Python slices do.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("starts"), ints("ends"), ints("axes").optional(), ints("steps").optional()],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Slice(input; starts, ends, axes)"),
        onnx(10, "Slice(input, starts:index, ends:index, axes:index, steps:index)"),
    ],
    define,
    examples: &[
        "slice(f32[20,10,5], starts=[0,0], ends=[3,10], axes=[0,1]) -> f32[3,10,5]",
        "slice(i64[4]{1,2,3,4}, starts=[-1], ends=[-5], steps=[-1]) -> i64[4]{4,3,2,1}",
        "slice(f32[N,H], starts=[1], ends=[9223372036854775807], axes=[1], steps=[2]) -> f32[N,H//2]",
        "slice(f32[5], starts=[3], ends=[1]) -> f32[0]",
        "slice(i64[2]{7,8}, starts=[-9], ends=[-6], steps=[-1]) -> i64[1]{7}",
        "slice(f32[5], starts=[0], ends=[1,2]) fails: `starts`, `ends`, `axes` and `steps` have one length",
        "slice(f32[5], starts=[0], ends=[5], steps=[0]) fails: no step is zero",
        "slice(f32[5], starts=[0], ends=[5], axes=[1]) fails: `axes` are within the rank",
        "slice(f32[5], starts=[0,0], ends=[5,5], axes=[0,0]) fails: `axes` name each axis once",
        "slice(f32[5], starts=[0,0], ends=[5,5]) fails: `axes` are within the rank",
        "slice(f8e4m3fn[20,10,5], starts=[0,0], ends=[3,10], axes=[0,1]) fails: `input` is any type but float8 and those below a byte",
    ],
};

/// One axis cut: where it starts and the distance between positions taken.
#[derive(Clone, Copy)]
struct Cut {
    slot: Slot,
    start: Dim,
    step: Dim,
}

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::RankOf(input.shape()));
    let (starts, ends) = (call.ints("starts")?, call.ints("ends")?);
    let count = starts.len();
    let axes = call.optional_ints("axes")?.unwrap_or_else(|| (0..count).map(Dim::from).collect());
    let steps = call.optional_ints("steps")?.unwrap_or_else(|| vec![1.into(); count]);
    let one_length = [ends.len(), axes.len(), steps.len()].iter().all(|&length| length == count);
    call.insist(IllegalValue, "`starts`, `ends`, `axes` and `steps` have one length", one_length)?;
    call.require_value("no step is zero", Prop::all(steps.iter().map(|step| step.ne(0))));

    let mut shape = input.shape();
    let mut cuts: Vec<Cut> = Vec::with_capacity(count);
    for k in 0..count {
        let slot = call.axis_at(axes[k], "`axes` are within the rank", input.shape())?;
        let again = cuts.iter().any(|cut| cut.slot == slot);
        call.insist(IllegalValue, "`axes` name each axis once", !again)?;
        let size = input.shape().size(slot);
        // Other than Python's, a start before the first position is the first one, also when stepping back.
        let start = Dim::select(starts[k].lt(0), starts[k] + size, starts[k]).max(0);
        let (start, length) = cut(size, start, ends[k], steps[k]);
        shape = shape.with_size(slot, length);
        cuts.push(Cut { slot, start, step: steps[k] });
    }
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let mut source = index.to_vec();
        for cut in &cuts {
            let axis = position(cut.slot, index.len());
            source[axis] = cut.start + source[axis] * cut.step;
        }
        input.at(&source)
    }))
}

/// Python's rule for `start:end:step` on an axis: where it starts and how many positions it takes.
pub fn cut(size: Dim, start: Dim, end: Dim, step: Dim) -> (Dim, Dim) {
    let from_back = |bound: Dim| Dim::select(bound.lt(0), bound + size, bound);
    let forward = step.gt(0);
    let (low, high) = (Dim::select(forward, 0, -1), Dim::select(forward, size, size - 1));
    let start = from_back(start).max(low).min(high);
    let end = from_back(end).max(low).min(high);
    (start, (end - start).div_ceil(step).max(0))
}
