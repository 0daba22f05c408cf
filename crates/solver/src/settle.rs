//! The order in which a question is tried: proofs that cost little, models, proofs by cases, all
//! assignments, more models, the SMT solver.

use crate::enumerate::{Found, enumerate};
use crate::facts::Facts;
use crate::limits::{Limits, Stats};
use crate::problem::Problem;
use crate::ranks;
use crate::refute::{Proof, refute_by_cases, refute_directly};
use crate::search;
use crate::smt::{Answer, NOT_EVALUATED, Smt};
use crate::theory::Theory;
use crate::verdict::{Consistency, Model, Verdict};
use semantics::prop::Prop;

/// What settled a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layer {
    /// There was nothing to do.
    Free,
    Proof(Proof),
    Search,
    Enumeration,
    Smt,
    None,
}

impl Layer {
    pub(crate) fn counter(self, stats: &mut Stats) -> &mut u64 {
        match self {
            Layer::Free => &mut stats.remembered,
            Layer::Proof(Proof::Propagation) => &mut stats.propagation,
            Layer::Proof(Proof::Linear) => &mut stats.linear,
            Layer::Proof(Proof::Cases) => &mut stats.cases,
            Layer::Search => &mut stats.search,
            Layer::Enumeration => &mut stats.enumeration,
            Layer::Smt => &mut stats.smt,
            Layer::None => &mut stats.unknown,
        }
    }
}

/// A model has to satisfy all connected facts: with more than this many there is none.
const MOST_CONNECTED: usize = 4096;
/// Steps of the first, quick search.
const QUICK_STEPS: usize = 24;
/// Parts evaluated when a few assignments are tried out.
const SAMPLE_EVALUATIONS: usize = 100_000;
/// Evaluations that cost less than a search.
const QUICK_EVALUATIONS: usize = 6000;

pub(crate) fn decide(facts: &Facts, goal: Prop, limits: &Limits, smt: &Smt) -> (Verdict, Layer) {
    let (connected, complete) = facts.connected(goal, MOST_CONNECTED);
    let near = &connected[..connected.len().min(limits.facts)];
    let mut base = Theory::default();
    for &fact in near {
        if base.assert_prop(fact, true).is_err() {
            return (Verdict::Holds, Layer::Proof(Proof::Propagation));
        }
    }
    if base.propagate().is_err() {
        return (Verdict::Holds, Layer::Proof(Proof::Propagation));
    }
    let side = |truth: bool| {
        let mut theory = base.clone();
        let asserted = theory.assert_prop(goal, truth);
        match asserted {
            Err(_) => Err(Proof::Propagation),
            Ok(()) => refute_directly(&mut theory).map_or(Ok(theory), Err),
        }
    };
    let denied = match side(false) {
        Err(proof) => return (Verdict::Holds, Layer::Proof(proof)),
        Ok(theory) => theory,
    };
    let granted = match side(true) {
        Err(proof) => return (Verdict::Fails, Layer::Proof(proof)),
        Ok(theory) => theory,
    };

    let problem = Problem::new(&connected, goal, &facts.substitution);
    let mut models = Models { witness: None, example: None };
    if complete {
        if let Some(found) = enumerate(&problem, &base, QUICK_EVALUATIONS.min(limits.evaluations)) {
            return (conclude(found), Layer::Enumeration);
        }
        models.sample(&problem, SAMPLE_EVALUATIONS.min(limits.evaluations));
        models.look(&problem, &denied, &granted, QUICK_STEPS.min(limits.steps));
        if let Some(verdict) = models.both() {
            return (verdict, Layer::Search);
        }
    }
    if models.witness.is_none() && refute_by_cases(&denied, &mut limits.cases.clone()) {
        return (Verdict::Holds, Layer::Proof(Proof::Cases));
    }
    if models.example.is_none() && refute_by_cases(&granted, &mut limits.cases.clone()) {
        return (Verdict::Fails, Layer::Proof(Proof::Cases));
    }
    if complete {
        if let Some(found) = enumerate(&problem, &base, limits.evaluations) {
            return (conclude(found), Layer::Enumeration);
        }
        models.look(&problem, &denied, &granted, limits.steps);
        models.look_with_ranks(facts, goal, limits.steps);
        if let Some(verdict) = models.both() {
            return (verdict, Layer::Search);
        }
    }
    settle_by_smt(&problem, &connected, complete, goal, models, limits, smt)
}

fn conclude(found: Found) -> Verdict {
    match found {
        Found { witness: None, .. } => Verdict::Holds,
        Found { witness: Some(_), example: None } => Verdict::Fails,
        Found { witness: Some(witness), example } => Verdict::Depends { witness, example },
    }
}

fn settle_by_smt(
    problem: &Problem,
    facts: &[Prop],
    complete: bool,
    goal: Prop,
    mut models: Models,
    limits: &Limits,
    smt: &Smt,
) -> (Verdict, Layer) {
    let mut reason = String::new();
    // With a model of one side, and the other's beyond checking, nothing but a proof could come of it: those were tried.
    let is_worth_it = problem.can_be_evaluated() || models.is_empty();
    for truth in [false, true] {
        if models.get(truth).is_some() {
            continue;
        }
        if !is_worth_it {
            reason = NOT_EVALUATED.to_owned();
            continue;
        }
        match smt.ask(problem, facts, goal, truth, limits.smt) {
            Answer::Unsatisfiable => {
                return (if truth { Verdict::Fails } else { Verdict::Holds }, Layer::Smt);
            }
            Answer::Model(model) if complete => *models.get(truth) = Some(model),
            Answer::Model(_) => reason = "too many facts share the sizes of this question".to_owned(),
            Answer::Unknown(why) => reason = why,
        }
    }
    match models {
        Models { witness: Some(witness), example: Some(example) } => {
            (Verdict::Depends { witness, example: Some(example) }, Layer::Smt)
        }
        // That it fails for some is settled; whether for all is not.
        Models { witness: Some(witness), example: None } => {
            (Verdict::Depends { witness, example: None }, Layer::Search)
        }
        _ => (Verdict::Unknown { reason }, Layer::None),
    }
}

/// Whether `new` facts, with all facts connected to them, can hold together.
pub(crate) fn consistency(facts: &Facts, new: Vec<Prop>, limits: &Limits, smt: &Smt) -> (Consistency, Layer) {
    let goal = Prop::all(new);
    if goal.known() == Some(true) {
        return (Consistency::Consistent(Model::default()), Layer::Free);
    }
    let (connected, complete) = facts.connected(goal, MOST_CONNECTED);
    let mut theory = Theory::default();
    for &fact in &connected[..connected.len().min(limits.facts)] {
        if theory.assert_prop(fact, true).is_err() {
            return (Consistency::Contradictory, Layer::Proof(Proof::Propagation));
        }
    }
    if let Some(proof) = refute_directly(&mut theory) {
        return (Consistency::Contradictory, Layer::Proof(proof));
    }
    let problem = Problem::new(&connected, goal, &facts.substitution);
    let unknown = || {
        let reason = "too many facts share their sizes".to_owned();
        (Consistency::Unknown { reason }, Layer::None)
    };
    if complete && let Some(model) = search::find(&problem, &theory, true, &mut QUICK_STEPS.min(limits.steps))
    {
        return (Consistency::Consistent(model), Layer::Search);
    }
    if refute_by_cases(&theory, &mut limits.cases.clone()) {
        return (Consistency::Contradictory, Layer::Proof(Proof::Cases));
    }
    if !complete {
        return unknown();
    }
    if let Some(found) = enumerate(&problem, &theory, limits.evaluations) {
        let answer = found.example.map_or(Consistency::Contradictory, Consistency::Consistent);
        return (answer, Layer::Enumeration);
    }
    if let Some(model) = search::find(&problem, &theory, true, &mut limits.steps.clone())
        .or_else(|| ranks::find(facts, goal, true, MOST_CONNECTED, limits.steps))
    {
        return (Consistency::Consistent(model), Layer::Search);
    }
    match smt.ask(&problem, &connected, goal, true, limits.smt) {
        Answer::Unsatisfiable => (Consistency::Contradictory, Layer::Smt),
        Answer::Model(model) => (Consistency::Consistent(model), Layer::Smt),
        Answer::Unknown(reason) => (Consistency::Unknown { reason }, Layer::None),
    }
}

struct Models {
    witness: Option<Model>,
    example: Option<Model>,
}

impl Models {
    fn get(&mut self, truth: bool) -> &mut Option<Model> {
        if truth { &mut self.example } else { &mut self.witness }
    }
    fn is_empty(&self) -> bool {
        self.witness.is_none() && self.example.is_none()
    }
    fn sample(&mut self, problem: &Problem, budget: usize) {
        search::sample(problem, budget, &mut |truth, model| {
            let slot = self.get(truth);
            *slot = slot.take().or(Some(model));
            self.witness.is_some() && self.example.is_some()
        });
    }
    fn look(&mut self, problem: &Problem, denied: &Theory, granted: &Theory, steps: usize) {
        for (truth, theory) in [(false, denied), (true, granted)] {
            if self.get(truth).is_none() {
                *self.get(truth) = search::find(problem, theory, truth, &mut steps.clone());
            }
        }
    }
    /// Chooses ranks for shapes of unknown rank first.
    fn look_with_ranks(&mut self, facts: &Facts, goal: Prop, steps: usize) {
        for truth in [false, true] {
            if self.get(truth).is_none() {
                *self.get(truth) = ranks::find(facts, goal, truth, MOST_CONNECTED, steps);
            }
        }
    }
    fn both(&self) -> Option<Verdict> {
        let (witness, example) = (self.witness.clone()?, self.example.clone()?);
        Some(Verdict::Depends { witness, example: Some(example) })
    }
}
