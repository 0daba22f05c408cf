//! A state and a memory whose gates open and close with the features.

use super::prelude::*;
use crate::shared::recurrent::{self, *};
use std::rc::Rc;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LSTM",
        summary: "A state and a memory whose gates open and close with the features.",
        inputs: INPUTS,
        parameters: &[UNITS, TANH, SIGMOID, USE_BIAS, RETURN_SEQUENCES, GO_BACKWARDS, ZERO_OUTPUT_FOR_MASK],
        outputs: &["output", "state", "memory"],
        onnx: &[],
        define,
        examples: &[
            "LSTM(f32[N,5,3], f32[3,16], f32[4,16], f32[16], units=4) -> f32[N,4]",
            "LSTM(f32[N,5,3], f32[3,16], f32[4,16], f32[16], units=4, return_sequences=true, go_backwards=true) -> f32[N,5,4]",
            "LSTM(f32[2,3], units=4) fails: `sequences` has 3 axes: a batch, time, and features",
            "LSTM(f32[2,5,3], units=0) fails: `units` is positive",
            "LSTM(f32[2,5,3]) fails: `units` is given",
            "LSTM(f32[2,5,3], f32[3], f32[4,16], f32[16], units=4) fails: a weight has as many axes as the layer gives it",
            "LSTM(f32[2,5,3], f32[3,16], f32[5,16], f32[16], units=4) fails: a weight has the shape that the layer gives it",
            "LSTM(f32[2,5,3], f32[3,16], f32[4,16], f32[16], bool[2,6], units=4) fails: the mask has a truth for each time of each sequence",
            "LSTM(f32[2,5,3], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold",
            "LSTM(f32[2,5,3], units=4, recurrent_activation=steep) fails: `recurrent_activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold",
        ],
    },
    weights,
    mask: Mask::PassesSequences,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    recurrent::weights(call, 4, None)
}

/// The columns of the weights, in their order.
const INPUT: i64 = 0;
const FORGET: i64 = 1;
const CANDIDATE: i64 = 2;
const OUTPUT: i64 = 3;

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    walk(
        call,
        &weights,
        2,
        Rc::new(|cell, x, states| {
            let (projected, recurrent, memory) = (cell.projected(x), cell.recurrent(states[0]), states[1]);
            let sum = |k: i64| {
                let own = cell.clone();
                move |index: &[Dim]| own.of(projected, k, index) + own.of(recurrent, k, index)
            };
            let (input, forget) = (cell.gate(sum(INPUT)), cell.gate(sum(FORGET)));
            let (candidate, output) = (cell.squash(sum(CANDIDATE)), cell.gate(sum(OUTPUT)));
            let remembered = cell.state(move |index| {
                forget.at(index) * memory.at(index) + input.at(index) * candidate.at(index)
            });
            let told = cell.squash(move |index| remembered.at(index));
            vec![cell.state(move |index| output.at(index) * told.at(index)), remembered]
        }),
    )
}
