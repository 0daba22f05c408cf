//! Slides kernels over each channel alone.

use super::prelude::*;
use crate::shared::convolution;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "DepthwiseConv1D",
        summary: "Slides kernels over each channel alone.",
        inputs: convolution::INPUTS,
        parameters: convolution::DEPTHWISE_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| convolution::depthwise(call, 1),
        examples: &[
            "DepthwiseConv1D(f32[N,8,3], f32[3,3,2], f32[6], kernel_size=3, depth_multiplier=2) -> f32[N,6,6]",
            "DepthwiseConv1D(f32[2,8], kernel_size=3) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, dilation_rate=0) fails: `dilation_rate` has one positive number per axis of space",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, padding=full) fails: `padding` is one of valid, same",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "DepthwiseConv1D(f32[2,8,3], kernel_size=3, depth_multiplier=0) fails: `depth_multiplier` is positive",
            "DepthwiseConv1D(f32[2,8,3], f32[9,3,1], f32[3], kernel_size=9) fails: the window fits the input",
            "DepthwiseConv1D(f32[2,0,3], kernel_size=3, padding=same) -> f32[2,0,3]",
            "DepthwiseConv1D(f32[2,8,3], f32[3], f32[3], kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "DepthwiseConv1D(f32[2,8,3], f32[3,3,1], f32[5], kernel_size=3) fails: a weight has the shape that the layer gives it",
            "DepthwiseConv1D(f32[2,8,0], kernel_size=3) fails: there is a channel",
        ],
    },
    takes: &["inputs"],
    weights: |call| convolution::depthwise_weights(call, 1),
    mask: Mask::Drops,
};
