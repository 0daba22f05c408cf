//! LSTMs over `[batch, time, space…, channels]`, whose products are convolutions.

use super::activation;
use super::cell::{SIGMOID, TANH, USE_BIAS};
use super::convolution::{
    FILTERS, KERNEL_SIZE, filters, kernel_first, require_channels, require_still_or_dense,
};
use super::recurrent::{
    self, GO_BACKWARDS, RETURN_SEQUENCES, RETURN_STATE, STATEFUL, State, Walk, ZERO_OUTPUT_FOR_MASK,
    of_one_time,
};
use super::spatial::{self, DATA_FORMAT, DILATION_RATE, PADDING, STRIDES, Spatial};
use crate::layer::{Weight, require_weights, weight};
use semantics::call::{Call, Outcome, Stop};
use semantics::compose::transpose;
use semantics::dim::Dim;
use semantics::operator::Parameter;
use semantics::shape::Shape;
use semantics::sliding::sliding_products;
use semantics::tensor::Tensor;
use semantics::window::Window;
use std::rc::Rc;

pub const PARAMETERS: &[Parameter] = &[
    FILTERS,
    KERNEL_SIZE,
    STRIDES,
    PADDING,
    DATA_FORMAT,
    DILATION_RATE,
    TANH,
    SIGMOID,
    USE_BIAS,
    RETURN_SEQUENCES,
    RETURN_STATE,
    GO_BACKWARDS,
    STATEFUL,
    ZERO_OUTPUT_FOR_MASK,
];

const RANK: [&str; 3] = [
    "`sequences` has 4 axes: a batch, time, one of space, and channels",
    "`sequences` has 5 axes: a batch, time, two of space, and channels",
    "`sequences` has 6 axes: a batch, time, three of space, and channels",
];

/// The gates, in the order of the filters.
const INPUT: i64 = 0;
const FORGET: i64 = 1;
const CANDIDATE: i64 = 2;
const OUTPUT: i64 = 3;

/// What there is at one time, as a layer over space sees it, and how it is slid over.
struct Read {
    space: Spatial,
    kernel: Vec<Dim>,
    strides: Vec<Dim>,
    dilations: Vec<Dim>,
}

fn read(call: &mut Call, axes: usize) -> Result<Read, Stop> {
    let kernel = spatial::positive_per_axis(call, "kernel_size", spatial::KERNEL_SIZE_LABEL, axes)?;
    let strides = spatial::positive_per_axis(call, "strides", spatial::STRIDES_LABEL, axes)?;
    let dilations = spatial::positive_per_axis(call, "dilation_rate", spatial::DILATION_LABEL, axes)?;
    require_still_or_dense(call, &strides, &dilations);
    let sequences = call.tensor("sequences")?;
    call.sizes(RANK[axes - 1], sequences, axes + 3)?;
    let channels_first = call.text("data_format")? == "channels_first";
    let space = Spatial::of(of_one_time(sequences)?, axes, channels_first);
    Ok(Read { space, kernel, strides, dilations })
}

pub fn weights(call: &mut Call, axes: usize) -> Result<Vec<Weight>, Stop> {
    let filters = filters(call)?;
    let read = read(call, axes)?;
    require_channels(call, &read.space)?;
    let shape = |channels: Dim| Shape::new(read.kernel.iter().copied().chain([channels, filters * 4]));
    let mut weights =
        vec![weight("kernel", shape(read.space.channels)), weight("recurrent_kernel", shape(filters))];
    if call.flag("use_bias")? {
        weights.push(weight("bias", Shape::new([filters * 4])));
    }
    Ok(weights)
}

pub fn define(call: &mut Call, axes: usize) -> Outcome {
    recurrent::spread_over_masks(call);
    let weights = weights(call, axes)?;
    require_weights(call, &weights)?;
    let Read { space, kernel, strides, dilations } = read(call, axes)?;
    let filters = call.int("filters")?;
    let padding = call.text("padding")?;
    let windows = spatial::windows(call, &kernel, &strides, &dilations, &space.sizes, &padding)?;
    spatial::remark_on_gaps(call, &windows);
    let counts: Vec<Dim> =
        windows.iter().zip(&space.sizes).map(|(window, &size)| window.count(size)).collect();
    let state = space.shape(filters, counts.iter().copied());
    let first = Shape::new([space.batch, filters * 4].into_iter().chain(counts.iter().copied()));
    let ones = vec![Dim::from(1); axes];
    let inner: Vec<Window> = (0..axes)
        .map(|k| {
            let (zero, one) = (Dim::from(0), ones[k]);
            let still = Window {
                kernel: kernel[k],
                stride: one,
                dilation: one,
                before: zero,
                after: zero,
                same: false,
            };
            still.same(counts[k], true)
        })
        .collect();
    let function = |name: &str| {
        let word = call.text(name)?;
        match word == "softmax" || activation::function(&word).is_some() {
            true => Ok(word),
            false => Err(Stop::Unknown(format!("the activation `{word}` is not modelled here"))),
        }
    };
    let (squash, gate) = (function("activation")?, function("recurrent_activation")?);
    let bias = if call.flag("use_bias")? { Some(call.tensor("bias")?) } else { None };
    let (own, recurrent) =
        (kernel_first(call.tensor("kernel")?, axes), kernel_first(call.tensor("recurrent_kernel")?, axes));
    let back = space.from_channels_first();
    let (forth, channels) = (space.to_channels_first(), space.channels);
    let channel_axis = space.channel_axis;
    let step = move |x: Tensor, states: &[Tensor]| {
        let slid = |x: Tensor, kernel: Tensor, windows: &[Window], channels: Dim| {
            let products = sliding_products(
                transpose(x, &forth),
                kernel,
                first,
                windows.to_vec(),
                channels,
                filters * 4,
            );
            transpose(products, &back)
        };
        let (projected, before) =
            (slid(x, own, &windows, channels), slid(states[0], recurrent, &inner, filters));
        // What a gate is opened by: its share of the filters.
        let sum = |number: i64| {
            Tensor::from_elements(x.dtype(), state, move |index| {
                let mut place = index.to_vec();
                place[channel_axis] = filters * number + index[channel_axis];
                let own = projected.at(&place);
                let own = bias.map_or(own, |bias| own + bias.at(&[place[channel_axis]]));
                own + before.at(&place)
            })
        };
        let after = |word: &str, tensor: Tensor| activation::applied(word, tensor).unwrap_or(tensor);
        let (input, forget) = (after(&gate, sum(INPUT)), after(&gate, sum(FORGET)));
        let (candidate, output) = (after(&squash, sum(CANDIDATE)), after(&gate, sum(OUTPUT)));
        let memory = states[1];
        let remembered = Tensor::from_elements(x.dtype(), state, move |index| {
            forget.at(index) * memory.at(index) + input.at(index) * candidate.at(index)
        });
        let told = after(&squash, remembered);
        let hidden = Tensor::from_elements(x.dtype(), state, move |index| output.at(index) * told.at(index));
        (hidden, vec![hidden, remembered])
    };
    let rank = state.known_rank().unwrap_or_default();
    let states = [(true, rank), (false, 0)];
    let states = states.map(|(weighed, least_rank)| State { shape: state, weighed, least_rank }).to_vec();
    recurrent::walk(call, Walk { output: state, states, step: Rc::new(step) })
}
