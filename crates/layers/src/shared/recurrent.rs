//! Recurrent layers over `[batch, time, features]`: what SimpleRNN, LSTM and GRU share.
//!
//! Shapes cost nothing; the steps are unrolled only when an engine asks for values.

use super::activation::{self, NAMES};
use crate::layer::{Weight, require_weights, weight};
use semantics::call::{Call, Outcome, Outputs, Stop};
use semantics::compose::{full, matmul, unknown_elements};
use semantics::dim::Dim;
use semantics::dtype::{BOOL, FLOAT};
use semantics::element::Element;
use semantics::operator::Category::IllegalValue;
use semantics::operator::{Input, Parameter, flag, int, tensor, word};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use std::rc::Rc;

pub const INPUTS: &[Input] = &[
    tensor("sequences", FLOAT),
    tensor("kernel", FLOAT).like("sequences").optional(),
    tensor("recurrent_kernel", FLOAT).like("sequences").optional(),
    tensor("bias", FLOAT).like("sequences").optional(),
    tensor("mask", BOOL).optional(),
];
pub const UNITS: Parameter = int("units");
pub const TANH: Parameter = word("activation", NAMES).or_word("tanh");
pub const SIGMOID: Parameter = word("recurrent_activation", NAMES).or_word("sigmoid");
pub const USE_BIAS: Parameter = flag("use_bias").or_flag(true);
pub const RETURN_SEQUENCES: Parameter = flag("return_sequences").or_flag(false);
pub const GO_BACKWARDS: Parameter = flag("go_backwards").or_flag(false);
pub const ZERO_OUTPUT_FOR_MASK: Parameter = flag("zero_output_for_mask").or_flag(false);

/// Sequences that are longer are not unrolled.
const MOST_STEPS: i64 = 10_000;

/// One step: from the states before it to those after it, the output first.
pub type Step = dyn Fn(&Cell, Tensor, &[Tensor]) -> Vec<Tensor>;

/// The weights and functions of a layer.
#[derive(Clone)]
pub struct Cell {
    kernel: Tensor,
    recurrent_kernel: Tensor,
    bias: Option<Tensor>,
    units: Dim,
    batch: Dim,
    /// The functions that are applied to gates and to what is remembered.
    gate: String,
    squash: String,
}

impl Cell {
    /// `x * kernel`, with the bias that belongs to it.
    pub fn projected(&self, x: Tensor) -> Tensor {
        with_bias(matmul(x, self.kernel, Shape::scalar()), self.bias, 0)
    }
    /// `state * recurrent_kernel`, with the second row of the bias if it has two.
    pub fn recurrent(&self, state: Tensor) -> Tensor {
        let product = matmul(state, self.recurrent_kernel, Shape::scalar());
        match self.bias {
            Some(bias) if bias.shape().known_rank() == Some(2) => with_bias(product, Some(bias), 1),
            _ => product,
        }
    }
    /// The product of a state with the columns of one gate.
    pub fn recurrent_gate(&self, state: Tensor, gate: i64) -> Tensor {
        let (kernel, units) = (self.recurrent_kernel, self.units);
        let columns = Tensor::from_elements(kernel.dtype(), Shape::new([units, units]), move |index| {
            kernel.at(&[index[0], units * gate + index[1]])
        });
        matmul(state, columns, Shape::scalar())
    }
    /// Gate `gate` of a product at an index `[batch, unit]`.
    pub fn of(&self, product: Tensor, gate: i64, index: &[Dim]) -> Element {
        product.at(&[index[0], self.units * gate + index[1]])
    }
    /// A gate, from what it is opened by.
    pub fn gate(&self, element: impl Fn(&[Dim]) -> Element + 'static) -> Tensor {
        self.after(&self.gate, element)
    }
    /// What is to be remembered or put out, squashed.
    pub fn squash(&self, element: impl Fn(&[Dim]) -> Element + 'static) -> Tensor {
        self.after(&self.squash, element)
    }
    fn after(&self, function: &str, element: impl Fn(&[Dim]) -> Element + 'static) -> Tensor {
        let state = self.state(element);
        // `walk` has asked whether the function is known.
        activation::applied(function, state).unwrap_or(state)
    }
    /// A state, element by element.
    pub fn state(&self, element: impl Fn(&[Dim]) -> Element + 'static) -> Tensor {
        Tensor::from_elements(self.kernel.dtype(), Shape::new([self.batch, self.units]), element)
    }
}

fn with_bias(product: Tensor, bias: Option<Tensor>, row: i64) -> Tensor {
    let Some(bias) = bias else { return product };
    let rows = bias.shape().known_rank() == Some(2);
    Tensor::from_elements(product.dtype(), product.shape(), move |index| {
        let added = if rows { bias.at(&[row.into(), index[1]]) } else { bias.at(&index[1..2]) };
        product.at(index) + added
    })
}

/// The weights of a layer whose columns belong to so many gates; `rows` of bias, if more than one.
pub fn weights(call: &mut Call, gates: i64, rows: Option<i64>) -> Result<Vec<Weight>, Stop> {
    let units = call.int("units")?;
    call.demand(IllegalValue, "`units` is positive", units.ge(1))?;
    let sequences = call.tensor("sequences")?;
    let [_, _, features] = call.dims("`sequences` has 3 axes: a batch, time, and features", sequences)?;
    let mut weights = vec![
        weight("kernel", Shape::new([features, units * gates])),
        weight("recurrent_kernel", Shape::new([units, units * gates])),
    ];
    if call.flag("use_bias")? {
        let columns = units * gates;
        let shape = rows.map_or_else(|| Shape::new([columns]), |rows| Shape::new([rows.into(), columns]));
        weights.push(weight("bias", shape));
    }
    Ok(weights)
}

/// Walks over time with `states` states that start at zero.
pub fn walk(call: &mut Call, weights: &[Weight], states: usize, step: Rc<Step>) -> Outcome {
    require_weights(call, weights)?;
    let sequences = call.tensor("sequences")?;
    let [batch, time, features] =
        call.dims("`sequences` has 3 axes: a batch, time, and features", sequences)?;
    let units = call.int("units")?;
    let mask = call.optional("mask");
    if let Some(mask) = mask {
        let label = "the mask has a truth for each time of each sequence";
        call.require_shape(label, mask.shape().same(Shape::new([batch, time])));
    }
    let function = |call: &Call, name: &str| {
        let word = call.text(name)?;
        match word == "softmax" || activation::function(&word).is_some() {
            true => Ok(word),
            false => Err(Stop::Unknown(format!("the activation `{word}` is not modelled here"))),
        }
    };
    let squash = function(call, "activation")?;
    let has_gates = call.operator.parameters.iter().any(|parameter| parameter.name == "recurrent_activation");
    let gate = if has_gates { function(call, "recurrent_activation")? } else { squash.clone() };
    let bias = if call.flag("use_bias")? { Some(call.tensor("bias")?) } else { None };
    let (kernel, recurrent_kernel) = (call.tensor("kernel")?, call.tensor("recurrent_kernel")?);
    let cell = Cell { kernel, recurrent_kernel, bias, units, batch, gate, squash };
    let (all, backwards) = (call.flag("return_sequences")?, call.flag("go_backwards")?);
    let zero_if_masked = call.flag("zero_output_for_mask")?;

    let (dtype, state) = (sequences.dtype(), Shape::new([batch, units]));
    let output = if all { Shape::new([batch, time, units]) } else { state };
    let outputs: Vec<_> =
        [output].into_iter().chain(vec![state; states]).map(|shape| (dtype, shape)).collect();
    let Some(steps) = time.known().filter(|steps| *steps <= MOST_STEPS) else {
        call.lost.push("the values: it is not known how many steps there are".into());
        return Ok(outputs
            .into_iter()
            .map(|(dtype, shape)| unknown_elements(dtype, shape))
            .collect::<Outputs>());
    };
    Ok(Tensor::composed(outputs, move || {
        let zero = full(sequences.kind(), state, 0.0);
        let mut now = vec![zero; states];
        let (mut last, mut made) = (zero, Vec::new());
        for number in 0..steps {
            let at = Dim::from(if backwards { steps - 1 - number } else { number });
            let x = Tensor::from_elements(dtype, Shape::new([batch, features]), move |index| {
                sequences.at(&[index[0], at, index[1]])
            });
            let next = step(&cell, x, &now);
            let running = |new: Tensor, old: Tensor| match mask {
                None => new,
                Some(mask) => {
                    cell.state(move |index| mask.at(&[index[0], at]).select(new.at(index), old.at(index)))
                }
            };
            last = running(next[0], if zero_if_masked { zero } else { last });
            now = std::iter::zip(next, &now).map(|(new, &old)| running(new, old)).collect();
            made.push(last);
        }
        let output = if all { over_time(sequences.kind(), &cell, &made) } else { last };
        [output].into_iter().chain(now).collect()
    }))
}

/// The outputs of all steps, in the order in which they were made.
fn over_time(kind: semantics::dtype::Kind, cell: &Cell, made: &[Tensor]) -> Tensor {
    let shape = Shape::new([cell.batch, made.len().into(), cell.units]);
    let made: Rc<[Tensor]> = made.into();
    Tensor::from_elements(kind, shape, move |index| {
        let zero = Element::constant(kind, 0.0);
        made.iter().enumerate().fold(zero, |found, (k, output)| {
            Element::when(index[1].eq(k), output.at(&[index[0], index[2]]), found)
        })
    })
}
