//! One question, cut out of the context: facts and a goal, compiled and lowered, ready to be settled.

use crate::compiled::{Compiled, Point};
use crate::form::{Form, Var};
use crate::interval::Interval;
use crate::rewrite::Substitution;
use crate::theory::Theory;
use crate::verdict::Model;
use semantics::dim::{AtomId, AtomView};
use semantics::prop::{Prop, PropId};
use semantics::shape::Slot;

/// Facts and goal for evaluation. Statement 0 is the goal.
pub(crate) struct Problem {
    compiled: Compiled,
    facts: std::ops::Range<usize>,
    domains: Vec<Interval>,
    /// How many of the unknowns, the first ones, the goal mentions.
    goal_leaves: usize,
}

impl Problem {
    /// `ranks` tells which shapes are written out in sizes; anything else about a shape of unknown rank cannot
    /// be evaluated.
    pub(crate) fn new(facts: &[Prop], goal: Prop, ranks: &Substitution) -> Problem {
        let mut compiled = Compiled::default();
        compiled.add(goal);
        let goal_leaves = compiled.leaves.len();
        for &fact in facts {
            compiled.add(fact);
        }
        compiled.opaque |= compiled.leaves.iter().any(|&leaf| !is_independent(leaf, ranks));
        let domains = compiled.leaves.iter().map(|leaf| leaf.bounds().into()).collect();
        compiled.constants.sort_unstable();
        compiled.constants.dedup();
        Problem { compiled, facts: 1..facts.len() + 1, domains, goal_leaves }
    }
    pub(crate) fn can_be_evaluated(&self) -> bool {
        !self.compiled.opaque
    }
    pub(crate) fn leaves(&self) -> &[AtomId] {
        &self.compiled.leaves
    }
    pub(crate) fn constants(&self) -> &[i64] {
        &self.compiled.constants
    }
    pub(crate) fn size(&self) -> usize {
        self.compiled.size() + 1
    }
    pub(crate) fn point(&self) -> Point {
        self.compiled.point()
    }
    pub(crate) fn free_count(&self) -> usize {
        self.compiled.free.len()
    }

    pub(crate) fn goal_leaves(&self) -> usize {
        self.goal_leaves
    }
    /// Gives every unknown the value, or the nearest in its range.
    pub(crate) fn fill(&self, point: &mut Point, value: i64) {
        for (leaf, domain) in point.leaves.iter_mut().zip(&self.domains) {
            *leaf = value.max(domain.low).min(domain.high);
        }
    }

    /// The truth of the goal at a point, if the facts hold there and everything can be computed.
    pub(crate) fn goal_at(&self, point: &mut Point) -> Result<bool, Miss> {
        for (value, domain) in point.leaves.iter().zip(&self.domains) {
            if !domain.contains(*value) {
                return Err(Miss::Excluded);
            }
        }
        self.compiled.evaluate(point);
        let mut computed = true;
        for fact in self.facts.clone() {
            match self.compiled.holds(fact, point) {
                Some(true) => {}
                Some(false) => return Err(Miss::Excluded),
                None => computed = false,
            }
        }
        match self.compiled.holds(0, point) {
            Some(truth) if computed => Ok(truth),
            _ => Err(Miss::NotComputed),
        }
    }

    pub(crate) fn model(&self, point: &Point) -> Model {
        Model {
            integers: self.compiled.leaves.iter().copied().zip(point.leaves.iter().copied()).collect(),
            truths: self.compiled.free.iter().copied().zip(point.free.iter().copied()).collect(),
        }
    }
    /// The model with the given values, if it makes the facts true and the goal as wanted. What has no value
    /// gets the smallest.
    pub(crate) fn checked_model(
        &self,
        truth: bool,
        integer: impl Fn(AtomId) -> Option<i64>,
        free: impl Fn(PropId) -> Option<bool>,
    ) -> Option<Model> {
        let mut point = self.point();
        for (at, &leaf) in self.compiled.leaves.iter().enumerate() {
            point.leaves[at] = integer(leaf).unwrap_or(self.domains[at].low.max(0));
        }
        for (at, &id) in self.compiled.free.iter().enumerate() {
            point.free[at] = free(id).unwrap_or(false);
        }
        (self.goal_at(&mut point) == Ok(truth)).then(|| self.model(&point))
    }
    /// Fills in the statements without arithmetic: as the theory has them, the others by the bits of `choice`.
    pub(crate) fn choose_free(&self, theory: &Theory, choice: u32, point: &mut Point) {
        let mut bit = 0;
        for (at, id) in self.compiled.free.iter().enumerate() {
            point.free[at] = theory.free_truth(*id).unwrap_or_else(|| {
                bit += 1;
                choice >> (bit - 1) & 1 == 1
            });
        }
    }
    pub(crate) fn open_free(&self, theory: &Theory) -> usize {
        self.compiled.free.iter().filter(|id| theory.free_truth(**id).is_none()).count()
    }
}

/// Whether the leaf can take any value of its range whatever the others are.
fn is_independent(leaf: AtomId, ranks: &Substitution) -> bool {
    match leaf.view() {
        AtomView::Symbol(symbol) => !symbol.is_beyond_64_bits(),
        AtomView::Rank(_) | AtomView::Count(..) | AtomView::Size(_, Slot::Back(_)) => false,
        AtomView::Size(shape, Slot::Front(k)) => {
            shape.broadcast_of().is_none() && ranks.rank(shape).is_some_and(|rank| (k as usize) < rank)
        }
        _ => true,
    }
}

/// Why a point says nothing about the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Miss {
    /// A fact or a range excludes it.
    Excluded,
    /// A number leaves 64 bits.
    NotComputed,
}

/// The unknowns as forms over the theory's variables, and the variables that are still open.
pub(crate) struct Coordinates {
    pub(crate) leaves: Vec<Form>,
    pub(crate) open: Vec<Var>,
}

impl Coordinates {
    pub(crate) fn new(problem: &Problem, theory: &mut Theory) -> Coordinates {
        let leaves: Vec<Form> = problem.leaves().iter().map(|&leaf| theory.leaf(leaf)).collect();
        let mut open: Vec<Var> = Vec::new();
        for var in leaves.iter().flat_map(Form::vars) {
            if !open.contains(&var) {
                open.push(var);
            }
        }
        Coordinates { leaves, open }
    }
}
