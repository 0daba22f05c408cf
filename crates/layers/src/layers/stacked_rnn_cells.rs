//! One step of cells of which each takes what the one before it gives.

use super::prelude::*;
use crate::shared::cell;
use semantics::call::Prepared;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "StackedRNNCells",
        summary: "One step of cells of which each takes what the one before it gives.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("weights", FLOAT).any(),
            tensor("states", FLOAT).any(),
        ],
        parameters: &[operators("cells", cell::find)],
        outputs: &["output", "states..."],
        spellings: &[],
        define,
        examples: &[
            "StackedRNNCells(f32[1,3], states=f32[2,4], cells=[GRUCell(units=4)]) -> f32[2,4], f32[2,4]",
            "StackedRNNCells(f32[1,3], states=f32[1,4], states=f32[5,2], cells=[GRUCell(units=4), GRUCell(units=2)]) -> f32[5,2], f32[1,4], f32[5,2]",
            "StackedRNNCells(f32[1,3], states=f32[1,1], states=f32[1,3], states=f32[1,2], cells=[LSTMCell(units=1), GRUCell(units=2)]) fails: a cell gives as many units as the next one takes",
            "StackedRNNCells(f32[2,3], states=f32[3,4], cells=[GRUCell(units=4)]) fails: the states broadcast to the batch of `inputs`",
            "StackedRNNCells(f32[N,3], states=f32[N,4], states=f32[N,4], states=f32[N,2], cells=[LSTMCell(units=4), GRUCell(units=2)]) -> f32[N,2], f32[N,4], f32[N,4], f32[N,2]",
            "StackedRNNCells(f32[N,1], states=f32[N,1], cells=[SimpleRNNCell(units=1)]) -> f32[N,1], f32[N,1]",
            "StackedRNNCells(f32[N,2], states=f32[N,2], states=f32[N,2], cells=[SimpleRNNCell(units=2), GRUCell(units=2, reset_after=false)]) -> f32[N,2], f32[N,2], f32[N,2]",
            "StackedRNNCells(f32[1,5,3], states=f32[1,4], cells=[GRUCell(units=4)]) on torch fails: the batch meets no other axis",
            "StackedRNNCells(f32[3], states=f32[2,4], cells=[GRUCell(units=4)]) fails: `inputs` has a batch and features",
            "StackedRNNCells(f32[2,3], states=f32[2,4], cells=[StackedRNNCells(cells=[GRUCell(units=4)])]) fails: a stack in a stack has several states",
            "StackedRNNCells(f32[2,3], states=f32[2,4]) fails: `cells` is given",
            "StackedRNNCells(f32[2,3], cells=[GRUCell(units=4)]) fails: there is a tensor for each state",
            "StackedRNNCells(f32[2,3], states=f32[2,4], cells=[LSTMCell(units=4)]) fails: there is a tensor for each state",
            "StackedRNNCells(f32[2,3], states=f32[2,5], cells=[GRUCell(units=4)]) fails: a state has one number per unit",
            "StackedRNNCells(f32[2,3], f32[3], states=f32[2,4], cells=[GRUCell(units=4)]) fails: a weight has as many axes as the layer gives it",
            "StackedRNNCells(f32[2,3], f32[4,12], states=f32[2,4], cells=[GRUCell(units=4)]) fails: a weight has the shape that the layer gives it",
            "StackedRNNCells(f32[1,5,3], states=f32[1,4], cells=[SimpleRNNCell(units=4)]) fails: the states have as many axes as `inputs`",
            "StackedRNNCells(f32[2,3], states=f32[2,4], states=f32[2,4], cells=[GRUCell(units=4)]) fails: there is no tensor beyond the states",
            "StackedRNNCells(i32[2,3], states=f32[2,4], cells=[GRUCell(units=4)]) -> f32[2,4], f32[2,4]",
            "StackedRNNCells(f32[2,3], cells=[]) fails: there is a cell",
            "StackedRNNCells(f32[2,3], cells=[StackedRNNCells(cells=[])]) fails: a stack in a stack has a cell",
            "StackedRNNCells(f32[2,3], cells=[StackedRNNCells(cells=[])]) on torch fails: a stack in a stack has a cell",
        ],
    },
    takes: cell::TAKES,
    weights: |call| Ok(weights(call)?.concat()),
    mask: Mask::Drops,
};

fn weights(call: &mut Call) -> Result<Vec<Vec<Weight>>, Stop> {
    let input = call.tensor("inputs")?;
    call.demand(IncompatibleShape, cell::FEATURES, input.shape().rank().ge(2))?;
    let cells = cell::flattened(&call.operators("cells")?, "cells")?;
    let input = if cells.is_empty() { input } else { in_floats(call)? };
    cell::stacked_weights(call, &cells, input)
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    let tensors = require_weights(call, &weights.concat())?;
    let fewest = fewest_inside(&call.operators("cells")?)?;
    call.insist(IllegalValue, "a stack in a stack has a cell", fewest != Some(0))?;
    // PyTorch's backend is not asked how many there are of a symbol.
    let taken = fewest != Some(1) || call.backend == Backend::Torch;
    call.require(UnsupportedValue, "a stack in a stack has several states", taken.into());
    let cells = cell::flattened(&call.operators("cells")?, "cells")?;
    // What gives back the very tensor that it takes gives its mask back, too, though the layer has none to give.
    call.require(ToleratedValue, "there is a cell", (!cells.is_empty()).into());
    if cells.is_empty() {
        return one(call.tensor("inputs")?);
    }
    let mut now = in_floats(call)?;
    let cells = cell::stacked(&cells, &weights, &tensors, now)?;
    let counts: Vec<usize> = cells.iter().map(|cell| cell.states().len()).collect();
    let states = cell::require_states(call, counts.iter().sum())?;
    let (mut rest, mut after) = (&states[..], Vec::new());
    let last = cells.len() - 1;
    for (k, (cell, count)) in cells.into_iter().zip(counts).enumerate() {
        let (own, later) = rest.split_at(count);
        let units = cell.units();
        let next = cell.by_itself(call, now, own)?;
        if k < last {
            let fits = next[0].shape().size(Back(0)).eq(units);
            call.demand(IncompatibleShape, "a cell gives as many units as the next one takes", fits)?;
        }
        (now, rest) = (next[0], later);
        after.extend(next);
    }
    Ok([now].into_iter().chain(after).collect())
}

/// How many states the stack in a stack has that has the fewest; of none Keras has no size to give to the next cell.
fn fewest_inside(cells: &[Prepared]) -> Result<Option<usize>, Stop> {
    let mut fewest = None;
    for own in cells.iter().filter(|own| own.operator.name == "StackedRNNCells") {
        let inside = own.call().operators("cells")?;
        let all = cell::flattened(&inside, "")?;
        let states = all.iter().map(|(_, cell)| if cell.operator.name == "LSTMCell" { 2 } else { 1 }).sum();
        let least = fewest_inside(&inside)?.map_or(states, |deeper| deeper.min(states));
        fewest = Some(fewest.map_or(least, |other: usize| other.min(least)));
    }
    Ok(fewest)
}
