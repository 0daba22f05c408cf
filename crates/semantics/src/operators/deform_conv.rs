//! Convolution whose taps are moved by learned offsets.

use super::prelude::*;
use crate::window::{Window, require_fit, require_spatial, windows};

pub static OPERATOR: Operator = Operator {
    name: "deform_conv",
    summary: "A convolution that reads each tap at a place moved by `offset`, between elements by linear \
              interpolation, and weighs it by `mask`.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("weight", FLOAT).like("input"),
        tensor("offset", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input").optional(),
        tensor("mask", FLOAT).like("input").optional(),
    ],
    parameters: &[
        ints("kernel").optional(),
        ints("stride").or(1),
        ints("padding").or(0),
        ints("dilation").or(1),
        int("groups").or(1),
        int("offset_groups").or(1),
        word("auto_pad", &["NOTSET"]).or_word("NOTSET"),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        19,
        "DeformConv(input:nchw, weight, offset, bias, mask; kernel_shape as kernel, strides as stride, \
         pads as padding, dilations as dilation, group as groups, offset_group as offset_groups)",
    )],
    define,
    examples: &[
        "deform_conv(f32[N,1,3,3], f32[1,1,2,2], f32[N,8,2,2]) -> f32[N,1,2,2]",
        "deform_conv(f32[1,1,3]{1,2,4}, f32[1,1,1]{10}, f32[1,1,3]{0.5,0,0.5}) -> f32[1,1,3]{15,20,20}",
        "deform_conv(f32[1,1,2]{1,2}, f32[1,1,2]{1,10}, f32[1,2,1]{0,-0.5}, f32[1]{100}, f32[1,2,1]{2,1}) -> f32[1,1,1]{117}",
        "deform_conv(f32[1,2,3,3], f32[1,2,2,2], f32[1,16,2,2], offset_groups=2) -> f32[1,1,2,2]",
        "deform_conv(f32[1,2,4,4], f32[4,1,2,2], f32[1,8,4,4], groups=2, padding=[1,1,0,0]) -> f32[1,4,4,4]",
        "deform_conv(f32[1,2], f32[3,2,2], f32[1,2,1]) fails: `input` has a batch, a channel and at least one spatial axis",
        "deform_conv(f32[1,2,4,4], f32[3,2,2], f32[1,8,3,3]) fails: `input` has as many axes as `weight`",
        "deform_conv(f32[1,2,4,4], f32[3,1,2,2], f32[1,8,3,3]) fails: `input` has `groups` times as many channels as a filter of `weight`",
        "deform_conv(f32[1,2,4,4], f32[3,1,2,2], f32[1,8,3,3], groups=2) fails: `groups` divides the number of filters",
        "deform_conv(f32[1,0,4,4], f32[3,2,2,2], f32[1,8,3,3], groups=0) fails: `groups` is positive",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,24,3,3], offset_groups=3) fails: `offset_groups` divides the number of channels",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], offset_groups=0) fails: `offset_groups` is positive",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,6,3,3]) fails: `offset` has one place per offset group, tap and output position",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,2,2]) fails: `offset` has one place per offset group, tap and output position",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], _, f32[1,8,3,3]) fails: `mask` has one value per offset group, tap and output position",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], f32[2]) fails: `bias` has one value per filter",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], f32[3,1]) fails: `bias` is a vector",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], kernel=[3,3]) fails: `kernel` is the spatial shape of `weight`",
        "deform_conv(f32[1,2,4,4], f32[3,2,0,1], f32[1,0,5,4]) fails: the kernel is not empty",
        "deform_conv(f32[1,2,1,4], f32[3,2,2,2], f32[1,8,0,3]) fails: the kernel fits the padded input",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], stride=[0,1]) fails: `stride` is positive",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,1,3], stride=[3,1]) fails: `stride` is at most what the kernel spans",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], stride=[1]) fails: `stride` has one value per spatial axis",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,4,3], dilation=[0,1]) fails: `dilation` is positive",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,2,3], padding=[-1,0,0,0]) fails: `padding` is not negative",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], padding=[1]) fails: `padding` has two values per spatial axis",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], auto_pad=VALID) fails: `auto_pad` is one of NOTSET",
        "deform_conv(i32[1,2,4,4], i32[3,2,2,2], i32[1,8,3,3]) fails: `input` is floating point",
        "deform_conv(f32[1,2,4,4], f64[3,2,2,2], f32[1,8,3,3]) fails: `weight` has the element type of `input`",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f64[1,8,3,3]) fails: `offset` has the element type of `input`",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], f64[3]) fails: `bias` has the element type of `input`",
        "deform_conv(f32[1,2,4,4], f32[3,2,2,2], f32[1,8,3,3], _, f64[1,4,3,3]) fails: `mask` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, weight, offset) = (call.tensor("input")?, call.tensor("weight")?, call.tensor("offset")?);
    let (bias, mask) = (call.optional("bias"), call.optional("mask"));
    let rank = match (input.shape().known_rank(), weight.shape().known_rank()) {
        (Some(rank), _) | (None, Some(rank)) => rank,
        (None, None) => {
            return Err(Stop::Unknown("neither the rank of `input` nor that of `weight` is known".into()));
        }
    };
    require_spatial(call, rank)?;
    let sizes = call.sizes("`input` has as many axes as `weight`", input, rank)?;
    let weight_sizes = call.sizes("`input` has as many axes as `weight`", weight, rank)?;
    let (channels, spatial) = (sizes[1], sizes[2..].to_vec());
    let (filters, group_channels, kernel) = (weight_sizes[0], weight_sizes[1], weight_sizes[2..].to_vec());
    let (groups, offset_groups) = (call.int("groups")?, call.int("offset_groups")?);

    if let Some(declared) = call.optional_ints("kernel")? {
        let agrees = Dim::from(declared.len()).eq(kernel.len());
        let agrees = agrees & Prop::all(declared.iter().zip(&kernel).map(|(given, &size)| given.eq(size)));
        call.require_shape("`kernel` is the spatial shape of `weight`", agrees);
    }
    call.demand(IllegalValue, "`groups` is positive", groups.ge(1))?;
    call.demand(IllegalValue, "`offset_groups` is positive", offset_groups.ge(1))?;
    let label = "`input` has `groups` times as many channels as a filter of `weight`";
    call.require_shape(label, channels.eq(groups * group_channels));
    call.require_shape("`groups` divides the number of filters", groups.divides(filters));
    call.require_shape("`offset_groups` divides the number of channels", offset_groups.divides(channels));
    if let Some(bias) = bias {
        let [length] = call.dims("`bias` is a vector", bias)?;
        call.require_shape("`bias` has one value per filter", length.eq(filters));
    }
    let windows = windows(call, &kernel, &spatial)?;
    require_fit(call, &windows, &spatial);

    let counts: Vec<Dim> = windows.iter().zip(&spatial).map(|(window, &size)| window.count(size)).collect();
    let taps = Dim::product(kernel.iter().copied());
    let per_position =
        |values: Dim| Shape::new([sizes[0], offset_groups * taps * values].into_iter().chain(counts.clone()));
    let placed = offset.shape().same(per_position(kernel.len().into()));
    call.require_shape("`offset` has one place per offset group, tap and output position", placed);
    if let Some(mask) = mask {
        let label = "`mask` has one value per offset group, tap and output position";
        call.require_shape(label, mask.shape().same(per_position(1.into())));
    }

    let shape = Shape::new([sizes[0], filters].into_iter().chain(counts));
    let filters_per_group = filters.div_floor(groups);
    let channels_per_offset = channels.div_floor(offset_groups);
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let (batch, filter, position) = (index[0], index[1], &index[2..]);
        let first_channel = filter.div_floor(filters_per_group) * group_channels;
        let extents: Vec<Dim> = [group_channels].into_iter().chain(kernel.iter().copied()).collect();
        let sum = Element::fold_over(Fold::Sum, &extents, &|folded| {
            let (channel, tap) = (first_channel + folded[0], &folded[1..]);
            // Which of the moved taps of this offset group.
            let moved = channel.div_floor(channels_per_offset) * taps + flatten(tap, &kernel);
            let at = |tensor: Tensor, row: Dim| {
                let mut place = vec![batch, row];
                place.extend_from_slice(position);
                tensor.at(&place)
            };
            let place: Vec<Element> = (0..kernel.len())
                .map(|axis| {
                    let window: Window = windows[axis];
                    let whole = Element::index(input.kind(), window.source(position[axis], tap[axis]));
                    whole + at(offset, moved * kernel.len() + axis)
                })
                .collect();
            let mut weight_index = vec![filter, folded[0]];
            weight_index.extend_from_slice(tap);
            let product = interpolated(input, &[batch, channel], &place) * weight.at(&weight_index);
            mask.map_or(product, |mask| product * at(mask, moved))
        });
        bias.map_or(sum, |bias| sum + bias.at(&index[1..2]))
    }))
}

/// The tensor between its elements: linear along each axis, zero outside.
fn interpolated(tensor: Tensor, leading: &[Dim], place: &[Element]) -> Element {
    let floor: Vec<Element> = place.iter().map(|x| x.floor()).collect();
    let below: Vec<Dim> = floor.iter().map(|x| x.cast(Kind::I64).as_index()).collect();
    let beyond: Vec<Element> = place.iter().zip(&floor).map(|(&x, &floor)| x - floor).collect();
    let corners = (0..1usize << place.len()).map(|corner| {
        let mut index = leading.to_vec();
        let mut share: Option<Element> = None;
        for axis in 0..place.len() {
            let upper = corner >> axis & 1 == 1;
            index.push(if upper { below[axis] + 1 } else { below[axis] });
            let part = if upper { beyond[axis] } else { 1.0 - beyond[axis] };
            share = Some(share.map_or(part, |share| share * part));
        }
        let element = tensor.padded_at(&index);
        share.map_or(element, |share| element * share)
    });
    corners.reduce(|sum, corner| sum + corner).unwrap_or_else(|| tensor.at(leading))
}
