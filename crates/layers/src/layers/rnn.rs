//! Walks over time with a cell, or with several, one on the other.

use super::prelude::*;
use crate::shared::cell;
use crate::shared::recurrent::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RNN",
        summary: "Walks over time with a cell, or with several, one on the other.",
        inputs: &[tensor("sequences", REAL_OR_BOOL), tensor("weights", FLOAT).any(), MASK, INITIAL_STATE],
        parameters: &[
            operators("cell", cell::find),
            RETURN_SEQUENCES,
            RETURN_STATE,
            GO_BACKWARDS,
            STATEFUL,
            ZERO_OUTPUT_FOR_MASK,
            UNROLL,
        ],
        outputs: &["output", "states..."],
        spellings: &[],
        define,
        examples: &[
            "RNN(f32[2,5,3], mask=bool[2,7], cell=GRUCell(units=4), unroll=true, return_sequences=true, zero_output_for_mask=true) on torch fails: a mask that is looked at again has no truth after the end",
            "RNN(f32[2,5,3], mask=bool[2,5,4], cell=GRUCell(units=4), unroll=true) fails: the mask has a truth for each time of each sequence",
            "RNN(f32[N,5,3], cell=LSTMCell(units=4)) -> f32[N,4]",
            "RNN(i32[2,5,3], cell=LSTMCell(units=4, dropout=0.5)) fails: what is dropped is floating point",
            "RNN(f32[2,5,3], cell=LSTMCell(units=4, dropout=0.5)) -> f32[2,4]",
            "RNN(f32[2,5,3], mask=bool[2,5], cell=GRUCell(units=4), go_backwards=true, unroll=true) on torch fails: steps that are unrolled past a mask go forwards",
            "RNN(f32[2,5,3], mask=bool[2,5], cell=GRUCell(units=4), go_backwards=true, unroll=true) -> f32[2,4]",
            "RNN(f32[N,5,3], cell=[LSTMCell(units=4), GRUCell(units=2)], return_state=true) -> f32[N,2], f32[N,4], f32[N,4], f32[N,2]",
            "RNN(f32[N,5,3], cell=StackedRNNCells(cells=[SimpleRNNCell(units=4)]), return_sequences=true, go_backwards=true) -> f32[N,5,4]",
            "RNN(f32[1,2,1]{1,2}, f32[1,1]{1}, f32[1,1]{10}, f32[1]{0}, cell=SimpleRNNCell(units=1, activation=linear)) -> f32[1,1]{12}",
            "RNN(f32[2,3], cell=LSTMCell(units=4)) fails: `sequences` has 3 axes: a batch, time, and features",
            "RNN(f32[2,5,3]) fails: `cell` is given",
            "RNN(f32[1,5,3], initial_state=f32[2,4], cell=GRUCell(units=4), stateful=true) fails: states that are kept are those of as many sequences as there are",
            "RNN(f32[2,5,3], f32[3], cell=SimpleRNNCell(units=4)) fails: a weight has as many axes as the layer gives it",
            "RNN(f32[2,5,3], f32[4,4], cell=SimpleRNNCell(units=4)) fails: a weight has the shape that the layer gives it",
            "RNN(f32[2,5,3], mask=bool[2,6], cell=SimpleRNNCell(units=4)) fails: the mask has a truth for each time of each sequence",
            "RNN(f32[2,5,3], initial_state=f32[2,5], cell=SimpleRNNCell(units=4)) fails: `initial_state` has the shapes of the states",
            "RNN(f32[2,5,3], initial_state=f32[2,4], cell=LSTMCell(units=4)) fails: `initial_state` has a tensor for each state",
            "RNN(i32[N,5,3], cell=LSTMCell(units=4)) -> f32[N,4]",
            "RNN(f32[2,0,3], cell=GRUCell(units=4)) fails: there is a time to walk to",
            "RNN(f32[2,5,3], initial_state=f32[2,4], initial_state=f32[2,4], cell=GRUCell(units=4)) fails: `initial_state` has no tensor beyond the states",
            "RNN(f32[2,5,3], cell=StackedRNNCells(cells=[])) fails: there is a cell",
        ],
    },
    takes: TAKES,
    weights: |call| Ok(weights(call)?.concat()),
    mask: Mask::PassesIf("return_sequences"),
};

fn weights(call: &mut Call) -> Result<Vec<Vec<Weight>>, Stop> {
    let sequences = in_floats(call)?;
    call.sizes("`sequences` has 3 axes: a batch, time, and features", sequences, 3)?;
    let cells = cell::flattened(&call.operators("cell")?, "cell")?;
    call.insist(IllegalValue, "there is a cell", !cells.is_empty())?;
    cell::stacked_weights(call, &cells, of_one_time(sequences)?)
}

fn define(call: &mut Call) -> Outcome {
    let given = call.tensor("sequences")?;
    spread_over_masks(call);
    let weights = weights(call)?;
    let tensors = require_weights(call, &weights.concat())?;
    let cells = cell::flattened(&call.operators("cell")?, "cell")?;
    let cells = cell::stacked(&cells, &weights, &tensors, of_one_time(call.tensor("sequences")?)?)?;
    if let Some(first) = cells.first() {
        first.require_floats_to_drop(call, given);
    }
    cell::walk_with(call, cells)
}
