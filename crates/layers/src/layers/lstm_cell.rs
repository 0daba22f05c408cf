//! One step of LSTM: a state and a memory whose gates open and close with the features.

use super::prelude::*;
use crate::shared::cell::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LSTMCell",
        summary: "One step of LSTM: a state and a memory whose gates open and close with the features.",
        inputs: INPUTS,
        parameters: &[UNITS, TANH, SIGMOID, USE_BIAS, RECURRENT_DROPOUT, DROPOUT],
        outputs: &["output", "states..."],
        spellings: &[],
        define: |call| own_step(call, &RECIPE),
        examples: &[
            "LSTMCell(i32[2,3], states=f32[2,4], states=f32[2,4], units=4, dropout=0.5) fails: what is dropped is floating point",
            "LSTMCell(f32[1,3], states=f32[2,4], states=f32[2,4], units=4) -> f32[2,4], f32[2,4], f32[2,4]",
            "LSTMCell(f32[2,3], states=f32[3,4], states=f32[3,4], units=4) fails: the states broadcast to the batch of `inputs`",
            "LSTMCell(f32[N,3], states=f32[N,4], states=f32[N,4], units=4) -> f32[N,4], f32[N,4], f32[N,4]",
            "LSTMCell(f32[1,5,3], states=f32[1,4], states=f32[1,4], units=4) fails: what is cut into gates has a batch and units",
            "LSTMCell(f32[1,5,3], states=f32[1,4], states=f32[1,4], units=4, recurrent_dropout=0.5) on torch fails: the batch meets no other axis",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[2,1], units=4) -> f32[2,4], f32[2,4], f32[2,4]",
            "LSTMCell(f32[2,3], states=f32[2,1], states=f32[2,5], units=1) -> f32[2,5], f32[2,5], f32[2,5]",
            "LSTMCell(f32[3], states=f32[2,4], states=f32[2,4], units=4) fails: `inputs` has a batch and features",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[2,4], units=0) fails: `units` is positive",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[2,4]) fails: `units` is given",
            "LSTMCell(f32[2,3], units=4) fails: `states` is given",
            "LSTMCell(f32[2,3], states=f32[2,4], units=4) fails: there is a tensor for each state",
            "LSTMCell(f32[2,3], states=f32[2,5], states=f32[2,4], units=4) fails: a state has one number per unit",
            "LSTMCell(f32[2,3], f32[3], states=f32[2,4], states=f32[2,4], units=4) fails: a weight has as many axes as the layer gives it",
            "LSTMCell(f32[2,3], f32[4,16], states=f32[2,4], states=f32[2,4], units=4) fails: a weight has the shape that the layer gives it",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[2,4], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[2,4], units=4, recurrent_activation=steep) fails: `recurrent_activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[], units=4) fails: the states have as many axes as `inputs`",
            "LSTMCell(f32[2,3], states=f32[2,4], states=f32[2,4], states=f32[2,4], units=4) fails: there is no tensor beyond the states",
            "LSTMCell(i32[2,3], states=f32[2,4], states=f32[2,4], units=4) -> f32[2,4], f32[2,4], f32[2,4]",
        ],
    },
    takes: TAKES,
    weights: |call| own_weights(call, &RECIPE),
    mask: Mask::Drops,
};

pub static RECIPE: Recipe = Recipe { gates: 4, states: 2, resets: false, cut: Cut::Sum, step };

/// The columns of the weights, in their order.
const INPUT: i64 = 0;
const FORGET: i64 = 1;
const CANDIDATE: i64 = 2;
const OUTPUT: i64 = 3;

fn step(cell: &Cell, x: Tensor, states: &[Tensor]) -> Vec<Tensor> {
    let (projected, recurrent, memory) = (cell.projected(x), cell.recurrent(states[0]), states[1]);
    let sum = |k: i64| {
        let own = cell.clone();
        move |index: &[Dim]| own.of(projected, k, index) + own.of(recurrent, k, index)
    };
    let (input, forget) = (cell.gate(sum(INPUT)), cell.gate(sum(FORGET)));
    let (candidate, output) = (cell.squash(sum(CANDIDATE)), cell.gate(sum(OUTPUT)));
    // A memory of other units is broadcast.
    let (wide, _) = output.shape().broadcast(memory.shape());
    let remembered = Tensor::from_elements(output.dtype(), wide, move |index| {
        forget.broadcast_at(index) * memory.broadcast_at(index)
            + input.broadcast_at(index) * candidate.broadcast_at(index)
    });
    let told = cell.squashed(remembered);
    vec![zip(output, told, output.dtype(), wide, |output, told| output * told), remembered]
}
