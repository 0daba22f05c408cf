//! A convolution along one axis with weights of its own at each place; of Keras 2.

use super::prelude::*;
use crate::shared::locally;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LocallyConnected1D",
        summary: "A convolution with weights of its own at each place; of Keras 2.",
        inputs: locally::INPUTS,
        parameters: locally::PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| locally::define(call, 1),
        examples: &[
            "LocallyConnected1D(f32[N,8,3], f32[6,9,4], f32[6,4], filters=4, kernel_size=3) -> f32[N,6,4]",
            "LocallyConnected1D(f32[2,8], filters=4, kernel_size=3) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "LocallyConnected1D(f32[2,8,3], filters=0, kernel_size=3) fails: `filters` is positive",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=9) fails: the window fits the input",
            "LocallyConnected1D(f32[2,8,3], f32[3], filters=4, kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "LocallyConnected1D(f32[2,8,3], f32[5,9,4], filters=4, kernel_size=3, use_bias=false) fails: a weight has the shape that the layer gives it",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=3, padding=same) fails: `padding` is one of valid",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "LocallyConnected1D(f32[2,8,3], filters=4, kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
        ],
    },
    takes: &["inputs"],
    weights: |call| locally::weights(call, 1),
    mask: Mask::Drops,
};
