//! Applies a function by its name.

use super::prelude::*;
use crate::shared::activation::NAMES;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Activation",
        summary: "Applies a function by its name.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: &[word("activation", NAMES)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Activation(f32[2]{-1,2}, activation=relu) -> f32[2]{0,2}",
            "Activation(f32[N,3], activation=softmax) -> f32[N,3]",
            "Activation(i32[3]{-2,0,7}, activation=relu6) -> i32[3]{0,0,6}",
            "Activation(i32[3]{-2,0,7}, activation=hard_tanh) on torch -> i32[3]{-1,0,1}",
            "Activation(i32[2,3], activation=tanh) -> f32[2,3]",
            "Activation(i32[2]{1,-3}, activation=softsign) on torch -> f32[2]{0.5,-0.75}",
            "Activation(i32[2,3], activation=softsign) fails: `inputs` is floating point",
            "Activation(i32[2,3], activation=elu) on torch fails: `inputs` is floating point",
            "Activation(f32[2], activation=steep) fails: `activation` is one of linear, relu, relu6, leaky_relu, elu, selu, celu, gelu, silu, swish, sigmoid, log_sigmoid, hard_sigmoid, hard_silu, hard_swish, hard_tanh, hard_shrink, soft_shrink, softplus, softsign, softmax, tanh, tanh_shrink, exponential, mish, threshold, glu, log_softmax, sparse_plus, sparse_sigmoid, sparsemax, squareplus",
            "Activation(f32[2]) fails: `activation` is given",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let name = call.text("activation")?;
    let (kept, made) = match call.backend {
        Backend::TensorFlow => (KEPT_BY_TENSORFLOW, MADE_FLOATS_BY_TENSORFLOW),
        Backend::Torch => (KEPT_BY_TORCH, MADE_FLOATS_BY_TORCH),
    };
    let stay = kept.contains(&name.as_str());
    let taken = stay || made.contains(&name.as_str());
    require_floats_unless(call, "`inputs` is floating point", taken)?;
    if !stay {
        make_floats(call, &["inputs"]);
    }
    let input = call.tensor("inputs")?;
    one(activated(call, "activation", input)?)
}

/// The functions of integers for which there are kernels: those that give integers back, and those that give floats.
const KEPT_BY_TENSORFLOW: &[&str] = &["linear", "relu", "relu6"];
const MADE_FLOATS_BY_TENSORFLOW: &[&str] = &["leaky_relu", "tanh", "exponential"];
const KEPT_BY_TORCH: &[&str] = &["linear", "relu", "relu6", "hard_tanh"];
const MADE_FLOATS_BY_TORCH: &[&str] = &[
    "sigmoid",
    "softsign",
    "tanh",
    "tanh_shrink",
    "exponential",
    "sparse_plus",
    "sparse_sigmoid",
    "squareplus",
];
