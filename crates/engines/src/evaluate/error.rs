//! Why a tensor has no value.

use std::fmt;

/// Why a tensor could not be evaluated. None of these is a fault of the evaluator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluateError {
    /// The tensor's content only the run will tell, and nobody gave it.
    NotGiven(String),
    /// The definition says what type and shape the tensor has, but not what its elements are.
    NoFormula(String),
    /// An array does not have the type or the shape of its tensor.
    Mismatch(String),
    /// A size or a statement is not known.
    Unknown(String),
    /// A formula reads outside a tensor.
    Outside { tensor: String, index: Vec<i64>, sizes: Vec<usize> },
    /// A function has no value for its arguments.
    Undefined(String),
    /// The elements are drawn at random.
    Random,
    /// An algorithm refused its inputs.
    Refused(String),
    /// More elements or more work than is sensible.
    TooMuch(String),
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluateError::NotGiven(name) => write!(f, "no value was given for `{name}`"),
            EvaluateError::NoFormula(tensor) => {
                write!(f, "the definition does not say what the elements of {tensor} are")
            }
            EvaluateError::Mismatch(what) => f.write_str(what),
            EvaluateError::Unknown(what) => write!(f, "{what} is not known"),
            EvaluateError::Outside { tensor, index, sizes } => {
                write!(f, "index {index:?} lies outside `{tensor}` of shape {sizes:?}")
            }
            EvaluateError::Undefined(what) => write!(f, "{what} has no value"),
            EvaluateError::Random => f.write_str("the elements are random"),
            EvaluateError::Refused(why) => f.write_str(why),
            EvaluateError::TooMuch(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for EvaluateError {}
