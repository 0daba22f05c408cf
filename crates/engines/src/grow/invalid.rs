//! Models that break exactly one requirement: a valid one is grown, and one thing in it is changed, an argument of a
//! layer or the type or shape of an input, until the definitions find exactly one fault.

use super::{Case, Grower};
use crate::walk::{State, Walker, declared};
use program::ir::{Action, Declared, Given, Program, Size, ValueId};
use semantics::arena;
use semantics::dtype::Kind;

/// A model with exactly one fault. It has no weights: layers make them, if they are made at all.
pub struct Invalid {
    pub program: Program,
    /// The node that breaks a requirement, and the requirement.
    pub node: usize,
    pub label: &'static str,
    /// What was changed in a valid model.
    pub change: Change,
}

/// One thing that is changed.
#[derive(Clone, Debug)]
pub enum Change {
    /// The argument of a layer, by the node that calls it and its place in the signature.
    Argument {
        node: usize,
        slot: usize,
    },
    Input(ValueId),
}

/// How many changes are tried before another model is grown.
const CHANGES: usize = 40;

/// What a change replaced.
enum Before {
    Argument(Option<Given>),
    Input(Option<Declared>),
}

impl Grower {
    /// A model with exactly one fault; rather one that was seldom grown before.
    pub fn next_invalid(&mut self) -> Invalid {
        loop {
            let Some(mut case) = self.next() else { continue };
            without_weights(&mut case);
            // A layer may make weights of another type than were drawn for it.
            if !arena::scope(|| Walker::new(&case.program).walk(&[]).is_valid()) {
                continue;
            }
            for _ in 0..CHANGES {
                let Some((change, before)) = self.change(&mut case) else { continue };
                if let Some((node, label)) = only_fault(&case.program)
                    && self.is_welcome(&case.program, node, label)
                {
                    return Invalid { program: case.program, node, label, change };
                }
                undo(&mut case.program, &change, before);
            }
        }
    }

    /// Whether a fault is wanted: those that were grown most often are not.
    fn is_welcome(&mut self, program: &Program, node: usize, label: &'static str) -> bool {
        let Action::Call(call) = &program.graph.nodes[node].action else { return false };
        let total: u32 = self.faults.values().sum();
        let mean = total / (self.faults.len() as u32).max(1);
        let count = self.faults.entry((call.operator.name, label)).or_default();
        if *count > mean && self.draw.chance(90) {
            return false;
        }
        *count += 1;
        true
    }

    fn change(&mut self, case: &mut Case) -> Option<(Change, Before)> {
        let program = &mut case.program;
        if self.draw.chance(25) {
            let input = *self.draw.pick(&program.graph.inputs)?;
            let (mut kind, mut sizes) = declared(program, input)?;
            // Where there is a batch, layers are models of one example: they take any batch, and cast what comes.
            let batched = self.options.batched;
            match self.draw.below(8) {
                0 if !batched => kind = *self.draw.pick(&[self.options.integers, Kind::Bool])?,
                1 if sizes.len() > 1 => drop(sizes.remove(1)),
                2 => sizes.push(self.draw.between(1, self.options.largest_size)),
                _ => {
                    let least = usize::from(batched);
                    let axis = least + self.draw.below(sizes.len().saturating_sub(least));
                    if axis >= sizes.len() {
                        return None;
                    }
                    sizes[axis] = self.draw.between(0, 2 * self.options.largest_size);
                }
            }
            let sizes = sizes.into_iter().map(Size::Known).collect();
            let declared = Declared::Tensor { kind: Some(kind), sizes: Some(sizes) };
            let before = program.values[input.0 as usize].declared.replace(declared);
            return Some((Change::Input(input), Before::Input(before)));
        }
        let node = self.draw.below(program.graph.nodes.len());
        let Action::Call(call) = &program.graph.nodes[node].action else { return None };
        let slot = self.draw.below(call.operator.parameters.len());
        let is_own = |layer: &&layers::layer::Layer| layer.operator.name == call.operator.name;
        let layer = self.options.vocabulary.iter().copied().position(|layer| is_own(&layer))?;
        call.operator.parameters.get(slot)?;
        let first = call.tensors[0].first()?;
        let sizes = case.values[first.0 as usize].as_ref()?.array.shape.iter().map(|&size| size as i64);
        let sizes: Vec<i64> = sizes.collect();
        let given = self.habits[layer].any(&self.habits, slot, &sizes, &mut self.draw);
        let before = set(program, node, slot, given);
        Some((Change::Argument { node, slot }, Before::Argument(before)))
    }
}

/// Gives a layer another argument, in all its calls.
pub(crate) fn set(program: &mut Program, node: usize, slot: usize, given: Option<Given>) -> Option<Given> {
    let (place, mut before) = (program.graph.nodes[node].place.clone(), None);
    let Action::Call(call) = &program.graph.nodes[node].action else { return None };
    let operator = call.operator;
    for other in program.graph.nodes.iter_mut().filter(|other| other.place.is_of_layer_at(&place)) {
        if let Action::Call(call) = &mut other.action
            && std::ptr::eq(call.operator, operator)
        {
            before = std::mem::replace(&mut call.arguments[slot], given.clone());
        }
    }
    before
}

fn undo(program: &mut Program, change: &Change, before: Before) {
    match (change, before) {
        (Change::Argument { node, slot }, Before::Argument(given)) => {
            set(program, *node, *slot, given);
        }
        (Change::Input(input), Before::Input(declared)) => {
            program.values[input.0 as usize].declared = declared;
        }
        _ => {}
    }
}

/// The fault, if there is exactly one and all else is known.
fn only_fault(program: &Program) -> Option<(usize, &'static str)> {
    arena::scope(|| {
        let walked = Walker::new(program).walk(&[]);
        let decided = walked.open.is_empty() && !walked.states.contains(&State::Unknown);
        let count = walked.states.iter().filter(|state| matches!(state, State::Broken(_))).count();
        match walked.broken() {
            Some((node, &[label])) if decided && count == 1 => Some((node, label)),
            _ => None,
        }
    })
}

/// Takes the weights out of a model.
fn without_weights(case: &mut Case) {
    let graph = &mut case.program.graph;
    for node in &mut graph.nodes {
        let Action::Call(call) = &mut node.action else { continue };
        for (slot, values) in call.tensors.iter_mut().enumerate() {
            let stored = |value: &ValueId| graph.constants.iter().any(|(constant, _)| constant == value);
            if slot > 0 && !call.operator.inputs[slot].name.ends_with("mask") && values.iter().all(stored) {
                values.clear();
            }
        }
    }
    let used: Vec<ValueId> = graph.nodes.iter().flat_map(|node| node.inputs()).collect();
    graph.constants.retain(|(constant, _)| used.contains(constant));
}
