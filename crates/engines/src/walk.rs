//! Asking a program of layers whether it is valid, quickly: types and sizes alone go through it, no values, and
//! weights are those that the layers make. The asker may change arguments and inputs on the way, and leave numbers
//! open.

use program::arguments;
use program::execute::stored;
use program::ir::{Action, Declared, Given, Invocation, Node, Program, Size, ValueId};
use rustc_hash::FxHashMap;
use semantics::call::{Argument, Stop};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use smallvec::SmallVec;

/// A size that a file only names, such as the batch, stands for any; this one is taken.
pub const NAMED_SIZE: i64 = 2;

/// A program that is walked through any number of times.
pub struct Walker<'p> {
    program: &'p Program,
    /// Per node, the inputs of its signature that hold weights, which are made anew for what the layer is called on.
    weights: Vec<SmallVec<[usize; 4]>>,
    has_weights: bool,
}

/// Something else in the place of what the program says; of two that concern the same, the later counts.
/// Belongs to the arena of its numbers.
#[derive(Clone)]
pub enum Edit {
    /// An argument of a node, and with it of all calls of that layer; `None` leaves it out.
    Argument {
        node: usize,
        slot: usize,
        given: Option<Given>,
    },
    /// The same, with numbers that are open.
    Open {
        node: usize,
        slot: usize,
        argument: Argument,
    },
    Input {
        input: ValueId,
        kind: Kind,
        sizes: Vec<Dim>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    Valid,
    /// The labels of what does not hold, each once.
    Broken(SmallVec<[&'static str; 1]>),
    /// Nothing can be said of it.
    Unknown,
    /// A call before it fails or is not known.
    Unreached,
}

/// What a walk came to. Belongs to the arena it was walked in.
pub struct Walked {
    /// Per node.
    pub states: Vec<State>,
    /// Requirements that open numbers decide.
    pub open: Vec<Prop>,
    /// Per value.
    pub tensors: Vec<Option<Tensor>>,
    /// How many definitions were asked.
    pub asked: usize,
}

impl Walked {
    pub fn is_valid(&self) -> bool {
        self.open.is_empty() && self.may_be_valid()
    }
    /// Whether nothing fails but for what open numbers decide.
    pub fn may_be_valid(&self) -> bool {
        self.states.iter().all(|state| *state == State::Valid)
    }
    /// The first node with a broken requirement.
    pub fn broken(&self) -> Option<(usize, &[&'static str])> {
        self.states.iter().enumerate().find_map(|(node, state)| match state {
            State::Broken(labels) => Some((node, &labels[..])),
            _ => None,
        })
    }
}

impl<'p> Walker<'p> {
    pub fn new(program: &'p Program) -> Walker<'p> {
        let stored = |value: &ValueId| program.graph.constants.iter().any(|(constant, _)| constant == value);
        let weights = program.graph.nodes.iter().map(|node| match &node.action {
            Action::Call(call) if layers::layers::by_name(call.operator.name).is_some() => {
                (1..call.tensors.len())
                    .filter(|&slot| !call.operator.inputs[slot].name.ends_with("mask"))
                    .filter(|&slot| !call.tensors[slot].is_empty() && call.tensors[slot].iter().all(stored))
                    .collect()
            }
            _ => SmallVec::new(),
        });
        let weights: Vec<SmallVec<[usize; 4]>> = weights.collect();
        let has_weights = weights.iter().any(|slots| !slots.is_empty());
        Walker { program, weights, has_weights }
    }

    /// The same, where layers have the weights that are stored for them.
    pub fn keeping_weights(program: &'p Program) -> Walker<'p> {
        let walker = Walker::new(program);
        let none = walker.weights.iter().map(|_| SmallVec::new()).collect();
        Walker { weights: none, ..walker }
    }

    /// Whether weights are stored for any layer.
    pub fn has_weights(&self) -> bool {
        self.has_weights
    }

    /// Walks through the program, in the current arena.
    pub fn walk(&self, edits: &[Edit]) -> Walked {
        let mut walked = Walked {
            states: Vec::with_capacity(self.program.graph.nodes.len()),
            open: Vec::new(),
            tensors: vec![None; self.program.values.len()],
            asked: 0,
        };
        for &input in &self.program.graph.inputs {
            walked.tensors[input.0 as usize] = self.input(input, edits);
        }
        for (number, node) in self.program.graph.nodes.iter().enumerate() {
            let state = self.node(number, node, edits, &mut walked);
            walked.states.push(state);
        }
        walked
    }

    /// The first `until` nodes once more, up to one that is not valid, with `edits`, of which `walked` knew all but the
    /// last. A node that the last one does not concern, and that reads what it read before, is as it was.
    pub fn walk_again(&self, walked: &Walked, edits: &[Edit], until: usize) -> Walked {
        let mut again = Walked {
            states: Vec::with_capacity(until),
            open: Vec::new(),
            tensors: walked.tensors.clone(),
            asked: 0,
        };
        let mut changed = vec![false; again.tensors.len()];
        if let Some(Edit::Input { input, .. }) = edits.last() {
            let at = input.0 as usize;
            again.tensors[at] = self.input(*input, edits);
            changed[at] = true;
        }
        for (number, node) in self.program.graph.nodes.iter().enumerate().take(until) {
            let before = &walked.states[number];
            let outputs = || node.outputs.iter().flatten().map(|value| value.0 as usize);
            if !self.is_edited(node, number, edits)
                && !node.inputs().iter().any(|value| changed[value.0 as usize])
            {
                again.states.push(before.clone());
            } else {
                outputs().for_each(|at| again.tensors[at] = None);
                let state = self.node(number, node, edits, &mut again);
                again.states.push(state);
                for at in outputs() {
                    changed[at] = !looks_alike(walked.tensors[at], again.tensors[at]);
                }
            }
            if again.states[number] != State::Valid {
                break;
            }
        }
        again
    }

    /// Whether the last edit concerns the layer that a node calls.
    fn is_edited(&self, node: &Node, number: usize, edits: &[Edit]) -> bool {
        match (edits.last(), &node.action) {
            (Some(Edit::Argument { node, .. } | Edit::Open { node, .. }), Action::Call(call)) => {
                self.is_same_layer(*node, number, call)
            }
            _ => false,
        }
    }

    fn input(&self, input: ValueId, edits: &[Edit]) -> Option<Tensor> {
        for edit in edits.iter().rev() {
            if let Edit::Input { input: edited, kind, sizes } = edit
                && *edited == input
            {
                return Some(Tensor::given("", *kind, Shape::new(sizes.iter().copied())));
            }
        }
        let (kind, sizes) = declared(self.program, input)?;
        Some(Tensor::given("", kind, Shape::new(sizes.into_iter().map(Dim::from))))
    }

    fn node(&self, number: usize, node: &Node, edits: &[Edit], walked: &mut Walked) -> State {
        let Action::Call(invocation) = &node.action else { return State::Unknown };
        if !node.faults.is_empty() {
            return State::Unknown;
        }
        let weights = &self.weights[number];
        let mut missing = false;
        let mut edited: Option<Invocation> = None;
        let mut open: SmallVec<[(usize, &Argument); 2]> = SmallVec::new();
        for edit in edits {
            match edit {
                Edit::Argument { node, slot, given } if self.is_same_layer(*node, number, invocation) => {
                    edited.get_or_insert_with(|| invocation.clone()).arguments[*slot] = given.clone();
                }
                Edit::Open { node, slot, argument } if self.is_same_layer(*node, number, invocation) => {
                    open.push((*slot, argument));
                }
                _ => {}
            }
        }
        let invocation = edited.as_ref().unwrap_or(invocation);
        let mut call = arguments::call(invocation, node.outputs.len(), &mut |value| {
            if let Some(tensor) = walked.tensors[value.0 as usize] {
                return tensor;
            }
            let constant = self.program.graph.constants.iter().find(|(constant, _)| *constant == value);
            missing |= constant.is_none();
            constant.map_or_else(
                || Tensor::given("", Kind::F32, Shape::scalar()),
                |(_, constant)| stored(constant, ""),
            )
        });
        if missing {
            return State::Unreached;
        }
        weights.iter().for_each(|&slot| call.tensors[slot].clear());
        open.into_iter().for_each(|(slot, argument)| call.arguments[slot] = Some(argument.clone()));
        walked.asked += 1;
        let outcome = call.run(invocation.define);
        let mut broken: SmallVec<[&'static str; 1]> = SmallVec::new();
        for requirement in call.requirements.iter().filter(|requirement| requirement.category.binds()) {
            match requirement.prop.known() {
                Some(true) => {}
                Some(false) if broken.contains(&requirement.label) => {}
                Some(false) => broken.push(requirement.label),
                None => walked.open.push(requirement.prop),
            }
        }
        if !broken.is_empty() {
            return State::Broken(broken);
        }
        match outcome {
            Ok(outputs) => {
                for (value, tensor) in node.outputs.iter().zip(outputs) {
                    if let Some(value) = value {
                        walked.tensors[value.0 as usize] = Some(tensor);
                    }
                }
                State::Valid
            }
            Err(Stop::Violated | Stop::Unknown(_)) => State::Unknown,
        }
    }

    /// Whether two nodes are calls of one layer, the second with this invocation.
    fn is_same_layer(&self, first: usize, second: usize, invocation: &Invocation) -> bool {
        if first == second {
            return true;
        }
        let nodes = &self.program.graph.nodes;
        let Action::Call(other) = &nodes[first].action else { return false };
        std::ptr::eq(other.operator, invocation.operator)
            && nodes[first].place.is_of_layer_at(&nodes[second].place)
    }
}

/// Whether whatever reads one tensor would find the same type and sizes in the other.
fn looks_alike(one: Option<Tensor>, other: Option<Tensor>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.dtype().known().is_some()
                && one.dtype().known() == other.dtype().known()
                && one.shape().same(other.shape()).known() == Some(true)
        }
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// The type and sizes of an input, if the program says them.
pub fn declared(program: &Program, input: ValueId) -> Option<(Kind, Vec<i64>)> {
    let Some(Declared::Tensor { kind: Some(kind), sizes: Some(sizes) }) = program.declared(input) else {
        return None;
    };
    let size = |size: &Size| match size {
        Size::Known(size) => Some(*size),
        Size::Named(_) => Some(NAMED_SIZE),
        Size::Unknown => None,
    };
    Some((*kind, sizes.iter().map(size).collect::<Option<_>>()?))
}

/// For each node, the nodes that it needs, itself first and the nearest first.
pub fn ancestors(program: &Program, node: usize) -> Vec<usize> {
    let nodes = &program.graph.nodes;
    let makers: FxHashMap<ValueId, usize> = nodes
        .iter()
        .enumerate()
        .flat_map(|(number, node)| node.outputs.iter().flatten().map(move |&value| (value, number)))
        .collect();
    let mut found = vec![node];
    let mut next = 0;
    while let Some(&number) = found.get(next) {
        for value in nodes[number].inputs() {
            if let Some(&maker) = makers.get(&value)
                && !found.contains(&maker)
            {
                found.push(maker);
            }
        }
        next += 1;
    }
    found
}
