//! The SMT solver, if there is one.

use crate::verdict::Model;
use semantics::prop::Prop;
use std::time::Duration;

/// An SMT solver loaded at run time, or the reason why there is none.
pub struct Smt {
    reason: String,
}

pub(crate) enum Answer {
    Unsatisfiable,
    Model(Model),
    Unknown(String),
}

impl Smt {
    pub fn absent() -> Smt {
        Smt { reason: "no SMT solver found".to_owned() }
    }
    pub(crate) fn ask(&self, _facts: &[Prop], _goal: Prop, _truth: bool, _limit: Duration) -> Answer {
        Answer::Unknown(self.reason.clone())
    }
}
