//! Convolution of images whose channels may lie last.

use super::prelude::*;
use crate::laid_out::*;
use crate::sliding::sliding_products;

pub static OPERATOR: Operator = Operator {
    name: "convolution",
    summary: "Slides the filters `[spatial..., channels, filters]` over an image laid out as `data_format` says.",
    inputs: &[tensor("input", FLOAT), tensor("filter", FLOAT).like("input")],
    parameters: &[STRIDES, CHOSEN, EXPLICIT, DILATIONS, DATA_FORMAT],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "Conv2D(input, filter; strides, padding, explicit_paddings, dilations, data_format, !use_cudnn_on_gpu)",
        ),
        tensorflow("Conv3D(input, filter; strides, padding, dilations, data_format=NDHWC)"),
    ],
    define,
    examples: &[
        "convolution(f32[N,8,8,3], f32[3,3,3,5], strides=[1,2,2,1], padding=SAME) -> f32[N,4,4,5]",
        "convolution(f32[N,3,8,8], f32[3,3,3,5], strides=[1,1,1,1], padding=VALID, data_format=NCHW) -> f32[N,5,6,6]",
        "convolution(f32[1,2,2,1]{1,2,3,4}, f32[2,2,1,1]{1,1,1,1}, strides=[1,1,1,1], padding=VALID) -> f32[1,1,1,1]{10}",
        "convolution(f32[1,2,2,1]{1,2,3,4}, f32[2,2,1,1]{1,1,1,1}, strides=[1,1,1,1], padding=SAME) -> f32[1,2,2,1]{10,6,7,4}",
        "convolution(f32[1,5,5,4], f32[3,3,2,6], strides=[1,1,1,1], padding=SAME, dilations=[1,2,2,1]) -> f32[1,5,5,6]",
        "convolution(f32[1,5,5,1], f32[3,3,1,1], strides=[1,1,1,1], padding=EXPLICIT, explicit_paddings=[0,0,1,2,0,0,0,0]) -> f32[1,6,3,1]",
        "convolution(f32[1,4,4,4,2], f32[2,2,2,2,3], strides=[1,1,1,1,1], padding=VALID, data_format=NDHWC) -> f32[1,3,3,3,3]",
        "convolution(f32[1,8,8], f32[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `input` has the axes of `data_format`",
        "convolution(f32[1,8,8,3], f32[3,3,3], strides=[1,1,1,1], padding=SAME) fails: `filter` has as many axes as `input`",
        "convolution(f32[1,8,8,3], f32[3,3,2,5], strides=[1,1,1,1], padding=SAME) fails: the channels of `filter` divide those of `input`",
        "convolution(f32[1,8,8,4], f32[3,3,2,5], strides=[1,1,1,1], padding=SAME) fails: the groups divide the number of filters",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1], padding=SAME) fails: `strides` has one value per axis",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,0,1,1], padding=SAME) fails: `strides` are positive",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1,1], dilations=[1,0,1,1], padding=SAME) fails: `dilations` are positive",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1,1], dilations=[1,1], padding=SAME) fails: `dilations` has one value per axis",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1,1], padding=EXPLICIT) fails: `explicit_paddings` has two values per axis",
        "convolution(f32[1,2,2,3], f32[4,4,3,5], strides=[1,1,1,1], padding=VALID) fails: the kernel fits the padded input",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1,1], padding=HALF) fails: `padding` is one of SAME, VALID, EXPLICIT",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1,1], padding=SAME, data_format=CHWN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], padding=SAME) fails: `strides` is given",
        "convolution(f32[1,8,8,3], f32[3,3,3,5], strides=[1,1,1,1]) fails: `padding` is given",
        "convolution(i32[1,8,8,3], i32[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `input` is floating point",
        "convolution(f32[1,8,8,3], f64[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `filter` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, filter) = (call.tensor("input")?, call.tensor("filter")?);
    let laid = Laid::of(call)?;
    call.promise(input.dtype(), Promised::Rank(laid.rank));
    let own = call.sizes("`input` has the axes of `data_format`", input, laid.rank)?;
    let taps = call.sizes("`filter` has as many axes as `input`", filter, laid.rank)?;
    let axes = laid.rank - 2;
    let (group_channels, filters) = (taps[axes], taps[axes + 1]);
    let input = laid.channels_first(input.with_shape(Shape::new(own)));
    let sizes = call.known_sizes(input)?;
    let label = "the channels of `filter` divide those of `input`";
    let divides = group_channels.ge(1) & group_channels.max(1).divides(sizes[1]);
    call.demand(IncompatibleShape, label, divides)?;
    let groups = sizes[1].div_floor(group_channels.max(1)).max(1);
    call.require_shape("the groups divide the number of filters", groups.divides(filters));
    let windows = laid.windows(call, &taps[..axes], &sizes[2..], true)?;
    let counts = counts(call, &windows, &sizes[2..]);
    let shape = Shape::new([sizes[0], filters].into_iter().chain(counts));
    // Filters and channels go first.
    let order: Vec<usize> = [axes + 1, axes].into_iter().chain(0..axes).collect();
    let weight = transpose(filter.with_shape(Shape::new(taps)), &order);
    let per_group = filters.div_floor(groups);
    one(laid.restored(sliding_products(input, weight, shape, windows, group_channels, per_group)))
}
