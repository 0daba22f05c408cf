//! What the user asks for besides a verdict: the shapes of what is assigned, and values to be assumed.

use semantics::dtype::Kind;

#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Remember the shape of every tensor that the user's code assigns.
    pub shapes: bool,
    pub assumed: Vec<Assumed>,
    /// Remember every call of an operator, for whoever follows values.
    pub values: bool,
    /// Remember what works and is hardly meant, too.
    pub improper: bool,
    /// Remember what the program writes to files.
    pub written: bool,
    /// See [`crate::entry::Entry::Program`].
    pub brief: bool,
}

/// Something that cannot be known, or is to be taken for known.
#[derive(Clone, Debug)]
pub struct Assumed {
    /// An option or variable (`batch_size`), a length (`len(Photos)`), or a line (`train.py:12`).
    pub name: String,
    pub value: Given,
    /// It takes the place of what a module says itself, too: of a constant, or of a default of a function.
    pub always: bool,
}

/// What is assumed.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    Number(i64),
    /// Both ends belong to it.
    Range(i64, i64),
    Float(f64),
    Flag(bool),
    Text(String),
    /// A tuple.
    Several(Vec<Given>),
    /// `None`.
    Nothing,
    /// Sizes are numbers or names.
    Tensor(Kind, Vec<Result<i64, String>>),
}

/// An option of the command line that the program reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOption {
    /// As the program calls it: `arch`.
    pub name: String,
    /// As it is written: `--arch`.
    pub flag: String,
    pub is_given: bool,
    /// Words it may have besides its default; a switch has none.
    pub others: Vec<String>,
    pub is_switch: bool,
}

/// A piece of the user's code that gives tensors a name, and the shapes they were seen with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    pub file: String,
    pub line: u32,
    pub name: String,
    pub shapes: Vec<String>,
}
