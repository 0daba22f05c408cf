//! How much work one question may cost, and what the questions so far have cost.

use std::time::Duration;

/// Budgets of one question. Where one is met the answer is *unknown*, with the reason.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Facts looked at for a proof, nearest first.
    pub facts: usize,
    /// Cases distinguished in one proof.
    pub cases: usize,
    /// Steps of the search for a model.
    pub steps: usize,
    /// Parts evaluated when all assignments are tried.
    pub evaluations: usize,
    /// Time for the SMT solver, per question.
    pub smt: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { facts: 64, cases: 96, steps: 400, evaluations: 400_000, smt: Duration::from_millis(2000) }
    }
}

/// So many questions may stay open at full cost; after them each costs a part only.
const PATIENCE: u64 = 8;
/// The nearest facts are looked at whatever the patience.
const FEW_FACTS: usize = 16;

impl Limits {
    /// The budgets of a question after so many were left open: a hostile file asks hundreds that nobody can answer.
    pub(crate) fn after(&self, left_open: u64) -> Limits {
        let part = match left_open {
            0..PATIENCE => return self.clone(),
            PATIENCE..24 => 8,
            _ => 64,
        };
        Limits {
            facts: (self.facts / part).max(FEW_FACTS),
            cases: self.cases / part,
            steps: self.steps / part,
            evaluations: self.evaluations / part,
            smt: self.smt / part as u32,
        }
    }
}

/// How many questions each layer settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Decided while the statement was built.
    pub folded: u64,
    /// Asked before, or stated as a fact.
    pub remembered: u64,
    /// After rewriting with equations and ranks.
    pub equalities: u64,
    /// By the bounds of single unknowns.
    pub intervals: u64,
    /// By propagating intervals, residues and equations of several facts.
    pub propagation: u64,
    /// By linear arithmetic.
    pub linear: u64,
    /// By distinguishing cases.
    pub cases: u64,
    /// By models found.
    pub search: u64,
    /// By trying all assignments.
    pub enumeration: u64,
    pub smt: u64,
    pub unknown: u64,
}

impl Stats {
    /// Adds the counts of another analysis.
    pub fn add(&mut self, other: &Stats) {
        self.folded += other.folded;
        self.remembered += other.remembered;
        self.equalities += other.equalities;
        self.intervals += other.intervals;
        self.propagation += other.propagation;
        self.linear += other.linear;
        self.cases += other.cases;
        self.search += other.search;
        self.enumeration += other.enumeration;
        self.smt += other.smt;
        self.unknown += other.unknown;
    }
    pub fn questions(&self) -> u64 {
        self.folded + self.own() + self.smt + self.unknown
    }
    /// Questions that folding left open and the own layer settled.
    pub fn own(&self) -> u64 {
        self.remembered
            + self.equalities
            + self.intervals
            + self.propagation
            + self.linear
            + self.cases
            + self.search
            + self.enumeration
    }
}

#[test]
fn patience_ends() {
    let limits = Limits::default();
    let costs = [0, 7, 8, 23, 24, 1000].map(|left_open| limits.after(left_open).evaluations);
    assert_eq!(costs, [400_000, 400_000, 50_000, 50_000, 6250, 6250]);
}
