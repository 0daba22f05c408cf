//! Layers one after the other.

use crate::layers::prelude::*;
use semantics::operator::Arity;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Pipeline",
        summary: "Layers one after the other.",
        inputs: &[tensor("inputs", ANY), tensor("weights", FLOAT).any()],
        parameters: &[operators("layers", |name| crate::layers::by_name(name).map(|layer| &layer.operator))],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Pipeline(f32[1,2]{1,3}, layers=[Rescaling(scale=2), Rescaling(scale=1, offset=1)]) -> f32[1,2]{3,7}",
            "Pipeline(f32[N,8,8,3], layers=[CenterCrop(height=4, width=6), Flatten()]) -> f32[N,72]",
            "Pipeline(f32[1,2]{1,2}, f32[2,1]{10,1}, f32[1]{0}, layers=[Dense(units=1), ReLU()]) -> f32[1,1]{12}",
            "Pipeline(f32[2,3]) fails: `layers` is given",
            "Pipeline(f32[2,3], layers=[Flatten(), Add()]) fails: each layer takes one tensor and gives one",
            "Pipeline(f32[2,3], f32[4], layers=[Dense(units=4)]) fails: a weight has as many axes as the layer gives it",
            "Pipeline(f32[2,3], f32[3,5], layers=[Dense(units=4)]) fails: a weight has the shape that the layer gives it",
        ],
    },
    takes: &["inputs", "mask"],
    weights: |call| Ok(walked(call, None)?.1),
    mask: Mask::Drops,
};

/// What comes out at the end, and the weights of all layers. Without weights it is what has the shape of the output.
fn walked(call: &mut Call, weights: Option<&[Tensor]>) -> Result<(Tensor, Vec<Weight>), Stop> {
    let (mut now, mut all) = (call.tensor("inputs")?, Vec::new());
    for (k, prepared) in call.operators("layers")?.iter().enumerate() {
        let mut inner = Inner::new(prepared, now)?;
        let one_tensor = inner.layer.operator.inputs[0].arity == Arity::One && !inner.layer.takes_list();
        let label = "each layer takes one tensor and gives one";
        call.insist(IllegalValue, label, one_tensor)?;
        if matches!(inner.layer.mask, Mask::Made(..)) {
            return Err(Stop::Unknown("what masks do inside a pipeline is not modelled".into()));
        }
        let path = format!("layers.{k}");
        let own = inner.weights(call, &path)?;
        if let Some(given) = weights {
            inner.give_weights(&path, &own, &given[all.len()..all.len() + own.len()]);
        }
        all.extend(own);
        let outputs = inner.run(call)?;
        call.insist(IllegalValue, label, outputs.len() == 1)?;
        now = outputs[0];
    }
    Ok((now, all))
}

fn define(call: &mut Call) -> Outcome {
    let weights = walked(call, None)?.1;
    let tensors = require_weights(call, &weights)?;
    one(walked(call, Some(&tensors))?.0)
}
