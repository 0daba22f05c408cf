//! Scales and shifts every element.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Rescaling",
        summary: "Scales and shifts every element.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[floats("scale"), floats("offset").optional()],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Rescaling(f32[2]{1,2}, scale=2, offset=1) -> f32[2]{3,5}",
            "Rescaling(f32[2,2]{1,2,3,4}, scale=[2,0.5], offset=[1,0]) -> f32[2,2]{3,1,7,2}",
            "Rescaling(f32[2,1], scale=[2,0.5]) fails: `scale` and `offset` leave the shape as it is, as a symbolic build supposes",
            "Rescaling(i64[2]{1,2}, scale=0.5) -> f32[2]{0.5,1}",
            "Rescaling(f32[2]) fails: `scale` is given",
            "Rescaling(f32[2,3], scale=[2,0.5]) fails: `scale` and `offset` broadcast with `inputs`",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    // Whole numbers become floats.
    let kind = policy_floats(call, call.kind(input)?);
    let along = |call: &Call, name: &str, preset: f64| {
        let values = call.optional_floats(name)?.unwrap_or_else(|| vec![preset]);
        let shape = if call.is_list(name) { vec![values.len()] } else { Vec::new() };
        Ok(Tensor::constant(Array::floats(kind, &shape, values.iter().map(|x| kind.round(*x)).collect())))
    };
    let (scale, offset) = (along(call, "scale", 1.0)?, along(call, "offset", 0.0)?);
    let shape = call.broadcast("`scale` and `offset` broadcast with `inputs`", &[input, scale, offset]);
    let label = "`scale` and `offset` leave the shape as it is, as a symbolic build supposes";
    call.require(UnsupportedValue, label, shape.same(input.shape()));
    one(Tensor::from_elements(kind, shape, move |index| {
        input.broadcast_at(index).cast(kind) * scale.broadcast_at(index) + offset.broadcast_at(index)
    }))
}
