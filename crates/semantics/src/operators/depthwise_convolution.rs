//! Convolution of each channel by filters of its own.

use super::prelude::*;
use crate::laid_out::*;
use crate::sliding::sliding_products;

pub static OPERATOR: Operator = Operator {
    name: "depthwise_convolution",
    summary: "Slides the filters `[height, width, channels, multiplier]` over the channels of an image, each over its own.",
    inputs: &[tensor("input", FLOAT), tensor("filter", FLOAT).like("input")],
    parameters: &[STRIDES, CHOSEN, EXPLICIT, DILATIONS, DATA_FORMAT],
    outputs: &["output"],
    spellings: &[tensorflow(
        "DepthwiseConv2dNative(input, filter; strides, padding, explicit_paddings, dilations, data_format)",
    )],
    define,
    examples: &[
        "depthwise_convolution(f32[N,8,8,3], f32[3,3,3,2], strides=[1,2,2,1], padding=SAME) -> f32[N,4,4,6]",
        "depthwise_convolution(f32[1,1,1,2]{3,5}, f32[1,1,2,2]{1,2,3,4}, strides=[1,1,1,1], padding=VALID) -> f32[1,1,1,4]{3,6,15,20}",
        "depthwise_convolution(f32[1,8,8], f32[3,3,3,2], strides=[1,1,1,1], padding=SAME) fails: `input` has the axes of `data_format`",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3], strides=[1,1,1,1], padding=SAME) fails: `filter` has as many axes as `input`",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,2,2], strides=[1,1,1,1], padding=SAME) fails: `filter` has one part per channel of `input`",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1], padding=SAME) fails: `strides` has one value per axis",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,0,0,1], padding=SAME) fails: `strides` are positive",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1,1], dilations=[1,0,1,1], padding=SAME) fails: `dilations` are positive",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1,1], dilations=[1,1], padding=SAME) fails: `dilations` has one value per axis",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1,1], padding=EXPLICIT) fails: `explicit_paddings` has two values per axis",
        "depthwise_convolution(f32[1,2,2,3], f32[4,4,3,2], strides=[1,1,1,1], padding=VALID) fails: the kernel fits the padded input",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1,1], padding=HALF) fails: `padding` is one of SAME, VALID, EXPLICIT",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1,1], padding=SAME, data_format=CHWN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], padding=SAME) fails: `strides` is given",
        "depthwise_convolution(f32[1,8,8,3], f32[3,3,3,2], strides=[1,1,1,1]) fails: `padding` is given",
        "depthwise_convolution(i32[1,8,8,3], i32[3,3,3,2], strides=[1,1,1,1], padding=SAME) fails: `input` is floating point",
        "depthwise_convolution(f32[1,8,8,3], f64[3,3,3,2], strides=[1,1,1,1], padding=SAME) fails: `filter` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, filter) = (call.tensor("input")?, call.tensor("filter")?);
    let laid = Laid::of(call)?;
    call.promise(input.dtype(), Promised::Rank(laid.rank));
    let own = call.sizes("`input` has the axes of `data_format`", input, laid.rank)?;
    let taps = call.sizes("`filter` has as many axes as `input`", filter, laid.rank)?;
    let axes = laid.rank - 2;
    let (channels, multiplier) = (taps[axes], taps[axes + 1]);
    let input = laid.channels_first(input.with_shape(Shape::new(own)));
    let sizes = call.known_sizes(input)?;
    call.require_shape("`filter` has one part per channel of `input`", channels.eq(sizes[1]));
    let windows = laid.windows(call, &taps[..axes], &sizes[2..], true)?;
    let counts = counts(call, &windows, &sizes[2..]);
    let filters = channels * multiplier;
    let shape = Shape::new([sizes[0], filters].into_iter().chain(counts));
    // One filter after the other, each of one channel.
    let flat = Shape::new([filters, 1.into()].into_iter().chain(taps[..axes].iter().copied()));
    let weight = Tensor::from_elements(filter.dtype(), flat, move |index| {
        let mut source = index[2..].to_vec();
        source.extend([index[0].div_floor(multiplier), index[0].modulo(multiplier)]);
        filter.at(&source)
    });
    one(laid.restored(sliding_products(input, weight, shape, windows, 1.into(), multiplier)))
}
