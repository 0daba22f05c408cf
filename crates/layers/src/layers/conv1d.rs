//! Slides a kernel along one axis and sums the products.

use super::prelude::*;
use crate::shared::convolution;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Conv1D",
        summary: "Slides a kernel along one axis and sums the products.",
        inputs: convolution::INPUTS,
        parameters: convolution::CAUSAL_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| convolution::define(call, 1),
        examples: &[
            "Conv1D(f32[N,8,3], f32[3,3,4], f32[4], filters=4, kernel_size=3) -> f32[N,6,4]",
            "Conv1D(f32[N,8,4], f32[3,2,4], filters=4, kernel_size=3, groups=2, padding=same, use_bias=false) -> f32[N,8,4]",
            "Conv1D(f32[2,8], filters=4, kernel_size=3) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, dilation_rate=0) fails: `dilation_rate` has one positive number per axis of space",
            "Conv1D(f32[2,8,3], f32[3,3,4], f32[4], filters=4, kernel_size=3, strides=2, dilation_rate=2) fails: `strides` or `dilation_rate` is 1",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, padding=full) fails: `padding` is one of valid, same, causal",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "Conv1D(f32[2,8,3], filters=0, kernel_size=3) fails: `filters` is positive",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, groups=0) fails: `groups` is positive",
            "Conv1D(f32[2,8,4], f32[3,2,3], f32[3], filters=3, kernel_size=3, groups=2) fails: `groups` divides `filters`",
            "Conv1D(f32[2,8,3], filters=4, kernel_size=3, groups=2) fails: `groups` divides the channels of `inputs`",
            "Conv1D(f32[2,8,3], f32[9,3,4], f32[4], filters=4, kernel_size=9) fails: the window fits the input",
            "Conv1D(f32[2,8,3], f32[3,4], f32[4], filters=4, kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "Conv1D(f32[2,8,3], f32[3,3,4], f32[5], filters=4, kernel_size=3) fails: a weight has the shape that the layer gives it",
            "Conv1D(f32[1,3,1]{1,2,3}, f32[2,1,1]{10,1}, filters=1, kernel_size=2, padding=causal, use_bias=false) -> f32[1,3,1]{1,12,23}",
            "Conv1D(f32[2,8,0], filters=4, kernel_size=3) fails: there is a channel",
        ],
    },
    takes: &["inputs"],
    weights: |call| convolution::weights(call, 1),
    mask: Mask::Drops,
};
