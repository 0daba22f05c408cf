//! What an engine has to tell: owned data, free of any arena, ready for every output format.

use crate::badness::FaultClass;
pub use program::ir::{Spot, SpotFrame};
use semantics::operator::Category;
use std::rc::Rc;

/// A rule with a code. Each has a page in `docs/findings`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Rule {
    InvalidGraph,
    DeclaredMismatch,
    IncompatibleShape,
    IllegalShape,
    IllegalValue,
    ImproperValue,
    IncompatibleType,
    UnsupportedLayout,
    UnsupportedValue,
    PythonError,
    SuspiciousBroadcast,
    SuspiciousSoftmax,
    SuspiciousAxis,
    NotANumber,
    InfiniteResult,
    Overflow,
    InfiniteGradient,
}

impl Rule {
    pub const ALL: [Rule; 17] = [
        Rule::InvalidGraph,
        Rule::DeclaredMismatch,
        Rule::IncompatibleShape,
        Rule::IllegalShape,
        Rule::IllegalValue,
        Rule::ImproperValue,
        Rule::IncompatibleType,
        Rule::UnsupportedLayout,
        Rule::UnsupportedValue,
        Rule::PythonError,
        Rule::SuspiciousBroadcast,
        Rule::SuspiciousSoftmax,
        Rule::SuspiciousAxis,
        Rule::NotANumber,
        Rule::InfiniteResult,
        Rule::Overflow,
        Rule::InfiniteGradient,
    ];
    pub fn code(self) -> &'static str {
        match self {
            Rule::InvalidGraph => "TV001",
            Rule::DeclaredMismatch => "TV002",
            Rule::IncompatibleShape => "TV101",
            Rule::IllegalShape => "TV102",
            Rule::IllegalValue => "TV103",
            Rule::ImproperValue => "TV104",
            Rule::IncompatibleType => "TV105",
            Rule::UnsupportedLayout => "TV106",
            Rule::UnsupportedValue => "TV107",
            Rule::PythonError => "TV201",
            Rule::SuspiciousBroadcast => "TV301",
            Rule::SuspiciousSoftmax => "TV302",
            Rule::SuspiciousAxis => "TV303",
            Rule::NotANumber => "TV401",
            Rule::InfiniteResult => "TV402",
            Rule::Overflow => "TV403",
            Rule::InfiniteGradient => "TV404",
        }
    }
    pub fn name(self) -> &'static str {
        match self {
            Rule::InvalidGraph => "invalid-graph",
            Rule::DeclaredMismatch => "declared-mismatch",
            Rule::IncompatibleShape => "incompatible-shape",
            Rule::IllegalShape => "illegal-shape",
            Rule::IllegalValue => "illegal-value",
            Rule::ImproperValue => "improper-value",
            Rule::IncompatibleType => "incompatible-type",
            Rule::UnsupportedLayout => "unsupported-layout",
            Rule::UnsupportedValue => "unsupported-value",
            Rule::PythonError => "python-error",
            Rule::SuspiciousBroadcast => "suspicious-broadcast",
            Rule::SuspiciousSoftmax => "suspicious-softmax",
            Rule::SuspiciousAxis => "suspicious-axis",
            Rule::NotANumber => "not-a-number",
            Rule::InfiniteResult => "infinite-result",
            Rule::Overflow => "overflow",
            Rule::InfiniteGradient => "infinite-gradient",
        }
    }
    pub fn category(self) -> &'static str {
        match self {
            Rule::InvalidGraph => "invalid graph",
            Rule::DeclaredMismatch => "declared type",
            Rule::IncompatibleShape => Category::IncompatibleShape.name(),
            Rule::IllegalShape => Category::IllegalShape.name(),
            Rule::IllegalValue => Category::IllegalValue.name(),
            Rule::ImproperValue => Category::ImproperValue.name(),
            Rule::IncompatibleType => Category::IncompatibleType.name(),
            Rule::UnsupportedLayout => Category::UnsupportedLayout.name(),
            Rule::UnsupportedValue => Category::UnsupportedValue.name(),
            Rule::PythonError => "python error",
            Rule::SuspiciousBroadcast => Category::SuspiciousBroadcast.name(),
            Rule::SuspiciousSoftmax => Category::SuspiciousSoftmax.name(),
            Rule::SuspiciousAxis => Category::SuspiciousAxis.name(),
            Rule::NotANumber | Rule::InfiniteResult | Rule::Overflow | Rule::InfiniteGradient => {
                "numerical hazard"
            }
        }
    }
    pub fn of(category: Category) -> Rule {
        match category {
            Category::IllegalValue => Rule::IllegalValue,
            Category::ImproperValue => Rule::ImproperValue,
            Category::UnsupportedLayout => Rule::UnsupportedLayout,
            Category::UnsupportedValue => Rule::UnsupportedValue,
            Category::ToleratedValue => Rule::ImproperValue,
            Category::SuspiciousBroadcast => Rule::SuspiciousBroadcast,
            Category::SuspiciousSoftmax => Rule::SuspiciousSoftmax,
            Category::SuspiciousAxis => Rule::SuspiciousAxis,
            Category::IllegalShape => Rule::IllegalShape,
            Category::IncompatibleShape => Rule::IncompatibleShape,
            Category::IncompatibleType => Rule::IncompatibleType,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// It holds under a condition on sizes that nobody has bounded.
    Note,
    /// It fails for some of the inputs the user allows.
    Warning,
    /// It fails for every input.
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

#[derive(Clone, Debug)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// One sentence: what is wrong.
    pub message: String,
    /// The label of the requirement that is broken.
    pub requirement: Option<String>,
    /// The kind of mistake that it is.
    pub class: Option<FaultClass>,
    /// How far it is from holding, and in which direction.
    pub badness: Option<i64>,
    /// The statement behind it, with the sizes of this call: `3 = 4`.
    pub statement: Option<String>,
    pub operator: Option<String>,
    pub location: Location,
    /// The tensors involved, and where each comes from.
    pub operands: Vec<Operand>,
    /// Other requirements without which there would be no clash.
    pub core: Vec<CoreItem>,
    /// What must hold for the inputs.
    pub condition: Option<String>,
    /// Sizes that make it fail.
    pub witness: Vec<(String, i64)>,
    /// What brings the numbers about: "the last batch has 40 of 64 rows: drop_last is not set in line 88".
    pub because: Option<String>,
    pub fix: Option<String>,
    /// Of a numerical hazard: what reaches the operation.
    pub numeric: Option<Box<Numeric>>,
}

/// What is known of a numerical hazard.
#[derive(Clone, Debug)]
pub struct Numeric {
    /// Between which numbers the argument at fault lies.
    pub low: f64,
    pub high: f64,
    /// There are inputs for which the reference evaluator gives NaN or Inf there.
    pub confirmed: bool,
    pub witness: Vec<WitnessValue>,
    /// The ranges on the way back from the argument to what lets it in, the nearest first.
    pub chain: Vec<String>,
    /// What is taken for granted of inputs and parameters.
    pub assumptions: Vec<String>,
    /// Nodes of the backward pass that the same argument reaches.
    pub also: Vec<String>,
}

/// An input or parameter for which something fails.
#[derive(Clone, Debug)]
pub struct WitnessValue {
    pub name: String,
    pub shape: Vec<usize>,
    /// The number, if all elements are the same.
    pub uniform: Option<f64>,
    /// All elements, row by row, if they differ and are not too many.
    pub values: Vec<f64>,
    /// Otherwise boxes that cover it, per axis from one index on and before another, each with its number.
    pub parts: Vec<(Vec<(i64, i64)>, f64)>,
}

impl Finding {
    /// A finding of which nothing but its rule is said.
    pub fn new(rule: Rule, severity: Severity) -> Finding {
        Finding {
            rule,
            severity,
            message: String::new(),
            requirement: None,
            class: None,
            badness: None,
            statement: None,
            operator: None,
            location: Location::default(),
            operands: Vec::new(),
            core: Vec::new(),
            condition: None,
            witness: Vec::new(),
            because: None,
            fix: None,
            numeric: None,
        }
    }
}

/// A place in a model file or in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    /// The graph node, and its operator as the file spells it.
    pub node: Option<String>,
    pub spelled: Option<String>,
    /// Where it stands in a source, and how execution got there.
    pub spot: Option<Rc<Spot>>,
}

/// One argument of the call that fails.
#[derive(Clone, Debug)]
pub struct Operand {
    /// The operator's name for it.
    pub role: String,
    /// The file's name for it.
    pub name: String,
    /// Type and shape.
    pub shape: String,
    /// The elements, where they are few and known: `{5, 1}`.
    pub elements: Option<String>,
    /// "input of the model", "initialiser", "from node `x` (Conv)".
    pub source: String,
}

impl Operand {
    /// Something that takes part and is no tensor.
    pub fn other(role: &str, source: &str) -> Operand {
        let (name, shape) = (String::new(), String::new());
        Operand { role: role.to_owned(), name, shape, elements: None, source: source.to_owned() }
    }
}

/// A requirement that takes part in a clash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoreItem {
    pub node: String,
    pub operator: String,
    pub label: String,
    pub statement: String,
}
