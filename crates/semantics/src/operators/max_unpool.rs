//! Puts pooled maxima back where they were.

use super::prelude::*;
use crate::scatter::{place, scatter};

pub static OPERATOR: Operator = Operator {
    name: "max_unpool",
    summary: "Writes each element to the position that `indices` names, counted row-major over the whole tensor that \
              was pooled; the rest is zero.",
    inputs: &[tensor("input", FLOAT), tensor("indices", INT64)],
    parameters: &[
        ints("output_shape").optional(),
        ints("kernel"),
        ints("stride").or(1),
        ints("padding").or(0),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        9,
        "MaxUnpool(input:nchw, indices, output_shape; kernel_shape as kernel, strides as stride, pads as padding)",
    )],
    define,
    examples: &[
        "max_unpool(f32[N,C,2,2], i64[N,C,2,2], kernel=[2,2], stride=[2,2]) -> f32[N,C,4,4]",
        "max_unpool(f32[1,1,2]{1,2}, i64[1,1,2]{1,2}, kernel=[2], stride=[2]) -> f32[1,1,4]{0,1,2,0}",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[3,3], stride=[2,2], padding=[1,1,0,0]) -> f32[1,1,4,4]",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], output_shape=[1,1,5,5], kernel=[2,2], stride=[2,2]) -> f32[1,1,5,5]",
        "max_unpool(f32[1,2], i64[1,2], kernel=[]) fails: `input` has a batch, a channel and at least one spatial axis",
        "max_unpool(f32[1,1,2,2], i64[1,2,2], kernel=[2,2]) fails: `indices` has the shape of `input`",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[2]) fails: `kernel` has one value per spatial axis",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[0,2], stride=[2,2]) fails: `kernel` is positive",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[2,2], stride=[0,2]) fails: `stride` is positive",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[2,2], stride=[2]) fails: `stride` has one value per spatial axis",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[2,2], padding=[2]) fails: `padding` has two values per spatial axis",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], kernel=[2,2], padding=[0,2,0,0]) fails: `padding` is smaller than the kernel",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], output_shape=[1,1,5], kernel=[2,2]) fails: `output_shape` has one size per axis",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], output_shape=[1,1,2,2], kernel=[2,2]) fails: `output_shape` has room for what was pooled",
        "max_unpool(f32[1,1,2,2], i64[1,1,2,2], output_shape=[1,2,3,3], kernel=[2,2]) fails: `output_shape` has the batch and the channels of `input`",
        "max_unpool(f32[1,1,1], i64[1,1,1]{2}, kernel=[2]) fails: every index is within the output",
        "max_unpool(i64[1,1,2], i64[1,1,2], kernel=[2]) fails: `input` is floating point",
        "max_unpool(f32[1,1,2], i32[1,1,2], kernel=[2]) fails: `indices` is int64",
        "max_unpool(f32[1,1,2], i64[1,1,2]) fails: `kernel` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, indices) = (call.tensor("input")?, call.tensor("indices")?);
    let sizes = call.known_sizes(input)?;
    let rank = sizes.len();
    call.insist(
        IncompatibleShape,
        "`input` has a batch, a channel and at least one spatial axis",
        rank >= 3,
    )?;
    let agree = indices.shape().same(input.shape());
    call.demand(IncompatibleShape, "`indices` has the shape of `input`", agree)?;
    let axes = rank - 2;
    let kernel = call.per_axis("kernel", "`kernel` has one value per spatial axis", axes)?;
    let stride = call.per_axis("stride", "`stride` has one value per spatial axis", axes)?;
    let padding = call.per_axis("padding", "`padding` has two values per spatial axis", 2 * axes)?;
    let positive = |values: &[Dim]| Prop::all(values.iter().map(|value| value.ge(1)));
    call.demand(IllegalValue, "`kernel` is positive", positive(&kernel))?;
    call.demand(IllegalValue, "`stride` is positive", positive(&stride))?;
    let smaller = (0..2 * axes).map(|k| padding[k].lt(kernel[k % axes]));
    call.require_value("`padding` is smaller than the kernel", Prop::all(smaller));
    let spatial =
        (0..axes).map(|k| (sizes[2 + k] - 1) * stride[k] + kernel[k] - padding[k] - padding[axes + k]);
    let pooled = Shape::new([sizes[0], sizes[1]].into_iter().chain(spatial));
    call.require_of("every index is within the output", indices, |values| {
        Prop::all(values.iter().map(|index| index.within(0, pooled.count())))
    });

    let kind = call.kind(input)?;
    let zeros = full(kind, pooled, 0.0);
    let unpooled = scatter(zeros, indices, input, "none", targets, 0);
    let Some(given) = call.optional_ints("output_shape")? else { return one(unpooled) };
    call.insist(IllegalValue, "`output_shape` has one size per axis", given.len() == rank)?;
    let kept = given[0].eq(sizes[0]) & given[1].eq(sizes[1]);
    call.require_shape("`output_shape` has the batch and the channels of `input`", kept);
    let room = given.iter().zip(pooled.sizes().unwrap_or_default()).map(|(given, least)| given.ge(least));
    call.require_shape("`output_shape` has room for what was pooled", Prop::all(room));
    one(Tensor::from_elements(kind, Shape::new(given), move |index| unpooled.padded_at(index)))
}

fn targets(sizes: &[usize], indices: &Array, _: &[usize], _: usize) -> Result<Vec<usize>, String> {
    let count = sizes.iter().product();
    let values = indices.as_ints().ok_or("the indices are no integers")?;
    values
        .iter()
        .map(|&index| if index < 0 { Err("an index is negative".into()) } else { place(index, count) })
        .collect()
}
