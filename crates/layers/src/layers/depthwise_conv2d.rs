//! Slides kernels over each channel alone.

use super::prelude::*;
use crate::shared::convolution;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "DepthwiseConv2D",
        summary: "Slides kernels over each channel alone.",
        inputs: convolution::INPUTS,
        parameters: convolution::DEPTHWISE_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| convolution::depthwise(call, 2),
        examples: &[
            "DepthwiseConv2D(f32[N,8,8,3], f32[3,3,3,2], f32[6], kernel_size=3, depth_multiplier=2) -> f32[N,6,6,6]",
            "DepthwiseConv2D(f32[2,8,8], kernel_size=3) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, dilation_rate=0) fails: `dilation_rate` has one positive number per axis of space",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, padding=full) fails: `padding` is one of valid, same",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "DepthwiseConv2D(f32[2,8,8,3], kernel_size=3, depth_multiplier=0) fails: `depth_multiplier` is positive",
            "DepthwiseConv2D(f32[2,8,8,3], f32[9,9,3,1], f32[3], kernel_size=9) fails: the window fits the input",
            "DepthwiseConv2D(f32[2,0,8,3], kernel_size=3, padding=same) -> f32[2,0,8,3]",
            "DepthwiseConv2D(f32[2,8,8,3], f32[3,4], f32[3], kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "DepthwiseConv2D(f32[2,8,8,3], f32[3,3,3,1], f32[5], kernel_size=3) fails: a weight has the shape that the layer gives it",
            "DepthwiseConv2D(f32[2,8,8,0], kernel_size=3) fails: there is a channel",
        ],
    },
    takes: &["inputs"],
    weights: |call| convolution::depthwise_weights(call, 2),
    mask: Mask::Drops,
};
