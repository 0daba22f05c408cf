//! A program with known inputs, and how it is changed: layers cut out, arguments and arrays replaced.

use program::ir::{
    Action, Constant, Declared, Given, Graph, Invocation, Node, Program, Size, Value, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::{Array, Data};
use std::rc::Rc;

/// A program whose nodes are calls of layers or operators, with an array for each input.
pub struct Case {
    pub program: Program,
    pub inputs: FxHashMap<ValueId, Array>,
}

impl Clone for Case {
    fn clone(&self) -> Case {
        let graph = &self.program.graph;
        let nodes = graph.nodes.iter().filter_map(copied).collect();
        let graph = Graph {
            inputs: graph.inputs.clone(),
            constants: graph.constants.clone(),
            nodes,
            outputs: graph.outputs.clone(),
        };
        let program = Program {
            file: self.program.file.clone(),
            values: self.program.values.clone(),
            graph,
            variables: Vec::new(),
            flushes: false,
            asserted: Vec::new(),
            open: Vec::new(),
        };
        Case { program, inputs: self.inputs.clone() }
    }
}

/// A node that is a call; others do not occur in cases.
fn copied(node: &Node) -> Option<Node> {
    let Action::Call(call) = &node.action else { return None };
    Some(Node {
        place: node.place.clone(),
        action: Action::Call(call.clone()),
        outputs: node.outputs.clone(),
        faults: node.faults.clone(),
        remarks: node.remarks.clone(),
    })
}

impl Case {
    pub fn invocation(&self, node: usize) -> Option<&Invocation> {
        match &self.program.graph.nodes.get(node)?.action {
            Action::Call(invocation) => Some(invocation),
            _ => None,
        }
    }
    fn invocation_mut(&mut self, node: usize) -> Option<&mut Invocation> {
        match &mut self.program.graph.nodes.get_mut(node)?.action {
            Action::Call(invocation) => Some(invocation),
            _ => None,
        }
    }

    /// The stored array of a value.
    pub fn constant(&self, value: ValueId) -> Option<Array> {
        let (_, constant) = self.program.graph.constants.iter().find(|(own, _)| *own == value)?;
        (constant.load)()
    }

    /// Gives an input or a stored value another array. What its type cannot hold is rounded.
    pub fn set_array(&mut self, value: ValueId, mut array: Array) {
        if let Data::Float(values) = &mut array.data {
            values.iter_mut().for_each(|value| *value = array.kind.round(*value));
        }
        let sizes: Vec<i64> = array.shape.iter().map(|&size| size as i64).collect();
        if let Some((_, constant)) = self.program.graph.constants.iter_mut().find(|(own, _)| *own == value) {
            *constant = Constant { kind: array.kind, sizes, load: Rc::new(move || Some(array.clone())) };
            return;
        }
        let declared = sizes.into_iter().map(Size::Known).collect();
        let declared = Declared::Tensor { kind: Some(array.kind), sizes: Some(declared) };
        self.program.values[value.0 as usize].declared = Some(declared);
        self.inputs.insert(value, array);
    }

    /// The array that an input or a stored value has.
    pub fn array(&self, value: ValueId) -> Option<Array> {
        self.inputs.get(&value).cloned().or_else(|| self.constant(value))
    }

    /// Gives a parameter another value, or none, in every call of the same layer.
    pub fn set_argument(&mut self, node: usize, parameter: usize, given: Option<Given>) {
        let name = self.program.graph.nodes[node].place.node.clone();
        for other in 0..self.program.graph.nodes.len() {
            if self.program.graph.nodes[other].place.node == name
                && let Some(invocation) = self.invocation_mut(other)
                && let Some(argument) = invocation.arguments.get_mut(parameter)
            {
                argument.clone_from(&given);
            }
        }
    }

    /// Leaves out stored inputs of a call but for the first so many, such as a bias that is no longer used.
    pub fn keep_tensors(&mut self, node: usize, place: usize, count: usize) {
        if let Some(invocation) = self.invocation_mut(node) {
            invocation.tensors[place].truncate(count);
        }
        self.drop_unused();
    }

    /// The case with these nodes alone. What they need and no longer have becomes an input, with what `known` says
    /// of it; `None` if that is not known.
    pub fn cut(&self, kept: &[usize], known: &dyn Fn(ValueId) -> Option<Array>) -> Option<Case> {
        let mut case = self.clone();
        let mut number = 0;
        case.program.graph.nodes.retain(|_| {
            number += 1;
            kept.contains(&(number - 1))
        });
        let graph = &case.program.graph;
        let made: FxHashSet<ValueId> =
            graph.nodes.iter().flat_map(|node| node.outputs.iter().flatten().copied()).collect();
        let stored: FxHashSet<ValueId> = graph.constants.iter().map(|(value, _)| *value).collect();
        let mut needed: Vec<ValueId> = Vec::new();
        for value in graph.nodes.iter().flat_map(Node::inputs) {
            if !made.contains(&value) && !stored.contains(&value) && !needed.contains(&value) {
                needed.push(value);
            }
        }
        for value in &needed {
            if !case.inputs.contains_key(value) {
                let array = known(*value)?;
                case.set_array(*value, array);
            }
        }
        case.program.graph.inputs = needed;
        let last = case.program.graph.nodes.last()?;
        case.program.graph.outputs = last.outputs.iter().flatten().take(1).copied().collect();
        case.drop_unused();
        Some(case)
    }

    fn drop_unused(&mut self) {
        let graph = &mut self.program.graph;
        let used: FxHashSet<ValueId> = graph.nodes.iter().flat_map(Node::inputs).collect();
        graph.constants.retain(|(value, _)| used.contains(value));
        graph.inputs.retain(|value| used.contains(value));
        let inputs = graph.inputs.clone();
        self.inputs.retain(|value, _| inputs.contains(value));
    }

    /// The node itself, or the call whose mask it makes, which follows it.
    pub fn layer_of(&self, node: usize) -> usize {
        let is_mask = self.program.graph.nodes[node].place.spelled == "mask";
        node + usize::from(is_mask && node + 1 < self.program.graph.nodes.len())
    }

    /// How many layers it has; several calls of one count once.
    pub fn layers(&self) -> usize {
        let nodes = self.program.graph.nodes.iter().filter(|node| node.place.spelled != "mask");
        nodes.map(|node| node.place.node.as_str()).collect::<FxHashSet<_>>().len()
    }

    /// Gives every call of a node's layer one more weight.
    pub fn add_weight(&mut self, node: usize, place: usize, name: &str, array: Array) {
        self.program.values.push(Value { name: name.into(), declared: None });
        let value = ValueId(self.program.values.len() as u32 - 1);
        let sizes = array.shape.iter().map(|&size| size as i64).collect();
        let constant = Constant { kind: array.kind, sizes, load: Rc::new(move || Some(array.clone())) };
        self.program.graph.constants.push((value, constant));
        let layer = self.program.graph.nodes[node].place.node.clone();
        for other in 0..self.program.graph.nodes.len() {
            if self.program.graph.nodes[other].place.node == layer
                && let Some(invocation) = self.invocation_mut(other)
            {
                invocation.tensors[place].push(value);
            }
        }
    }
}
