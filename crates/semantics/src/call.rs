//! One call of an operator: its arguments, and the requirements that its definition states.
//!
//! This is the vocabulary operator files are written in. A definition reads its arguments, states one
//! labelled fact per requirement, and returns outputs; it never branches on a size.

use crate::dim::Dim;
use crate::dtype::{DType, Kind, TypeSet};
use crate::operator::{Arity, Category, Operator, ParameterKind, Preset};
use crate::prop::Prop;
use crate::shape::{Shape, Sizes, Slot};
use crate::tensor::Tensor;
use crate::values::Value;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::fmt;
use std::sync::{LazyLock, Mutex};

/// Output tensors in the order of the signature.
pub type Outputs = SmallVec<[Tensor; 2]>;
/// The outputs, or why the definition could not go on.
pub type Outcome = Result<Outputs, Stop>;

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

/// A parameter's value.
#[derive(Clone, Debug)]
pub enum Argument {
    Int(Dim),
    Ints(Vec<Dim>),
    Float(f64),
    Floats(Vec<f64>),
    Flag(Prop),
    Type(Kind),
    Text(String),
    Texts(Vec<String>),
    Operators(Vec<Prepared>),
    /// Given, but only the run will tell its value: the reason.
    Unknown(String),
}

/// An operator with its arguments, of which the tensors are still to come.
#[derive(Clone)]
pub struct Prepared {
    pub operator: &'static Operator,
    /// Per parameter of the signature.
    pub arguments: Vec<Option<Argument>>,
}

impl Prepared {
    /// The call, its tensors left out.
    pub fn call(&self) -> Call {
        let mut call = Call::new(self.operator);
        call.arguments.clone_from(&self.arguments);
        call
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.operator.parameters.iter().zip(&self.arguments);
        let given = given.filter_map(|(parameter, argument)| Some((parameter.name, argument.as_ref()?)));
        let given: Vec<String> = given.map(|(name, argument)| format!("{name}={argument}")).collect();
        write!(f, "{}({})", self.operator.name, given.join(", "))
    }
}

impl Argument {
    /// What stands for a parameter that is not given.
    pub fn preset(preset: Preset) -> Option<Argument> {
        Some(match preset {
            Preset::Required | Preset::Absent => return None,
            Preset::Int(value) => Argument::Int(value.into()),
            Preset::Float(value) => Argument::Float(value),
            Preset::Flag(value) => Argument::Flag(value.into()),
            Preset::Word(word) => Argument::Text(word.into()),
        })
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: ToString>(items: &[T]) -> String {
            items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        match self {
            Argument::Int(dim) => write!(f, "{dim}"),
            Argument::Ints(dims) => write!(f, "[{}]", list(dims)),
            Argument::Float(value) => write!(f, "{value}"),
            Argument::Floats(values) => write!(f, "[{}]", list(values)),
            Argument::Flag(prop) => write!(f, "{prop}"),
            Argument::Type(kind) => write!(f, "{kind}"),
            Argument::Text(text) => write!(f, "'{text}'"),
            Argument::Texts(texts) => write!(f, "'{}'", texts.join("', '")),
            Argument::Operators(operators) => match operators.as_slice() {
                [only] => write!(f, "{only}"),
                several => write!(f, "[{}]", list(several)),
            },
            Argument::Unknown(_) => write!(f, "not known"),
        }
    }
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
    pub requirements: Vec<Requirement>,
    /// What the definition could not tell although it gave outputs, in words.
    pub lost: Vec<String>,
    /// What is known of the first output even if the definition stops because something is unknown.
    pub promised: Option<Tensor>,
}

/// No framework has tensors of a higher rank; a file that names axes beyond it is not followed.
const HIGHEST_RANK: i64 = 64;

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
            requirements: Vec::new(),
            lost: Vec::new(),
            promised: None,
        }
    }
    /// Checks the arguments against the signature, then runs a definition (the operator's, or an adapter's).
    pub fn run(&mut self, define: fn(&mut Call) -> Outcome) -> Outcome {
        self.check_signature()?;
        define(self)
    }

    /// Checks the arguments against the signature.
    pub fn check_signature(&mut self) -> Result<(), Stop> {
        let operator = self.operator;
        for (position, input) in operator.inputs.iter().enumerate() {
            let tensors = self.tensors[position].clone();
            if tensors.is_empty() && !matches!(input.arity, Arity::Optional | Arity::Any) {
                let label = intern(format!("`{}` is given", input.name));
                return self.refuse(Category::IllegalValue, label);
            }
            for tensor in tensors {
                if input.types.kinds.len() < Kind::ALL.len()
                    && input.like.is_none_or(|like| like == input.name)
                {
                    let label = || intern(format!("`{}` is {}", input.name, input.types.name));
                    self.state(Category::IncompatibleType, label, tensor.dtype().is_in(input.types));
                }
                if let Some(other) = input.like.and_then(|like| self.optional(like)) {
                    let like = input.like.unwrap_or_default();
                    let label = || {
                        intern(if like == input.name {
                            format!("`{like}` have one element type")
                        } else {
                            format!("`{}` has the element type of `{like}`", input.name)
                        })
                    };
                    self.state(Category::IncompatibleType, label, tensor.dtype().same(other.dtype()));
                }
            }
        }
        for (position, parameter) in operator.parameters.iter().enumerate() {
            let argument = self.arguments[position].clone();
            let Some(argument) = argument else {
                if matches!(parameter.default, Preset::Required) {
                    let label = intern(format!("`{}` is given", parameter.name));
                    return self.refuse(Category::IllegalValue, label);
                }
                continue;
            };
            let choices = match parameter.kind {
                ParameterKind::Word(choices) | ParameterKind::Words(choices) => choices,
                _ => continue,
            };
            let in_any_case = matches!(parameter.kind, ParameterKind::Words(_));
            let fits = |word: &String| {
                choices
                    .iter()
                    .any(|choice| choice == word || (in_any_case && choice.eq_ignore_ascii_case(word)))
            };
            let fits = match &argument {
                Argument::Text(word) => fits(word),
                Argument::Texts(words) => words.iter().all(fits),
                _ => true,
            };
            if !fits {
                let label = intern(format!("`{}` is one of {}", parameter.name, choices.join(", ")));
                return self.refuse(Category::IllegalValue, label);
            }
        }
        Ok(())
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
    pub fn promise(&mut self, dtype: impl Into<DType>, shape: Shape) {
        self.promised = Some(Tensor::new(dtype, shape, crate::tensor::Content::Given));
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

    // Reading parameters.

    fn parameter(&self, name: &str) -> (Option<&Argument>, Preset) {
        let position = self
            .operator
            .parameters
            .iter()
            .position(|parameter| parameter.name == name)
            .unwrap_or_else(|| panic!("{} has no parameter `{name}`", self.operator.name));
        (self.arguments[position].as_ref(), self.operator.parameters[position].default)
    }
    fn unknown<T>(&self, name: &str, why: &str) -> Result<T, Stop> {
        Err(Stop::Unknown(format!("the value of `{name}` is not known{why}")))
    }
    pub fn is_given(&self, name: &str) -> bool {
        self.parameter(name).0.is_some()
    }
    /// Whether it was given as a list, be it of one.
    pub fn is_list(&self, name: &str) -> bool {
        matches!(self.parameter(name).0, Some(Argument::Ints(_) | Argument::Floats(_)))
    }
    pub fn optional_int(&self, name: &str) -> Result<Option<Dim>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Int(dim)), _) => Ok(Some(*dim)),
            (Some(Argument::Ints(dims)), _) if dims.len() == 1 => Ok(Some(dims[0])),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as an integer"),
            (None, Preset::Int(value)) => Ok(Some(value.into())),
            (None, _) => Ok(None),
        }
    }
    pub fn int(&self, name: &str) -> Result<Dim, Stop> {
        self.optional_int(name)?.map_or_else(|| self.unknown(name, ""), Ok)
    }
    /// An integer that only the run may tell: then a fresh symbol in `low..=high`.
    pub fn int_or_symbol(&mut self, name: &str, low: i64, high: i64) -> Dim {
        self.int(name).unwrap_or_else(|stop| {
            if let Stop::Unknown(reason) = stop {
                self.lost.push(reason);
            }
            Dim::symbol(name, low, high)
        })
    }
    pub fn optional_ints(&self, name: &str) -> Result<Option<Vec<Dim>>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Int(dim)), _) => Ok(Some(vec![*dim])),
            (Some(Argument::Ints(dims)), _) => Ok(Some(dims.clone())),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as integers"),
            (None, _) => Ok(None),
        }
    }
    pub fn ints(&self, name: &str) -> Result<Vec<Dim>, Stop> {
        self.optional_ints(name)?.map_or_else(|| self.unknown(name, ""), Ok)
    }
    /// One value per axis; the default stands for all of them, and so does a single `Int`.
    pub fn per_axis(&mut self, name: &str, label: &'static str, axes: usize) -> Result<Vec<Dim>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Int(dim)), _) => Ok(vec![*dim; axes]),
            (None, Preset::Int(value)) => Ok(vec![value.into(); axes]),
            _ => {
                let values = self.ints(name)?;
                self.insist(Category::IllegalValue, label, values.len() == axes)?;
                Ok(values)
            }
        }
    }
    pub fn optional_float(&self, name: &str) -> Result<Option<f64>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Float(value)), _) => Ok(Some(*value)),
            (Some(Argument::Floats(values)), _) if values.len() == 1 => Ok(Some(values[0])),
            (Some(Argument::Int(dim)), _) => match dim.known() {
                Some(value) => Ok(Some(value as f64)),
                None => self.unknown(name, ""),
            },
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as a number"),
            (None, Preset::Float(value)) => Ok(Some(value)),
            (None, Preset::Int(value)) => Ok(Some(value as f64)),
            (None, _) => Ok(None),
        }
    }
    pub fn float(&self, name: &str) -> Result<f64, Stop> {
        self.optional_float(name)?.map_or_else(|| self.unknown(name, ""), Ok)
    }
    pub fn optional_floats(&self, name: &str) -> Result<Option<Vec<f64>>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Floats(values)), _) => Ok(Some(values.clone())),
            (Some(Argument::Float(value)), _) => Ok(Some(vec![*value])),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as numbers"),
            (None, _) => Ok(None),
        }
    }
    /// A yes or no that decides the form of the result, so it must be known.
    pub fn flag(&self, name: &str) -> Result<bool, Stop> {
        let prop = match self.parameter(name) {
            (Some(Argument::Flag(prop)), _) => *prop,
            (Some(Argument::Int(dim)), _) => dim.ne(0),
            (Some(Argument::Unknown(reason)), _) => return self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => return self.unknown(name, " as a flag"),
            (None, Preset::Flag(value)) => value.into(),
            (None, Preset::Int(value)) => (value != 0).into(),
            (None, _) => false.into(),
        };
        prop.known().map_or_else(|| self.unknown(name, ""), Ok)
    }
    /// A word or text; `""` if it is absent without a default.
    pub fn text(&self, name: &str) -> Result<String, Stop> {
        match self.parameter(name) {
            (Some(Argument::Text(text)), _) => Ok(text.clone()),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as text"),
            (None, Preset::Word(word)) => Ok(word.into()),
            (None, _) => Ok(String::new()),
        }
    }
    pub fn optional_texts(&self, name: &str) -> Result<Option<Vec<String>>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Texts(texts)), _) => Ok(Some(texts.clone())),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as texts"),
            (None, _) => Ok(None),
        }
    }
    /// Operators that are given to be called; none if the parameter is not given.
    pub fn operators(&self, name: &str) -> Result<Vec<Prepared>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Operators(operators)), _) => Ok(operators.clone()),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as operators"),
            (None, _) => Ok(Vec::new()),
        }
    }
    pub fn optional_type(&self, name: &str) -> Result<Option<Kind>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Type(kind)), _) => Ok(Some(*kind)),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as an element type"),
            (None, _) => Ok(None),
        }
    }

    /// An axis of a tensor, counted from the back when negative; states that it exists.
    pub fn axis(&mut self, name: &str, label: &'static str, shape: Shape) -> Result<Slot, Stop> {
        let axis = self.int(name)?;
        self.axis_at(axis, label, shape)
    }
    /// Like [`Call::axis`], for an axis that is one of a list.
    pub fn axis_at(&mut self, axis: Dim, label: &'static str, shape: Shape) -> Result<Slot, Stop> {
        let rank = shape.rank();
        let exists = axis.within(-rank, rank);
        self.require_value(label, exists);
        if exists.known() == Some(false) {
            return Err(Stop::Violated);
        }
        let Some(axis) = axis.known() else { return Err(Stop::Unknown("an axis is not known".into())) };
        if shape.known_rank().is_none() && !(-HIGHEST_RANK..HIGHEST_RANK).contains(&axis) {
            return Err(Stop::Unknown(format!(
                "axis {axis} of a tensor of unknown rank is beyond any real rank"
            )));
        }
        Ok(slot(axis, shape))
    }
    /// Axes of a tensor as positions from the front, sorted, each once.
    pub fn axes_at(
        &mut self,
        axes: &[Dim],
        label: &'static str,
        once: &'static str,
        shape: Shape,
    ) -> Result<Vec<usize>, Stop> {
        let Some(rank) = shape.known_rank() else {
            for &axis in axes {
                self.axis_at(axis, label, shape)?;
            }
            return Err(Stop::Unknown("the rank is not known".into()));
        };
        let mut positions = Vec::with_capacity(axes.len());
        for &axis in axes {
            let slot = self.axis_at(axis, label, shape)?;
            positions.push(position(slot, rank));
        }
        let mut sorted = positions;
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        self.insist(Category::IllegalValue, once, distinct)?;
        Ok(sorted)
    }
    /// Parameters that decide the form of the result (an order of axes, a number of parts): they must be numbers.
    pub fn positions(&self, name: &str, values: &[Dim]) -> Result<Vec<i64>, Stop> {
        let numbers: Option<Vec<i64>> = values.iter().map(|value| value.known()).collect();
        match numbers {
            None => self.unknown(name, ""),
            Some(numbers) => match numbers.iter().find(|number| number.unsigned_abs() > FARTHEST.into()) {
                None => Ok(numbers),
                Some(far) => Err(Stop::Unknown(format!("`{name}` is {far}, which is too far to follow"))),
            },
        }
    }
    /// States that each index, where its value is known, names a position of an axis; negative ones from the back.
    pub fn require_indices(&mut self, label: &'static str, indices: Tensor, extent: Dim) {
        if let Some(values) = self.values(indices) {
            self.require_value(label, Prop::all(values.iter().map(|index| index.within(-extent, extent))));
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

/// Axes beyond this are not told apart, and numbers of axes, parts or tuples beyond it are not followed.
pub(crate) const FARTHEST: u32 = 1 << 16;

/// An axis number as a slot: counted from the front where the rank is known.
pub(crate) fn slot(axis: i64, shape: Shape) -> Slot {
    match shape.known_rank() {
        Some(rank) if axis < 0 => Slot::Front((axis + rank as i64).max(0) as u32),
        None if axis < 0 => Slot::Back((-1 - axis).min(FARTHEST.into()) as u32),
        _ => Slot::Front(axis.clamp(0, FARTHEST.into()) as u32),
    }
}

/// A slot as a position from the front, in a shape of known rank.
pub fn position(slot: Slot, rank: usize) -> usize {
    match slot {
        Slot::Front(k) => k as usize,
        Slot::Back(k) => rank.saturating_sub(1 + k as usize),
    }
}

/// The outcome of an operator with one output.
pub fn one(tensor: Tensor) -> Outcome {
    Ok(SmallVec::from_slice(&[tensor]))
}
