//! A network under construction: layers are added one by one, and become calls of a program.
//! Masks travel beside the values, as Keras carries them.

use std::borrow::Cow;
use std::rc::Rc;

use crate::ir::{
    Action, Constant, Declared, Fault, Given, Graph, Invocation, Node, Place, Program, Size, Value, ValueId,
};
use layers::layer::{Layer, Mask};
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dtype::Kind;
use semantics::operator::{Arity, Operator};
use smallvec::{SmallVec, smallvec};

#[derive(Default)]
pub struct Network {
    values: Vec<Value>,
    graph: Graph,
    /// The mask that goes with a value; `None` where there is one that is not modelled.
    masks: FxHashMap<ValueId, Option<ValueId>>,
}

/// A point in the construction of a network.
#[derive(Clone, Copy)]
pub struct Mark([usize; 4]);

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
    fn value(&mut self, name: &str, declared: Option<Declared>) -> ValueId {
        self.values.push(Value { name: name.into(), declared });
        ValueId(self.values.len() as u32 - 1)
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
        let is_layer = |node: &&mut Node| node.place.node == name && node.place.spelled != "mask";
        if let Some(node) = self.graph.nodes.iter_mut().rev().find(is_layer) {
            node.faults.push(fault);
        }
    }

    /// Adds a layer and gives its outputs. Names that its signature does not have are the caller's mistake.
    pub fn layer(&mut self, layer: &'static Layer, name: &str, wired: Wired) -> Vec<ValueId> {
        let operator = &layer.operator;
        let mut tensors: SmallVec<[SmallVec<[ValueId; 4]>; 3]> =
            smallvec![SmallVec::new(); operator.inputs.len()];
        for (input, values) in &wired.tensors {
            tensors[position(operator, input)].extend(values.iter().copied());
        }
        let main = tensors[0].clone();
        let masks: Vec<Option<ValueId>> =
            main.iter().filter_map(|value| self.masks.get(value).copied()).collect();
        let heeds = layer.mask == Mask::Open || operator.inputs.iter().any(|input| input.name == "mask");
        if heeds && (layer.mask == Mask::Open && !masks.is_empty() || masks.contains(&None)) {
            let reason = format!("what the mask of an input does to `{}` is not modelled", operator.name);
            return self.unknown(name, operator.name, &main, wired.wanted, reason);
        }
        let heeded: Vec<ValueId> = masks.iter().copied().flatten().collect();
        if let Some(place) = operator.inputs.iter().position(|input| input.name == "mask")
            && tensors[place].is_empty()
        {
            tensors[place].extend(heeded.first().copied());
        }
        let mut arguments: Vec<Option<Given>> = vec![None; operator.parameters.len()];
        let mut returns_sequences = false;
        for (name, given) in wired.arguments {
            returns_sequences |= name == "return_sequences" && matches!(given, Given::Int(1));
            let place = operator.parameters.iter().position(|parameter| parameter.name == name);
            arguments[place.unwrap_or_else(|| panic!("{} has no argument `{name}`", operator.name))] =
                Some(given);
        }
        let outputs = self.outputs(name, wired.wanted);
        let invocation =
            Invocation { operator, define: operator.define, tensors, arguments, channels_first: None };
        self.node(name, operator.name, Action::Call(invocation), &outputs, wired.faults);
        // Of what is given on, a mask that is not modelled makes more of its kind.
        let lost = masks.contains(&None);
        let mask = match layer.mask {
            Mask::Drops | Mask::Open => None,
            Mask::Changes => (!masks.is_empty()).then_some(None),
            Mask::PassesSequences if !returns_sequences => None,
            Mask::Passes | Mask::PassesSequences => masks.first().copied(),
            Mask::Joins if lost => Some(None),
            Mask::Joins => self.joined(name, &heeded).map(Some),
            Mask::Makes => outputs.get(1).copied().map(Some),
        };
        if let Some(mask) = mask {
            self.masks.insert(outputs[0], mask);
        }
        outputs
    }

    /// What all masks have in common.
    fn joined(&mut self, name: &str, masks: &[ValueId]) -> Option<ValueId> {
        let and = semantics::operators::by_name("and")?;
        masks.iter().copied().reduce(|joined, mask| {
            let output = self.value(&format!("{name}:mask"), None);
            let tensors = smallvec![smallvec![joined], smallvec![mask]];
            let arguments = vec![None; and.parameters.len()];
            let invocation =
                Invocation { operator: and, define: and.define, tensors, arguments, channels_first: None };
            self.node(name, "mask", Action::Call(invocation), &[output], Vec::new());
            output
        })
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

    pub fn is_masked(&self, value: ValueId) -> bool {
        self.masks.contains_key(&value)
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
        Program { file: file.into(), values: self.values, graph: self.graph }
    }
}

fn position(operator: &Operator, input: &str) -> usize {
    let place = operator.inputs.iter().position(|other| other.name == input);
    debug_assert!(place.is_none_or(|place| operator.inputs[place].arity != Arity::Variadic || place == 0));
    place.unwrap_or_else(|| panic!("{} has no input `{input}`", operator.name))
}
