//! What a layer definition consists of.

use semantics::call::{Call, Outcome, Prepared, Stop, intern};
use semantics::compose::cast;
use semantics::dtype::{DType, Kind};
use semantics::operator::{Category, Operator};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// The one definition of a layer.
pub struct Layer {
    /// Named as the class; the inputs are those of the layer, its weights and its masks; the parameters are the
    /// arguments of the constructor, and of the call, that matter for what is computed.
    pub operator: Operator,
    /// The arguments of `call` by Keras's names, in their order, tensors and others. A list of tensors that comes
    /// first is spread over the first inputs of the operator.
    pub takes: &'static [&'static str],
    /// The weights that the layer makes for the inputs of a call, in the order in which Keras keeps them. One that
    /// the signature does not name (those of a layer inside this one) is among its `weights`.
    pub weights: fn(&mut Call) -> Result<Vec<Weight>, Stop>,
    pub mask: Mask,
}

/// The mask of the first output. The masks that come with inputs are read from an input `mask`, or `NAME_mask` for
/// the one that comes with the input `NAME`. Where `mask` is a list, an input without one has a truth without axes.
#[derive(Clone, Copy)]
pub enum Mask {
    /// There is none.
    Drops,
    /// That of the first input.
    Passes,
    /// That of the first input, where the flag is set; `layer.flag` is one of the layer inside.
    PassesIf(&'static str),
    /// As `PassesIf`; where the argument is that word, the second output has it, too.
    PassesToBothIf(&'static str, (&'static str, &'static str)),
    /// What this definition makes of the call, under a condition.
    Made(When, fn(&mut Call) -> Outcome),
}

/// When a layer makes a mask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum When {
    Always,
    /// The flag is set.
    Set(&'static str),
    /// The first flag is set and the second is not.
    SetWithout(&'static str, &'static str),
    /// An input has one.
    Any,
    /// Every input has one.
    All,
}

/// A weight of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    pub name: &'static str,
    pub shape: Shape,
}

pub fn weight(name: &'static str, shape: Shape) -> Weight {
    Weight { name, shape }
}

/// For layers that learn nothing.
pub fn no_weights(_: &mut Call) -> Result<Vec<Weight>, Stop> {
    Ok(Vec::new())
}

/// The input that holds weights which the signature does not name.
const UNNAMED: &str = "weights";

/// Where the signature has a tensor of that name, or what takes weights that it does not name.
pub fn place(operator: &Operator, name: &str) -> Option<usize> {
    let position = |name: &str| operator.inputs.iter().position(|input| input.name == name);
    position(name).or_else(|| position(UNNAMED))
}

/// States that the weights given are those that the layer makes; makes those that are not given, as tensors of
/// which no more than the shape is known.
pub fn require_weights(call: &mut Call, weights: &[Weight]) -> Result<Vec<Tensor>, Stop> {
    let dtype = weights_type(call);
    if weights.iter().any(|weight| weight.shape.sizes().unwrap_or_default().iter().any(|size| size.is_open()))
    {
        let label = "the sizes of weights are known before anybody calls the layer";
        call.insist(Category::IncompatibleShape, label, false)?;
    }
    let mut unnamed = 0;
    let mut all = Vec::with_capacity(weights.len());
    for weight in weights {
        let place = place(call.operator, weight.name);
        let place = place.unwrap_or_else(|| panic!("no input `{}`", weight.name));
        let number = if call.operator.inputs[place].name == weight.name { 0 } else { unnamed };
        unnamed += usize::from(call.operator.inputs[place].name != weight.name);
        let Some(&(mut given)) = call.tensors[place].get(number) else {
            let made = Tensor::given(weight.name, dtype, weight.shape);
            call.tensors[place].push(made);
            all.push(made);
            continue;
        };
        let label = "a weight has as many axes as the layer gives it";
        call.demand(Category::IncompatibleShape, label, given.shape().rank().eq(weight.shape.rank()))?;
        call.require_shape(
            "a weight has the shape that the layer gives it",
            given.shape().same(weight.shape),
        );
        if given.shape().known_rank().is_none() {
            given = given.with_shape(weight.shape);
            call.tensors[place][number] = given;
        }
        all.push(given);
    }
    Ok(all)
}

/// The weights that a layer makes when it is called on these tensors, for later calls of the same layer. What must
/// hold of the call, the call itself states.
pub fn made_weights(call: &mut Call) -> Outcome {
    let layer = crate::layers::by_name(call.operator.name);
    let made = layer.and_then(|layer| (layer.weights)(call).ok());
    call.requirements.clear();
    call.lost.clear();
    let made = made.ok_or_else(|| Stop::Unknown("the first call of the layer makes no weights".into()))?;
    let dtype = weights_type(call);
    Ok(made.into_iter().map(|weight| Tensor::given(weight.name, dtype, weight.shape)).collect())
}

/// The type of weights that nobody has stored.
fn weights_type(call: &Call) -> DType {
    let floats = DType::from(call.policy.unwrap_or(Kind::F32));
    let dtype = call.tensors[0].first().map_or(floats, |input| input.dtype());
    if dtype.known().is_some_and(|kind| !kind.is_float()) { floats } else { dtype }
}

/// The first input in floats: where integers and truths meet weights, Keras makes them floats of the weights' type.
pub fn in_floats(call: &mut Call) -> Result<Tensor, Stop> {
    let given = call.tensor(call.operator.inputs[0].name)?;
    if given.dtype().known().is_none_or(Kind::is_float) {
        return Ok(given);
    }
    let made = cast(given, floats_met(call));
    call.tensors[0][0] = made;
    Ok(made)
}

/// The type of floats that integers of a call become: that of the floats they meet.
fn floats_met(call: &Call) -> Kind {
    let mut kinds = call.tensors.iter().flatten().filter_map(|tensor| tensor.dtype().known());
    kinds.find(|kind| kind.is_float()).unwrap_or(Kind::F32)
}

/// States that the first input is floating point, unless integers are `taken` by the library that computes: not all
/// of its kernels are made for them.
pub fn require_floats_unless(call: &mut Call, label: &'static str, taken: bool) -> Result<(), Stop> {
    let kind = call.tensor(call.operator.inputs[0].name)?.dtype().known();
    if kind.is_some_and(|kind| !kind.is_float()) {
        call.insist(Category::IncompatibleType, label, taken)?;
    }
    Ok(())
}

/// What a layer brings its inputs or its results to itself: floats are of the type of its policy already.
pub fn policy_floats(call: &Call, kind: Kind) -> Kind {
    if kind.is_float() { kind } else { call.policy.unwrap_or(Kind::F32) }
}

/// These inputs in floats, where they are given: those that are met in the call, weights among them.
pub fn make_floats(call: &mut Call, names: &[&str]) {
    make_floats_of(call, names, floats_met(call));
}

/// These inputs in floats of a type, where they are given.
pub fn make_floats_of(call: &mut Call, names: &[&str], floats: Kind) {
    for place in 0..call.operator.inputs.len() {
        if names.contains(&call.operator.inputs[place].name)
            && let Some(given) = call.tensors[place].first_mut()
            && given.dtype().known().is_some_and(|kind| !kind.is_float())
        {
            *given = cast(*given, floats);
        }
    }
}

/// States that a layer which keeps the type of its inputs is given floats: integers stay integers, though Keras
/// promises floats when it builds a model.
pub fn require_promised_type(call: &mut Call) -> Result<(), Stop> {
    let label = "`inputs` are floats, as a symbolic build supposes";
    let kinds = call.list("inputs").iter().map(|tensor| tensor.dtype().known()).collect::<Option<Vec<_>>>();
    // What meets floats becomes such.
    if let Some(kinds) = kinds {
        call.require(Category::ToleratedValue, label, kinds.iter().any(|kind| kind.is_float()).into());
    }
    Ok(())
}

/// A layer inside another one.
pub struct Inner {
    pub layer: &'static Layer,
    /// Its call; what it is given is set before it is run.
    pub call: Call,
}

impl Layer {
    /// Whether calls give the layer this input, rather than that it makes it (its weights) or Keras carries it.
    pub fn is_given(&self, input: &str) -> bool {
        self.takes.contains(&input)
            || self.takes_list() && matches!(input, "value" | "key")
            || self.operator.inputs[0].name == input
    }
    /// Whether a mask can make a difference to what it gives.
    pub fn heeds_mask(&self) -> bool {
        self.operator.inputs.iter().any(|input| input.name.ends_with("mask"))
    }
    /// Whether it makes a mask of values that have none.
    pub fn makes_mask(&self) -> bool {
        matches!(self.mask, Mask::Made(When::Always | When::Set(_) | When::SetWithout(..), _))
    }
    /// Whether it is called on a list, the tensors of which are inputs of their own.
    pub fn takes_list(&self) -> bool {
        self.takes[0] != self.operator.inputs[0].name
    }
}

/// The one layer that an argument names.
pub fn one_layer(call: &mut Call, name: &str, label: &'static str) -> Result<Prepared, Stop> {
    let given = call.operators(name)?;
    call.insist(Category::IllegalValue, label, given.len() < 2)?;
    given.into_iter().next().ok_or_else(|| Stop::Unknown(format!("`{name}` is not known")))
}

impl Inner {
    /// The layer with its arguments, on its first input.
    pub fn new(prepared: &Prepared, input: Tensor) -> Result<Inner, Stop> {
        let name = prepared.operator.name;
        let Some(layer) = crate::layers::by_name(name) else {
            return Err(Stop::Unknown(format!("the layer `{name}` is not modelled")));
        };
        let mut call = prepared.call();
        call.tensors[0].push(input);
        Ok(Inner { layer, call })
    }
    /// The weights it makes, under names that begin with `path`. What it states is stated by `outer`.
    pub fn weights(&mut self, outer: &mut Call, path: &str) -> Result<Vec<Weight>, Stop> {
        let made = self.call.check_signature().and_then(|()| (self.layer.weights)(&mut self.call));
        outer.requirements.append(&mut self.call.requirements);
        outer.lost.append(&mut self.call.lost);
        let named = |weight: Weight| Weight { name: intern(format!("{path}.{}", weight.name)), ..weight };
        Ok(made?.into_iter().map(named).collect())
    }
    /// Gives it its weights; `weights` names them as [`Inner::weights`] did.
    pub fn give_weights(&mut self, path: &str, weights: &[Weight], tensors: &[Tensor]) {
        for (weight, &tensor) in weights.iter().zip(tensors) {
            let own = weight.name.strip_prefix(path).map_or(weight.name, |rest| &rest[1..]);
            if let Some(place) = place(self.call.operator, own) {
                self.call.tensors[place].push(tensor);
            }
        }
    }
    /// Gives it a tensor by name, if it takes one of that name.
    pub fn give(&mut self, name: &str, tensors: &[Tensor]) {
        if let Some(place) = self.call.operator.inputs.iter().position(|input| input.name == name) {
            self.call.tensors[place].extend_from_slice(tensors);
        }
    }
    /// Sets a flag, if it has one of that name.
    pub fn set(&mut self, name: &str, value: bool) {
        let place = self.call.operator.parameters.iter().position(|parameter| parameter.name == name);
        if let Some(place) = place {
            self.call.arguments[place] = Some(semantics::call::Argument::Flag(value.into()));
        }
    }
    /// A flag of it; false if it has none of that name.
    pub fn flag(&self, name: &str) -> Result<bool, Stop> {
        match self.call.operator.parameters.iter().any(|parameter| parameter.name == name) {
            true => self.call.flag(name),
            false => Ok(false),
        }
    }
    /// Its outputs. What it states is stated by `outer`.
    pub fn run(mut self, outer: &mut Call) -> Outcome {
        let outcome = self.call.run(self.layer.operator.define);
        outer.requirements.append(&mut self.call.requirements);
        outer.lost.append(&mut self.call.lost);
        outcome
    }
}
