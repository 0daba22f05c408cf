//! The gradient of indexing.

use super::prelude::*;
use super::strided_slice::{Step, steps};

pub static OPERATOR: Operator = Operator {
    name: "strided_slice_grad",
    summary: "Puts gradients where `strided_slice` took elements from a tensor of shape `shape`, and zeros elsewhere.",
    inputs: &[tensor("gradients", NUMERIC)],
    parameters: &[
        ints("shape"),
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
        "StridedSliceGrad(shape, begin, end, strides, gradients; begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)",
    )],
    define,
    examples: &[
        "strided_slice_grad(f32[N,3], shape=[N,8], begin=[0,1], end=[0,7], strides=[1,2], begin_mask=1, end_mask=1) -> f32[N,8]",
        "strided_slice_grad(f32[]{5}, shape=[3], begin=[1], end=[2], strides=[1], shrink_axis_mask=1) -> f32[3]{0,5,0}",
        "strided_slice_grad(f32[2]{5,6}, shape=[4], begin=[3], end=[0], strides=[-2]) -> f32[4]{0,6,0,5}",
        "strided_slice_grad(f32[4], shape=[3], begin=[0], end=[3], strides=[1]) fails: `gradients` has the shape of the slice",
        "strided_slice_grad(f32[1], shape=[4], begin=[0,0], end=[1,1], strides=[1,1]) fails: there are no more entries than axes",
        "strided_slice_grad(f32[1], shape=[4], begin=[0,0], end=[1], strides=[1]) fails: `begin`, `end` and `strides` have one length",
        "strided_slice_grad(f32[1], shape=[4], begin=[0], end=[1], strides=[0]) fails: no stride is zero",
        "strided_slice_grad(f32[], shape=[4], begin=[4], end=[5], strides=[1], shrink_axis_mask=1) fails: the index is within the axis",
        "strided_slice_grad(f32[1], shape=[4], begin=[0,0], end=[1,1], strides=[1,1], ellipsis_mask=3) fails: there is one ellipsis at most",
        "strided_slice_grad(f32[1], begin=[0], end=[1], strides=[1]) fails: `shape` is given",
        "strided_slice_grad(f32[1], shape=[4], end=[1], strides=[1]) fails: `begin` is given",
        "strided_slice_grad(f32[1], shape=[4], begin=[1], strides=[1]) fails: `end` is given",
        "strided_slice_grad(f32[1], shape=[4], begin=[0], end=[1]) fails: `strides` is given",
        "strided_slice_grad(bool[1], shape=[4], begin=[0], end=[1], strides=[1]) fails: `gradients` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let gradients = call.tensor("gradients")?;
    call.promise(gradients.dtype(), Promised::AnyShape);
    let sizes = call.ints("shape")?;
    let (steps, slice) = steps(call, &sizes)?;
    call.require_shape("`gradients` has the shape of the slice", gradients.shape().same(slice));
    let lengths = slice.sizes().unwrap_or_default();
    one(Tensor::from_elements(gradients.dtype(), Shape::new(sizes), move |index| {
        let (mut source, mut hit, mut axis) = (Vec::new(), Prop::from(true), 0);
        for step in &steps {
            match *step {
                Step::Kept { start, step } => {
                    let distance = (index[axis] - start) * Dim::select(step.lt(0), -1, 1);
                    let step = Dim::select(step.lt(0), -step, step);
                    let at = distance.div_floor(step);
                    hit = hit & step.divides(distance) & at.within(0, lengths[source.len()]);
                    source.push(at);
                    axis += 1;
                }
                Step::Taken(at) => {
                    hit = hit & index[axis].eq(at);
                    axis += 1;
                }
                Step::New => source.push(0.into()),
            }
        }
        let kind = gradients.kind();
        let zero = if kind.is_int() { Element::int(kind, 0) } else { Element::constant(kind, 0.0) };
        Element::when(hit, gradients.at(&source), zero)
    }))
}
