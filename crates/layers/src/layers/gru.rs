//! A state that gates reset and update with the features.

use super::prelude::*;
use crate::shared::recurrent::{self, *};
use std::rc::Rc;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GRU",
        summary: "A state that gates reset and update with the features.",
        inputs: INPUTS,
        parameters: &[
            UNITS,
            TANH,
            SIGMOID,
            USE_BIAS,
            flag("reset_after").or_flag(true),
            RETURN_SEQUENCES,
            GO_BACKWARDS,
            ZERO_OUTPUT_FOR_MASK,
        ],
        outputs: &["output", "state"],
        onnx: &[],
        define,
        examples: &[
            "GRU(f32[N,5,3], f32[3,12], f32[4,12], f32[2,12], units=4) -> f32[N,4]",
            "GRU(f32[N,5,3], f32[3,12], f32[4,12], f32[2,12], units=4, return_sequences=true, go_backwards=true) -> f32[N,5,4]",
            "GRU(f32[2,3], units=4) fails: `sequences` has 3 axes: a batch, time, and features",
            "GRU(f32[2,5,3], units=0) fails: `units` is positive",
            "GRU(f32[2,5,3]) fails: `units` is given",
            "GRU(f32[2,5,3], f32[3], f32[4,12], f32[2,12], units=4) fails: a weight has as many axes as the layer gives it",
            "GRU(f32[2,5,3], f32[3,12], f32[5,12], f32[2,12], units=4) fails: a weight has the shape that the layer gives it",
            "GRU(f32[2,5,3], f32[3,12], f32[4,12], f32[2,12], bool[2,6], units=4) fails: the mask has a truth for each time of each sequence",
            "GRU(f32[2,5,3], units=4, activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold",
            "GRU(f32[2,5,3], units=4, recurrent_activation=steep) fails: `recurrent_activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold",
            "GRU(f32[N,5,3], f32[3,12], f32[4,12], f32[12], units=4, reset_after=false) -> f32[N,4]",
        ],
    },
    weights,
    mask: Mask::PassesSequences,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let rows = call.flag("reset_after")?.then_some(2);
    recurrent::weights(call, 3, rows)
}

/// The columns of the weights, in their order.
const UPDATE: i64 = 0;
const RESET: i64 = 1;
const CANDIDATE: i64 = 2;

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    let reset_after = call.flag("reset_after")?;
    walk(
        call,
        &weights,
        1,
        Rc::new(move |cell, x, states| {
            let (projected, recurrent, before) = (cell.projected(x), cell.recurrent(states[0]), states[0]);
            let gate = |k: i64| {
                let own = cell.clone();
                cell.gate(move |index| own.of(projected, k, index) + own.of(recurrent, k, index))
            };
            let (update, reset, own) = (gate(UPDATE), gate(RESET), cell.clone());
            let candidate = if reset_after {
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
                update * before.at(index)
                    + (Element::constant(update.kind(), 1.0) - update) * candidate.at(index)
            })]
        }),
    )
}
