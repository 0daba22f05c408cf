//! Cuts or pads evenly on both sides.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "center_crop_pad",
    summary: "Brings axes to given sizes, cutting off or adding zeros evenly on both sides; an odd one at the end.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("shape"), ints("axes").optional()],
    outputs: &["output"],
    spellings: &[onnx(18, "CenterCropPad(input, shape:index flat; axes)")],
    define,
    examples: &[
        "center_crop_pad(f32[20,8,3], shape=[10,10,3]) -> f32[10,10,3]",
        "center_crop_pad(f32[N,H,W], shape=[224,224], axes=[-2,-1]) -> f32[N,224,224]",
        "center_crop_pad(i64[5]{0,1,2,3,4}, shape=[2]) -> i64[2]{1,2}",
        "center_crop_pad(i64[2]{1,2}, shape=[5]) -> i64[5]{0,1,2,0,0}",
        "center_crop_pad(f32[2,2], shape=[5]) fails: `shape` has one size per axis",
        "center_crop_pad(f32[2,2], shape=[5,5], axes=[0]) fails: `shape` has one size per axis",
        "center_crop_pad(f32[2,2], shape=[3], axes=[2]) fails: `axes` are within the rank",
        "center_crop_pad(f32[2,2], shape=[3,3], axes=[1,-1]) fails: `axes` name each axis once",
        "center_crop_pad(f32[2,2], shape=[3,-1]) fails: no size is negative",
        "center_crop_pad(f8e4m3fn[20,8,3], shape=[10,10,3]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let sizes = call.ints("shape")?;
    let one_each = "`shape` has one size per axis";
    let axes = match call.optional_ints("axes")? {
        Some(axes) => {
            call.insist(IllegalValue, one_each, axes.len() == sizes.len())?;
            axes
        }
        None => {
            call.sizes(one_each, input, sizes.len())?;
            (0..sizes.len()).map(Dim::from).collect()
        }
    };
    call.require_value("no size is negative", Prop::all(sizes.iter().map(|size| size.ge(0))));

    let mut shape = input.shape();
    let mut offsets: Vec<(Slot, Dim)> = Vec::with_capacity(axes.len());
    for (&axis, &size) in axes.iter().zip(&sizes) {
        let slot = call.axis_at(axis, "`axes` are within the rank", input.shape())?;
        let again = offsets.iter().any(|(other, _)| *other == slot);
        call.insist(IllegalValue, "`axes` name each axis once", !again)?;
        let surplus = input.shape().size(slot) - size;
        let offset = Dim::select(surplus.ge(0), surplus.div_floor(2), -(-surplus).div_floor(2));
        shape = shape.with_size(slot, size);
        offsets.push((slot, offset));
    }
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let mut source = index.to_vec();
        for &(slot, offset) in &offsets {
            let axis = position(slot, index.len());
            source[axis] = source[axis] + offset;
        }
        input.padded_at(&source)
    }))
}
