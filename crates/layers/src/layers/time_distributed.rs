//! A layer at each time alone.

use super::prelude::*;
use crate::shared::cell;
use crate::shared::recurrent::{at_time, over_time};
use semantics::operator::Arity;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "TimeDistributed",
        summary: "A layer at each time alone.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("weights", FLOAT).any(),
            tensor("mask", BOOL).optional(),
        ],
        parameters: &[operators("layer", |name| crate::layers::by_name(name).map(|layer| &layer.operator))],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "TimeDistributed(f32[N,5,3], layer=Dense(units=4)) -> f32[N,5,4]",
            "TimeDistributed(f32[N,5,8,8,3], layer=Conv2D(filters=4, kernel_size=3)) -> f32[N,5,6,6,4]",
            "TimeDistributed(f32[1,2,2]{1,2,3,4}, f32[2,1]{10,1}, f32[1]{0}, layer=Dense(units=1)) -> f32[1,2,1]{12,34}",
            "TimeDistributed(f32[1,1,1,2]{0,0}, mask=bool[1,1]{1}, layer=Softmax()) -> f32[1,1,1,2]{0.5,0.5}",
            "TimeDistributed(f32[2,5,3]) fails: `layer` is given",
            "TimeDistributed(f32[2,5,3], layer=[Flatten(), Flatten()]) fails: `layer` is one layer",
            "TimeDistributed(f32[2,5,3], layer=Add()) fails: `layer` takes one tensor",
            "TimeDistributed(f32[2,5,3], layer=StackedRNNCells(cells=[])) fails: `layer` takes one tensor",
            "TimeDistributed(f32[2,5,3,4], layer=GRU(units=4, return_state=true)) fails: `layer` gives one tensor",
            "TimeDistributed(f32[2,5,3], layer=Softmax(axis=0)) fails: `layer` keeps sequences apart: its `axis` is not the batch",
            "TimeDistributed(f32[2,5], layer=Dense(units=4)) fails: `inputs` has a batch, time, and something at each time",
            "TimeDistributed(f32[2,5,3], mask=bool[2,4], layer=Dense(units=4)) fails: the mask has a truth for each time of each sequence",
            "TimeDistributed(f32[2,5,3], f32[3], layer=Dense(units=4)) fails: a weight has as many axes as the layer gives it",
            "TimeDistributed(f32[2,5,3], f32[4,4], layer=Dense(units=4)) fails: a weight has the shape that the layer gives it",
            "TimeDistributed(i32[N,5,3], layer=Dense(units=4)) -> f32[N,5,4]",
            "TimeDistributed(i32[N,5,3,2], layer=Flatten()) -> i32[N,5,6]",
            "TimeDistributed(f32[2,0,3], layer=Dense(units=4)) fails: there is a time to walk to",
        ],
    },
    takes: &["inputs", "mask"],
    weights: |call| Ok(inside(call)?.weights),
    mask: Mask::Passes,
};

/// The layer on what all times hold, as if they were one large batch.
struct Inside {
    layer: Inner,
    weights: Vec<Weight>,
    /// Whether it works along the batch, so that all times at once are not what each time alone is.
    mixes: bool,
}

fn inside(call: &mut Call) -> Result<Inside, Stop> {
    let input = call.tensor("inputs")?;
    let rank = call.known_sizes(input)?.len();
    call.insist(IncompatibleShape, "`inputs` has a batch, time, and something at each time", rank >= 3)?;
    let time = input.shape().size(Front(1));
    call.demand(IncompatibleShape, "there is a time to walk to", time.ge(1))?;
    let given = one_layer(call, "layer", "`layer` is one layer")?;
    let mut inner = Inner::new(&given, together(input))?;
    let first = &inner.layer.operator.inputs[0];
    // A cell takes states, too, even if it has none: it never says which shape it gives.
    let is_cell = cell::find(inner.layer.operator.name).is_some();
    let takes_list = inner.layer.takes_list() || matches!(first.arity, Arity::Variadic | Arity::Any);
    let alone = !is_cell && !takes_list;
    call.insist(IllegalValue, "`layer` takes one tensor", alone)?;
    let mixes = mixes_sequences(&mut inner, rank - 1)?;
    let label = "`layer` keeps sequences apart: its `axis` is not the batch";
    call.require(ToleratedValue, label, (!mixes).into());
    let weights = inner.weights(call, "layer")?;
    Ok(Inside { layer: inner, weights, mixes })
}

/// Whether a layer works along the batch.
fn mixes_sequences(inner: &mut Inner, rank: usize) -> Result<bool, Stop> {
    let has_axis = inner.layer.operator.parameters.iter().any(|parameter| parameter.name == "axis");
    if !has_axis || !inner.call.is_given("axis") {
        return Ok(false);
    }
    let axes = match inner.call.is_list("axis") {
        true => inner.call.ints("axis")?,
        false => vec![inner.call.int("axis")?],
    };
    let axes = inner.call.positions("axis", &axes)?;
    Ok(axes.iter().any(|&axis| axis == 0 || axis == -(rank as i64)))
}

/// Batch and time as one axis.
fn together(tensor: Tensor) -> Tensor {
    let sizes = tensor.shape().sizes().unwrap_or_default();
    let time = sizes[1];
    let shape = Shape::new([sizes[0] * time].into_iter().chain(sizes[2..].iter().copied()));
    Tensor::from_elements(tensor.dtype(), shape, move |index| {
        let mut source = vec![index[0].div_floor(time), index[0].modulo(time)];
        source.extend_from_slice(&index[1..]);
        tensor.at(&source)
    })
}

fn define(call: &mut Call) -> Outcome {
    let Inside { layer: mut inner, weights, mixes } = inside(call)?;
    let tensors = require_weights(call, &weights)?;
    if mixes {
        return at_each_time(call, &weights, &tensors);
    }
    inner.give_weights("layer", &weights, &tensors);
    let input = call.tensor("inputs")?;
    let sizes = call.known_sizes(input)?;
    if let Some(mask) = call.optional("mask") {
        let own = call.known_sizes(mask)?;
        let fits = own.len() >= 2;
        let fits = if fits { own[0].eq(sizes[0]) & own[1].eq(sizes[1]) } else { false.into() };
        call.demand(IncompatibleShape, "the mask has a truth for each time of each sequence", fits)?;
        if inner.layer.takes.contains(&"mask") {
            let at_each_time = if own.len() == 2 && inner.layer.operator.name == "Softmax" {
                beside_the_last_axis(mask, sizes.len() - 1)
            } else {
                together(mask)
            };
            inner.give("mask", &[at_each_time]);
        }
    }
    let outputs = inner.run(call)?;
    call.insist(IllegalValue, "`layer` gives one tensor", outputs.len() == 1)?;
    let (output, time) = (outputs[0], sizes[1]);
    let after = call.known_sizes(output)?;
    let shape = Shape::new([sizes[0], time].into_iter().chain(after[1..].iter().copied()));
    one(Tensor::from_elements(output.dtype(), shape, move |index| {
        let mut source = vec![index[0] * time + index[1]];
        source.extend_from_slice(&index[2..]);
        output.at(&source)
    }))
}

/// The layer at one time after the other.
fn at_each_time(call: &mut Call, weights: &[Weight], tensors: &[Tensor]) -> Outcome {
    let (input, given) = (call.tensor("inputs")?, one_layer(call, "layer", "`layer` is one layer")?);
    let time = call.known_sizes(input)?[1];
    let times = call.positions("inputs", &[time])?[0];
    if times > MOST_TIMES || call.optional("mask").is_some() {
        return Err(Stop::Unknown("what a layer does that mixes the sequences of each time".into()));
    }
    let mut outputs = Vec::new();
    for at in 0..times {
        let mut inner = Inner::new(&given, at_time(input, at.into()))?;
        inner.give_weights("layer", weights, tensors);
        let own = inner.run(call)?;
        call.insist(IllegalValue, "`layer` gives one tensor", own.len() == 1)?;
        outputs.push(own[0]);
    }
    let Some(first) = outputs.first() else {
        return Err(Stop::Unknown("there is no time".into()));
    };
    let after = call.known_sizes(*first)?;
    let shape = Shape::new([after[0], time].into_iter().chain(after[1..].iter().copied()));
    one(over_time(first.kind(), shape, &outputs))
}

/// More times are not gone through one by one.
const MOST_TIMES: i64 = 1000;

/// A mask without axes of its own is a list at each time, of one truth per sequence, which meets the last axis.
fn beside_the_last_axis(mask: Tensor, rank: usize) -> Tensor {
    let [batch, time] = [0, 1].map(|axis| mask.shape().size(Front(axis)));
    let ones = vec![Dim::from(1); rank - 2];
    let shape = Shape::new([batch * time].into_iter().chain(ones).chain([batch]));
    Tensor::from_elements(mask.dtype(), shape, move |index| {
        mask.at(&[index[index.len() - 1], index[0].modulo(time)])
    })
}
