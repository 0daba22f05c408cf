//! Which choices of hyper-parameters make a program invalid, and what they break first.
//!
//! The program is followed once with its hyper-parameters as symbols. What folding and the solver leave of its
//! requirements, with the decisions between them, is a [`Course`]: a list of steps that a vector of numbers passes or not.
//! Courses are owned data: they outlive the arena they were read from. A [`Diagram`] is what all courses of a program say
//! of every vector of a space; it is made hyper-parameter by hyper-parameter, and vectors that leave the same
//! intermediate sizes behind share what comes after.

mod count;
mod course;
mod diagram;
mod grow;
mod order;
mod outcome;
mod rows;
mod terms;

pub use count::Counts;
pub use course::{Course, Ending, Reading, Step};
pub use diagram::{Diagram, Growth, Limits};
pub use outcome::{Outcome, Verdict};
pub use rows::Bare;

/// A hyper-parameter, and the values it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    pub name: String,
    pub values: Vec<i64>,
}

/// How many vectors there are; the most that 128 bits can tell if there are more.
pub fn vectors(domains: &[Domain]) -> u128 {
    domains.iter().fold(1, |product: u128, domain| product.saturating_mul(domain.values.len() as u128))
}

/// Something that makes a vector invalid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cause {
    /// The operator or function whose requirement is broken.
    pub operator: String,
    /// What must hold, in words.
    pub label: String,
    /// What kind of requirement it is.
    pub category: String,
    /// Where it stands: a line of a source, or a node.
    pub place: String,
    /// What must hold, over the hyper-parameters; empty where the words say it all.
    pub condition: String,
}
