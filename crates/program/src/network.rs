//! A network under construction: layers are added one by one, and become calls of a program.
//! Masks travel beside the values, as Keras carries them.

use std::borrow::Cow;
use std::rc::Rc;

use crate::ir::{
    Action, Constant, Declared, Fault, Given, Graph, Invocation, Node, Place, Program, Size, Value, ValueId,
};
use layers::layer::{Layer, Mask, When, made_weights, place};
use rustc_hash::FxHashMap;
use semantics::array::{Array, Data};
use semantics::dtype::Kind;
use semantics::operator::{Arity, Backend, Input, Operator, Preset};
use smallvec::{SmallVec, smallvec};

#[derive(Default)]
pub struct Network {
    backend: Backend,
    /// The float type of the policy that all layers have, if it is told.
    policy: Option<Kind>,
    values: Vec<Value>,
    graph: Graph,
    /// The mask that goes with a value.
    masks: FxHashMap<ValueId, ValueId>,
    /// Named sizes that are open until somebody calls the network.
    open: Vec<Rc<str>>,
}

/// A point in the construction of a network.
#[derive(Clone, Copy)]
pub struct Mark([usize; 4]);

/// Per input of a signature, the values that it is given.
type Tensors = SmallVec<[SmallVec<[ValueId; 4]>; 3]>;

/// What a layer is given: inputs and weights by the names of its signature, and arguments.
#[derive(Default)]
pub struct Wired {
    pub tensors: Vec<(&'static str, Vec<ValueId>)>,
    pub arguments: Vec<(&'static str, Given)>,
    /// How many outputs the model uses.
    pub wanted: usize,
    /// What is wrong with the layer before its meaning is even asked for.
    pub faults: Vec<Fault>,
}

impl Network {
    pub fn computed_by(backend: Backend) -> Network {
        Network { backend, ..Network::default() }
    }
    /// The same, where all layers compute in a type, if one is told.
    pub fn in_type(self, policy: Option<Kind>) -> Network {
        Network { policy, ..self }
    }
    /// The float type in which all layers compute, if it is told.
    pub fn policy(&self) -> Option<Kind> {
        self.policy
    }
    /// Who computes what the layers mean.
    pub fn backend(&self) -> Backend {
        self.backend
    }
    fn value(&mut self, name: &str, declared: Option<Declared>) -> ValueId {
        self.values.push(Value { name: name.into(), declared });
        ValueId(self.values.len() as u32 - 1)
    }

    /// Says that a named size is open until somebody calls the network.
    pub fn leave_open(&mut self, name: &str) {
        self.open.push(name.into());
    }
    /// An input of the model.
    pub fn input(&mut self, name: &str, kind: Kind, sizes: Vec<Size>) -> ValueId {
        let value = self.value(name, Some(Declared::Tensor { kind: Some(kind), sizes: Some(sizes) }));
        self.graph.inputs.push(value);
        value
    }

    /// A tensor whose elements are known, such as a stored weight.
    pub fn constant(&mut self, name: &str, array: Array) -> ValueId {
        let sizes = array.shape.iter().map(|&size| size as i64).collect();
        self.stored(name, Constant { kind: array.kind, sizes, load: Rc::new(move || Some(array.clone())) })
    }
    /// A tensor whose elements are read when they are asked for.
    pub fn stored(&mut self, name: &str, constant: Constant) -> ValueId {
        let value = self.value(name, None);
        self.graph.constants.push((value, constant));
        value
    }

    /// Says what is wrong with the layer that was added last under a name, before its meaning is even asked for.
    pub fn blame(&mut self, name: &str, fault: Fault) {
        let is_layer =
            |node: &&mut Node| node.place.node == name && !matches!(&*node.place.spelled, "mask" | "weights");
        if let Some(node) = self.graph.nodes.iter_mut().rev().find(is_layer) {
            node.faults.push(fault);
        }
    }

    /// Adds a layer and gives its outputs. Names that its signature does not have are the caller's mistake.
    pub fn layer(&mut self, layer: &'static Layer, name: &str, wired: Wired) -> Vec<ValueId> {
        let operator = &layer.operator;
        let mut tensors: Tensors = smallvec![SmallVec::new(); operator.inputs.len()];
        for (input, values) in &wired.tensors {
            tensors[position(operator, input)].extend(values.iter().copied());
        }
        let mut arguments: Vec<Option<Given>> = vec![None; operator.parameters.len()];
        for (name, given) in wired.arguments {
            let place = operator.parameters.iter().position(|parameter| parameter.name == name);
            arguments[place.unwrap_or_else(|| panic!("{} has no argument `{name}`", operator.name))] =
                Some(given);
        }
        let main = tensors[0].clone();
        let masks: Vec<Option<ValueId>> = main.iter().map(|value| self.masks.get(value).copied()).collect();
        let passed = told_mask(layer, &tensors).or_else(|| first(&masks));
        self.wire_masks(layer, &masks, &mut tensors);
        let outputs = self.outputs(name, wired.wanted);
        let mask = match layer.mask {
            Mask::Drops => None,
            Mask::Passes => passed,
            Mask::PassesIf(flag) | Mask::PassesToBothIf(flag, _) => {
                passed.filter(|_| is_set(operator, &arguments, flag))
            }
            Mask::Made(when, define) => {
                let made = match when {
                    When::Always => true,
                    When::Set(flag) => is_set(operator, &arguments, flag),
                    When::SetWithout(flag, other) => {
                        is_set(operator, &arguments, flag) && !is_set(operator, &arguments, other)
                    }
                    When::Any => masks.iter().any(Option::is_some),
                    When::All => !masks.is_empty() && masks.iter().all(Option::is_some),
                };
                made.then(|| {
                    let (tensors, arguments) = (tensors.clone(), arguments.clone());
                    let call = Invocation {
                        operator,
                        define,
                        tensors,
                        arguments,
                        channels_first: None,
                        narrower: SmallVec::new(),
                        backend: self.backend,
                        policy: self.policy,
                    };
                    let value = self.value(&format!("{name}:mask"), None);
                    self.node(name, "mask", Action::Call(call), &[value], Vec::new());
                    value
                })
            }
        };
        let call = Invocation {
            operator,
            define: operator.define,
            tensors,
            arguments,
            channels_first: None,
            narrower: SmallVec::new(),
            backend: self.backend,
            policy: self.policy,
        };
        if let Some(mask) = mask {
            for output in outputs.iter().take(masked_outputs(layer, &call)) {
                self.masks.insert(*output, mask);
            }
        }
        self.node(name, operator.name, Action::Call(call), &outputs, wired.faults);
        outputs
    }

    /// Gives the masks of inputs to what the signature has for them, unless the call does.
    fn wire_masks(&mut self, layer: &Layer, masks: &[Option<ValueId>], tensors: &mut Tensors) {
        let operator = &layer.operator;
        // A list of tensors has a list of masks: a call that names one names all.
        let is_told = |(input, given): (&Input, &SmallVec<[ValueId; 4]>)| {
            input.name.ends_with("mask") && !given.is_empty()
        };
        if layer.takes_list() && operator.inputs.iter().zip(&*tensors).any(is_told) {
            return;
        }
        for (place, input) in operator.inputs.iter().enumerate() {
            if !tensors[place].is_empty() {
                continue;
            }
            if input.name != "mask" {
                let of = input.name.strip_suffix("_mask");
                let of = of.and_then(|of| operator.inputs.iter().position(|other| other.name == of));
                let value = of.and_then(|of| tensors[of].first());
                let mask = value.and_then(|value| self.masks.get(value).copied());
                tensors[place].extend(mask);
            } else if input.arity != Arity::Any {
                tensors[place].extend(first(masks));
            } else if masks.iter().any(Option::is_some) {
                // Per tensor, an axis-less truth where there is none.
                let all = masks.iter().map(|mask| match mask {
                    Some(mask) => *mask,
                    None => {
                        let truth = Array::new(Kind::Bool, Vec::new(), Data::Bool(vec![true]));
                        self.constant("unmasked", truth)
                    }
                });
                tensors[place] = all.collect();
            }
        }
    }

    /// Adds a call of what is no layer on one value. The mask of the value goes on with what it gives.
    pub fn converted(
        &mut self,
        operator: &'static Operator,
        name: &str,
        value: ValueId,
        arguments: Vec<Option<Given>>,
    ) -> ValueId {
        let call = Invocation {
            operator,
            define: operator.define,
            tensors: smallvec![smallvec![value]],
            arguments,
            channels_first: None,
            narrower: SmallVec::new(),
            backend: self.backend,
            policy: self.policy,
        };
        let output = self.value(name, None);
        if let Some(mask) = self.mask(value) {
            self.masks.insert(output, mask);
        }
        self.node(name, operator.name, Action::Call(call), &[output], Vec::new());
        output
    }

    /// The weights that a layer made when it was called first, under that name, for further calls of it: it has one
    /// set of them. `weights` are their names; `None` if nothing is known of the call.
    pub fn weights_of(&mut self, name: &str, weights: &[&str]) -> Option<Vec<(String, ValueId)>> {
        let is_layer = |node: &&Node| node.place.node == name && node.place.spelled != "mask";
        let first = self.graph.nodes.iter().find(is_layer)?;
        let Action::Call(call) = &first.action else { return None };
        let call = Invocation { define: made_weights, ..call.clone() };
        let made: Vec<(String, ValueId)> = weights
            .iter()
            .map(|weight| (weight.to_string(), self.value(&format!("{name}/{weight}"), None)))
            .collect();
        let outputs: Vec<ValueId> = made.iter().map(|(_, value)| *value).collect();
        self.node(name, "weights", Action::Call(call), &outputs, Vec::new());
        Some(made)
    }

    /// Adds a layer whose meaning is not known; of its outputs nothing is.
    pub fn unknown(
        &mut self,
        name: &str,
        class: &str,
        inputs: &[ValueId],
        wanted: usize,
        reason: String,
    ) -> Vec<ValueId> {
        let outputs = self.outputs(name, wanted);
        let action = Action::Unknown { inputs: inputs.to_vec(), reason };
        self.node(name, class.to_string(), action, &outputs, Vec::new());
        outputs
    }

    /// What a file has noted of a tensor: it is all that is known of what comes out of an unknown layer. What any
    /// other gives is for its definition to say.
    pub fn record(&mut self, output: ValueId, kind: Kind, sizes: Vec<Size>) {
        let made_it = |node: &&mut Node| node.outputs.contains(&Some(output));
        let Some(node) = self.graph.nodes.iter_mut().rev().find(made_it) else { return };
        if let Action::Unknown { reason, .. } = &mut node.action {
            let shown: Vec<String> = sizes.iter().map(ToString::to_string).collect();
            reason
                .push_str(&format!("; that it gives {kind}[{}] is what the file records", shown.join(", ")));
            self.values[output.0 as usize].declared =
                Some(Declared::Tensor { kind: Some(kind), sizes: Some(sizes) });
        }
    }

    fn outputs(&mut self, name: &str, wanted: usize) -> Vec<ValueId> {
        (0..wanted.max(1))
            .map(|k| if k == 0 { name.to_string() } else { format!("{name}:{k}") })
            .map(|name| self.value(&name, None))
            .collect()
    }

    fn node(
        &mut self,
        name: &str,
        spelled: impl Into<Cow<'static, str>>,
        action: Action,
        outputs: &[ValueId],
        faults: Vec<Fault>,
    ) {
        let place = Rc::new(Place::new(name, spelled));
        let outputs = outputs.iter().copied().map(Some).collect();
        self.graph.nodes.push(Node { place, action, outputs, faults, remarks: Vec::new() });
    }

    /// What was added so far.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
    pub fn name(&self, value: ValueId) -> &str {
        &self.values[value.0 as usize].name
    }

    /// The mask that goes with a value.
    pub fn mask(&self, value: ValueId) -> Option<ValueId> {
        self.masks.get(&value).copied()
    }

    /// How far it is, to come back to.
    pub fn mark(&self) -> Mark {
        let Graph { inputs, constants, nodes, .. } = &self.graph;
        Mark([self.values.len(), inputs.len(), constants.len(), nodes.len()])
    }
    /// Takes back everything that was added since.
    pub fn undo(&mut self, mark: Mark) {
        let Mark([values, inputs, constants, nodes]) = mark;
        self.values.truncate(values);
        self.graph.inputs.truncate(inputs);
        self.graph.constants.truncate(constants);
        self.graph.nodes.truncate(nodes);
        self.masks.retain(|value, _| (value.0 as usize) < values);
    }

    /// The program, with these outputs.
    pub fn finish(mut self, file: &str, outputs: Vec<ValueId>) -> Program {
        self.graph.outputs = outputs;
        Program {
            file: file.into(),
            values: self.values,
            graph: self.graph,
            variables: Vec::new(),
            flushes: false,
            asserted: Vec::new(),
            open: self.open,
        }
    }
}

/// How many outputs of a call, from the first on, have the mask that there is.
pub fn masked_outputs(layer: &Layer, call: &Invocation) -> usize {
    let Mask::PassesToBothIf(_, (name, word)) = layer.mask else { return 1 };
    let mut given = layer.operator.parameters.iter().zip(&call.arguments);
    let is_word = given.any(|(parameter, given)| {
        parameter.name == name && matches!(given, Some(Given::Text(text)) if text == word)
    });
    if is_word { 2 } else { 1 }
}

/// The mask that the call itself names, which goes on as one that came with the first input would.
pub fn told_mask(layer: &Layer, tensors: &Tensors) -> Option<ValueId> {
    let (inputs, first) = (layer.operator.inputs, layer.operator.inputs[0].name);
    let is_it = |name: &str| name == "mask" || name.strip_suffix("_mask") == Some(first);
    let place = inputs.iter().position(|input| is_it(input.name))?;
    tensors[place].first().copied().filter(|_| layer.takes.contains(&"mask"))
}

/// The mask of the first input; a damaged file may have a layer called on nothing.
fn first(masks: &[Option<ValueId>]) -> Option<ValueId> {
    masks.first().copied().flatten()
}

/// The place of an input, or of the weights that the signature does not name.
fn position(operator: &Operator, input: &str) -> usize {
    place(operator, input).unwrap_or_else(|| panic!("{} has no input `{input}`", operator.name))
}

/// Whether a flag is set, by the arguments or by default; `layer.flag` is one of a layer that is an argument.
pub fn is_set(operator: &Operator, arguments: &[Option<Given>], flag: &str) -> bool {
    let (name, inner) = flag.split_once('.').map_or((flag, None), |(name, rest)| (name, Some(rest)));
    let Some(place) = operator.parameters.iter().position(|parameter| parameter.name == name) else {
        return false;
    };
    match (&arguments[place], inner) {
        (Some(Given::Operators(operators)), Some(inner)) => {
            operators.first().is_some_and(|(operator, arguments)| is_set(operator, arguments, inner))
        }
        (Some(Given::Int(value)), None) => *value != 0,
        (None, None) => matches!(operator.parameters[place].default, Preset::Flag(true)),
        _ => false,
    }
}
