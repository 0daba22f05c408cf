//! A recurrent layer over time from the front and one from the back, put together.

use super::prelude::*;
use crate::shared::recurrent::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Bidirectional",
        summary: "A recurrent layer over time from the front and one from the back, put together.",
        inputs: &[tensor("sequences", REAL_OR_BOOL), tensor("weights", FLOAT).any(), MASK, INITIAL_STATE],
        parameters: &[
            operators("layer", find),
            word("merge_mode", &["concat", "sum", "mul", "ave", "none"]).or_word("concat"),
            operators("backward_layer", find).optional(),
        ],
        outputs: &["output", "others..."],
        spellings: &[],
        define,
        examples: &[
            "Bidirectional(i32[2,5,3], layer=LSTM(units=4)) -> f32[2,8]",
            "Bidirectional(i32[2,5,3], layer=LSTM(units=4, dropout=0.5)) fails: what is dropped is floating point",
            "Bidirectional(f32[N,5,3], layer=LSTM(units=4)) -> f32[N,8]",
            "Bidirectional(f32[N,5,3], layer=LSTM(units=4), backward_layer=GRU(units=4, go_backwards=true)) -> f32[N,8]",
            "Bidirectional(f32[N,5,3], layer=GRU(units=4, return_sequences=true), merge_mode=sum) -> f32[N,5,4]",
            "Bidirectional(f32[N,5,3], layer=GRU(units=4, return_state=true), merge_mode=none) -> f32[N,4], f32[N,4], f32[N,4], f32[N,4]",
            "Bidirectional(f32[1,2,1]{1,2}, f32[1,1]{1}, f32[1,1]{10}, f32[1]{0}, f32[1,1]{1}, f32[1,1]{10}, f32[1]{0}, layer=SimpleRNN(units=1, activation=linear, return_sequences=true)) -> f32[1,2,2]{1,21,12,2}",
            "Bidirectional(f32[2,5,3]) fails: `layer` is given",
            "Bidirectional(f32[2,5,3], layer=[LSTM(units=4), LSTM(units=4)]) fails: `layer` is one layer",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4), backward_layer=[LSTM(units=4), LSTM(units=4)]) fails: `backward_layer` is one layer",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4), merge_mode=max) fails: `merge_mode` is one of concat, sum, mul, ave, none",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4, go_backwards=true)) fails: the layers go in different directions",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4), backward_layer=LSTM(units=4, go_backwards=true, return_sequences=true)) fails: the layers return the same things",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4, stateful=true), backward_layer=LSTM(units=4, go_backwards=true)) fails: both layers keep their states, or none does",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4), backward_layer=LSTM(units=5, go_backwards=true), merge_mode=sum) fails: what the layers give can be merged",
            "Bidirectional(f32[2,5,3], layer=LSTM(units=4), backward_layer=GRU(units=2, go_backwards=true)) fails: both layers give the same sizes, as a symbolic build supposes",
            "Bidirectional(f32[2,5,3], f32[3], layer=LSTM(units=4)) fails: a weight has as many axes as the layer gives it",
            "Bidirectional(f32[2,5,3], f32[4,16], layer=LSTM(units=4)) fails: a weight has the shape that the layer gives it",
            "Bidirectional(f32[2,5,3], initial_state=f32[2,4], layer=GRU(units=4)) fails: `initial_state` has a tensor for each state",
            "Bidirectional(f32[1,5,3], initial_state=f32[1,4], initial_state=f32[2,4], layer=GRU(units=4), merge_mode=sum) -> f32[2,4]",
            "Bidirectional(i32[N,5,3], layer=LSTM(units=4)) -> f32[N,8]",
            "Bidirectional(f32[2,0,3], layer=GRU(units=4)) fails: there is a time to walk to",
        ],
    },
    takes: TAKES,
    weights: |call| Ok(both(call)?.1.concat()),
    mask: Mask::PassesToBothIf("layer.return_sequences", ("merge_mode", "none")),
};

/// The layers that know a direction.
fn find(name: &str) -> Option<&'static Operator> {
    let layer = crate::layers::by_name(name)?;
    layer.operator.parameters.iter().any(|given| given.name == "go_backwards").then_some(&layer.operator)
}

const PATHS: [&str; 2] = ["forward_layer", "backward_layer"];

/// The layer that goes forward and the one that goes backward, and their weights.
fn both(call: &mut Call) -> Result<([Inner; 2], [Vec<Weight>; 2]), Stop> {
    let sequences = call.tensor("sequences")?;
    let given = one_layer(call, "layer", "`layer` is one layer")?;
    let turned = !call.is_given("backward_layer");
    let backward = match turned {
        true => given.clone(),
        false => one_layer(call, "backward_layer", "`backward_layer` is one layer")?,
    };
    let mut layers = [Inner::new(&given, sequences)?, Inner::new(&backward, sequences)?];
    if turned {
        layers[1].set("go_backwards", true);
    }
    let apart = layers[0].flag("go_backwards")? != layers[1].flag("go_backwards")?;
    call.insist(IllegalValue, "the layers go in different directions", apart)?;
    let alike = |name: &str| Ok(layers[0].flag(name)? == layers[1].flag(name)?);
    let kept = alike("stateful")?;
    let alike = alike("return_sequences")? && alike("return_state")?;
    call.insist(IllegalValue, "the layers return the same things", alike)?;
    call.insist(IllegalValue, "both layers keep their states, or none does", kept)?;
    let mut weights = [Vec::new(), Vec::new()];
    for (k, layer) in layers.iter_mut().enumerate() {
        let sequences = layer.flag("return_sequences")?;
        layer.set("zero_output_for_mask", sequences);
        weights[k] = layer.weights(call, PATHS[k])?;
    }
    Ok((layers, weights))
}

fn define(call: &mut Call) -> Outcome {
    let (layers, weights) = both(call)?;
    let tensors = require_weights(call, &weights.concat())?;
    let (mask, initial) = (call.list("mask"), call.list("initial_state"));
    // The first half is for the way from the front: of one tensor nothing.
    call.insist(IncompatibleShape, "`initial_state` has a tensor for each state", initial.len() != 1)?;
    let halves = [&initial[..initial.len() / 2], &initial[initial.len() / 2..]];
    let own = [&tensors[..weights[0].len()], &tensors[weights[0].len()..]];
    let (sequences, states) = (layers[0].flag("return_sequences")?, layers[0].flag("return_state")?);
    let mut outputs = Vec::new();
    for (k, mut layer) in layers.into_iter().enumerate() {
        layer.give_weights(PATHS[k], &weights[k], own[k]);
        layer.give("mask", &mask);
        layer.give("initial_state", halves[k]);
        outputs.push(layer.run(call)?);
    }
    let (forward, backward) = (outputs[0][0], outputs[1][0]);
    let backward = if sequences { turned(backward) } else { backward };
    let mode = call.text("merge_mode")?;
    // What is summed up has one size anyway.
    let from = usize::from(!matches!(mode.as_str(), "concat" | "none"));
    let alike = outputs[0].len() == outputs[1].len();
    let pairs = outputs[0].iter().zip(&outputs[1]).skip(from);
    let same = Prop::all(pairs.map(|(one, other)| one.shape().same(other.shape())));
    let label = "both layers give the same sizes, as a symbolic build supposes";
    call.require(ToleratedValue, label, same & alike.into());
    let merged = merged(call, &mode, forward, backward)?;
    let states = if states { [&outputs[0][1..], &outputs[1][1..]].concat() } else { Vec::new() };
    Ok(merged.into_iter().chain(states).collect())
}

/// With time turned round.
fn turned(tensor: Tensor) -> Tensor {
    let time = tensor.shape().size(Front(1));
    Tensor::from_elements(tensor.dtype(), tensor.shape(), move |index| {
        let mut source = index.to_vec();
        source[1] = time - 1 - index[1];
        tensor.at(&source)
    })
}

fn merged(call: &mut Call, mode: &str, forward: Tensor, backward: Tensor) -> Result<Vec<Tensor>, Stop> {
    if mode == "none" {
        return Ok(vec![forward, backward]);
    }
    let (left, right) = (call.known_sizes(forward)?, call.known_sizes(backward)?);
    let last = left.len() - 1;
    let label = "what the layers give can be merged";
    let (mut shape, fits) = forward.shape().broadcast(backward.shape());
    if mode == "concat" {
        let alike = left.iter().zip(&right).take(last);
        call.require_shape(label, Prop::all(alike.map(|(a, b)| a.eq(*b))));
        shape = forward.shape();
    } else {
        // One may have started from the states of more sequences than the other.
        call.demand(IncompatibleShape, label, fits)?;
    }
    let both = |f: fn(Element, Element) -> Element| zip(forward, backward, forward.dtype(), shape, f);
    Ok(vec![match mode {
        "sum" => both(|a, b| a + b),
        "mul" => both(|a, b| a * b),
        "ave" => both(|a, b| (a + b) / 2.0),
        _ => {
            let (first, total) = (left[last], left[last] + right[last]);
            let shape = shape.with_size(Front(last as u32), total);
            Tensor::from_elements(forward.dtype(), shape, move |index| {
                let mut later = index.to_vec();
                later[last] = index[last] - first;
                Element::when(index[last].lt(first), forward.at(index), backward.at(&later))
            })
        }
    }])
}
