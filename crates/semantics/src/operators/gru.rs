//! A recurrent layer with gated updates.

use super::prelude::*;
use crate::recurrence::*;

pub static OPERATOR: Operator = Operator {
    name: "gru",
    summary: "A recurrent layer that mixes, unit by unit, its old state with a new one (gates: update, reset, new).",
    inputs: &[
        tensor("input", FLOAT),
        tensor("weight", FLOAT).like("input"),
        tensor("recurrence", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input").optional(),
        tensor("lengths", INT32).optional(),
        tensor("initial_hidden", FLOAT).like("input").optional(),
    ],
    parameters: &[
        HIDDEN_SIZE,
        DIRECTION,
        ACTIVATIONS,
        ACTIVATION_ALPHA,
        ACTIVATION_BETA,
        CLIP,
        BATCH_FIRST,
        flag("linear_before_reset").or_flag(false),
    ],
    outputs: &["output?", "hidden?"],
    spellings: &[
        onnx(
            1,
            "GRU(input, weight, recurrence, bias, lengths, initial_hidden; hidden_size, direction, activations, \
             activation_alpha, activation_beta, clip, linear_before_reset, !output_sequence)",
        ),
        onnx(
            7,
            "GRU(input, weight, recurrence, bias, lengths, initial_hidden; hidden_size, direction, activations, \
             activation_alpha, activation_beta, clip, linear_before_reset)",
        ),
        onnx(
            14,
            "GRU(input, weight, recurrence, bias, lengths, initial_hidden; hidden_size, direction, activations, \
             activation_alpha, activation_beta, clip, linear_before_reset, layout:strict as batch_first)",
        ),
    ],
    define,
    examples: &[
        "gru(f32[T,N,4], f32[1,15,4], f32[1,15,5], hidden_size=5) -> f32[T,1,N,5], f32[1,N,5]",
        "gru(f32[3,2,4], f32[2,15,4], f32[2,15,5], f32[2,30], hidden_size=5, direction=bidirectional) -> f32[3,2,2,5], f32[2,2,5]",
        "gru(f32[N,T,4], f32[1,15,4], f32[1,15,5], hidden_size=5, batch_first=true) -> f32[N,T,1,5], f32[N,1,5]",
        "gru(f32[1,1,1]{1}, f32[1,3,1]{0.5,2,3}, f32[1,3,1]{0,0,5}, f32[1,6]{0,0,0,0,0,1}, _, f32[1,1,1]{4}, hidden_size=1, activations=[Affine,Affine]) -> f32[1,1,1,1]{24}, f32[1,1,1]{24}",
        "gru(f32[1,1,1]{1}, f32[1,3,1]{0.5,2,3}, f32[1,3,1]{0,0,5}, f32[1,6]{0,0,0,0,0,1}, _, f32[1,1,1]{4}, hidden_size=1, activations=[Affine,Affine], linear_before_reset=true) -> f32[1,1,1,1]{24.5}, f32[1,1,1]{24.5}",
        "gru(f32[3,4], f32[1,15,4], f32[1,15,5], hidden_size=5) fails: `input` has a time, a batch and a feature axis",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5]) fails: `hidden_size` is given",
        "gru(f32[3,2,4], f32[1,0,4], f32[1,0,0], hidden_size=0) fails: `hidden_size` is positive",
        "gru(f32[3,2,4], f32[1,15,3], f32[1,15,5], hidden_size=5) fails: `weight` has the shape [directions, 3 * hidden_size, features]",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,6], hidden_size=5) fails: `recurrence` has the shape [directions, 3 * hidden_size, hidden_size]",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], f32[1,15], hidden_size=5) fails: `bias` has the shape [directions, 6 * hidden_size]",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], _, i32[3], hidden_size=5) fails: `lengths` has one value per sequence",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], _, i32[2]{4,1}, hidden_size=5) fails: every length is within the time axis",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], _, _, f32[1,3,5], hidden_size=5) fails: `initial_hidden` has one vector per direction and sequence",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], hidden_size=5, activations=[Tanh]) fails: `activations` has two names per direction",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], hidden_size=5, activations=[Sine,Tanh]) fails: `activations` is one of Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], hidden_size=5, direction=up) fails: `direction` is one of forward, reverse, bidirectional",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], hidden_size=5, clip=-1) fails: `clip` is positive",
        "gru(i32[3,2,4], i32[1,15,4], i32[1,15,5], hidden_size=5) fails: `input` is floating point",
        "gru(f32[3,2,4], f64[1,15,4], f32[1,15,5], hidden_size=5) fails: `weight` has the element type of `input`",
        "gru(f32[3,2,4], f32[1,15,4], f64[1,15,5], hidden_size=5) fails: `recurrence` has the element type of `input`",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], f64[1,30], hidden_size=5) fails: `bias` has the element type of `input`",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], _, i64[2], hidden_size=5) fails: `lengths` is int32",
        "gru(f32[3,2,4], f32[1,15,4], f32[1,15,5], _, _, f64[1,2,5], hidden_size=5) fails: `initial_hidden` has the element type of `input`",
    ],
};

static LAYER: Layer = Layer {
    gates: 3,
    activations: &["Sigmoid", "Tanh"],
    weight: "`weight` has the shape [directions, 3 * hidden_size, features]",
    recurrence: "`recurrence` has the shape [directions, 3 * hidden_size, hidden_size]",
    bias: "`bias` has the shape [directions, 6 * hidden_size]",
    enough_activations: "`activations` has two names per direction",
};
const UPDATE: i64 = 0;
const RESET: i64 = 1;
const NEW: i64 = 2;

fn define(call: &mut Call) -> Outcome {
    let layer = Recurrence::read(call, &LAYER)?;
    let label = "`initial_hidden` has one vector per direction and sequence";
    let hidden = layer.initial(call, "initial_hidden", label);
    let linear_before_reset = call.flag("linear_before_reset")?;
    layer.outputs(vec![hidden], move |layer, direction, activations, step, states| {
        let old = states[0];
        let (dtype, shape) = (old.dtype(), old.shape());
        let recurrent = layer.recurrent(direction, old);
        let gate = |gate: i64| {
            let f = activations[0].clone();
            Tensor::from_elements(dtype, shape, move |index| {
                f.apply(step.projected(gate, index) + step.gate(recurrent, gate, index))
            })
        };
        let (update, reset) = (gate(UPDATE), gate(RESET));
        // Either the state is reset before it meets the weights, or the product after.
        let remembered = if linear_before_reset {
            Tensor::from_elements(dtype, shape, move |index| {
                reset.at(index) * step.gate(recurrent, NEW, index)
            })
        } else {
            let product = layer.recurrent(direction, zip(reset, old, dtype, shape, |reset, old| reset * old));
            Tensor::from_elements(dtype, shape, move |index| step.gate(product, NEW, index))
        };
        let g = activations[1].clone();
        vec![Tensor::from_elements(dtype, shape, move |index| {
            let new = g.apply(step.projected(NEW, index) + remembered.at(index));
            (1.0 - update.at(index)) * new + update.at(index) * old.at(index)
        })]
    })
}
