//! A recurrent layer with a long and a short memory.

use super::prelude::*;
use crate::recurrence::*;

pub static OPERATOR: Operator = Operator {
    name: "lstm",
    summary: "A recurrent layer that keeps a cell beside its state (gates: input, output, forget, cell), with optional \
              peepholes.",
    inputs: &[
        tensor("input", FLOAT),
        tensor("weight", FLOAT).like("input"),
        tensor("recurrence", FLOAT).like("input"),
        tensor("bias", FLOAT).like("input").optional(),
        tensor("lengths", INT32).optional(),
        tensor("initial_hidden", FLOAT).like("input").optional(),
        tensor("initial_cell", FLOAT).like("input").optional(),
        tensor("peepholes", FLOAT).like("input").optional(),
    ],
    parameters: &[
        HIDDEN_SIZE,
        DIRECTION,
        ACTIVATIONS,
        ACTIVATION_ALPHA,
        ACTIVATION_BETA,
        CLIP,
        BATCH_FIRST,
        flag("input_forget").or_flag(false),
    ],
    outputs: &["output?", "hidden?", "cell?"],
    spellings: &[
        onnx(
            1,
            "LSTM(input, weight, recurrence, bias, lengths, initial_hidden, initial_cell, peepholes; hidden_size, \
             direction, activations, activation_alpha, activation_beta, clip, input_forget, !output_sequence)",
        ),
        onnx(
            7,
            "LSTM(input, weight, recurrence, bias, lengths, initial_hidden, initial_cell, peepholes; hidden_size, \
             direction, activations, activation_alpha, activation_beta, clip, input_forget)",
        ),
        onnx(
            14,
            "LSTM(input, weight, recurrence, bias, lengths, initial_hidden, initial_cell, peepholes; hidden_size, \
             direction, activations, activation_alpha, activation_beta, clip, input_forget, layout:strict as batch_first)",
        ),
    ],
    define,
    examples: &[
        "lstm(f32[T,N,4], f32[1,20,4], f32[1,20,5], hidden_size=5) -> f32[T,1,N,5], f32[1,N,5], f32[1,N,5]",
        "lstm(f32[3,2,4], f32[2,20,4], f32[2,20,5], f32[2,40], hidden_size=5, direction=bidirectional) -> f32[3,2,2,5], f32[2,2,5], f32[2,2,5]",
        "lstm(f32[N,T,4], f32[1,20,4], f32[1,20,5], hidden_size=5, batch_first=true) -> f32[N,T,1,5], f32[N,1,5], f32[N,1,5]",
        "lstm(f32[1,1,1]{1}, f32[1,4,1]{2,3,5,7}, f32[1,4,1]{0,0,0,0}, _, _, _, f32[1,1,1]{10}, hidden_size=1, activations=[Affine,Affine,Affine]) -> f32[1,1,1,1]{192}, f32[1,1,1]{192}, f32[1,1,1]{64}",
        "lstm(f32[1,1,1]{1}, f32[1,4,1]{2,3,5,7}, f32[1,4,1]{0,0,0,0}, _, _, _, f32[1,1,1]{10}, f32[1,3]{0.1,0.01,0.2}, hidden_size=1, activations=[Affine,Affine,Affine]) -> f32[1,1,1,1]{355.81}, f32[1,1,1]{355.81}, f32[1,1,1]{91}",
        "lstm(f32[1,1,1]{1}, f32[1,4,1]{2,3,5,7}, f32[1,4,1]{0,0,0,0}, _, _, _, f32[1,1,1]{10}, hidden_size=1, activations=[Affine,Affine,Affine], input_forget=true) -> f32[1,1,1,1]{12}, f32[1,1,1]{12}, f32[1,1,1]{4}",
        "lstm(f32[3,4], f32[1,20,4], f32[1,20,5], hidden_size=5) fails: `input` has a time, a batch and a feature axis",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5]) fails: `hidden_size` is given",
        "lstm(f32[3,2,4], f32[1,0,4], f32[1,0,0], hidden_size=0) fails: `hidden_size` is positive",
        "lstm(f32[3,2,4], f32[1,20,3], f32[1,20,5], hidden_size=5) fails: `weight` has the shape [directions, 4 * hidden_size, features]",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,6], hidden_size=5) fails: `recurrence` has the shape [directions, 4 * hidden_size, hidden_size]",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], f32[1,20], hidden_size=5) fails: `bias` has the shape [directions, 8 * hidden_size]",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, i32[3], hidden_size=5) fails: `lengths` has one value per sequence",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, i32[2]{4,1}, hidden_size=5) fails: every length is within the time axis",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, _, f32[1,3,5], hidden_size=5) fails: `initial_hidden` has one vector per direction and sequence",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, _, _, f32[1,3,5], hidden_size=5) fails: `initial_cell` has one vector per direction and sequence",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, _, _, _, f32[1,20], hidden_size=5) fails: `peepholes` has the shape [directions, 3 * hidden_size]",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], hidden_size=5, activations=[Tanh]) fails: `activations` has three names per direction",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], hidden_size=5, activations=[Sine,Tanh,Tanh]) fails: `activations` is one of Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh, HardSigmoid, Elu, Softsign, Softplus",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], hidden_size=5, direction=up) fails: `direction` is one of forward, reverse, bidirectional",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], hidden_size=5, clip=-1) fails: `clip` is positive",
        "lstm(i32[3,2,4], i32[1,20,4], i32[1,20,5], hidden_size=5) fails: `input` is floating point",
        "lstm(f32[3,2,4], f64[1,20,4], f32[1,20,5], hidden_size=5) fails: `weight` has the element type of `input`",
        "lstm(f32[3,2,4], f32[1,20,4], f64[1,20,5], hidden_size=5) fails: `recurrence` has the element type of `input`",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], f64[1,40], hidden_size=5) fails: `bias` has the element type of `input`",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, i64[2], hidden_size=5) fails: `lengths` is int32",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, _, f64[1,2,5], hidden_size=5) fails: `initial_hidden` has the element type of `input`",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, _, _, f64[1,2,5], hidden_size=5) fails: `initial_cell` has the element type of `input`",
        "lstm(f32[3,2,4], f32[1,20,4], f32[1,20,5], _, _, _, _, f64[1,15], hidden_size=5) fails: `peepholes` has the element type of `input`",
    ],
};

static LAYER: Layer = Layer {
    gates: 4,
    activations: &["Sigmoid", "Tanh", "Tanh"],
    weight: "`weight` has the shape [directions, 4 * hidden_size, features]",
    recurrence: "`recurrence` has the shape [directions, 4 * hidden_size, hidden_size]",
    bias: "`bias` has the shape [directions, 8 * hidden_size]",
    enough_activations: "`activations` has three names per direction",
};
/// The order of gates in the weights; the peepholes have the first three.
const INPUT: i64 = 0;
const OUTPUT: i64 = 1;
const FORGET: i64 = 2;
const CELL: i64 = 3;

fn define(call: &mut Call) -> Outcome {
    let layer = Recurrence::read(call, &LAYER)?;
    let label = "`initial_hidden` has one vector per direction and sequence";
    let hidden = layer.initial(call, "initial_hidden", label);
    let label = "`initial_cell` has one vector per direction and sequence";
    let cell = layer.initial(call, "initial_cell", label);
    let peepholes = call.optional("peepholes");
    let size = layer.hidden;
    if let Some(peepholes) = peepholes {
        let shape = Shape::new([layer.directions(), 3 * size]);
        let label = "`peepholes` has the shape [directions, 3 * hidden_size]";
        call.require_shape(label, peepholes.shape().same(shape));
    }
    let input_forget = call.flag("input_forget")?;
    layer.outputs(vec![hidden, cell], move |layer, direction, activations, step, states| {
        let old = states[1];
        let (dtype, shape) = (old.dtype(), old.shape());
        let recurrent = layer.recurrent(direction, states[0]);
        let sum =
            move |gate: i64, index: &[Dim]| step.projected(gate, index) + step.gate(recurrent, gate, index);
        // A gate sees the cell through its peephole.
        let gate = |gate: i64, cell: Tensor| {
            let f = activations[0].clone();
            Tensor::from_elements(dtype, shape, move |index| {
                let own = sum(gate, index);
                f.apply(peepholes.map_or(own, |peepholes| {
                    own + peepholes.at(&[Dim::from(direction), size * gate + index[1]]) * cell.at(index)
                }))
            })
        };
        let taken = gate(INPUT, old);
        let kept = match input_forget {
            true => map(taken, dtype, |taken| 1.0 - taken),
            false => gate(FORGET, old),
        };
        let (g, h) = (activations[1].clone(), activations[2].clone());
        let cell = Tensor::from_elements(dtype, shape, move |index| {
            kept.at(index) * old.at(index) + taken.at(index) * g.apply(sum(CELL, index))
        });
        let shown = gate(OUTPUT, cell);
        // Runtimes clip what enters the gates, not the cell.
        vec![zip(shown, cell, dtype, shape, move |shown, cell| shown * h.apply_unclipped(cell)), cell]
    })
}
