//! What is wrong with a model that could be read, as data.

use std::fmt;

/// One defect of a model's structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    /// What it is about, such as "node 12 (Conv `conv1`)".
    pub place: String,
    pub message: String,
}

/// The sorts of defects, for callers that treat some of them more leniently than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ProblemKind {
    UndefinedName,
    DuplicateName,
    /// Nodes wait for each other: the model cannot run.
    Cycle,
    /// A node stands before one that it needs. Some runtimes sort and go on.
    WrongOrder,
    MissingOpset,
    /// Operators of a version beyond all that are known are read as of the newest known one.
    NewerOpset,
    /// The file format is younger than the newest known: what it added is not read.
    NewerFormat,
    MissingOutput,
    BadTensor,
    BadAttribute,
    BadType,
    BadFunction,
    /// A node without an operator, or a model that grows out of all proportion when its functions are expanded.
    BadStructure,
}

impl ProblemKind {
    /// Whether runtimes refuse such a model, rather than sorting its nodes or reading what they know.
    pub fn is_fatal(self) -> bool {
        !matches!(self, ProblemKind::WrongOrder | ProblemKind::NewerOpset | ProblemKind::NewerFormat)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// Collects problems up to a limit, so that a hostile file cannot fill the memory with complaints.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<Problem>,
    left_out: usize,
}

impl Problems {
    pub(super) const LIMIT: usize = 1000;

    pub(super) fn report(&mut self, kind: ProblemKind, place: impl Into<String>, message: impl Into<String>) {
        if self.found.len() < Self::LIMIT {
            self.found.push(Problem { kind, place: place.into(), message: message.into() });
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn into_vec(mut self) -> Vec<Problem> {
        if self.left_out > 0 {
            self.found.push(Problem {
                kind: ProblemKind::BadStructure,
                place: "model".to_owned(),
                message: format!("{} more problems are not shown", self.left_out),
            });
        }
        self.found
    }
}
