//! One step of SimpleRNN: a state that is mixed with the features at each time.

use super::prelude::*;
use crate::shared::cell::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "SimpleRNNCell",
        summary: "One step of SimpleRNN: a state that is mixed with the features at each time.",
        inputs: INPUTS,
        parameters: &[UNITS, TANH, USE_BIAS, DROPOUT],
        outputs: &["output", "states..."],
        spellings: &[],
        define: |call| own_step(call, &RECIPE),
        examples: &[
            "SimpleRNNCell(i32[2,3], states=f32[2,4], units=4, dropout=0.5) fails: what is dropped is floating point",
            "SimpleRNNCell(f32[1,3], states=f32[2,4], units=4) -> f32[2,4], f32[2,4]",
            "SimpleRNNCell(f32[2,3], states=f32[3,4], units=4) fails: the states broadcast to the batch of `inputs`",
            "SimpleRNNCell(f32[N,3], states=f32[N,4], units=4) -> f32[N,4], f32[N,4]",
            "SimpleRNNCell(f32[1,5,3], states=f32[1,4], units=4) on torch fails: the batch meets no other axis",
            "SimpleRNNCell(f32[3], states=f32[2,4], units=4) fails: `inputs` has a batch and features",
            "SimpleRNNCell(f32[2,3], states=f32[2,4], units=0) fails: `units` is positive",
            "SimpleRNNCell(f32[2,3], states=f32[2,4]) fails: `units` is given",
            "SimpleRNNCell(f32[2,3], units=4) fails: `states` is given",
            "SimpleRNNCell(f32[2,3], states=f32[2,5], units=4) fails: a state has one number per unit",
            "SimpleRNNCell(f32[2,3], f32[3], states=f32[2,4], units=4) fails: a weight has as many axes as the layer gives it",
            "SimpleRNNCell(f32[2,3], f32[4,4], states=f32[2,4], units=4) fails: a weight has the shape that the layer gives it",
            "SimpleRNNCell(f32[2,3], states=f32[2,4], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "SimpleRNNCell(f32[2,3], states=f32[4], units=4) fails: the states have as many axes as `inputs`",
            "SimpleRNNCell(f32[2,3], states=f32[2,4], states=f32[2,4], units=4) fails: there is no tensor beyond the states",
            "SimpleRNNCell(i32[2,3], states=f32[2,4], units=4) -> f32[2,4], f32[2,4]",
        ],
    },
    takes: TAKES,
    weights: |call| own_weights(call, &RECIPE),
    mask: Mask::Drops,
};

pub static RECIPE: Recipe = Recipe { gates: 1, states: 1, resets: false, cut: Cut::Nothing, step };

fn step(cell: &Cell, x: Tensor, states: &[Tensor]) -> Vec<Tensor> {
    let (projected, recurrent) = (cell.projected(x), cell.recurrent(states[0]));
    vec![cell.squash(move |index| projected.at(index) + recurrent.at(index))]
}
