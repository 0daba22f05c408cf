//! A state that is mixed with the features at each time.

use super::prelude::*;
use super::simple_rnn_cell::RECIPE;
use crate::shared::cell::*;
use crate::shared::recurrent::{
    self, GO_BACKWARDS, RETURN_SEQUENCES, RETURN_STATE, STATEFUL, UNROLL, ZERO_OUTPUT_FOR_MASK,
};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "SimpleRNN",
        summary: "A state that is mixed with the features at each time.",
        inputs: recurrent::INPUTS,
        parameters: &[
            UNITS,
            TANH,
            USE_BIAS,
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
            "SimpleRNN(f32[2,5,3], mask=bool[2,7], units=4, unroll=true, return_sequences=true, zero_output_for_mask=true) on torch fails: a mask that is looked at again has no truth after the end",
            "SimpleRNN(f32[2,5,3], mask=bool[2,5,4], units=4, unroll=true) fails: the mask has a truth for each time of each sequence",
            "SimpleRNN(f32[N,5,3], units=4, return_state=true) -> f32[N,4], f32[N,4]",
            "SimpleRNN(i32[2,5,3], units=4, dropout=0.5) fails: what is dropped is floating point",
            "SimpleRNN(f32[2,5,3], units=4, dropout=0.5) -> f32[2,4]",
            "SimpleRNN(f32[2,5,3], mask=bool[2,5], units=4, go_backwards=true, unroll=true) on torch fails: steps that are unrolled past a mask go forwards",
            "SimpleRNN(f32[2,5,3], mask=bool[2,5], units=4, go_backwards=true, unroll=true) -> f32[2,4]",
            "SimpleRNN(f32[1,5,3], initial_state=f32[3,4], units=4, return_sequences=true) -> f32[3,5,4]",
            "SimpleRNN(f32[1,1,1]{1}, f32[1,1]{1}, f32[1,1]{10}, f32[1]{0}, initial_state=f32[2,1]{1,2}, units=1, activation=linear) -> f32[2,1]{11,21}",
            "SimpleRNN(f32[1,3,1]{1,1,1}, f32[1,1]{10}, f32[1,1]{10}, f32[1]{0}, units=1, activation=exponential) -> f32[1,1]{inf}",
            "SimpleRNN(f32[2,5,3], initial_state=f32[2,4], units=4) -> f32[2,4]",
            "SimpleRNN(f32[2,5,3], mask=bool[2,5,4], units=4) -> f32[2,4]",
            "SimpleRNN(f32[2,5,3], mask=bool[1,5,1], units=4, return_sequences=true) -> f32[2,5,4]",
            "SimpleRNN(f32[2,5,3], initial_state=f32[2,5], units=4) fails: `initial_state` has the shapes of the states",
            "SimpleRNN(f32[N,5,3], f32[3,4], f32[4,4], f32[4], units=4) -> f32[N,4]",
            "SimpleRNN(f32[N,5,3], f32[3,4], f32[4,4], f32[4], units=4, return_sequences=true, go_backwards=true) -> f32[N,5,4]",
            "SimpleRNN(f32[1,5,3], initial_state=f32[2,4], units=4, stateful=true) fails: states that are kept are those of as many sequences as there are",
            "SimpleRNN(f32[2,3], units=4) fails: `sequences` has 3 axes: a batch, time, and features",
            "SimpleRNN(f32[2,5,3], units=0) fails: `units` is positive",
            "SimpleRNN(f32[2,5,3]) fails: `units` is given",
            "SimpleRNN(f32[2,5,3], f32[3], f32[4,4], f32[4], units=4) fails: a weight has as many axes as the layer gives it",
            "SimpleRNN(f32[2,5,3], f32[3,4], f32[5,4], f32[4], units=4) fails: a weight has the shape that the layer gives it",
            "SimpleRNN(f32[2,5,3], f32[3,4], f32[4,4], f32[4], bool[2,6], units=4) fails: the mask has a truth for each time of each sequence",
            "SimpleRNN(f32[2,5,3], mask=bool[2,5,3], units=4) fails: the mask has a truth for each time of each sequence",
            "SimpleRNN(f32[2,5,3], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "SimpleRNN(u8[1,2,1]{1,2}, f32[1,1]{1}, f32[1,1]{10}, f32[1]{0}, units=1, activation=linear) -> f32[1,1]{12}",
            "SimpleRNN(f32[2,0,3], units=4) fails: there is a time to walk to",
            "SimpleRNN(f32[2,5,3], initial_state=f32[2,4], initial_state=f32[2,4], units=4) fails: `initial_state` has no tensor beyond the states",
            "SimpleRNN(f32[2,5,3], initial_state=f32[2,4], initial_state=f32[2,4], mask=bool[2,5], units=4) on torch fails: `initial_state` has no tensor beyond the states",
        ],
    },
    takes: recurrent::TAKES,
    weights: |call| walking_weights(call, &RECIPE),
    mask: Mask::PassesIf("return_sequences"),
};
