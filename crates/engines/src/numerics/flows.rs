//! Tensors that are not computed by one formula but in rounds, by cases, or run after run: where their elements are from
//! when the program is really run.

use super::cone::parents;
use program::path::{How, Made, Rounds};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::tensor::Tensor;
use std::rc::Rc;

/// What a tensor may be, each with a condition and whether it is true then.
pub type Sides = Vec<(Tensor, (Tensor, bool))>;

#[derive(Default)]
pub(super) struct Flows {
    pub loops: Vec<Rc<Rounds>>,
    /// The loop that a tensor comes out of, and the loop whose rounds hand it on.
    of_result: FxHashMap<Tensor, usize>,
    of_round: FxHashMap<Tensor, usize>,
    /// What a tensor is under which condition.
    pub sides: FxHashMap<Tensor, Sides>,
    /// What variables start with that the program sets itself.
    pub starts: FxHashMap<Tensor, Tensor>,
}

impl Flows {
    pub fn of(made: &[Made]) -> Flows {
        let mut flows = Flows::default();
        for step in made {
            if let Some(rounds) = &step.rounds {
                let number = flows.loops.len();
                flows.of_result.extend(rounds.results.iter().map(|&result| (result, number)));
                let handed = rounds.carried.iter().chain(&rounds.number);
                flows.of_round.extend(handed.map(|&tensor| (tensor, number)));
                flows.loops.push(rounds.clone());
            }
        }
        for step in made.iter().filter(|made| made.how == How::OneOf && made.inputs.len() == made.when.len())
        {
            if let Some(&output) = step.outputs.first()
                && !flows.of_result.contains_key(&output)
                && !flows.of_round.contains_key(&output)
            {
                let sides = step.inputs.iter().copied().zip(step.when.iter().copied());
                flows.sides.insert(output, sides.collect());
            }
        }
        flows
    }
    /// The loop that a tensor is a result of.
    pub fn result_of(&self, tensor: Tensor) -> Option<usize> {
        self.of_result.get(&tensor).copied()
    }
    /// The loop in whose rounds a tensor is handed on.
    pub fn round_of(&self, tensor: Tensor) -> Option<usize> {
        self.of_round.get(&tensor).copied()
    }
    /// Whether it is known how a tensor is computed that no formula gives.
    pub fn is_followed(&self, tensor: Tensor) -> bool {
        self.of_result.contains_key(&tensor)
            || self.of_round.contains_key(&tensor)
            || self.sides.contains_key(&tensor)
            || self.starts.contains_key(&tensor)
    }
    /// What a tensor is computed from, in whatever way.
    pub fn parents(&self, tensor: Tensor) -> Vec<Tensor> {
        if let Some(number) = self.result_of(tensor).or(self.round_of(tensor)) {
            return everything(&self.loops[number]);
        }
        if let Some(sides) = self.sides.get(&tensor) {
            return sides.iter().flat_map(|(side, (condition, _))| [*side, *condition]).collect();
        }
        if let Some(&start) = self.starts.get(&tensor) {
            return vec![start];
        }
        parents(tensor)
    }
    /// What a tensor may be at first: before a round, on either side, when the program starts.
    pub fn at_first(&self, tensor: Tensor) -> Vec<Tensor> {
        let at = |list: &[Tensor], of: &[Tensor]| {
            let place = of.iter().position(|other| *other == tensor)?;
            list.get(place).copied()
        };
        if let Some(number) = self.result_of(tensor) {
            let rounds = &self.loops[number];
            return at(&rounds.next, &rounds.results).into_iter().collect();
        }
        if let Some(number) = self.round_of(tensor) {
            let rounds = &self.loops[number];
            return at(&rounds.initial, &rounds.carried).into_iter().collect();
        }
        if let Some(sides) = self.sides.get(&tensor) {
            return sides.iter().map(|(side, _)| *side).collect();
        }
        self.starts.get(&tensor).copied().into_iter().collect()
    }
    /// The loops in whose rounds tensors are computed, each tensor asked once.
    pub fn loops_around(&self, targets: &[Tensor]) -> FxHashMap<Tensor, FxHashSet<usize>> {
        let mut around: FxHashMap<Tensor, FxHashSet<usize>> = FxHashMap::default();
        let mut open: Vec<(Tensor, bool)> = targets.iter().map(|&target| (target, false)).collect();
        while let Some((tensor, done)) = open.pop() {
            if let Some(number) = self.round_of(tensor) {
                around.insert(tensor, FxHashSet::from_iter([number]));
                // What the loop itself lies in is told by what it starts with, which is asked elsewhere.
                let before = before(&self.loops[number]);
                if !done {
                    open.push((tensor, true));
                    let unknown = before.into_iter().filter(|other| !around.contains_key(other));
                    open.extend(unknown.map(|other| (other, false)));
                    continue;
                }
                let outer: FxHashSet<usize> =
                    before.iter().filter_map(|other| around.get(other)).flatten().copied().collect();
                around.entry(tensor).or_default().extend(outer);
                continue;
            }
            let result = self.result_of(tensor);
            let above = self.parents(tensor);
            if done {
                let mut all: FxHashSet<usize> =
                    above.iter().filter_map(|other| around.get(other)).flatten().copied().collect();
                if let Some(number) = result {
                    all.remove(&number);
                }
                around.insert(tensor, all);
                continue;
            }
            if around.contains_key(&tensor) {
                continue;
            }
            around.insert(tensor, FxHashSet::default());
            open.push((tensor, true));
            open.extend(above.into_iter().map(|other| (other, false)));
        }
        around
    }
}

/// What is known before the first round.
pub(super) fn before(rounds: &Rounds) -> Vec<Tensor> {
    rounds.initial.iter().chain(&rounds.starts).chain(&rounds.most).copied().collect()
}

/// What a round gives.
pub(super) fn after(rounds: &Rounds) -> Vec<Tensor> {
    rounds.again.iter().chain(&rounds.next).copied().collect()
}

fn everything(rounds: &Rounds) -> Vec<Tensor> {
    before(rounds).into_iter().chain(after(rounds)).collect()
}
