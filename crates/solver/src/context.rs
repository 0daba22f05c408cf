//! The facts of one path and the questions asked under them.

use crate::compiled::Compiled;
use crate::facts::Facts;
use crate::limits::{Limits, Stats};
use crate::mentions::{Unknown, unknowns};
use crate::settle::{self, Layer};
use crate::smt::Smt;
use crate::verdict::{Consistency, Model, Verdict};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, Dim};
use semantics::prop::{Prop, PropId};
use semantics::shape::{Shape, ShapeVariable};
use std::cell::Cell;
use std::rc::Rc;

/// Facts, only ever added. A clone shares everything until either side adds a fact.
#[derive(Clone)]
pub struct Context {
    facts: Rc<Facts>,
    /// Statements decided once and for all: facts are only ever added.
    settled: Rc<FxHashMap<PropId, bool>>,
    shared: Rc<Shared>,
    consistency: Option<Consistency>,
    /// Facts below this number are known to be consistent with each other.
    checked: usize,
    /// The latest statement that the facts leave open, which is often asked about twice.
    open: Option<(PropId, Verdict)>,
}

/// What all forks of one analysis share.
struct Shared {
    limits: Limits,
    stats: Cell<Stats>,
    smt: Smt,
}

impl Context {
    /// Without an SMT solver.
    pub fn new(limits: Limits) -> Context {
        Context::with_smt(limits, Smt::absent())
    }
    pub fn with_smt(limits: Limits, smt: Smt) -> Context {
        Context {
            facts: Rc::default(),
            settled: Rc::default(),
            shared: Rc::new(Shared { limits, stats: Cell::default(), smt }),
            consistency: None,
            checked: 0,
            open: None,
        }
    }

    /// Adds a fact.
    pub fn assume(&mut self, prop: Prop) {
        self.add(prop, None);
    }
    /// Adds a fact that cores name by `tag`.
    pub fn assume_labelled(&mut self, prop: Prop, tag: u32) {
        self.add(prop, Some(tag));
    }
    fn add(&mut self, prop: Prop, tag: Option<u32>) {
        if prop.known() == Some(true) {
            return;
        }
        self.consistency = None;
        self.open = None;
        let facts = Rc::make_mut(&mut self.facts);
        facts.assumed.push((prop, tag));
        match self.settled.get(&prop.id()) {
            Some(true) => {}
            Some(false) => facts.contradictory = true,
            None => facts.add(prop),
        }
    }

    /// Decides the statement under the facts. Contradictory facts imply everything: ask
    /// [`Context::consistency`] first where that matters.
    ///
    /// Models assign the unknowns connected with the question through shared facts; facts about
    /// anything else are not looked at again.
    pub fn decide(&mut self, prop: Prop) -> Verdict {
        if let Some(truth) = prop.known() {
            self.count(|stats| &mut stats.folded);
            return plain(truth);
        }
        if self.facts.contradictory {
            self.count(|stats| &mut stats.remembered);
            return Verdict::Holds;
        }
        if let Some(truth) = self.remembered(prop) {
            self.count(|stats| &mut stats.remembered);
            return plain(truth);
        }
        if let Some((_, verdict)) = self.open.as_ref().filter(|(open, _)| *open == prop.id()) {
            let verdict = verdict.clone();
            self.count(|stats| &mut stats.remembered);
            return verdict;
        }
        let goal = self.facts.substitution.prop(prop);
        if let Some(truth) = goal.known() {
            self.count(|stats| &mut stats.equalities);
            self.remember(prop, truth);
            return plain(truth);
        }
        if let Some(truth) = self.remembered(goal).or_else(|| self.facts.bounds.truth(goal)) {
            self.count(|stats| &mut stats.intervals);
            self.remember(prop, truth);
            return plain(truth);
        }
        if semantics::arena::is_used_up() {
            self.count(|stats| &mut stats.unknown);
            return Verdict::Unknown { reason: semantics::arena::USED_UP.into() };
        }
        let (verdict, layer) = settle::decide(&self.facts, goal, &self.limits_now(), &self.shared.smt);
        self.count(|stats| layer.counter(stats));
        let verdict = match verdict {
            Verdict::Holds | Verdict::Fails => {
                self.remember(prop, verdict == Verdict::Holds);
                return verdict;
            }
            Verdict::Depends { witness, example } => {
                let complete = |model| self.complete(model, prop);
                Verdict::Depends { witness: complete(witness), example: example.map(complete) }
            }
            Verdict::Unknown { .. } => verdict,
        };
        self.open = Some((prop.id(), verdict.clone()));
        verdict
    }

    /// Adds the unknowns of the question that the facts' equations determine.
    fn complete(&self, mut model: Model, prop: Prop) -> Model {
        let mut compiled = Compiled::default();
        let mut solved: Vec<(AtomId, u32)> = Vec::new();
        for unknown in unknowns(prop) {
            if let Unknown::Leaf(leaf) = unknown
                && model.value(leaf).is_none()
                && let Some(value) = self.solved(leaf)
            {
                solved.push((leaf, compiled.add_dim(value)));
            }
        }
        let mut point = compiled.point();
        for (at, leaf) in compiled.leaves.iter().enumerate() {
            // An unknown that is not in the model does not matter there, but nothing is made up for it.
            let Some(value) = model.value(*leaf) else { return model };
            point.leaves[at] = value;
        }
        for (at, id) in compiled.free.iter().enumerate() {
            let Some(&(_, truth)) = model.truths.iter().find(|(other, _)| other == id) else { return model };
            point.free[at] = truth;
        }
        compiled.evaluate(&mut point);
        let values =
            solved.into_iter().filter_map(|(leaf, node)| Some((leaf, compiled.value(node, &point)?)));
        model.integers.extend(values);
        model.integers.sort_unstable_by_key(|(leaf, _)| *leaf);
        model
    }

    fn limits_now(&self) -> Limits {
        self.shared.limits.after(self.shared.stats.get().unknown)
    }

    /// Whether the facts can hold together.
    pub fn consistency(&mut self) -> Consistency {
        if self.facts.contradictory {
            return Consistency::Contradictory;
        }
        if let Some(answer) = &self.consistency {
            return answer.clone();
        }
        let (new, count) = self.facts.open_from(self.checked);
        let (answer, layer) = settle::consistency(&self.facts, new, &self.limits_now(), &self.shared.smt);
        if layer != Layer::Free {
            self.count(|stats| layer.counter(stats));
        }
        match &answer {
            Consistency::Contradictory => Rc::make_mut(&mut self.facts).contradictory = true,
            Consistency::Consistent(_) => self.checked = count,
            Consistency::Unknown { .. } => {}
        }
        self.consistency = Some(answer.clone());
        answer
    }
    /// Whether the facts exclude each other, as far as that showed when they were added.
    pub fn is_plainly_contradictory(&self) -> bool {
        self.facts.contradictory
    }
    /// Whether the facts are known to exclude each other: the path is unreachable.
    pub fn is_contradictory(&mut self) -> bool {
        self.consistency() == Consistency::Contradictory
    }

    /// The expression rewritten with the facts' equations and ranks.
    pub fn simplify(&self, dim: Dim) -> Dim {
        if self.facts.substitution.is_empty() { dim } else { self.facts.substitution.dim(dim) }
    }
    pub fn simplify_prop(&self, prop: Prop) -> Prop {
        if self.facts.substitution.is_empty() { prop } else { self.facts.substitution.prop(prop) }
    }
    /// The shape with stretches written out whose rank the facts tell.
    pub fn simplify_shape(&self, shape: Shape) -> Shape {
        if self.facts.substitution.is_empty() { shape } else { self.facts.substitution.shape(shape) }
    }
    pub fn known_rank(&self, shape: ShapeVariable) -> Option<usize> {
        self.facts.substitution.rank(shape)
    }
    /// What a leaf equals, by the facts' equations.
    pub fn solved(&self, leaf: AtomId) -> Option<Dim> {
        self.facts.substitution.solved.get(&leaf).copied()
    }
    /// Bounds that follow from declared ranges and the facts about single unknowns.
    pub fn bounds(&self, dim: Dim) -> (i64, i64) {
        let interval = self.facts.bounds.interval(self.simplify(dim));
        (interval.low, interval.high)
    }

    /// How many questions each layer settled, over all forks.
    pub fn stats(&self) -> Stats {
        self.shared.stats.get()
    }
    pub fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }
    /// No facts, but the same limits and counts.
    pub(crate) fn emptied(&self) -> Context {
        Context {
            facts: Rc::default(),
            settled: Rc::default(),
            shared: self.shared.clone(),
            consistency: None,
            checked: 0,
            open: None,
        }
    }
    pub(crate) fn restore_stats(&self, stats: Stats) {
        self.shared.stats.set(stats);
    }
    fn remembered(&self, prop: Prop) -> Option<bool> {
        let stated = || self.facts.stated.contains(&prop.id()).then_some(true);
        self.settled.get(&prop.id()).copied().or_else(stated)
    }
    fn remember(&mut self, prop: Prop, truth: bool) {
        Rc::make_mut(&mut self.settled).insert(prop.id(), truth);
    }
    fn count(&self, counter: impl FnOnce(&mut Stats) -> &mut u64) {
        let mut stats = self.shared.stats.get();
        *counter(&mut stats) += 1;
        self.shared.stats.set(stats);
    }
}

fn plain(truth: bool) -> Verdict {
    if truth { Verdict::Holds } else { Verdict::Fails }
}
