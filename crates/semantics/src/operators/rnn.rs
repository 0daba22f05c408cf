//! A simple recurrent layer.

use super::prelude::*;
use crate::recurrence::*;

pub static OPERATOR: Operator = Operator {
    name: "rnn",
    summary: "A recurrent layer: `h = f(x * weight + h * recurrence + bias)`, step by step over time.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("weight", FLOAT).like("input"),
        tensor("recurrence", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input").optional(),
        tensor("lengths", INT32).optional(),
        tensor("initial_hidden", FLOAT).like("input").optional(),
    ],
    parameters: &[HIDDEN_SIZE, DIRECTION, ACTIVATIONS, ACTIVATION_ALPHA, ACTIVATION_BETA, CLIP, BATCH_FIRST],
    outputs: &["output?", "hidden?"],
    spellings: &[
        onnx(
            1,
            "RNN(input, weight, recurrence, bias, lengths, initial_hidden; hidden_size, direction, activations, \
             activation_alpha, activation_beta, clip, !output_sequence)",
        ),
        onnx(
            7,
            "RNN(input, weight, recurrence, bias, lengths, initial_hidden; hidden_size, direction, activations, \
             activation_alpha, activation_beta, clip)",
        ),
        onnx(
            14,
            "RNN(input, weight, recurrence, bias, lengths, initial_hidden; hidden_size, direction, activations, \
             activation_alpha, activation_beta, clip, layout:strict as batch_first)",
        ),
    ],
    define,
    examples: &[
        "rnn(f32[T,N,4], f32[1,5,4], f32[1,5,5], hidden_size=5) -> f32[T,1,N,5], f32[1,N,5]",
        "rnn(f32[3,2,4], f32[2,5,4], f32[2,5,5], f32[2,10], hidden_size=5, direction=bidirectional) -> f32[3,2,2,5], f32[2,2,5]",
        "rnn(f32[N,T,4], f32[1,5,4], f32[1,5,5], hidden_size=5, batch_first=true) -> f32[N,T,1,5], f32[N,1,5]",
        "rnn(f32[2,1,1]{1,2}, f32[1,1,1]{10}, f32[1,1,1]{3}, f32[1,2]{0.5,0.25}, hidden_size=1, activations=[Affine]) -> f32[2,1,1,1]{10.75,53}, f32[1,1,1]{53}",
        "rnn(f32[2,1,1]{1,2}, f32[1,1,1]{1}, f32[1,1,1]{10}, hidden_size=1, activations=[Relu], direction=reverse) -> f32[2,1,1,1]{21,2}, f32[1,1,1]{21}",
        "rnn(f32[2,1,1]{1,2}, f32[1,1,1]{1}, f32[1,1,1]{10}, hidden_size=1, activations=[relu], direction=reverse) -> f32[2,1,1,1]{21,2}, f32[1,1,1]{21}",
        "rnn(f32[2,2,1]{1,5,2,6}, f32[1,1,1]{1}, f32[1,1,1]{10}, _, i32[2]{2,1}, f32[1,2,1]{100,0}, hidden_size=1, activations=[Relu]) -> f32[2,1,2,1]{1001,5,10012,0}, f32[1,2,1]{10012,5}",
        "rnn(f32[1,1,1]{5}, f32[1,1,1]{1}, f32[1,1,1]{1}, hidden_size=1, activations=[Affine], activation_alpha=[2], activation_beta=[1], clip=3) -> f32[1,1,1,1]{7}",
        "rnn(f32[0,2,4], f32[1,5,4], f32[1,5,5], hidden_size=5) -> f32[0,1,2,5], f32[1,2,5]",
        "rnn(f32[3,4], f32[1,5,4], f32[1,5,5], hidden_size=5) fails: `input` has a time, a batch and a feature axis",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5]) fails: `hidden_size` is given",
        "rnn(f32[3,2,4], f32[1,0,4], f32[1,0,0], hidden_size=0) fails: `hidden_size` is positive",
        "rnn(f32[3,2,4], f32[1,5,3], f32[1,5,5], hidden_size=5) fails: `weight` has the shape [directions, hidden_size, features]",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,6], hidden_size=5) fails: `recurrence` has the shape [directions, hidden_size, hidden_size]",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], f32[1,5], hidden_size=5) fails: `bias` has the shape [directions, 2 * hidden_size]",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], _, i32[3], hidden_size=5) fails: `lengths` has one value per sequence",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], _, i32[2]{4,1}, hidden_size=5) fails: every length is within the time axis",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], _, _, f32[1,3,5], hidden_size=5) fails: `initial_hidden` has one vector per direction and sequence",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], hidden_size=5, activations=[Tanh,Tanh]) fails: `activations` has one name per direction",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], hidden_size=5, activations=[Sine]) fails: `activations` is one of Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], hidden_size=5, direction=up) fails: `direction` is one of forward, reverse, bidirectional",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], hidden_size=5, clip=0) fails: `clip` is positive",
        "rnn(i32[3,2,4], i32[1,5,4], i32[1,5,5], hidden_size=5) fails: `input` is floating point",
        "rnn(f32[3,2,4], f64[1,5,4], f32[1,5,5], hidden_size=5) fails: `weight` has the element type of `input`",
        "rnn(f32[3,2,4], f32[1,5,4], f64[1,5,5], hidden_size=5) fails: `recurrence` has the element type of `input`",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], f64[1,10], hidden_size=5) fails: `bias` has the element type of `input`",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], _, i64[2], hidden_size=5) fails: `lengths` is int32",
        "rnn(f32[3,2,4], f32[1,5,4], f32[1,5,5], _, _, f64[1,2,5], hidden_size=5) fails: `initial_hidden` has the element type of `input`",
    ],
};

static LAYER: Layer = Layer {
    gates: 1,
    activations: &["Tanh"],
    weight: "`weight` has the shape [directions, hidden_size, features]",
    recurrence: "`recurrence` has the shape [directions, hidden_size, hidden_size]",
    bias: "`bias` has the shape [directions, 2 * hidden_size]",
    enough_activations: "`activations` has one name per direction",
};

fn define(call: &mut Call) -> Outcome {
    let layer = Recurrence::read(call, &LAYER)?;
    let label = "`initial_hidden` has one vector per direction and sequence";
    let hidden = layer.initial(call, "initial_hidden", label);
    layer.outputs(vec![hidden], |layer, direction, activations, step, states| {
        let recurrent = layer.recurrent(direction, states[0]);
        let f = activations[0].clone();
        vec![Tensor::from_elements(recurrent.dtype(), recurrent.shape(), move |index| {
            f.apply_by_sigmoid(step.projected(0, index) + step.gate(recurrent, 0, index))
        })]
    })
}
