//! What an operator definition consists of: all of it data, plus one function that states its meaning.

use crate::call::{Call, Outcome};
use crate::dtype::TypeSet;

/// The one definition of an operator. Every engine, the documentation and the tests read this.
pub struct Operator {
    /// Framework-neutral, in snake case.
    pub name: &'static str,
    /// One sentence for the catalogue.
    pub summary: &'static str,
    pub inputs: &'static [Input],
    pub parameters: &'static [Parameter],
    /// Names; one that ends in `...` stands for any number of them, one that ends in `?` may be left out.
    pub outputs: &'static [&'static str],
    /// How frameworks spell it, the oldest version of each first.
    pub spellings: &'static [Spelling],
    /// States requirements and gives the outputs.
    pub define: fn(&mut Call) -> Outcome,
    /// Valid and failing calls in the notation of [`crate::example`]: documentation and tests at once.
    pub examples: &'static [&'static str],
}

impl Operator {
    /// How a framework spells it, oldest version first.
    pub fn spelled_by(&self, framework: Framework) -> impl DoubleEndedIterator<Item = &'static Spelling> {
        self.spellings.iter().filter(move |spelling| spelling.framework == framework)
    }
    /// Whether any number of outputs is made.
    pub fn gives_any_number(&self) -> bool {
        self.outputs.last().is_some_and(|name| name.ends_with("..."))
    }
    /// The outputs that a framework must name, with their positions.
    pub fn required_outputs(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let optional = |name: &str| name.ends_with("...") || name.ends_with('?');
        self.outputs.iter().copied().enumerate().filter(move |(_, name)| !optional(name))
    }
}

/// A tensor argument.
#[derive(Clone, Copy)]
pub struct Input {
    pub name: &'static str,
    pub types: TypeSet,
    /// The input whose element type this one must have.
    pub like: Option<&'static str>,
    pub arity: Arity,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arity {
    One,
    Optional,
    /// One or more.
    Variadic,
    /// Any number, or none.
    Any,
}

pub const fn tensor(name: &'static str, types: TypeSet) -> Input {
    Input { name, types, like: None, arity: Arity::One }
}

impl Input {
    pub const fn like(self, other: &'static str) -> Input {
        Input { like: Some(other), ..self }
    }
    pub const fn optional(self) -> Input {
        Input { arity: Arity::Optional, ..self }
    }
    pub const fn variadic(self) -> Input {
        Input { arity: Arity::Variadic, ..self }
    }
    pub const fn any(self) -> Input {
        Input { arity: Arity::Any, ..self }
    }
}

/// An argument that is no tensor. A front end may read it from a tensor's value where its framework does so.
#[derive(Clone, Copy)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: ParameterKind,
    pub default: Preset,
}

#[derive(Clone, Copy)]
pub enum ParameterKind {
    Int,
    Ints,
    Float,
    Floats,
    Flag,
    Type,
    /// One of the listed words.
    Word(&'static [&'static str]),
    /// Free text, such as an equation.
    Text,
    /// A list of words, in capitals or not.
    Words(&'static [&'static str]),
    /// One or several operators with their own arguments, to be called by this one; which ones it takes, by name.
    Operators(fn(&str) -> Option<&'static Operator>),
}

/// What a parameter is when it is not given.
#[derive(Clone, Copy)]
pub enum Preset {
    /// It must be given.
    Required,
    /// The definition says what its absence means.
    Absent,
    Int(i64),
    Float(f64),
    Flag(bool),
    Word(&'static str),
}

macro_rules! parameters { ($($function:ident $kind:ident;)*) => {$(
    pub const fn $function(name: &'static str) -> Parameter {
        Parameter { name, kind: ParameterKind::$kind, default: Preset::Required }
    }
)*}; }
parameters! { int Int; ints Ints; float Float; floats Floats; flag Flag; element_type Type; text Text; }

pub const fn word(name: &'static str, choices: &'static [&'static str]) -> Parameter {
    Parameter { name, kind: ParameterKind::Word(choices), default: Preset::Required }
}
pub const fn words(name: &'static str, choices: &'static [&'static str]) -> Parameter {
    Parameter { name, kind: ParameterKind::Words(choices), default: Preset::Required }
}

pub const fn operators(name: &'static str, find: fn(&str) -> Option<&'static Operator>) -> Parameter {
    Parameter { name, kind: ParameterKind::Operators(find), default: Preset::Required }
}

impl Parameter {
    pub const fn or(self, default: i64) -> Parameter {
        Parameter { default: Preset::Int(default), ..self }
    }
    pub const fn or_float(self, default: f64) -> Parameter {
        Parameter { default: Preset::Float(default), ..self }
    }
    pub const fn or_flag(self, default: bool) -> Parameter {
        Parameter { default: Preset::Flag(default), ..self }
    }
    pub const fn or_word(self, default: &'static str) -> Parameter {
        Parameter { default: Preset::Word(default), ..self }
    }
    pub const fn optional(self) -> Parameter {
        Parameter { default: Preset::Absent, ..self }
    }
}

/// The library that computes for a framework which has several, where they do not take or give the same.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Backend {
    #[default]
    TensorFlow,
    Torch,
}

/// Whose names and arguments a spelling is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framework {
    Onnx,
    /// The operators of graphs (GraphDef), which are not versioned: those that change get a new name.
    TensorFlow,
}

/// How a framework writes the call, from one version on: `Name(inputs; attributes)`.
///
/// Inputs are our names by position; a parameter among them is read from the tensor's value, of type int64,
/// float or bool unless another set is named: `axis:index` takes int32 and int64, `scales:float32` float32 only.
/// Lists are tensors of one axis, numbers tensors of at most one; `:scalar`, `:list`, `:flat` and `:any` say otherwise.
/// Attributes are by name, `theirs as ours` where the names differ, `name=value` where the default does,
/// `!name` for an attribute that is accepted and has no effect on the result, `!name=value` for one that is accepted
/// with this value only, and `with ours=value` for a parameter that is no attribute and has another default.
/// `name=i32 as result 1` is the type in which output 1 (else the first) is given.
/// A flag is an integer and true unless 0; `name:one` is true only for 1, and `name:strict` is 0 or 1.
/// `name:named` is an element type by its name in capitals.
/// `name:else word` reads a value that the specification does not know as `word`.
#[derive(Clone, Copy)]
pub struct Spelling {
    pub framework: Framework,
    pub since: u32,
    pub text: &'static str,
    /// An adapter for a version whose meaning differs; it calls the same building blocks.
    pub define: Option<fn(&mut Call) -> Outcome>,
    /// From this version on there is no such operator any more.
    pub withdrawn: bool,
    /// How many outputs it has beyond those of the definition.
    pub further: usize,
}

pub const fn onnx(since: u32, text: &'static str) -> Spelling {
    Spelling { framework: Framework::Onnx, since, text, define: None, withdrawn: false, further: 0 }
}

/// As a TensorFlow graph spells it. Indices and sizes that are tensors there may be int32 or int64, of any type that
/// is named after a colon otherwise; element types and counts that follow from the inputs are not written.
pub const fn tensorflow(text: &'static str) -> Spelling {
    Spelling { framework: Framework::TensorFlow, ..onnx(0, text) }
}

/// The name is not taken any more from this version on.
pub const fn withdrawn(since: u32, name: &'static str) -> Spelling {
    Spelling { withdrawn: true, ..onnx(since, name) }
}

impl Spelling {
    pub const fn adapted(self, define: fn(&mut Call) -> Outcome) -> Spelling {
        Spelling { define: Some(define), ..self }
    }
    /// This version has so many more outputs than the definition, all of which may be left out.
    pub const fn giving_further(self, further: usize) -> Spelling {
        Spelling { further, ..self }
    }
    /// The framework's name of the operator.
    pub fn name(&self) -> &'static str {
        self.text.split('(').next().unwrap_or(self.text).trim()
    }
}

/// The kind of fault that breaking a requirement is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Category {
    IllegalValue,
    /// It runs, and is almost surely not meant (a stride beyond the kernel skips data).
    ImproperValue,
    /// The specification allows it, and a runtime that many use refuses it.
    UnsupportedValue,
    /// The specification forbids it; runtimes let it pass, at least where sizes are not known beforehand.
    ToleratedValue,
    /// It runs and gives numbers, and they are almost surely not those that were meant.
    SuspiciousBroadcast,
    SuspiciousSoftmax,
    SuspiciousAxis,
    UnsupportedLayout,
    IllegalShape,
    IncompatibleShape,
    IncompatibleType,
}

impl Category {
    pub fn name(self) -> &'static str {
        match self {
            Category::IllegalValue => "illegal value",
            Category::ImproperValue => "improper value",
            Category::UnsupportedValue => "unsupported value",
            Category::ToleratedValue => "tolerated value",
            Category::SuspiciousBroadcast => "suspicious broadcast",
            Category::SuspiciousSoftmax => "suspicious softmax",
            Category::SuspiciousAxis => "suspicious axis",
            Category::UnsupportedLayout => "unsupported layout",
            Category::IllegalShape => "illegal shape",
            Category::IncompatibleShape => "incompatible shape",
            Category::IncompatibleType => "incompatible element type",
        }
    }
    /// Whether a call that breaks it has no meaning. The others are remarks on calls that do.
    pub fn binds(self) -> bool {
        !self.is_suspicion()
            && !matches!(
                self,
                Category::ImproperValue | Category::UnsupportedValue | Category::ToleratedValue
            )
    }
    /// Whether it is told only where it is certain: what may be meant is no condition of validity.
    pub fn is_suspicion(self) -> bool {
        matches!(self, Category::SuspiciousBroadcast | Category::SuspiciousSoftmax | Category::SuspiciousAxis)
    }
}
