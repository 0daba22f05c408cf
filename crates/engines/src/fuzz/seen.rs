//! What a framework was seen to do with a case.

use super::case::Case;
use super::judge::Disagreement;
use program::ir::ValueId;
use rustc_hash::FxHashMap;
use semantics::array::Array;
use semantics::dtype::Kind;

/// A framework that runs cases.
pub trait Backend {
    /// Runs a case in each of these ways; a way that the backend does not have is left out.
    fn run(&mut self, case: &Case, ways: &[Way]) -> Vec<Seen>;

    /// Whether what this backend is compared with disagrees in the same way, so that it is no finding here.
    fn is_shared(&mut self, _case: &Case, _found: &Disagreement) -> bool {
        false
    }
}

/// A way to have a framework compute.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Way {
    /// Without values: shapes and types only, the batch left open.
    Build,
    /// Layer by layer, on arrays.
    Call,
    /// The whole model at once, as it is deployed.
    Predict,
}

/// What was seen of one way.
#[derive(Clone, Debug)]
pub struct Seen {
    pub way: Way,
    /// As far as the run went.
    pub values: FxHashMap<ValueId, Sight>,
    pub refusal: Option<Refusal>,
}

/// What was seen of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Sight {
    /// `None` for a type that no tensor of ours has.
    pub kind: Option<Kind>,
    /// A size that is left open is `None`.
    pub shape: Vec<Option<usize>>,
    pub array: Option<Array>,
}

/// Why a run ended before its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// An exception, at a node if it is known at which.
    Rejected { node: Option<usize>, message: String },
    /// The process died, at a node if it is known at which.
    Crashed { node: Option<usize>, how: String },
    /// The time limit passed.
    Hung { node: Option<usize> },
    /// The backend has no such layer or cannot be told of the case: nothing can be said.
    Unsupported(String),
}

impl Way {
    pub const ALL: [Way; 3] = [Way::Build, Way::Call, Way::Predict];

    pub fn name(self) -> &'static str {
        match self {
            Way::Build => "build",
            Way::Call => "call",
            Way::Predict => "predict",
        }
    }
}
