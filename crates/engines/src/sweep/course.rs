//! One path of a program as the steps that a vector passes, or not.

use super::columns::{Formula, Formulas};
use super::{Cause, Domain};
use semantics::prop::Prop;

/// What a path asks of a vector, in the order in which a run asks it.
#[derive(Clone, Debug)]
pub struct Course {
    pub(super) formulas: Formulas,
    pub steps: Vec<Step>,
    pub ending: Ending,
}

/// One thing that has to hold for a vector to go on.
#[derive(Clone, Debug)]
pub enum Step {
    /// The program goes another way where it does not hold.
    Decision(Formula),
    /// The program fails where it does not hold, and this is why.
    Requirement(Formula, Cause),
}

/// What becomes of a vector that has passed all steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Valid,
    Fails(Cause),
    /// Nobody knows, and why.
    Unknown(String),
}

impl Step {
    pub(super) fn formula(&self) -> Formula {
        match self {
            Step::Decision(formula) | Step::Requirement(formula, _) => *formula,
        }
    }
}

impl Course {
    /// A course over hyper-parameters that are symbols with the names of the domains.
    pub fn new(domains: &[Domain]) -> Course {
        Course { formulas: Formulas::over(domains), steps: Vec::new(), ending: Ending::Valid }
    }
    /// The program goes on only where a statement holds.
    pub fn decide(&mut self, statement: Prop) {
        let formula = self.formulas.statement(statement);
        self.steps.push(Step::Decision(formula));
    }
    /// The program fails where a statement does not hold.
    pub fn require(&mut self, statement: Prop, cause: Cause) {
        let formula = self.formulas.statement(statement);
        self.steps.push(Step::Requirement(formula, cause));
    }
    /// What is taken for granted because it depends on more than the hyper-parameters.
    pub fn supposed(&self) -> impl Iterator<Item = &Cause> {
        self.steps.iter().filter_map(|step| match step {
            Step::Requirement(formula, cause) if self.formulas.is_foreign(*formula) => Some(cause),
            _ => None,
        })
    }
    /// Whether a decision depends on more than the hyper-parameters: nobody knows which way a vector goes.
    pub fn is_open(&self) -> bool {
        let is_foreign = |step: &Step| match step {
            Step::Decision(formula) => self.formulas.is_foreign(*formula),
            Step::Requirement(..) => false,
        };
        self.steps.iter().any(is_foreign)
    }
    /// The cause of the step, if a vector that fails there is invalid.
    pub(super) fn cause(&self, step: usize) -> Option<&Cause> {
        match self.steps.get(step) {
            Some(Step::Requirement(_, cause)) => Some(cause),
            Some(Step::Decision(_)) => None,
            None => match &self.ending {
                Ending::Fails(cause) => Some(cause),
                _ => None,
            },
        }
    }
}
