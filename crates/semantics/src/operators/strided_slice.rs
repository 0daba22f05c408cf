//! Indexing as in Python, with slices, numbers, new axes and an ellipsis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "strided_slice",
    summary: "Indexes a tensor as Python does: bit k of a mask speaks of entry k of `begin`, `end` and `strides`.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[
        ints("begin"),
        ints("end"),
        ints("strides"),
        int("begin_mask").or(0),
        int("end_mask").or(0),
        int("ellipsis_mask").or(0),
        int("new_axis_mask").or(0),
        int("shrink_axis_mask").or(0),
    ],
    outputs: &["output"],
    spellings: &[tensorflow(
        "StridedSlice(input, begin, end, strides; begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)",
    )],
    define,
    examples: &[
        "strided_slice(f32[N,8], begin=[0,1], end=[0,7], strides=[1,2], begin_mask=1, end_mask=1) -> f32[N,3]",
        "strided_slice(i32[3]{7,8,9}, begin=[1], end=[2], strides=[1], shrink_axis_mask=1) -> i32[]{8}",
        "strided_slice(i32[3]{7,8,9}, begin=[-1], end=[0], strides=[1], shrink_axis_mask=1) -> i32[]{9}",
        "strided_slice(i32[3]{7,8,9}, begin=[0], end=[0], strides=[-1], begin_mask=1, end_mask=1) -> i32[3]{9,8,7}",
        "strided_slice(f32[2,3,4], begin=[0,1], end=[0,2], strides=[1,1], ellipsis_mask=1) -> f32[2,3,1]",
        "strided_slice(f32[2,3], begin=[0,0], end=[1,0], strides=[1,1], new_axis_mask=2) -> f32[1,1,3]",
        "strided_slice(f32[4], begin=[0,0], end=[1,1], strides=[1,1]) fails: there are no more entries than axes",
        "strided_slice(f32[4], begin=[0,0], end=[1], strides=[1]) fails: `begin`, `end` and `strides` have one length",
        "strided_slice(f32[4], begin=[0], end=[1], strides=[0]) fails: no stride is zero",
        "strided_slice(f32[4], begin=[4], end=[5], strides=[1], shrink_axis_mask=1) fails: the index is within the axis",
        "strided_slice(f32[4], begin=[0,0], end=[1,1], strides=[1,1], ellipsis_mask=3) fails: there is one ellipsis at most",
        "strided_slice(f32[4], end=[1], strides=[1]) fails: `begin` is given",
        "strided_slice(f32[4], begin=[1], strides=[1]) fails: `end` is given",
        "strided_slice(f32[4], begin=[0], end=[1]) fails: `strides` is given",
        "strided_slice(f8e4m3fn[4], begin=[0], end=[1], strides=[1]) fails: `input` is any type but float8 and those below a byte",
    ],
};

/// What becomes of one axis.
#[derive(Clone, Copy)]
pub enum Step {
    /// An axis of the input that is kept: where it starts, and the distance between positions taken.
    Kept { start: Dim, step: Dim },
    /// An axis of the input at one position, which the result lacks.
    Taken(Dim),
    /// An axis of size 1 that the input lacks.
    New,
}

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::AnyShape);
    let sizes = call.known_sizes(input)?;
    let (steps, shape) = steps(call, &sizes)?;
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let mut own = index.iter();
        let mut next = || own.next().copied().unwrap_or(Dim::from(0));
        let mut source = Vec::with_capacity(steps.len());
        for step in &steps {
            match *step {
                Step::Kept { start, step } => source.push(start + next() * step),
                Step::Taken(at) => source.push(at),
                Step::New => drop(next()),
            }
        }
        input.at(&source)
    }))
}

/// Reads the entries and masks, for a tensor of these sizes.
pub fn steps(call: &mut Call, sizes: &[Dim]) -> Result<(Vec<Step>, Shape), Stop> {
    let (begin, end, strides) = (call.ints("begin")?, call.ints("end")?, call.ints("strides")?);
    let one_length = end.len() == begin.len() && strides.len() == begin.len();
    call.insist(IllegalValue, "`begin`, `end` and `strides` have one length", one_length)?;
    call.demand(IllegalValue, "no stride is zero", Prop::all(strides.iter().map(|stride| stride.ne(0))))?;
    let mut masks = Vec::new();
    for name in ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"] {
        masks.push(call.positions(name, &[call.int(name)?])?[0]);
    }
    let has = |mask: usize, k: usize| k < 63 && masks[mask] >> k & 1 == 1;
    let ellipses = (0..begin.len()).filter(|&k| has(2, k)).count();
    call.insist(IllegalValue, "there is one ellipsis at most", ellipses <= 1)?;
    let used = (0..begin.len()).filter(|&k| !has(2, k) && !has(3, k)).count();
    call.insist(IncompatibleShape, "there are no more entries than axes", used <= sizes.len())?;
    let left = sizes.len() - used;
    let (mut steps, mut result, mut axis) = (Vec::new(), Vec::new(), 0);
    let whole = |size: Dim, steps: &mut Vec<Step>, result: &mut Vec<Dim>| {
        steps.push(Step::Kept { start: 0.into(), step: 1.into() });
        result.push(size);
    };
    for k in 0..begin.len() {
        if has(2, k) {
            for _ in 0..left {
                whole(sizes[axis], &mut steps, &mut result);
                axis += 1;
            }
        } else if has(3, k) {
            steps.push(Step::New);
            result.push(1.into());
        } else if has(4, k) {
            let size = sizes[axis];
            call.require_value("the index is within the axis", begin[k].within(-size, size));
            steps.push(Step::Taken(Dim::select(begin[k].lt(0), begin[k] + size, begin[k])));
            axis += 1;
        } else {
            let (size, step) = (sizes[axis], strides[k]);
            let forward = step.gt(0);
            // Ends that are left out are the first and the last position, seen in the direction of the step.
            let (first, last) = (Dim::select(forward, 0, size - 1), Dim::select(forward, size, -size - 1));
            let start = if has(0, k) { first } else { begin[k] };
            let stop = if has(1, k) { last } else { end[k] };
            let (start, length) = super::slice::cut(size, start, stop, step);
            steps.push(Step::Kept { start, step });
            result.push(length);
            axis += 1;
        }
    }
    while axis < sizes.len() {
        whole(sizes[axis], &mut steps, &mut result);
        axis += 1;
    }
    Ok((steps, Shape::new(result)))
}
