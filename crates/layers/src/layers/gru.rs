//! A state that gates reset and update with the features.

use super::gru_cell::RECIPE;
use super::prelude::*;
use crate::shared::cell::*;
use crate::shared::recurrent::{
    self, GO_BACKWARDS, RETURN_SEQUENCES, RETURN_STATE, STATEFUL, UNROLL, ZERO_OUTPUT_FOR_MASK,
};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GRU",
        summary: "A state that gates reset and update with the features.",
        inputs: recurrent::INPUTS,
        parameters: &[
            UNITS,
            TANH,
            SIGMOID,
            USE_BIAS,
            RESET_AFTER,
            RETURN_SEQUENCES,
            RETURN_STATE,
            GO_BACKWARDS,
            STATEFUL,
            ZERO_OUTPUT_FOR_MASK,
            UNROLL,
            DROPOUT,
        ],
        outputs: &["output", "states..."],
        spellings: &[],
        define: |call| walk(call, &RECIPE),
        examples: &[
            "GRU(f32[2,5,3], mask=bool[2,7], units=4, unroll=true, return_sequences=true, zero_output_for_mask=true) on torch fails: a mask that is looked at again has no truth after the end",
            "GRU(f32[2,5,3], mask=bool[2,5,4], units=4, unroll=true) fails: the mask has a truth for each time of each sequence",
            "GRU(f32[N,5,3], units=4, return_state=true) -> f32[N,4], f32[N,4]",
            "GRU(i32[2,5,3], units=4, dropout=0.5) fails: what is dropped is floating point",
            "GRU(f32[2,5,3], units=4, dropout=0.5) -> f32[2,4]",
            "GRU(f32[2,5,3], mask=bool[2,5], units=4, go_backwards=true, unroll=true) on torch fails: steps that are unrolled past a mask go forwards",
            "GRU(f32[2,5,3], mask=bool[2,5], units=4, go_backwards=true, unroll=true) -> f32[2,4]",
            "GRU(f32[2,5,3], initial_state=f32[1,4], units=4) -> f32[2,4]",
            "GRU(f32[2,5,3], initial_state=f32[2,4], units=4) -> f32[2,4]",
            "GRU(f32[2,5,3], mask=bool[2,5,4], units=4) -> f32[2,4]",
            "GRU(f32[2,5,3], mask=bool[1,5,1], units=4, return_sequences=true) -> f32[2,5,4]",
            "GRU(f32[2,5,3], mask=bool[2,5], units=4) -> f32[2,4]",
            "GRU(f32[2,5,3], initial_state=f32[4], units=4) fails: `initial_state` has the shapes of the states",
            "GRU(f32[2,5,3], initial_state=f32[2,5], units=4) fails: `initial_state` has the shapes of the states",
            "GRU(f32[N,5,3], f32[3,12], f32[4,12], f32[2,12], units=4) -> f32[N,4]",
            "GRU(f32[N,5,3], f32[3,12], f32[4,12], f32[2,12], units=4, return_sequences=true, go_backwards=true) -> f32[N,5,4]",
            "GRU(f32[1,5,3], initial_state=f32[2,4], units=4, stateful=true) fails: states that are kept are those of as many sequences as there are",
            "GRU(f32[2,3], units=4) fails: `sequences` has 3 axes: a batch, time, and features",
            "GRU(f32[2,5,3], units=0) fails: `units` is positive",
            "GRU(f32[2,5,3]) fails: `units` is given",
            "GRU(f32[2,5,3], f32[3], f32[4,12], f32[2,12], units=4) fails: a weight has as many axes as the layer gives it",
            "GRU(f32[2,5,3], f32[3,12], f32[5,12], f32[2,12], units=4) fails: a weight has the shape that the layer gives it",
            "GRU(f32[2,5,3], f32[3,12], f32[4,12], f32[2,12], bool[2,6], units=4) fails: the mask has a truth for each time of each sequence",
            "GRU(f32[2,5,3], mask=bool[2,5,3], units=4) fails: the mask has a truth for each time of each sequence",
            "GRU(f32[2,5,3], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "GRU(f32[2,5,3], units=4, recurrent_activation=steep) fails: `recurrent_activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "GRU(f32[N,5,3], f32[3,12], f32[4,12], f32[12], units=4, reset_after=false) -> f32[N,4]",
            "GRU(i32[N,5,3], units=4) -> f32[N,4]",
            "GRU(f32[2,0,3], units=4) fails: there is a time to walk to",
            "GRU(f32[2,5,3], initial_state=f32[2,4], initial_state=f32[2,4], units=4) fails: `initial_state` has no tensor beyond the states",
            "GRU(f32[2,5,3], initial_state=f32[2,4], initial_state=f32[2,4], mask=bool[2,5], units=4) on torch fails: `initial_state` has no tensor beyond the states",
        ],
    },
    takes: recurrent::TAKES,
    weights: |call| walking_weights(call, &RECIPE),
    mask: Mask::PassesIf("return_sequences"),
};
