//! The cells of SimpleRNN, LSTM and GRU: one step of each over `[batch, features]`.
//!
//! A cell is read from any call that has its arguments and weights by name: that of the cell itself, or that of the
//! layer which walks with it.

use super::activation::{self, NAMES};
use super::recurrent::{self, State, Walk};
use crate::layer::{Inner, Weight, in_floats, require_weights, weight};
use semantics::call::{Call, Outcome, Outputs, Prepared, Stop};
use semantics::compose::{broadcast_to, matmul, reshape};
use semantics::dim::Dim;
use semantics::dtype::{FLOAT, Kind, REAL_OR_BOOL};
use semantics::element::Element;
use semantics::operator::Category::{IllegalValue, IncompatibleShape, ToleratedValue, UnsupportedValue};
use semantics::operator::{Backend, Input, Operator, Parameter, flag, float, int, tensor, word};
use semantics::prop::Prop;
use semantics::shape::{Shape, Slot::Back, Slot::Front};
use semantics::tensor::Tensor;
use std::rc::Rc;

pub const UNITS: Parameter = int("units");
pub const TANH: Parameter = word("activation", NAMES).or_word("tanh");
pub const SIGMOID: Parameter = word("recurrent_activation", NAMES).or_word("sigmoid");
pub const USE_BIAS: Parameter = flag("use_bias").or_flag(true);
/// Whether states lose something while training; then gates are computed one by one.
/// What is dropped while a model is trained is scaled, which whole numbers cannot be. It stays as it is in a prediction.
pub const DROPOUT: Parameter = float("dropout").or_float(0.0);
pub const RECURRENT_DROPOUT: Parameter = float("recurrent_dropout").or_float(0.0);
pub const RESET_AFTER: Parameter = flag("reset_after").or_flag(true);
pub const INPUTS: &[Input] = &[
    tensor("inputs", REAL_OR_BOOL),
    tensor("kernel", FLOAT).optional(),
    tensor("recurrent_kernel", FLOAT).like("kernel").optional(),
    tensor("bias", FLOAT).like("kernel").optional(),
    tensor("states", FLOAT).variadic(),
];
pub const TAKES: &[&str] = &["inputs", "states"];

/// What kind of cell it is.
pub struct Recipe {
    /// The columns of the weights belong to so many gates.
    pub gates: i64,
    pub states: usize,
    /// Whether the bias has a second row, for the state, where `reset_after` is set.
    pub resets: bool,
    /// What is cut into gates along its second axis, unless they are computed one by one.
    pub cut: Cut,
    /// The states after a step, the output first.
    pub step: fn(&Cell, Tensor, &[Tensor]) -> Vec<Tensor>,
}

/// What gates are cut from.
#[derive(Clone, Copy, PartialEq)]
pub enum Cut {
    Nothing,
    /// The product with a state.
    States,
    /// The sum of all products.
    Sum,
}

/// The weights and functions of a cell.
#[derive(Clone)]
pub struct Cell {
    recipe: &'static Recipe,
    kernel: Tensor,
    recurrent_kernel: Tensor,
    bias: Option<Tensor>,
    units: Dim,
    batch: Dim,
    /// The functions that are applied to gates and to what is remembered.
    gate: String,
    squash: String,
    pub reset_after: bool,
    /// Whether gates are computed one by one.
    apart: bool,
    /// Whether some of what it is given is dropped while it is trained.
    drops: bool,
}

impl Cell {
    /// The cell of a call that has its arguments and weights, for so many sequences.
    pub fn read(call: &Call, recipe: &'static Recipe, batch: Dim) -> Result<Cell, Stop> {
        let has = |name: &str| call.operator.parameters.iter().any(|parameter| parameter.name == name);
        let function = |name: &str| {
            let word = call.text(name)?;
            match word == "softmax" || activation::function(&word).is_some() {
                true => Ok(word),
                false => Err(Stop::Unknown(format!("the activation `{word}` is not modelled here"))),
            }
        };
        let squash = function("activation")?;
        let gate =
            if has("recurrent_activation") { function("recurrent_activation")? } else { squash.clone() };
        Ok(Cell {
            recipe,
            kernel: call.tensor("kernel")?,
            recurrent_kernel: call.tensor("recurrent_kernel")?,
            bias: if call.flag("use_bias")? { Some(call.tensor("bias")?) } else { None },
            units: call.int("units")?,
            batch,
            gate,
            squash,
            reset_after: recipe.resets && call.flag("reset_after")?,
            apart: has("recurrent_dropout") && call.float("recurrent_dropout")? > 0.0,
            drops: has("dropout") && call.float("dropout")? > 0.0,
        })
    }
    /// States that what it drops can be scaled: the mask that says what is dropped is made for a prediction, too.
    pub fn require_floats_to_drop(&self, call: &mut Call, given: Tensor) {
        if self.drops {
            let scaled = given.dtype().known().is_none_or(Kind::is_float);
            call.require(UnsupportedValue, "what is dropped is floating point", scaled.into());
        }
    }
    pub fn units(&self) -> Dim {
        self.units
    }
    pub fn step(&self, x: Tensor, states: &[Tensor]) -> Vec<Tensor> {
        (self.recipe.step)(self, x, states)
    }
    /// Its states: the output, which is multiplied with weights, and what is only remembered.
    pub fn states(&self) -> Vec<State> {
        let shape = Shape::new([self.batch, self.units]);
        // What is cut has a batch; what is multiplied has units.
        let least = |k: usize| match (k, self.recipe.cut) {
            (0, Cut::States) => 2,
            (0, _) => 1,
            _ => 0,
        };
        (0..self.recipe.states).map(|k| State { shape, weighed: k == 0, least_rank: least(k) }).collect()
    }
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
    /// What is to be put out of something remembered, squashed.
    pub fn squashed(&self, remembered: Tensor) -> Tensor {
        // `read` has asked whether the function is known.
        activation::applied(&self.squash, remembered).unwrap_or(remembered)
    }
    fn after(&self, function: &str, element: impl Fn(&[Dim]) -> Element + 'static) -> Tensor {
        let state = self.state(element);
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

/// The weights of a cell that is given so many features.
pub fn weights(call: &mut Call, recipe: &Recipe, features: Dim) -> Result<Vec<Weight>, Stop> {
    let units = call.int("units")?;
    call.demand(IllegalValue, "`units` is positive", units.ge(1))?;
    let columns = units * recipe.gates;
    let mut weights = vec![
        weight("kernel", Shape::new([features, columns])),
        weight("recurrent_kernel", Shape::new([units, columns])),
    ];
    if call.flag("use_bias")? {
        let rows = recipe.resets && call.flag("reset_after")?;
        let shape = if rows { Shape::new([2.into(), columns]) } else { Shape::new([columns]) };
        weights.push(weight("bias", shape));
    }
    Ok(weights)
}

/// The weights of a cell that is a layer of its own.
pub fn own_weights(call: &mut Call, recipe: &Recipe) -> Result<Vec<Weight>, Stop> {
    let input = call.tensor("inputs")?;
    call.demand(IncompatibleShape, FEATURES, input.shape().rank().ge(2))?;
    weights(call, recipe, input.shape().size(Back(0)))
}

/// One step of a cell that is a layer of its own: its output, and its states.
pub fn own_step(call: &mut Call, recipe: &'static Recipe) -> Outcome {
    let weights = own_weights(call, recipe)?;
    require_weights(call, &weights)?;
    let given = call.tensor("inputs")?;
    let (input, states) = (in_floats(call)?, require_states(call, recipe.states)?);
    let cell = Cell::read(call, recipe, recurrent::batch(input))?;
    cell.require_floats_to_drop(call, given);
    let next = cell.by_itself(call, input, &states)?;
    Ok([next[0]].into_iter().chain(next).collect::<Outputs>())
}

pub const FEATURES: &str = "`inputs` has a batch and features";
pub const ONE_EACH: &str = "there is a tensor for each state";
const PER_UNIT: &str = "a state has one number per unit";

/// States that there are so many states; those beyond are not looked at.
pub fn require_states(call: &mut Call, count: usize) -> Result<Vec<Tensor>, Stop> {
    let mut states = call.list("states").to_vec();
    if count > 1 || states.is_empty() {
        call.insist(IncompatibleShape, ONE_EACH, states.len() >= count)?;
    }
    call.require(ToleratedValue, "there is no tensor beyond the states", (states.len() == count).into());
    states.truncate(count);
    Ok(states)
}

impl Cell {
    /// One step on what there is, whatever comes before features and units: that is broadcast together. Of a state
    /// that is not multiplied with weights the units are, too.
    pub fn by_itself(
        mut self,
        call: &mut Call,
        input: Tensor,
        states: &[Tensor],
    ) -> Result<Vec<Tensor>, Stop> {
        let (own, rank) = (self.states(), input.shape().known_rank().unwrap_or(2));
        // What is only remembered may be one number for all units.
        let widened = |(state, own): (&Tensor, &State)| match state.shape().known_rank() {
            Some(0) if !own.weighed => reshape(*state, Shape::new(vec![Dim::from(1); rank])),
            _ => *state,
        };
        let given = states;
        let states: Vec<Tensor> = given.iter().zip(&own).map(widened).collect();
        let ranks = states.iter().map(|state| state.shape().rank().ge(1));
        call.demand(IncompatibleShape, PER_UNIT, Prop::all(ranks))?;
        let last = |tensor: &Tensor| tensor.shape().size(Back(0));
        for (state, own) in states.iter().zip(&own) {
            let size = last(state);
            let same = size.eq(self.units);
            let fits = if own.weighed { same } else { same | size.eq(1) | self.units.eq(1) };
            call.demand(IncompatibleShape, PER_UNIT, fits)?;
        }
        if self.recipe.cut != Cut::Nothing && !self.apart {
            let weighed = states.iter().zip(&own).filter(|(_, own)| own.weighed).map(|(state, _)| state);
            let ranks: Option<Vec<usize>> = weighed.map(|state| state.shape().known_rank()).collect();
            let ranks = ranks.ok_or_else(|| Stop::Unknown("the rank of a state is not known".into()))?;
            let most = ranks.into_iter().max().unwrap_or_default();
            let summed = if self.recipe.cut == Cut::Sum { most.max(rank) } else { most };
            call.insist(IncompatibleShape, "what is cut into gates has a batch and units", summed == 2)?;
        }
        if call.backend == Backend::Torch {
            // Of symbols, the batch is a number of its own, which meets no other axis.
            let weighed = states.iter().zip(&own).filter(|(_, own)| own.weighed);
            let batched = Prop::all(weighed.map(|(state, _)| state.shape().rank().ge(2)));
            let mut shapes = vec![input.shape().without(Back(0)).followed_by([self.units])];
            shapes.extend(states.iter().map(|state| state.shape()));
            call.demand(IncompatibleShape, "the batch meets no other axis", batched & batches_meet(&shapes))?;
        }
        // Broadcast below other axes, the batch is one that no layer behind it takes for the batch.
        let alike = Prop::all(given.iter().map(|state| state.shape().rank().eq(input.shape().rank())));
        call.require(ToleratedValue, "the states have as many axes as `inputs`", alike);
        let plain = |tensor: &Tensor| {
            let batched = tensor.shape().size(Front(0)).eq(self.batch);
            tensor.shape().known_rank() == Some(2) && batched.known() == Some(true)
        };
        if plain(&input) && states.iter().all(plain) {
            return Ok(self.step(input, &states));
        }
        let mut before = input.shape().without(Back(0));
        for state in &states {
            let (both, fits) = before.broadcast(state.shape().without(Back(0)));
            call.demand(IncompatibleShape, "the states broadcast to the batch of `inputs`", fits)?;
            before = both;
        }
        let flat = |tensor: &Tensor| {
            let wide = broadcast_to(*tensor, before.followed_by([last(tensor)]));
            reshape(wide, Shape::new([before.count(), last(tensor)]))
        };
        self.batch = before.count();
        let states: Vec<Tensor> = states.iter().map(flat).collect();
        let next = self.step(flat(&input), &states);
        Ok(next.iter().map(|state| reshape(*state, before.followed_by([last(state)]))).collect())
    }
}

/// Whether the batch of each, which comes first, lies above that of the others or above what is broadcast.
fn batches_meet(shapes: &[Shape]) -> Prop {
    let sizes: Vec<_> = shapes.iter().map(|shape| shape.sizes().unwrap_or_default()).collect();
    Prop::all(sizes.iter().flat_map(|led| {
        let longer = sizes.iter().filter(|other| !led.is_empty() && other.len() > led.len());
        longer.map(|other| other[other.len() - led.len()].eq(1))
    }))
}

/// The weights of a layer that walks with a cell.
pub fn walking_weights(call: &mut Call, recipe: &Recipe) -> Result<Vec<Weight>, Stop> {
    let sequences = call.tensor("sequences")?;
    let [_, _, features] = call.dims("`sequences` has 3 axes: a batch, time, and features", sequences)?;
    weights(call, recipe, features)
}

/// A layer that walks with a cell.
pub fn walk(call: &mut Call, recipe: &'static Recipe) -> Outcome {
    recurrent::spread_over_masks(call);
    let weights = walking_weights(call, recipe)?;
    require_weights(call, &weights)?;
    let given = call.tensor("sequences")?;
    in_floats(call)?;
    let cell = Cell::read(call, recipe, recurrent::batch(call.tensor("sequences")?))?;
    cell.require_floats_to_drop(call, given);
    walk_with(call, vec![cell])
}

/// Walks with cells of which each takes what the one before it gives.
pub fn walk_with(call: &mut Call, mut cells: Vec<Cell>) -> Outcome {
    let initial = call.list("initial_state");
    let (mut batch, mut given) = (cells[0].batch, initial.iter());
    for cell in &mut cells {
        // What there is of more sequences makes more of them from there on.
        for state in given.by_ref().take(cell.recipe.states) {
            batch = recurrent::batch_with(call, batch, *state)?;
        }
        cell.batch = batch;
    }
    let states: Vec<State> = cells.iter().flat_map(Cell::states).collect();
    let output = cells[cells.len() - 1].states()[0].shape;
    let step = move |x: Tensor, states: &[Tensor]| stacked_step(&cells, x, states);
    recurrent::walk(call, Walk { output, states, step: Rc::new(step) })
}

/// One step of cells one on the other: the output of the last, and the states of all.
pub fn stacked_step(cells: &[Cell], x: Tensor, states: &[Tensor]) -> (Tensor, Vec<Tensor>) {
    let (mut now, mut rest, mut after) = (x, states, Vec::new());
    for cell in cells {
        let (own, later) = rest.split_at(cell.recipe.states);
        let wide = now.shape().with_size(Front(0), cell.batch);
        let same = now.shape().same(wide).known() == Some(true);
        let next = cell.step(if same { now } else { broadcast_to(now, wide) }, own);
        (now, rest) = (next[0], later);
        after.extend(next);
    }
    (now, after)
}

/// The kinds of cells, by the name of their layer.
pub fn recipe(name: &str) -> Option<&'static Recipe> {
    use crate::layers::{gru_cell, lstm_cell, simple_rnn_cell};
    Some(match name {
        "SimpleRNNCell" => &simple_rnn_cell::RECIPE,
        "LSTMCell" => &lstm_cell::RECIPE,
        "GRUCell" => &gru_cell::RECIPE,
        _ => return None,
    })
}

/// What can be walked with: a cell, or several, one on the other.
pub fn find(name: &str) -> Option<&'static Operator> {
    let known = recipe(name).is_some() || name == "StackedRNNCells";
    crate::layers::by_name(name).filter(|_| known).map(|layer| &layer.operator)
}

/// The cells that are meant, those inside others taken out, with a path to each.
pub fn flattened(given: &[Prepared], path: &str) -> Result<Vec<(String, Prepared)>, Stop> {
    let mut cells = Vec::new();
    for (k, prepared) in given.iter().enumerate() {
        let path = if given.len() == 1 { path.to_string() } else { format!("{path}.{k}") };
        match prepared.operator.name {
            "StackedRNNCells" => cells.extend(flattened(&prepared.call().operators("cells")?, &path)?),
            _ => cells.push((path, prepared.clone())),
        }
    }
    Ok(cells)
}

/// The weights of cells one on the other, the first of which is given `input`.
pub fn stacked_weights(
    call: &mut Call,
    cells: &[(String, Prepared)],
    input: Tensor,
) -> Result<Vec<Vec<Weight>>, Stop> {
    let mut x = input;
    let mut all = Vec::new();
    for (path, prepared) in cells {
        let mut inner = Inner::new(prepared, x)?;
        // A cell is asked for its weights alone: its states are those of the one who walks.
        inner.give("states", &[x]);
        all.push(inner.weights(call, path)?);
        let sizes = Shape::new([x.shape().size(Back(1)), inner.call.int("units")?]);
        x = Tensor::given("x", x.dtype(), sizes);
    }
    Ok(all)
}

/// Cells one on the other, with their weights.
pub fn stacked(
    cells: &[(String, Prepared)],
    weights: &[Vec<Weight>],
    tensors: &[Tensor],
    input: Tensor,
) -> Result<Vec<Cell>, Stop> {
    let mut rest = tensors;
    let mut read = Vec::new();
    for ((path, prepared), weights) in cells.iter().zip(weights) {
        let mut inner = Inner::new(prepared, input)?;
        let (own, later) = rest.split_at(weights.len());
        inner.give_weights(path, weights, own);
        rest = later;
        let recipe = recipe(prepared.operator.name)
            .ok_or_else(|| Stop::Unknown(format!("`{}` is no cell", prepared.operator.name)))?;
        read.push(Cell::read(&inner.call, recipe, recurrent::batch(input))?);
    }
    Ok(read)
}
