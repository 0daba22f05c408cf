//! Recurrent layers: what RNN, GRU and LSTM share.
//!
//! A layer walks over time, forward, backward or both, and carries one or two states of `[batch, hidden_size]`.
//! Shapes cost nothing; the steps are unrolled only when an engine asks for values.

use crate::call::{Call, Outcome, Stop};
use crate::compose::{broadcast_to, full, matmul, transpose, unknown_elements};
use crate::dim::Dim;
use crate::dtype::DType;
use crate::element::Element;
use crate::operator::{Category, Parameter, flag, float, floats, int, word, words};
use crate::prop::Prop;
use crate::shape::{Shape, Slot};
use crate::tensor::Tensor;
use std::rc::Rc;

/// The parameters that every recurrent layer has.
pub const HIDDEN_SIZE: Parameter = int("hidden_size");
pub const DIRECTION: Parameter =
    word("direction", &["forward", "reverse", "bidirectional"]).or_word("forward");
pub const ACTIVATIONS: Parameter = words("activations", ACTIVATION_NAMES).optional();
pub const ACTIVATION_ALPHA: Parameter = floats("activation_alpha").optional();
pub const ACTIVATION_BETA: Parameter = floats("activation_beta").optional();
pub const CLIP: Parameter = float("clip").optional();
pub const BATCH_FIRST: Parameter = flag("batch_first").or_flag(false);

const ACTIVATION_NAMES: &[&str] = &[
    "Relu",
    "Tanh",
    "Sigmoid",
    "Affine",
    "LeakyRelu",
    "ThresholdedRelu",
    "ScaledTanh",
    "HardSigmoid",
    "Elu",
    "Softsign",
    "Softplus",
];

/// Sequences that are longer are not unrolled.
const MOST_STEPS: i64 = 10_000;

/// What distinguishes one kind of layer from another, apart from its step.
pub struct Layer {
    /// How many gates the rows of the weights belong to.
    pub gates: i64,
    /// The functions of one direction where none are named.
    pub activations: &'static [&'static str],
    pub weight: &'static str,
    pub recurrence: &'static str,
    pub bias: &'static str,
    pub enough_activations: &'static str,
}

/// A call of a recurrent layer, checked.
#[derive(Clone)]
pub struct Recurrence {
    input: Tensor,
    weight: Tensor,
    recurrence: Tensor,
    bias: Option<Tensor>,
    lengths: Option<Tensor>,
    batch_first: bool,
    /// Per direction whether it walks backward.
    backward: Vec<bool>,
    /// Those of the first direction, then those of the second.
    activations: Vec<Activation>,
    gates: i64,
    steps: Dim,
    batch: Dim,
    pub hidden: Dim,
}

/// One step of one direction: what a layer's formulas are written with.
#[derive(Clone, Copy)]
pub struct Step {
    /// `input * weight + bias` of all times: `[time, batch, gates * hidden_size]`.
    projected: Tensor,
    hidden: Dim,
    /// Which step it is; without lengths also, seen from the direction's start, which time.
    number: i64,
    steps: Dim,
    backward: bool,
    lengths: Option<Tensor>,
}

impl Step {
    /// Gate `gate` of the projected input at an index `[batch, unit]`.
    pub fn projected(self, gate: i64, index: &[Dim]) -> Element {
        // Beyond a sequence's end the result is thrown away, but the place must exist.
        let time = place(self.number.into(), self.end(index[0]), self.backward).max(0);
        self.projected.at(&[time, index[0], self.hidden * gate + index[1]])
    }
    /// Gate `gate` of a recurrent product at an index `[batch, unit]`.
    pub fn gate(self, product: Tensor, gate: i64, index: &[Dim]) -> Element {
        product.at(&[index[0], self.hidden * gate + index[1]])
    }
    /// How long a sequence of the batch is.
    fn end(self, sequence: Dim) -> Dim {
        self.lengths.map_or(self.steps, |lengths| lengths.at(&[sequence]).as_index())
    }
}

/// The time of a step, and the step of a time: walking backward starts at the sequence's own end.
fn place(number: Dim, end: Dim, backward: bool) -> Dim {
    if backward { end - 1 - number } else { number }
}

impl Recurrence {
    /// Reads the inputs and parameters that every recurrent layer has, and states what must hold.
    pub fn read(call: &mut Call, layer: &Layer) -> Result<Recurrence, Stop> {
        let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
        let (recurrence, bias) = (call.tensor("recurrence")?, call.optional("bias"));
        let lengths = call.optional("lengths");
        let batch_first = call.flag("batch_first")?;
        let [first, second, features] = call.dims("`input` has a time, a batch and a feature axis", input)?;
        let (steps, batch) = if batch_first { (second, first) } else { (first, second) };
        let hidden = call.int("hidden_size")?;
        call.demand(Category::IllegalValue, "`hidden_size` is positive", hidden.ge(1))?;
        let backward = match call.text("direction")?.as_str() {
            "bidirectional" => vec![false, true],
            "reverse" => vec![true],
            _ => vec![false],
        };

        let rows = hidden * layer.gates;
        let directions = Dim::from(backward.len());
        let mut fits = |label: &'static str, tensor: Tensor, sizes: &[Dim]| {
            call.require_shape(label, tensor.shape().same(Shape::new(sizes.iter().copied())));
        };
        fits(layer.weight, weight, &[directions, rows, features]);
        fits(layer.recurrence, recurrence, &[directions, rows, hidden]);
        if let Some(bias) = bias {
            fits(layer.bias, bias, &[directions, 2 * rows]);
        }
        if let Some(lengths) = lengths {
            fits("`lengths` has one value per sequence", lengths, &[batch]);
            call.require_of("every length is within the time axis", lengths, |values| {
                Prop::all(values.iter().map(|length| length.within(0, steps + 1)))
            });
        }
        let activations = read_activations(call, layer, backward.len())?;
        let gates = layer.gates;
        let recurrence = Recurrence {
            input,
            weight,
            recurrence,
            bias,
            lengths,
            batch_first,
            backward,
            activations,
            gates,
            steps,
            batch,
            hidden,
        };
        Ok(recurrence)
    }

    /// Reads the first value of a state, and states that it has one vector per direction and sequence.
    pub fn initial(&self, call: &mut Call, name: &str, label: &'static str) -> Option<Tensor> {
        let state = call.optional(name)?;
        call.require_shape(label, state.shape().same(self.state_shape()));
        Some(state)
    }

    pub fn directions(&self) -> Dim {
        self.backward.len().into()
    }
    fn state_shape(&self) -> Shape {
        let sizes = [self.directions(), self.batch, self.hidden];
        if self.batch_first { Shape::new([sizes[1], sizes[0], sizes[2]]) } else { Shape::new(sizes) }
    }
    /// The activation functions of a direction.
    fn activations(&self, direction: usize) -> Vec<Activation> {
        let each = self.activations.len() / self.backward.len();
        self.activations[direction * each..(direction + 1) * each].to_vec()
    }

    /// Walks over time. `step` gives the new states, the output first, from the old ones; it is also given
    /// the direction's number and activation functions.
    /// The outputs are the first state at all times, then every state at the end.
    pub fn outputs(
        self,
        initial: Vec<Option<Tensor>>,
        step: impl Fn(&Recurrence, usize, &[Activation], Step, &[Tensor]) -> Vec<Tensor> + 'static,
    ) -> Outcome {
        let dtype = self.input.dtype();
        let sizes = [self.steps, self.directions(), self.batch, self.hidden];
        let all_times = match self.batch_first {
            true => Shape::new([sizes[2], sizes[0], sizes[1], sizes[3]]),
            false => Shape::new(sizes),
        };
        let mut shapes: Vec<(DType, Shape)> = vec![(dtype, all_times)];
        shapes.extend(initial.iter().map(|_| (dtype, self.state_shape())));
        let declared = shapes.clone();
        Ok(Tensor::composed(shapes, move || {
            // Only a known number of steps can be unrolled, and not any number.
            let Some(steps) = self.steps.known().filter(|&steps| steps <= MOST_STEPS) else {
                return declared.iter().map(|&(dtype, shape)| unknown_elements(dtype, shape)).collect();
            };
            let walks: Vec<Walk> = (0..self.backward.len())
                .map(|direction| self.walk(direction, steps, &initial, &step))
                .collect();
            let mut outputs = vec![self.over_time(&walks)];
            outputs.extend((0..initial.len()).map(|state| self.at_end(&walks, state)));
            outputs
        }))
    }

    fn walk(
        &self,
        direction: usize,
        steps: i64,
        initial: &[Option<Tensor>],
        step: &impl Fn(&Recurrence, usize, &[Activation], Step, &[Tensor]) -> Vec<Tensor>,
    ) -> Walk {
        let one_state = Shape::new([self.batch, self.hidden]);
        let batch_first = self.batch_first;
        let mut states: Vec<Tensor> = initial
            .iter()
            .map(|initial| match *initial {
                None => full(self.input.kind(), one_state, 0.0),
                Some(initial) => Tensor::from_elements(initial.dtype(), one_state, move |index| {
                    let of_direction = Dim::from(direction);
                    match batch_first {
                        true => initial.at(&[index[0], of_direction, index[1]]),
                        false => initial.at(&[of_direction, index[0], index[1]]),
                    }
                }),
            })
            .collect();
        let projected = self.projected(direction);
        let activations = self.activations(direction);
        let mut outputs = Vec::new();
        for number in 0..steps {
            let now = Step {
                projected,
                hidden: self.hidden,
                number,
                steps: self.steps,
                backward: self.backward[direction],
                lengths: self.lengths,
            };
            let next = step(self, direction, &activations, now, &states);
            // A sequence that has ended keeps its states.
            states = match self.lengths {
                None => next,
                Some(_) => std::iter::zip(states, next)
                    .map(|(old, new)| {
                        Tensor::from_elements(new.dtype(), one_state, move |index| {
                            let running = now.end(index[0]).gt(number);
                            Element::when(running, new.at(index), old.at(index))
                        })
                    })
                    .collect(),
            };
            outputs.push(states[0]);
        }
        Walk { outputs, states }
    }

    /// `input * weight + bias` at all times.
    fn projected(&self, direction: usize) -> Tensor {
        let input = if self.batch_first { transpose(self.input, &[1, 0, 2]) } else { self.input };
        let product = matmul(input, self.matrix(self.weight, direction), Shape::new([self.steps]));
        self.with_bias(product, direction, 0)
    }
    /// `state * recurrence + bias`: `[batch, gates * hidden_size]`.
    pub fn recurrent(&self, direction: usize, state: Tensor) -> Tensor {
        let product = matmul(state, self.matrix(self.recurrence, direction), Shape::scalar());
        self.with_bias(product, direction, 1)
    }
    /// The weights of a direction, one column per gate and unit.
    fn matrix(&self, weights: Tensor, direction: usize) -> Tensor {
        let shape = Shape::new([weights.shape().size(Slot::Front(2)), self.hidden * self.gates]);
        Tensor::from_elements(weights.dtype(), shape, move |index| {
            weights.at(&[Dim::from(direction), index[1], index[0]])
        })
    }
    /// Adds the bias of the input (`half` 0) or of the recurrence (1).
    fn with_bias(&self, product: Tensor, direction: usize, half: i64) -> Tensor {
        let Some(bias) = self.bias else { return product };
        let skipped = self.hidden * (self.gates * half);
        let row = Tensor::from_elements(bias.dtype(), Shape::new([self.hidden * self.gates]), move |index| {
            bias.at(&[Dim::from(direction), skipped + index[0]])
        });
        let row = broadcast_to(row, product.shape());
        Tensor::from_elements(product.dtype(), product.shape(), move |index| {
            product.at(index) + row.at(index)
        })
    }

    fn over_time(&self, walks: &[Walk]) -> Tensor {
        let sizes = [self.steps, self.directions(), self.batch, self.hidden];
        let (kind, steps, lengths) = (self.input.kind(), self.steps, self.lengths);
        let walks: Rc<[(bool, Vec<Tensor>)]> =
            self.backward.iter().copied().zip(walks.iter().map(|walk| walk.outputs.clone())).collect();
        let output = Tensor::from_elements(kind, Shape::new(sizes), move |index| {
            let (time, direction, sequence) = (index[0], index[1], index[2]);
            let end = lengths.map_or(steps, |lengths| lengths.at(&[sequence]).as_index());
            let zero = Element::constant(kind, 0.0);
            let mut element = zero;
            for (number, (backward, outputs)) in walks.iter().enumerate() {
                let step = place(time, end, *backward);
                let mut found = zero;
                for (k, output) in outputs.iter().enumerate() {
                    found = Element::when(step.eq(k), output.at(&[sequence, index[3]]), found);
                }
                element = Element::when(direction.eq(number), found, element);
            }
            Element::when(time.lt(end), element, zero)
        });
        if self.batch_first { transpose(output, &[2, 0, 1, 3]) } else { output }
    }

    /// A state after the last step. That of a sequence of length 0 is zero, whatever it started from.
    fn at_end(&self, walks: &[Walk], state: usize) -> Tensor {
        let states: Vec<Tensor> = walks.iter().map(|walk| walk.states[state]).collect();
        let (batch_first, lengths) = (self.batch_first, self.lengths);
        Tensor::from_elements(self.input.dtype(), self.state_shape(), move |index| {
            let (direction, sequence) = if batch_first { (index[1], index[0]) } else { (index[0], index[1]) };
            let at = |state: Tensor| state.at(&[sequence, index[2]]);
            let end = states[1..].iter().enumerate().fold(at(states[0]), |element, (k, &state)| {
                Element::when(direction.eq(k + 1), at(state), element)
            });
            let Some(lengths) = lengths else { return end };
            let zero = Element::constant(end.kind(), 0.0);
            Element::when(lengths.at(&[sequence]).as_index().gt(0), end, zero)
        })
    }
}

/// The outputs of all steps of one direction, and the states after the last.
struct Walk {
    outputs: Vec<Tensor>,
    states: Vec<Tensor>,
}

/// An activation function, applied to what `clip` lets through.
#[derive(Clone, Debug)]
pub struct Activation {
    name: &'static str,
    alpha: f64,
    beta: f64,
    clip: Option<f64>,
}

fn read_activations(call: &mut Call, layer: &Layer, directions: usize) -> Result<Vec<Activation>, Stop> {
    let count = layer.activations.len() * directions;
    let default = || layer.activations.iter().cycle().take(count).map(|name| name.to_string()).collect();
    let names: Vec<String> = call.optional_texts("activations")?.unwrap_or_else(default);
    call.insist(Category::IllegalValue, layer.enough_activations, names.len() == count)?;
    let clip = call.optional_float("clip")?;
    call.insist(Category::IllegalValue, "`clip` is positive", clip.is_none_or(|clip| clip > 0.0))?;
    let mut alphas = call.optional_floats("activation_alpha")?.unwrap_or_default().into_iter();
    let mut betas = call.optional_floats("activation_beta")?.unwrap_or_default().into_iter();
    let named = names.into_iter().map(|given| {
        let as_listed = |name: &&&str| name.eq_ignore_ascii_case(&given);
        let name = ACTIVATION_NAMES.iter().find(as_listed).map_or("Tanh", |name| *name);
        // Each function takes as many of the numbers given as it needs; only ONNX gives any, in single precision.
        let (alpha, beta) = match name {
            "Affine" | "ScaledTanh" => (Some(1.0), Some(if name == "Affine" { 0.0 } else { 1.0 })),
            "HardSigmoid" => (Some(f64::from(0.2_f32)), Some(0.5)),
            "LeakyRelu" => (Some(f64::from(0.01_f32)), None),
            "ThresholdedRelu" | "Elu" => (Some(1.0), None),
            _ => (None, None),
        };
        let alpha = alpha.map_or(0.0, |default| alphas.next().unwrap_or(default));
        let beta = beta.map_or(0.0, |default| betas.next().unwrap_or(default));
        Activation { name, alpha, beta, clip }
    });
    Ok(named.collect())
}

impl Activation {
    pub fn apply(&self, x: Element) -> Element {
        self.apply_unclipped(self.clipped(x))
    }
    /// The same, `tanh` as `2 sigmoid(2 x) - 1`: so ONNX Runtime computes plain recurrent layers, and near zero no
    /// more than the roundings of 1 are left of it.
    pub fn apply_by_sigmoid(&self, x: Element) -> Element {
        match self.name {
            "Tanh" => (self.clipped(x) * 2.0).sigmoid() * 2.0 - 1.0,
            _ => self.apply(x),
        }
    }
    fn clipped(&self, x: Element) -> Element {
        self.clip.map_or(x, |clip| x.max(-clip).min(clip))
    }
    pub fn apply_unclipped(&self, x: Element) -> Element {
        let (alpha, beta) = (self.alpha, self.beta);
        match self.name {
            "Relu" => x.max(0.0),
            "Sigmoid" => x.sigmoid(),
            "Affine" => x * alpha + beta,
            "LeakyRelu" => x.ge(0.0).select(x, x * alpha),
            "ThresholdedRelu" => x.ge(alpha).select(x, Element::constant(x.kind(), 0.0)),
            "ScaledTanh" => (x * beta).tanh() * alpha,
            "HardSigmoid" => (x * alpha + beta).max(0.0).min(1.0),
            "Elu" => x.ge(0.0).select(x, x.expm1() * alpha),
            "Softsign" => x / (x.abs() + 1.0),
            "Softplus" => x.max(0.0) + (-x.abs()).exp().log1p(),
            _ => x.tanh(),
        }
    }
}
