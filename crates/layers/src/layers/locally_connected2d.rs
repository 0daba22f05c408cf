//! A convolution along two axes with weights of its own at each place; of Keras 2.

use super::prelude::*;
use crate::shared::locally;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LocallyConnected2D",
        summary: "A convolution with weights of its own at each place; of Keras 2.",
        inputs: locally::INPUTS,
        parameters: locally::PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define: |call| locally::define(call, 2),
        examples: &[
            "LocallyConnected2D(f32[N,8,8,3], f32[36,27,4], f32[6,6,4], filters=4, kernel_size=3) -> f32[N,6,6,4]",
            "LocallyConnected2D(f32[2,8,8], filters=4, kernel_size=3) fails: `inputs` has 4 axes: a batch, two of space, and channels",
            "LocallyConnected2D(f32[2,8,8,3], filters=0, kernel_size=3) fails: `filters` is positive",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=9) fails: the window fits the input",
            "LocallyConnected2D(f32[2,8,8,3], f32[3], filters=4, kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "LocallyConnected2D(f32[2,8,8,3], f32[5,9,4], filters=4, kernel_size=3, use_bias=false) fails: a weight has the shape that the layer gives it",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=3, padding=same) fails: `padding` is one of valid",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "LocallyConnected2D(f32[2,8,8,3], filters=4, kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
        ],
    },
    takes: &["inputs"],
    weights: |call| locally::weights(call, 2),
    mask: Mask::Drops,
};
