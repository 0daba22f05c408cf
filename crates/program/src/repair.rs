//! What would make a failing call right: each number the caller chose is set free in turn, the definition is
//! asked again, and a number that its requirements leave no choice for is the advice.
//!
//! No operator knows about this: it is one more reading of the requirements.

use semantics::call::{Argument, Call, Outcome, Requirement, Stop};
use semantics::dim::{Dim, LARGEST_SIZE};
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::tensor::{Content, Tensor};
use smallvec::SmallVec;
use solver::{Consistency, Context, Limits};

/// Longer lists and higher ranks are not searched.
const MOST_CHOICES: usize = 8;
/// More advice than this is noise.
const MOST_REPAIRS: usize = 2;

/// A change of one argument with which the call would be valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The operator's name for the argument.
    pub argument: &'static str,
    /// What it should be: `2`, `[1, 3]` or `f32[8, 3, 3, 3]`.
    pub value: String,
}

/// The definition of a call, and what is known besides its arguments.
pub(crate) struct Failing<'a> {
    pub define: fn(&mut Call) -> Outcome,
    pub requirement: &'a Requirement,
    pub facts: &'a [Prop],
    pub limits: &'a Limits,
}

impl Failing<'_> {
    /// Changes of one number each, those first that the broken requirement speaks of.
    pub(crate) fn repairs(&self, call: &Call) -> Vec<Repair> {
        let mut found: Vec<Repair> =
            choices(call).into_iter().filter_map(|choice| self.repair(call, choice)).collect();
        found.sort_by_key(|repair| !self.requirement.label.contains(&format!("`{}`", repair.argument)));
        found.dedup_by(|a, b| a == b);
        found.truncate(MOST_REPAIRS);
        found
    }

    fn repair(&self, call: &Call, choice: Choice) -> Option<Repair> {
        let (low, argument) = match choice {
            Choice::Parameter(slot, _) => (-LARGEST_SIZE, call.operator.parameters[slot].name),
            Choice::Size { slot, .. } => (0, call.operator.inputs[slot].name),
        };
        let free = Dim::symbol("?", low, LARGEST_SIZE);
        let mut changed = choice.put(call, free)?;
        if let Err(Stop::Unknown(_)) = changed.run(self.define) {
            return None;
        }
        let mut context = Context::new(self.limits.clone());
        self.facts.iter().for_each(|&fact| context.assume(fact));
        let binding = |requirement: &&Requirement| requirement.category.binds();
        for requirement in changed.requirements.iter().filter(binding) {
            context.assume(requirement.prop);
        }
        if !matches!(context.consistency(), Consistency::Consistent(_)) {
            return None;
        }
        let value = context.simplify(free).known()?;
        let mended = choice.put(call, value.into())?;
        let value = match choice {
            Choice::Parameter(slot, _) => mended.arguments[slot].as_ref()?.to_string(),
            Choice::Size { slot, number, .. } => mended.tensors[slot][number].to_string(),
        };
        Some(Repair { argument, value })
    }
}

/// A number that whoever wrote the call could choose.
#[derive(Clone, Copy)]
enum Choice {
    /// A parameter, or one entry of it.
    Parameter(usize, usize),
    /// A size of a tensor that no call computes.
    Size { slot: usize, number: usize, axis: usize },
}

fn choices(call: &Call) -> Vec<Choice> {
    let mut choices = Vec::new();
    for (slot, argument) in call.arguments.iter().enumerate() {
        let entries = match argument {
            Some(Argument::Int(_)) => 1,
            Some(Argument::Ints(values)) if values.len() <= MOST_CHOICES => values.len(),
            _ => 0,
        };
        choices.extend((0..entries).map(|entry| Choice::Parameter(slot, entry)));
    }
    for (slot, tensors) in call.tensors.iter().enumerate() {
        for (number, tensor) in tensors.iter().enumerate().take(MOST_CHOICES) {
            // What a call before has computed is not this call's to choose.
            let chosen = matches!(tensor.content(), Content::Stored(_) | Content::Given);
            let sizes = tensor.shape().sizes().filter(|sizes| chosen && sizes.len() <= MOST_CHOICES);
            for (axis, size) in sizes.iter().flat_map(|sizes| sizes.iter().enumerate()) {
                if size.known().is_some() {
                    choices.push(Choice::Size { slot, number, axis });
                }
            }
        }
    }
    choices
}

impl Choice {
    /// The call with another number in this place, as if nobody had asked about it yet.
    fn put(self, call: &Call, value: Dim) -> Option<Call> {
        let mut changed = Call::new(call.operator);
        changed.wanted = call.wanted;
        changed.tensors = call.tensors.clone();
        changed.arguments = call.arguments.clone();
        match self {
            Choice::Parameter(slot, entry) => match changed.arguments[slot].as_mut()? {
                Argument::Int(number) => *number = value,
                Argument::Ints(numbers) => numbers[entry] = value,
                _ => return None,
            },
            Choice::Size { slot, number, axis } => {
                let tensor: Tensor = changed.tensors[slot][number];
                let mut sizes: SmallVec<[Dim; 6]> = tensor.shape().sizes()?.iter().copied().collect();
                sizes[axis] = value;
                let shape = Shape::new(sizes);
                changed.tensors[slot][number] = Tensor::given(&tensor.name(), tensor.dtype(), shape);
            }
        }
        Some(changed)
    }
}
