//! Layers of Keras that stand outside `keras.layers`, in the models that it comes with.

use crate::layer::{Layer, Mask, require_weights, weight};
use semantics::operators::prelude::*;

/// The layer of a class.
pub fn by_name(name: &str) -> Option<&'static Layer> {
    (name == LAYER_SCALE.operator.name).then_some(&LAYER_SCALE)
}

/// Of ConvNeXt.
pub static LAYER_SCALE: Layer = Layer {
    operator: Operator {
        name: "LayerScale",
        summary: "Each channel by a number that is learned.",
        inputs: &[tensor("inputs", FLOAT), tensor("gamma", FLOAT).optional()],
        parameters: &[int("projection_dim"), float("init_values")],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "LayerScale(f32[1,2]{1,2}, f32[2]{3,4}, projection_dim=2, init_values=1) -> f32[1,2]{3,8}",
            "LayerScale(f32[1,2], projection_dim=3, init_values=1) fails: the scales broadcast to `inputs`",
            "LayerScale(f32[1,2], f32[1], projection_dim=2, init_values=1) fails: a weight has the shape that the layer gives it",
            "LayerScale(f32[1,2], f32[1,2], projection_dim=2, init_values=1) fails: a weight has as many axes as the layer gives it",
            "LayerScale(f32[1,2], init_values=1) fails: `projection_dim` is given",
            "LayerScale(f32[1,2], projection_dim=2) fails: `init_values` is given",
        ],
    },
    takes: &["inputs"],
    weights: |call| Ok(vec![weight("gamma", Shape::new([call.int("projection_dim")?]))]),
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let weights = (LAYER_SCALE.weights)(call)?;
    let gamma = require_weights(call, &weights)?[0];
    call.require_broadcast_to("the scales broadcast to `inputs`", gamma, input.shape());
    let shape = input.shape();
    one(zip(input, gamma, input.dtype(), shape, |x, scale| x * scale))
}
