//! Slides a kernel over three axes and sums the products.

use super::prelude::*;
use crate::shared::convolution;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Conv3D",
        summary: "Slides a kernel over three axes and sums the products.",
        inputs: convolution::INPUTS,
        parameters: convolution::PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| convolution::define(call, 3),
        examples: &[
            "Conv3D(f32[N,8,8,8,3], f32[3,3,3,3,4], f32[4], filters=4, kernel_size=3) -> f32[N,6,6,6,4]",
            "Conv3D(f32[N,8,8,8,4], f32[3,3,3,2,4], filters=4, kernel_size=3, groups=2, padding=same, use_bias=false) -> f32[N,8,8,8,4]",
            "Conv3D(f32[2,3,0,8,8], filters=4, kernel_size=3, padding=same, data_format=channels_first) -> f32[2,4,0,8,8]",
            "Conv3D(f32[2,8,8,8], filters=4, kernel_size=3) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, dilation_rate=0) fails: `dilation_rate` has one positive number per axis of space",
            "Conv3D(f32[2,8,8,8,3], f32[3,3,3,3,4], f32[4], filters=4, kernel_size=3, strides=2, dilation_rate=2) fails: `strides` or `dilation_rate` is 1",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, padding=full) fails: `padding` is one of valid, same",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "Conv3D(f32[2,8,8,8,3], filters=0, kernel_size=3) fails: `filters` is positive",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, groups=0) fails: `groups` is positive",
            "Conv3D(f32[2,8,8,8,4], f32[3,3,3,2,3], f32[3], filters=3, kernel_size=3, groups=2) fails: `groups` divides `filters`",
            "Conv3D(f32[2,8,8,8,3], filters=4, kernel_size=3, groups=2) fails: `groups` divides the channels of `inputs`",
            "Conv3D(f32[2,8,8,8,3], f32[9,9,9,3,4], f32[4], filters=4, kernel_size=9) fails: the window fits the input",
            "Conv3D(f32[2,3,0,8,8], filters=4, kernel_size=3, padding=same, data_format=channels_first) on torch fails: the window fits the input",
            "Conv3D(f32[2,8,8,8,3], f32[3,4], f32[4], filters=4, kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "Conv3D(f32[2,8,8,8,3], f32[3,3,3,3,4], f32[5], filters=4, kernel_size=3) fails: a weight has the shape that the layer gives it",
            "Conv3D(f32[2,8,8,8,0], filters=4, kernel_size=3) fails: there is a channel",
        ],
    },
    takes: &["inputs"],
    weights: |call| convolution::weights(call, 3),
    mask: Mask::Drops,
};
