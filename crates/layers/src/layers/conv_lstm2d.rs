//! An LSTM whose features lie in space, and whose products are convolutions.

use super::prelude::*;
use crate::shared::{conv_lstm, recurrent};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ConvLSTM2D",
        summary: "An LSTM whose features lie in space, and whose products are convolutions.",
        inputs: recurrent::CONVOLVED_INPUTS,
        parameters: conv_lstm::PARAMETERS,
        outputs: &["output", "states..."],
        spellings: &[],
        define: |call| conv_lstm::define(call, 2),
        examples: &[
            "ConvLSTM2D(f32[N,5,8,8,2], filters=4, kernel_size=3) -> f32[N,6,6,4]",
            "ConvLSTM2D(f32[N,5,2,8,8], filters=4, kernel_size=3, padding=same, data_format=channels_first, return_sequences=true, return_state=true, go_backwards=true) -> f32[N,5,4,8,8], f32[N,4,8,8], f32[N,4,8,8]",
            "ConvLSTM2D(f32[N,5,8,8,2], filters=4, kernel_size=3, dilation_rate=2, use_bias=false, activation=relu, recurrent_activation=hard_sigmoid) -> f32[N,4,4,4]",
            "ConvLSTM2D(f32[2,5,8], filters=4, kernel_size=3) fails: `sequences` has 5 axes: a batch, time, two of space, and channels",
            "ConvLSTM2D(f32[2,5,8,8,2], kernel_size=3) fails: `filters` is given",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4) fails: `kernel_size` is given",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=0, kernel_size=3) fails: `filters` is positive",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=0) fails: `kernel_size` has one positive number per axis of space",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, strides=0) fails: `strides` has one positive number per axis of space",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, strides=4) fails: `strides` are at most what the window spans",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, dilation_rate=0) fails: `dilation_rate` has one positive number per axis of space",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, strides=2, dilation_rate=2) fails: `strides` or `dilation_rate` is 1",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=9) fails: the window fits the input",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, padding=full) fails: `padding` is one of valid, same",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "ConvLSTM2D(f32[2,5,8,8,2], f32[3], filters=4, kernel_size=3) fails: a weight has as many axes as the layer gives it",
            "ConvLSTM2D(f32[2,5,8,8,2], f32[3,3,2,15], filters=4, kernel_size=3) fails: a weight has the shape that the layer gives it",
            "ConvLSTM2D(f32[2,5,8,8,2], mask=bool[2,4], filters=4, kernel_size=3) fails: the mask has a truth for each time of each sequence",
            "ConvLSTM2D(f32[2,5,8,8,2], initial_state=f32[2,6,6,4], filters=4, kernel_size=3) fails: `initial_state` has a tensor for each state",
            "ConvLSTM2D(f32[2,5,8,8,2], initial_state=f32[2,6,6,4], initial_state=f32[2,6,6,5], filters=4, kernel_size=3) fails: `initial_state` has the shapes of the states",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "ConvLSTM2D(f32[2,5,8,8,2], filters=4, kernel_size=3, recurrent_activation=steep) fails: `recurrent_activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "ConvLSTM2D(f32[2,0,8,8,2], filters=4, kernel_size=3) fails: there is a time to walk to",
            "ConvLSTM2D(f32[2,5,8,8,2], initial_state=f32[2,6,6,4], initial_state=f32[2,6,6,4], initial_state=f32[2,6,6,4], filters=4, kernel_size=3) fails: `initial_state` has no tensor beyond the states",
            "ConvLSTM2D(f32[2,5,8,8,0], filters=4, kernel_size=3) fails: there is a channel",
        ],
    },
    takes: recurrent::TAKES,
    weights: |call| conv_lstm::weights(call, 2),
    mask: Mask::PassesIf("return_sequences"),
};
