//! The gradient of a convolution for its input.

use super::prelude::*;
use crate::laid_out::*;
use crate::sliding::{Spread, spread_products};

pub static OPERATOR: Operator = Operator {
    name: "convolution_input_gradient",
    summary: "What reaches the input, of shape `input_sizes`, of a convolution: also a transposed convolution.",
    inputs: &[tensor("filter", FLOAT), tensor("gradients", FLOAT).like("filter")],
    parameters: &[ints("input_sizes"), STRIDES, CHOSEN, EXPLICIT, DILATIONS, DATA_FORMAT],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "Conv2DBackpropInput(input_sizes, filter, gradients; strides, padding, explicit_paddings, dilations, \
             data_format, !use_cudnn_on_gpu)",
        ),
        tensorflow(
            "Conv3DBackpropInputV2(input_sizes, filter, gradients; strides, padding, dilations, data_format=NDHWC)",
        ),
    ],
    define,
    examples: &[
        "convolution_input_gradient(f32[3,3,3,5], f32[N,4,4,5], input_sizes=[N,8,8,3], strides=[1,2,2,1], padding=SAME) -> f32[N,8,8,3]",
        "convolution_input_gradient(f32[1,2,1,1]{1,2}, f32[1,1,1,1]{3}, input_sizes=[1,1,2,1], strides=[1,1,1,1], padding=VALID) -> f32[1,1,2,1]{3,6}",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8], strides=[1,1,1,1], padding=SAME) fails: `input_sizes` has one value per axis",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME) fails: `gradients` has the axes of `data_format`",
        "convolution_input_gradient(f32[3,3,3], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME) fails: `filter` has as many axes as `gradients`",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,4], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME) fails: `gradients` has one channel per filter",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,4], strides=[1,1,1,1], padding=SAME) fails: the channels of `filter` divide those of the input",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,7,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME) fails: `gradients` has the shape of the convolution's output",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], strides=[1,1,1,1], padding=SAME) fails: `input_sizes` is given",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1], padding=SAME) fails: `strides` has one value per axis",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,0,1,1], padding=SAME) fails: `strides` are positive",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], dilations=[1,0,1,1], padding=SAME) fails: `dilations` are positive",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], dilations=[1,1], padding=SAME) fails: `dilations` has one value per axis",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=EXPLICIT) fails: `explicit_paddings` has two values per axis",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=HALF) fails: `padding` is one of SAME, VALID, EXPLICIT",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME, data_format=CHWN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], padding=SAME) fails: `strides` is given",
        "convolution_input_gradient(f32[3,3,3,5], f32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1]) fails: `padding` is given",
        "convolution_input_gradient(i32[3,3,3,5], i32[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME) fails: `filter` is floating point",
        "convolution_input_gradient(f32[3,3,3,5], f64[1,8,8,5], input_sizes=[1,8,8,3], strides=[1,1,1,1], padding=SAME) fails: `gradients` has the element type of `filter`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (filter, gradients) = (call.tensor("filter")?, call.tensor("gradients")?);
    let laid = Laid::of(call)?;
    call.promise(gradients.dtype(), Promised::Rank(laid.rank));
    let own = call.sizes("`gradients` has the axes of `data_format`", gradients, laid.rank)?;
    let taps = call.sizes("`filter` has as many axes as `gradients`", filter, laid.rank)?;
    let axes = laid.rank - 2;
    let mut wanted = call.ints("input_sizes")?;
    // Only the sizes of the image may be given.
    if wanted.len() == axes {
        wanted = (laid.shape(own[0], taps[axes], &wanted).sizes().unwrap_or_default()).to_vec();
    }
    call.insist(IllegalValue, "`input_sizes` has one value per axis", wanted.len() == laid.rank)?;
    let shape = Shape::new(wanted);
    let sizes = call.known_sizes(laid.channels_first(unknown_elements(gradients.dtype(), shape)))?;
    let gradients = laid.channels_first(gradients.with_shape(Shape::new(own)));
    let given = call.known_sizes(gradients)?;
    let (group_channels, filters) = (taps[axes], taps[axes + 1]);
    call.require_shape("`gradients` has one channel per filter", given[1].eq(filters));
    let divides = group_channels.ge(1) & group_channels.max(1).divides(sizes[1]);
    call.demand(IncompatibleShape, "the channels of `filter` divide those of the input", divides)?;
    let groups = sizes[1].div_floor(group_channels.max(1)).max(1);
    let windows = laid.windows(call, &taps[..axes], &sizes[2..], true)?;
    let counts = windows.iter().zip(&sizes[2..]).map(|(window, &size)| window.count(size));
    let fits = Prop::all(counts.zip(&given[2..]).map(|(count, &given)| count.eq(given)));
    let fits = fits & sizes[0].eq(given[0]);
    call.require_shape("`gradients` has the shape of the convolution's output", fits);
    let spread = |(window, &size): (&crate::window::Window, &Dim)| Spread {
        kernel: window.kernel,
        stride: window.stride,
        dilation: window.dilation,
        before: window.before,
        size,
    };
    let spreads = windows.iter().zip(&sizes[2..]).map(spread).collect();
    let order: Vec<usize> = [axes + 1, axes].into_iter().chain(0..axes).collect();
    let weight = transpose(filter.with_shape(Shape::new(taps)), &order);
    let per_group = filters.div_floor(groups);
    let first = Shape::new(sizes);
    one(laid.restored(spread_products(gradients, weight, first, spreads, per_group, group_channels)))
}
