//! Answers: verdicts and models.

use semantics::dim::AtomId;
use semantics::prop::PropId;
use std::fmt;

/// Whether a statement follows from the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// True under every assignment that satisfies the facts.
    Holds,
    /// False under every assignment that satisfies the facts.
    Fails,
    /// There is an assignment that satisfies the facts and makes it false.
    Depends {
        witness: Model,
        /// One that makes it true. `None`: whether there is one was not settled.
        example: Option<Model>,
    },
    Unknown {
        reason: String,
    },
}

/// Whether facts can hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They cannot: the path is unreachable.
    Contradictory,
    /// They can, as this model shows.
    Consistent(Model),
    Unknown {
        reason: String,
    },
}

/// Values for the unknowns that a question and the facts connected with it mention.
/// Every model was checked by evaluating them all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    pub integers: Vec<(AtomId, i64)>,
    /// Statements that only the run will tell, as assumed here.
    pub truths: Vec<(PropId, bool)>,
}

impl Model {
    pub fn value(&self, atom: AtomId) -> Option<i64> {
        self.integers.iter().find(|(other, _)| *other == atom).map(|(_, value)| *value)
    }
}

/// `N = 1, H = 7`.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (atom, value) in &self.integers {
            write!(f, "{separator}{atom} = {value}")?;
            separator = ", ";
        }
        for (prop, truth) in &self.truths {
            write!(f, "{separator}{} is {truth}", prop.prop())?;
            separator = ", ";
        }
        Ok(())
    }
}
