//! The gradient of a convolution for its filters.

use super::prelude::*;
use crate::laid_out::*;

pub static OPERATOR: Operator = Operator {
    name: "convolution_filter_gradient",
    summary: "What reaches the filters, of shape `filter_sizes`, of a convolution.",
    inputs: &[tensor("input", FLOAT), tensor("gradients", FLOAT).like("input")],
    parameters: &[ints("filter_sizes"), STRIDES, CHOSEN, EXPLICIT, DILATIONS, DATA_FORMAT],
    outputs: &["output"],
    spellings: &[
        tensorflow(
            "Conv2DBackpropFilter(input, filter_sizes, gradients; strides, padding, explicit_paddings, dilations, \
             data_format, !use_cudnn_on_gpu)",
        ),
        tensorflow(
            "Conv3DBackpropFilterV2(input, filter_sizes, gradients; strides, padding, dilations, data_format=NDHWC)",
        ),
    ],
    define,
    examples: &[
        "convolution_filter_gradient(f32[N,8,8,3], f32[N,4,4,5], filter_sizes=[3,3,3,5], strides=[1,2,2,1], padding=SAME) -> f32[3,3,3,5]",
        "convolution_filter_gradient(f32[1,1,2,1]{5,7}, f32[1,1,1,1]{3}, filter_sizes=[1,2,1,1], strides=[1,1,1,1], padding=VALID) -> f32[1,2,1,1]{15,21}",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3], strides=[1,1,1,1], padding=SAME) fails: `filter_sizes` has one value per axis",
        "convolution_filter_gradient(f32[1,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `input` has the axes of `data_format`",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `gradients` has as many axes as `input`",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,4], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `gradients` has one channel per filter",
        "convolution_filter_gradient(f32[1,8,8,4], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: the channels of the filters divide those of `input`",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,7,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `gradients` has the shape of the convolution's output",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], strides=[1,1,1,1], padding=SAME) fails: `filter_sizes` is given",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1], padding=SAME) fails: `strides` has one value per axis",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,0,1,1], padding=SAME) fails: `strides` are positive",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], dilations=[1,0,1,1], padding=SAME) fails: `dilations` are positive",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], dilations=[1,1], padding=SAME) fails: `dilations` has one value per axis",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=EXPLICIT) fails: `explicit_paddings` has two values per axis",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=HALF) fails: `padding` is one of SAME, VALID, EXPLICIT",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME, data_format=CHWN) fails: `data_format` is one of NHWC, NCHW, NDHWC, NCDHW",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], padding=SAME) fails: `strides` is given",
        "convolution_filter_gradient(f32[1,8,8,3], f32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1]) fails: `padding` is given",
        "convolution_filter_gradient(i32[1,8,8,3], i32[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `input` is floating point",
        "convolution_filter_gradient(f32[1,8,8,3], f64[1,8,8,5], filter_sizes=[3,3,3,5], strides=[1,1,1,1], padding=SAME) fails: `gradients` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, gradients) = (call.tensor("input")?, call.tensor("gradients")?);
    let laid = Laid::of(call)?;
    call.promise(input.dtype(), Promised::Rank(laid.rank));
    let own = call.sizes("`input` has the axes of `data_format`", input, laid.rank)?;
    let given = call.sizes("`gradients` has as many axes as `input`", gradients, laid.rank)?;
    let taps = call.ints("filter_sizes")?;
    call.insist(IllegalValue, "`filter_sizes` has one value per axis", taps.len() == laid.rank)?;
    let axes = laid.rank - 2;
    let input = laid.channels_first(input.with_shape(Shape::new(own)));
    let gradients = laid.channels_first(gradients.with_shape(Shape::new(given)));
    let (sizes, given) = (call.known_sizes(input)?, call.known_sizes(gradients)?);
    let (group_channels, filters) = (taps[axes], taps[axes + 1]);
    call.require_shape("`gradients` has one channel per filter", given[1].eq(filters));
    let divides = group_channels.ge(1) & group_channels.max(1).divides(sizes[1]);
    call.demand(IncompatibleShape, "the channels of the filters divide those of `input`", divides)?;
    let groups = sizes[1].div_floor(group_channels.max(1)).max(1);
    let per_group = filters.div_floor(groups);
    let windows = laid.windows(call, &taps[..axes], &sizes[2..], true)?;
    let counts = windows.iter().zip(&sizes[2..]).map(|(window, &size)| window.count(size));
    let fits = Prop::all(counts.zip(&given[2..]).map(|(count, &given)| count.eq(given)));
    let fits = fits & sizes[0].eq(given[0]);
    call.require_shape("`gradients` has the shape of the convolution's output", fits);
    // Each tap meets the gradients of every image at every place of the window.
    let extents: Vec<Dim> = [given[0]].into_iter().chain(given[2..].iter().copied()).collect();
    one(Tensor::from_elements(input.dtype(), Shape::new(taps), move |index| {
        let (tap, channel, filter) = (&index[..axes], index[axes], index[axes + 1]);
        let channel = filter.div_floor(per_group.max(1)) * group_channels + channel;
        Element::fold_over(Fold::Sum, &extents, &|folded| {
            let (batch, places) = (folded[0], &folded[1..]);
            let mut source = vec![batch, channel];
            source.extend(windows.iter().zip(places).zip(tap).map(|((w, &at), &tap)| w.source(at, tap)));
            let mut from = vec![batch, filter];
            from.extend_from_slice(places);
            input.padded_at(&source) * gradients.at(&from)
        })
    }))
}
