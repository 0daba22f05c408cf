//! Infinities that are lost again: `1 / (1 + exp(-x))` is zero where the power exceeds the largest number, which is right.
//!
//! What follows an operation that may be infinite is read once more with that infinity in it, tensor by tensor. If all
//! that may feel it is finite and a number again before anything is given, nothing is told of the operation, and what
//! comes after is read with the infinity, too: such a quotient may be zero, though no finite power makes it so.
//! Its derivative is another matter: zero times infinity is NaN.

use super::cone::parents;
use super::sites::Analysis;
use crate::ranges::{Fault, Outcome};
use program::path::How;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dtype::Class;
use semantics::tensor::Tensor;
use std::collections::BTreeMap;

/// Operations whose infinities are followed, and tensors that are read for all of them.
const MOST_FOLLOWED: usize = 64;
const MOST_READ: usize = 4096;

/// What is computed from what, in an order in which everything comes after what it is computed from.
#[derive(Default)]
struct Onwards {
    order: FxHashMap<Tensor, usize>,
    children: FxHashMap<Tensor, Vec<Tensor>>,
    /// Tensors that are given, or go where nobody follows them: into loops, branches, conditions of calls.
    ends: FxHashSet<Tensor>,
    /// Those that the ranges of other tensors were found from once and for all.
    settled: FxHashSet<Tensor>,
}

impl Analysis<'_> {
    /// Lets through what is lost again; whether anything is.
    pub(super) fn swallow(&mut self, felt: &FxHashSet<Tensor>) -> bool {
        let mut faults: Vec<Tensor> = Vec::new();
        for hazard in self.ranges.hazards().to_vec() {
            let may_be_lost = matches!(hazard.fault, Fault::Overflow | Fault::Pole)
                && felt.contains(&hazard.tensor)
                && !faults.contains(&hazard.tensor);
            if may_be_lost && self.call_at_fault(&hazard).is_some() {
                faults.push(hazard.tensor);
            }
        }
        if faults.is_empty() || faults.len() > MOST_FOLLOWED {
            return false;
        }
        let onwards = self.onwards();
        let mut left = MOST_READ;
        // Each alone, the others having gone well, and then all together.
        let mut lost: Vec<Tensor> = Vec::new();
        for fault in faults {
            let (read, told) = self.follow(&onwards, &[fault], &mut left);
            let is_settled = || onwards.dependent(&read).iter().any(|other| onwards.settled.contains(other));
            if told.is_empty() && !is_settled() {
                lost.push(fault);
            }
        }
        while !lost.is_empty() {
            let (read, told) = self.follow(&onwards, &lost, &mut left);
            if told.is_empty() {
                let dependent = onwards.dependent(&read);
                self.ranges.loosen(read, &dependent);
                return true;
            }
            lost.retain(|fault| !told.contains(fault));
        }
        false
    }

    /// The tensors that are read with infinities in them if some faults happen, and those of the faults that are felt.
    fn follow(
        &mut self,
        onwards: &Onwards,
        faults: &[Tensor],
        left: &mut usize,
    ) -> (Vec<Tensor>, FxHashSet<Tensor>) {
        let mut open: BTreeMap<usize, (Tensor, FxHashSet<Tensor>)> = BTreeMap::new();
        let (mut read, mut told) = (Vec::new(), FxHashSet::default());
        for &fault in faults {
            match onwards.order.get(&fault) {
                Some(&at) => drop(open.insert(at, (fault, FxHashSet::from_iter([fault])))),
                None => drop(told.insert(fault)),
            }
        }
        while let Some((_, (tensor, behind))) = open.pop_first() {
            // What is told anyway need not be followed to all its ends.
            if behind.iter().all(|fault| told.contains(fault)) {
                continue;
            }
            let is_number =
                tensor.dtype().known().is_some_and(|kind| matches!(kind.class(), Class::Float | Class::Bool));
            let outcome = match *left {
                0 => Outcome::Lost,
                _ if !is_number => Outcome::Lost,
                _ => self.ranges.try_loose(tensor),
            };
            *left = left.saturating_sub(1);
            read.push(tensor);
            match outcome {
                Outcome::Finite => {}
                Outcome::Infinite if !onwards.ends.contains(&tensor) => {
                    for child in onwards.children.get(&tensor).into_iter().flatten() {
                        let Some(&at) = onwards.order.get(child) else { continue };
                        let entry = open.entry(at).or_insert_with(|| (*child, FxHashSet::default()));
                        entry.1.extend(behind.iter().copied());
                    }
                }
                Outcome::Infinite | Outcome::Lost => told.extend(behind),
            }
        }
        self.ranges.tighten();
        (read, told)
    }

    fn onwards(&self) -> Onwards {
        let mut onwards = Onwards::default();
        let made = &self.traced.made;
        let outputs = made.iter().flat_map(|made| &made.outputs).chain(&self.traced.outputs);
        let mut open: Vec<(Tensor, bool)> = Vec::new();
        for &output in outputs {
            open.push((output, false));
            while let Some((tensor, done)) = open.pop() {
                if onwards.order.contains_key(&tensor) {
                    continue;
                }
                let above = parents(tensor);
                if done {
                    for parent in above {
                        onwards.children.entry(parent).or_default().push(tensor);
                    }
                    onwards.order.insert(tensor, onwards.order.len());
                    continue;
                }
                if self.flows.is_followed(tensor) {
                    onwards.settled.extend(self.flows.parents(tensor));
                }
                open.push((tensor, true));
                let unknown = above.into_iter().filter(|parent| !onwards.order.contains_key(parent));
                open.extend(unknown.map(|parent| (parent, false)));
            }
        }
        for step in made.iter().filter(|step| step.how == How::OneOf) {
            onwards.ends.extend(step.inputs.iter().copied());
        }
        onwards.ends.extend(onwards.settled.iter().copied());
        for step in made {
            for (guard, _) in &step.guards {
                onwards.ends.insert(*guard);
                onwards.children.entry(*guard).or_default().extend(&step.outputs);
            }
        }
        let consumed: FxHashSet<Tensor> = made.iter().flat_map(|made| made.inputs.iter().copied()).collect();
        let given = made.iter().flat_map(|made| &made.outputs).filter(|output| !consumed.contains(output));
        onwards.ends.extend(given.chain(&self.traced.outputs).copied());
        onwards
    }
}

impl Onwards {
    /// Tensors, and all that is computed from them.
    fn dependent(&self, tensors: &[Tensor]) -> FxHashSet<Tensor> {
        let mut all = FxHashSet::default();
        let mut open = tensors.to_vec();
        while let Some(tensor) = open.pop() {
            if all.insert(tensor) {
                open.extend(self.children.get(&tensor).into_iter().flatten());
            }
        }
        all
    }
}
