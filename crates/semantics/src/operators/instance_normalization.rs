//! Normalizes each channel of each example by its own statistics.

use super::prelude::*;
use crate::normalization::*;
use crate::window::require_spatial;

pub static OPERATOR: Operator = Operator {
    name: "instance_normalization",
    summary: "Moves each channel of each example to mean 0 and variance 1, then scales and shifts it.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("scale", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input"),
    ],
    parameters: &[float("epsilon").or_float(1e-5)],
    outputs: &["output"],
    spellings: &[
        onnx(1, "InstanceNormalization(input:nchw, scale, bias; epsilon)"),
        onnx(6, "InstanceNormalization(input:nchw, scale, bias; epsilon)"),
    ],
    define,
    examples: &[
        "instance_normalization(f32[N,3,H,W], f32[3], f32[3]) -> f32[N,3,H,W]",
        "instance_normalization(f32[1,2,2]{1,3,0,0}, f32[2]{1,2}, f32[2]{10,5}, epsilon=0.0001) -> f32[1,2,2]{9.00005,10.99995,5,5}",
        "instance_normalization(f32[...], f32[3], f32[3]) -> f32[...]",
        "instance_normalization(f32[2,3], f32[3], f32[3]) fails: `input` has a batch, a channel and at least one spatial axis",
        "instance_normalization(f32[2,3,4], f32[3,1], f32[3]) fails: `scale` is a vector",
        "instance_normalization(f32[2,3,4], f32[4], f32[3]) fails: `scale` has one value per channel",
        "instance_normalization(f32[2,3,4], f32[3], f32[3,1]) fails: `bias` is a vector",
        "instance_normalization(f32[2,3,4], f32[3], f32[4]) fails: `bias` has one value per channel",
        "instance_normalization(i32[2,3,4], i32[3], i32[3]) fails: `input` is floating point",
        "instance_normalization(f32[2,3,4], f16[3], f32[3]) fails: `scale` has the element type of `input`",
        "instance_normalization(f32[2,3,4], f32[3], f16[3]) fails: `bias` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, scale, bias) = (call.tensor("input")?, call.tensor("scale")?, call.tensor("bias")?);
    require_spatial(call, input.shape().rank())?;
    let channels = input.shape().size(Front(1));
    require_per_channel(call, scale, "`scale` is a vector", "`scale` has one value per channel", channels)?;
    require_per_channel(call, bias, "`bias` is a vector", "`bias` has one value per channel", channels)?;
    let epsilon = call.float("epsilon")?;
    let Some(sizes) = input.shape().sizes() else {
        return one(unknown_elements(input.dtype(), input.shape()));
    };
    Ok(Tensor::composed([(input.dtype(), input.shape())], move || {
        let axes: Vec<usize> = (2..sizes.len()).collect();
        let (mean, variance) = moments(input, &axes);
        let inverse = inverse_deviation(variance, epsilon);
        let (kind, per_channel) = (input.kind(), inverse.shape());
        let factor =
            Tensor::from_elements(kind, per_channel, move |index| inverse.at(index) * scale.at(&index[1..2]));
        let offset = Tensor::from_elements(kind, per_channel, move |index| {
            bias.at(&index[1..2]) - mean.at(index) * factor.at(index)
        });
        let channel = |index: &[Dim]| {
            let mut channel = vec![Dim::from(0); index.len()];
            channel[..2].copy_from_slice(&index[..2]);
            channel
        };
        vec![rescaled(input, kind, factor, offset, channel)]
    }))
}
