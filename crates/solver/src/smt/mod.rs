//! Z3 for what the own layer leaves open: loaded at run time if it can be found, never needed to build or run.

mod library;
mod locate;
mod script;

use crate::problem::Problem;
use crate::verdict::Model;
use library::Z3;
pub use locate::SmtPlaces;
use script::{Script, values};
use semantics::prop::Prop;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// An SMT solver that is looked for when the first hard question comes. Clones share it.
#[derive(Clone, Default)]
pub struct Smt {
    places: Option<SmtPlaces>,
    loaded: Arc<OnceLock<Result<Z3, String>>>,
    /// Time spent so far, over all questions of all clones.
    spent: Arc<Mutex<Duration>>,
}

pub(crate) enum Answer {
    /// A proof that there is no model.
    Unsatisfiable,
    /// Checked by evaluation.
    Model(Model),
    Unknown(String),
}

/// All questions of one analysis together take no longer: whoever waits wants an answer, not the last word.
const ALL_QUESTIONS: Duration = Duration::from_millis(500);

/// Why no model can be checked.
pub(crate) const NOT_EVALUATED: &str = "it is about a shape of unknown rank or a size beyond 64 bits";

/// Witnesses within these bounds are asked for first.
const SMALL: [i64; 3] = [8, 64, 1024];

impl std::fmt::Debug for Smt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Smt").field("places", &self.places).finish_non_exhaustive()
    }
}

impl Smt {
    pub fn absent() -> Smt {
        Smt::default()
    }
    pub fn find(places: SmtPlaces) -> Smt {
        Smt { places: Some(places), ..Smt::default() }
    }
    /// Why there is none, if so.
    pub fn missing(&self) -> Option<&str> {
        self.library().err()
    }

    fn library(&self) -> Result<&Z3, &str> {
        let Some(places) = &self.places else { return Err("no SMT solver found") };
        let loaded = self.loaded.get_or_init(|| {
            let mut failures = String::new();
            for candidate in locate::candidates(places) {
                match Z3::load(&candidate) {
                    Ok(z3) => return Ok(z3),
                    // A system library that is not there is no news; a file that is there and fails is.
                    Err(error) if candidate.to_string_lossy().contains(['/', '\\']) => {
                        failures.push_str(&format!(" ({}: {error})", candidate.to_string_lossy()));
                    }
                    Err(_) => {}
                }
            }
            Err(format!("no SMT solver found{failures}"))
        });
        loaded.as_ref().map_err(String::as_str)
    }

    /// Whether the facts and the goal (or its negation) have a model.
    pub(crate) fn ask(
        &self,
        problem: &Problem,
        facts: &[Prop],
        goal: Prop,
        truth: bool,
        limit: Duration,
    ) -> Answer {
        let spent = || self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        let left = ALL_QUESTIONS.saturating_sub(*spent());
        if left.is_zero() {
            return Answer::Unknown("the time for the SMT solver is used up".to_owned());
        }
        let start = Instant::now();
        let answer = self.ask_now(problem, facts, goal, truth, limit.min(left));
        *spent() += start.elapsed();
        answer
    }

    fn ask_now(&self, problem: &Problem, facts: &[Prop], goal: Prop, truth: bool, limit: Duration) -> Answer {
        let z3 = match self.library() {
            Ok(z3) => z3,
            Err(reason) => return Answer::Unknown(reason.to_owned()),
        };
        let mut script = Script::new();
        for &fact in facts {
            script.assert(fact, true);
        }
        script.assert(goal, truth);
        let start = Instant::now();
        let run = |most: Option<i64>| {
            let left = limit.saturating_sub(start.elapsed()).as_millis();
            if left == 0 { None } else { z3.run(&script.question(most, left, most.is_some())) }
        };
        match run(None).as_deref().map(str::trim) {
            Some("unsat") => return Answer::Unsatisfiable,
            Some("sat") => {}
            Some("unknown") | None => {
                return Answer::Unknown("the SMT solver found no answer in time".to_owned());
            }
            Some(other) => {
                let first = other.lines().next().unwrap_or_default();
                return Answer::Unknown(format!("the SMT solver says: {first}"));
            }
        }
        if !problem.can_be_evaluated() {
            return Answer::Unknown(NOT_EVALUATED.to_owned());
        }
        for most in SMALL.into_iter().chain([i64::MAX]) {
            let Some(answer) = run(Some(most)) else { break };
            if answer.trim_start().starts_with("sat") {
                let values = values(&answer);
                let integer = |atom| {
                    script
                        .leaves
                        .iter()
                        .find(|(leaf, _)| *leaf == atom)
                        .and_then(|(_, name)| values.get(name))
                };
                let free = |id| {
                    script
                        .truths
                        .iter()
                        .find(|(truth, _)| *truth == id)
                        .and_then(|(_, name)| values.get(name))
                };
                let model = problem.checked_model(
                    truth,
                    |atom| integer(atom).copied(),
                    |id| free(id).map(|&value| value == 1),
                );
                if let Some(model) = model {
                    return Answer::Model(model);
                }
            }
        }
        Answer::Unknown("the SMT solver's model could not be checked".to_owned())
    }
}
