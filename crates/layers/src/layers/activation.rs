//! Applies a function by its name.

use super::prelude::*;
use crate::shared::activation::NAMES;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Activation",
        summary: "Applies a function by its name.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[word("activation", NAMES)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Activation(f32[2]{-1,2}, activation=relu) -> f32[2]{0,2}",
            "Activation(f32[N,3], activation=softmax) -> f32[N,3]",
            "Activation(f32[2], activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "Activation(f32[2]) fails: `activation` is given",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    one(activated(call, "activation", input)?)
}
