//! Which choices of hyper-parameters make a program invalid, and what they break first.
//!
//! The program is followed once with its hyper-parameters as symbols. What folding and the solver leave of its
//! requirements, with the decisions between them, is a [`Course`]: a list of steps that a vector of numbers passes or not.
//! Courses are owned data: they outlive the arena they were read from, and are evaluated in bulk.

mod columns;
mod count;
mod course;
mod tables;

pub use count::{Counts, count};
pub use course::{Course, Ending, Step};
pub use tables::{Tables, Verdict};

/// A hyper-parameter, and the values it may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    pub name: String,
    pub values: Vec<i64>,
}

/// How many vectors there are; `None` if a number of 64 bits cannot tell.
pub fn vectors(domains: &[Domain]) -> Option<u64> {
    domains.iter().try_fold(1u64, |product, domain| product.checked_mul(domain.values.len() as u64))
}

/// Something that makes a vector invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
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
