//! One step of GRU: a state that gates reset and update with the features.

use super::prelude::*;
use crate::shared::cell::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GRUCell",
        summary: "One step of GRU: a state that gates reset and update with the features.",
        inputs: INPUTS,
        parameters: &[UNITS, TANH, SIGMOID, USE_BIAS, RECURRENT_DROPOUT, RESET_AFTER, DROPOUT],
        outputs: &["output", "states..."],
        spellings: &[],
        define: |call| own_step(call, &RECIPE),
        examples: &[
            "GRUCell(i32[2,3], states=f32[2,4], units=4, dropout=0.5) fails: what is dropped is floating point",
            "GRUCell(f32[1,3], states=f32[2,4], units=4) -> f32[2,4], f32[2,4]",
            "GRUCell(f32[2,3], states=f32[3,4], units=4) fails: the states broadcast to the batch of `inputs`",
            "GRUCell(f32[N,3], states=f32[N,4], units=4) -> f32[N,4], f32[N,4]",
            "GRUCell(f32[1,5,3], states=f32[1,4], units=4) on torch fails: the batch meets no other axis",
            "GRUCell(f32[1,5,3], states=f32[1,1,4], units=4) fails: what is cut into gates has a batch and units",
            "GRUCell(f32[1,5,3], states=f32[1,5,4], units=4, recurrent_dropout=0.5) on torch -> f32[1,5,4], f32[1,5,4]",
            "GRUCell(f32[3], states=f32[2,4], units=4) fails: `inputs` has a batch and features",
            "GRUCell(f32[2,3], states=f32[2,4], units=0) fails: `units` is positive",
            "GRUCell(f32[2,3], states=f32[2,4]) fails: `units` is given",
            "GRUCell(f32[2,3], units=4) fails: `states` is given",
            "GRUCell(f32[2,3], states=f32[2,5], units=4) fails: a state has one number per unit",
            "GRUCell(f32[2,3], f32[3], states=f32[2,4], units=4) fails: a weight has as many axes as the layer gives it",
            "GRUCell(f32[2,3], f32[4,12], states=f32[2,4], units=4) fails: a weight has the shape that the layer gives it",
            "GRUCell(f32[2,3], states=f32[2,4], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "GRUCell(f32[2,3], states=f32[2,4], units=4, recurrent_activation=steep) fails: `recurrent_activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "GRUCell(f32[N,3], states=f32[N,4], units=4, reset_after=false) -> f32[N,4], f32[N,4]",
            "GRUCell(f32[1,5,3], states=f32[1,4], units=4) fails: the states have as many axes as `inputs`",
            "GRUCell(f32[2,3], states=f32[2,4], states=f32[2,4], units=4) fails: there is no tensor beyond the states",
            "GRUCell(i32[2,3], states=f32[2,4], units=4) -> f32[2,4], f32[2,4]",
        ],
    },
    takes: TAKES,
    weights: |call| own_weights(call, &RECIPE),
    mask: Mask::Drops,
};

pub static RECIPE: Recipe = Recipe { gates: 3, states: 1, resets: true, cut: Cut::States, step };

/// The columns of the weights, in their order.
const UPDATE: i64 = 0;
const RESET: i64 = 1;
const CANDIDATE: i64 = 2;

fn step(cell: &Cell, x: Tensor, states: &[Tensor]) -> Vec<Tensor> {
    let (projected, recurrent, before) = (cell.projected(x), cell.recurrent(states[0]), states[0]);
    let gate = |k: i64| {
        let own = cell.clone();
        cell.gate(move |index| own.of(projected, k, index) + own.of(recurrent, k, index))
    };
    let (update, reset, own) = (gate(UPDATE), gate(RESET), cell.clone());
    let candidate = if cell.reset_after {
        cell.squash(move |index| {
            let past = reset.at(index) * own.of(recurrent, CANDIDATE, index);
            own.of(projected, CANDIDATE, index) + past
        })
    } else {
        let kept = cell.state(move |index| reset.at(index) * before.at(index));
        let past = cell.recurrent_gate(kept, CANDIDATE);
        cell.squash(move |index| own.of(projected, CANDIDATE, index) + past.at(index))
    };
    vec![cell.state(move |index| {
        let update = update.at(index);
        update * before.at(index) + (Element::constant(update.kind(), 1.0) - update) * candidate.at(index)
    })]
}
