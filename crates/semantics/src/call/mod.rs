//! One call of an operator: its arguments, and the requirements that its definition states.
//!
//! This is the vocabulary operator files are written in. A definition reads its arguments, states one
//! labelled fact per requirement, and returns outputs; it never branches on a size.

mod argument;
mod axis;
mod signature;

pub use argument::{Argument, Prepared};
pub use axis::position;
pub(crate) use axis::slot;

use crate::dim::Dim;
use crate::dtype::{DType, Kind, TypeSet};
use crate::operator::{Backend, Category, Operator};
use crate::prop::Prop;
use crate::shape::{Shape, Sizes, Slot};
use crate::tensor::Tensor;
use crate::values::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::{LazyLock, Mutex};

/// Output tensors in the order of the signature.
pub type Outputs = SmallVec<[Tensor; 2]>;
/// The outputs, or why the definition could not go on.
pub type Outcome = Result<Outputs, Stop>;

/// How a loss begins that concerns elements alone: sizes and types are known all the same.
pub const OF_VALUES: &str = "the values: ";

/// Why a definition could not go on.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The requirement stated last does not hold.
    Violated,
    /// Something needed is not known; the reason names it.
    Unknown(String),
}

/// A fact that must hold for the call to be valid.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    /// A true statement about every valid call: it is the message.
    pub label: &'static str,
    pub category: Category,
    pub prop: Prop,
}

pub struct Call {
    pub operator: &'static Operator,
    /// Per input of the signature; several for a variadic one, none for an absent one.
    pub tensors: Vec<SmallVec<[Tensor; 1]>>,
    /// Per parameter of the signature.
    pub arguments: Vec<Option<Argument>>,
    /// The tensors that parameters were read from, for messages.
    pub read: SmallVec<[(&'static str, Tensor); 2]>,
    /// How many outputs the caller uses; for operators with a variable number of them.
    pub wanted: usize,
    /// Who computes, for the few definitions that it matters to.
    pub backend: Backend,
    /// The float type that a layer's policy names, for layers that bring what is no float to it themselves.
    pub policy: Option<Kind>,
    pub requirements: Vec<Requirement>,
    /// What the definition could not tell although it gave outputs, in words.
    pub lost: Vec<String>,
    /// What must hold of values that are not known before the run.
    pub supposed: SmallVec<[&'static str; 1]>,
    /// What is known of the first output even if the definition stops because something is unknown.
    promised: Option<(DType, Promised)>,
}

/// What is known of a shape before the definition has built it. Most definitions do not stop, so it is kept in
/// few words and made a shape only when it is needed.
#[derive(Clone, Copy, Debug)]
pub enum Promised {
    AnyShape,
    Rank(usize),
    RankOf(Shape),
    Shape(Shape),
}

/// Gives equal label texts one address. The set is bounded by the number of signatures.
pub fn intern(label: String) -> &'static str {
    static LABELS: LazyLock<Mutex<FxHashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut labels = LABELS.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some(label) = labels.get(label.as_str()) {
        return label;
    }
    let label: &'static str = Box::leak(label.into_boxed_str());
    labels.insert(label);
    label
}

impl Call {
    pub fn new(operator: &'static Operator) -> Call {
        Call {
            operator,
            tensors: vec![SmallVec::new(); operator.inputs.len()],
            arguments: vec![None; operator.parameters.len()],
            read: SmallVec::new(),
            wanted: operator.outputs.len(),
            backend: Backend::default(),
            policy: None,
            requirements: Vec::new(),
            lost: Vec::new(),
            supposed: SmallVec::new(),
            promised: None,
        }
    }
    /// Checks the arguments against the signature, then runs a definition (the operator's, or an adapter's).
    pub fn run(&mut self, define: fn(&mut Call) -> Outcome) -> Outcome {
        self.check_signature()?;
        define(self)
    }

    // Stating what must hold.

    fn state(&mut self, category: Category, label: impl FnOnce() -> &'static str, prop: Prop) {
        // A requirement that folds to true is still counted, but its label is not worth building.
        let label = if prop.known() == Some(true) { "" } else { label() };
        self.requirements.push(Requirement { label, category, prop });
    }
    pub fn require(&mut self, category: Category, label: &'static str, prop: Prop) {
        self.requirements.push(Requirement { label, category, prop });
    }
    /// A parameter has a value that can work.
    pub fn require_value(&mut self, label: &'static str, prop: Prop) {
        self.require(Category::IllegalValue, label, prop);
    }
    /// Sizes of different arguments fit each other.
    pub fn require_shape(&mut self, label: &'static str, prop: Prop) {
        self.require(Category::IncompatibleShape, label, prop);
    }
    /// The result has a legal shape (nothing negative, nothing emptied).
    pub fn require_legal(&mut self, label: &'static str, prop: Prop) {
        self.require(Category::IllegalShape, label, prop);
    }
    pub fn require_type(&mut self, label: &'static str, prop: Prop) {
        self.require(Category::IncompatibleType, label, prop);
    }
    /// States something that is plainly false, and stops.
    pub fn refuse<T>(&mut self, category: Category, label: &'static str) -> Result<T, Stop> {
        self.require(category, label, false.into());
        Err(Stop::Violated)
    }
    /// States a fact without which nothing after it makes sense (a divisor is positive): stops where it is refuted.
    pub fn demand(&mut self, category: Category, label: &'static str, prop: Prop) -> Result<(), Stop> {
        self.require(category, label, prop);
        if prop.known() == Some(false) { Err(Stop::Violated) } else { Ok(()) }
    }
    /// A structural fact that is known either way; stops where it fails, since nothing after it makes sense.
    pub fn insist(&mut self, category: Category, label: &'static str, holds: bool) -> Result<(), Stop> {
        if holds {
            self.require(category, label, true.into());
            return Ok(());
        }
        self.refuse(category, label)
    }

    /// An output of which only the type is known, and why.
    pub fn shapeless(&mut self, dtype: impl Into<DType>, reason: &str) -> Outcome {
        self.lost.push(reason.to_string());
        one(Tensor::new(dtype, Shape::unknown("output"), crate::tensor::Content::Given))
    }

    /// Says what is known of the first output, should the definition stop because something is unknown.
    pub fn promise(&mut self, dtype: impl Into<DType>, shape: Promised) {
        self.promised = Some((dtype.into(), shape));
    }
    /// The first output as far as it was promised.
    pub fn promised(&self) -> Option<Tensor> {
        let (dtype, promised) = self.promised?;
        let shape = match promised {
            Promised::AnyShape => Shape::unknown("output"),
            Promised::Rank(rank) => Shape::of_rank(rank, "output"),
            Promised::RankOf(other) => other.of_same_rank("output"),
            Promised::Shape(shape) => shape,
        };
        Some(Tensor::new(dtype, shape, crate::tensor::Content::Given))
    }

    /// An output of which type and shape are known but no element, and why.
    pub fn valueless(&mut self, dtype: impl Into<DType>, shape: Shape, reason: &str) -> Outcome {
        self.lost.push(reason.to_string());
        one(Tensor::new(dtype, shape, crate::tensor::Content::Given))
    }

    /// Gives the definition another tensor for an input.
    pub fn replace(&mut self, name: &str, tensor: Tensor) {
        let position = self.input_position(name);
        self.tensors[position] = SmallVec::from_slice(&[tensor]);
    }

    // Reading tensors.

    fn input_position(&self, name: &str) -> usize {
        self.operator
            .inputs
            .iter()
            .position(|input| input.name == name)
            .unwrap_or_else(|| panic!("{} has no input `{name}`", self.operator.name))
    }
    /// An input that the signature says is there.
    pub fn tensor(&self, name: &str) -> Result<Tensor, Stop> {
        self.optional(name).ok_or_else(|| Stop::Unknown(format!("`{name}` is missing")))
    }
    pub fn optional(&self, name: &str) -> Option<Tensor> {
        self.tensors[self.input_position(name)].first().copied()
    }
    pub fn list(&self, name: &str) -> SmallVec<[Tensor; 1]> {
        self.tensors[self.input_position(name)].clone()
    }
    /// The element type of a tensor, where the definition cannot go on without it.
    pub fn kind(&self, tensor: Tensor) -> Result<Kind, Stop> {
        tensor.dtype().known().ok_or_else(|| Stop::Unknown("an element type is not known".into()))
    }
    /// The sizes of a tensor of a fixed rank.
    pub fn dims<const RANK: usize>(
        &mut self,
        label: &'static str,
        tensor: Tensor,
    ) -> Result<[Dim; RANK], Stop> {
        let sizes = self.sizes(label, tensor, RANK)?;
        Ok(std::array::from_fn(|k| sizes[k]))
    }
    /// States that a tensor has a rank, and yields its sizes.
    pub fn sizes(&mut self, label: &'static str, tensor: Tensor, rank: usize) -> Result<Sizes, Stop> {
        let shape = tensor.shape();
        let agrees = shape.rank().eq(rank);
        self.require_shape(label, agrees);
        if agrees.known() == Some(false) {
            return Err(Stop::Violated);
        }
        Ok((0..rank as u32).map(|k| shape.size(Slot::Front(k))).collect())
    }
    /// The sizes of a tensor whose rank must be known to go on.
    pub fn known_sizes(&self, tensor: Tensor) -> Result<Sizes, Stop> {
        tensor
            .shape()
            .sizes()
            .ok_or_else(|| Stop::Unknown(format!("the rank of {} is not known", self.name_of(tensor))))
    }
    fn name_of(&self, tensor: Tensor) -> String {
        let input = self.tensors.iter().position(|given| given.contains(&tensor));
        input.map_or("a tensor".into(), |position| format!("`{}`", self.operator.inputs[position].name))
    }
    /// The shape that tensors broadcast to; states that they can.
    pub fn broadcast(&mut self, label: &'static str, tensors: &[Tensor]) -> Shape {
        tensors.iter().fold(Shape::scalar(), |common, tensor| {
            let (shape, agree) = common.broadcast(tensor.shape());
            self.require_shape(label, agree);
            shape
        })
    }
    /// States that a tensor broadcasts to a shape without changing it.
    pub fn require_broadcast_to(&mut self, label: &'static str, tensor: Tensor, shape: Shape) {
        self.require_shape(label, tensor.shape().broadcasts_to(shape));
    }

    /// States that each index names a position of an axis; negative ones from the back.
    pub fn require_indices(&mut self, label: &'static str, indices: Tensor, extent: Dim) {
        self.require_tuples(label, indices, &[extent]);
    }
    /// The same for tuples of indices, one for each of some axes.
    pub fn require_tuples(&mut self, label: &'static str, indices: Tensor, extents: &[Dim]) {
        if extents.iter().any(|extent| extent.known() == Some(0)) {
            // Of nothing there is no position, whatever the indices are.
            return self.require_value(label, indices.shape().count().eq(0));
        }
        self.require_of(label, indices, |values| {
            let pairs = values.chunks(extents.len()).flat_map(|tuple| tuple.iter().zip(extents));
            Prop::all(pairs.map(|(index, &extent)| index.within(-extent, extent)))
        });
    }
    /// States something of the values of a tensor. Where they are not known before the run, it is supposed.
    pub fn require_of(&mut self, label: &'static str, tensor: Tensor, holds: impl FnOnce(&[Dim]) -> Prop) {
        match self.values(tensor) {
            Some(values) => self.require_value(label, holds(&values)),
            None => self.supposed.push(label),
        }
    }
    /// The value of a tensor as a list of integer expressions, if it is one.
    pub fn values(&self, tensor: Tensor) -> Option<Vec<Dim>> {
        tensor.values()?.iter().map(|value| Value::dim(*value)).collect()
    }
    /// The value of a tensor of one element as an integer expression; a float is cut off.
    pub fn integer(&self, tensor: Tensor) -> Option<Dim> {
        match *tensor.values()?.first()? {
            Value::Float(value) => Some(Dim::from(value as i64)),
            value => value.dim(),
        }
    }
    pub fn require_kinds(&mut self, label: &'static str, tensor: Tensor, types: TypeSet) {
        self.require_type(label, tensor.dtype().is_in(types));
    }
}

/// The outcome of an operator with one output.
pub fn one(tensor: Tensor) -> Outcome {
    Ok(SmallVec::from_slice(&[tensor]))
}
