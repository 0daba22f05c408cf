//! Normalizes groups of channels of each example.

use super::prelude::*;
use crate::normalization::*;

pub static OPERATOR: Operator = Operator {
    name: "group_normalization",
    summary: "Moves each group of channels of each example to mean 0 and variance 1, then scales and shifts each channel.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("scale", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input"),
    ],
    parameters: &[int("groups"), float("epsilon").or_float(1e-5), element_type("stash_type").optional()],
    outputs: &["output"],
    spellings: &[
        onnx(18, "GroupNormalization(input:nchw, scale, bias; num_groups as groups, epsilon)")
            .adapted(scaled_by_group),
        onnx(
            21,
            "GroupNormalization(input:nchw, scale, bias; num_groups as groups, epsilon, stash_type:else f32)",
        )
        .adapted(as_onnx),
    ],
    define,
    examples: &[
        "group_normalization(f32[N,32,H,W], f32[32], f32[32], groups=8) -> f32[N,32,H,W]",
        "group_normalization(f32[1,2,1]{1,3}, f32[2]{1,10}, f32[2]{0,1}, groups=1, epsilon=0) -> f32[1,2,1]{-1,11}",
        "group_normalization(f16[2,4], f16[4], f16[4], groups=2) -> f16[2,4]",
        "group_normalization(f32[...], f32[4], f32[4], groups=2) -> f32[...]",
        "group_normalization(f32[4], f32[4], f32[4], groups=2) fails: `input` has a batch and a channel axis",
        "group_normalization(f32[2,4,3], f32[4], f32[4], groups=0) fails: `groups` is positive",
        "group_normalization(f32[2,4,3], f32[4], f32[4], groups=3) fails: `groups` divides the number of channels",
        "group_normalization(f32[2,4,3], f32[4,1], f32[4], groups=2) fails: `scale` is a vector",
        "group_normalization(f32[2,4,3], f32[2], f32[4], groups=2) fails: `scale` has one value per channel",
        "group_normalization(f32[2,4,3], f32[4], f32[4,1], groups=2) fails: `bias` is a vector",
        "group_normalization(f32[2,4,3], f32[4], f32[2], groups=2) fails: `bias` has one value per channel",
        "group_normalization(f32[2,4,3], f32[4], f32[4], groups=2, stash_type=i32) fails: `stash_type` is floating point",
        "group_normalization(f32[2,4,3], f32[4], f32[4]) fails: `groups` is given",
        "group_normalization(i32[2,4,3], i32[4], i32[4], groups=2) fails: `input` is floating point",
        "group_normalization(f32[2,4,3], f16[4], f32[4], groups=2) fails: `scale` has the element type of `input`",
        "group_normalization(f32[2,4,3], f32[4], f16[4], groups=2) fails: `bias` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let groups = Groups::read(call)?;
    let (scale, bias) = (call.tensor("scale")?, call.tensor("bias")?);
    let channels = groups.channels;
    require_per_channel(call, scale, "`scale` is a vector", "`scale` has one value per channel", channels)?;
    require_per_channel(call, bias, "`bias` is a vector", "`bias` has one value per channel", channels)?;
    groups.normalized(scale, bias, |channel, _| channel)
}

/// ONNX Runtime reads scale and bias as lists whatever their shape, and one value as meant for all channels.
fn as_onnx(call: &mut Call) -> Outcome {
    let groups = Groups::read(call)?;
    let flat = |call: &mut Call, tensor: Tensor, vector: &'static str, one_each: &'static str| {
        let count = tensor.shape().count();
        call.require(ToleratedValue, vector, tensor.shape().rank().eq(1) & count.eq(groups.channels));
        call.require_shape(one_each, count.eq(groups.channels) | count.eq(1));
        reshape(tensor, Shape::new([count]))
    };
    let (scale, bias) = (call.tensor("scale")?, call.tensor("bias")?);
    let scale = flat(call, scale, "`scale` is a vector", "`scale` has one value per channel");
    let bias = flat(call, bias, "`bias` is a vector", "`bias` has one value per channel");
    groups.normalized(scale, bias, |channel, _| channel)
}

/// Version 18 scales whole groups.
fn scaled_by_group(call: &mut Call) -> Outcome {
    let groups = Groups::read(call)?;
    let (scale, bias) = (call.tensor("scale")?, call.tensor("bias")?);
    require_per_channel(call, scale, "`scale` is a vector", "`scale` has one value per group", groups.count)?;
    require_per_channel(call, bias, "`bias` is a vector", "`bias` has one value per group", groups.count)?;
    groups.normalized(scale, bias, |channel, per_group| channel.div_floor(per_group))
}

struct Groups {
    input: Tensor,
    channels: Dim,
    count: Dim,
    epsilon: f64,
    stash: Kind,
}

impl Groups {
    fn read(call: &mut Call) -> Result<Groups, Stop> {
        let input = call.tensor("input")?;
        let label = "`input` has a batch and a channel axis";
        call.demand(IncompatibleShape, label, input.shape().rank().ge(2))?;
        let channels = input.shape().size(Front(1));
        let count = call.int("groups")?;
        call.demand(IllegalValue, "`groups` is positive", count.ge(1))?;
        call.require_shape("`groups` divides the number of channels", count.divides(channels));
        let stash = stash_type(call, "`stash_type` is floating point", FLOAT.kinds)?;
        Ok(Groups { input, channels, count, epsilon: call.float("epsilon")?, stash })
    }

    /// `place` tells which scale and bias belong to a channel, given how many channels a group has.
    fn normalized(
        self,
        scale: Tensor,
        bias: Tensor,
        place: impl Fn(Dim, Dim) -> Dim + Copy + 'static,
    ) -> Outcome {
        let Groups { input, channels, count, epsilon, stash } = self;
        let Some(sizes) = input.shape().sizes() else {
            return one(unknown_elements(input.dtype(), input.shape()));
        };
        Ok(Tensor::composed([(input.dtype(), input.shape())], move || {
            let per_group = channels.div_floor(count);
            let rows = Shape::new([sizes[0], count, per_group].into_iter().chain(sizes[2..].iter().copied()));
            let grouped = reshape(cast(input, stash), rows);
            let axes: Vec<usize> = (2..sizes.len() + 1).collect();
            // So the function that ONNX gives for the operator computes it, and so does ONNX Runtime.
            let (mean, variance) = moments_of_squares(grouped, &axes);
            let inverse = inverse_deviation(variance, epsilon);
            let rank = sizes.len();
            vec![Tensor::from_elements(input.dtype(), input.shape(), move |index| {
                let mut group = vec![Dim::from(0); rank + 1];
                (group[0], group[1]) = (index[0], index[1].div_floor(per_group));
                let distance = input.at(index).cast(stash) - mean.at(&group);
                let normalized = (distance * inverse.at(&group)).cast(input.kind());
                let place = [place(index[1], per_group)];
                normalized * scale.broadcast_at(&place) + bias.broadcast_at(&place)
            })]
        }))
    }
}
