//! The values of parameters: what a front end gives, and what a definition reads of it.

use super::{Call, Stop};
use crate::dim::Dim;
use crate::dtype::Kind;
use crate::operator::{Backend, Category, Operator, Preset};
use crate::prop::Prop;
use std::fmt;

/// A parameter's value.
#[derive(Clone, Debug)]
pub enum Argument {
    Int(Dim),
    Ints(Vec<Dim>),
    Float(f64),
    Floats(Vec<f64>),
    Flag(Prop),
    Type(Kind),
    Text(String),
    Texts(Vec<String>),
    Operators(Vec<Prepared>),
    /// Given, but only the run will tell its value: the reason.
    Unknown(String),
}

/// An operator with its arguments, of which the tensors are still to come.
#[derive(Clone)]
pub struct Prepared {
    pub operator: &'static Operator,
    /// Per parameter of the signature.
    pub arguments: Vec<Option<Argument>>,
    pub backend: Backend,
    /// The float type that the policy of the operator around it names.
    pub policy: Option<Kind>,
}

impl Prepared {
    /// The call, its tensors left out.
    pub fn call(&self) -> Call {
        let mut call = Call::new(self.operator);
        call.arguments.clone_from(&self.arguments);
        call.backend = self.backend;
        call.policy = self.policy;
        call
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl fmt::Display for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.operator.parameters.iter().zip(&self.arguments);
        let given = given.filter_map(|(parameter, argument)| Some((parameter.name, argument.as_ref()?)));
        let given: Vec<String> = given.map(|(name, argument)| format!("{name}={argument}")).collect();
        write!(f, "{}({})", self.operator.name, given.join(", "))
    }
}

impl Argument {
    /// What stands for a parameter that is not given.
    pub fn preset(preset: Preset) -> Option<Argument> {
        Some(match preset {
            Preset::Required | Preset::Absent => return None,
            Preset::Int(value) => Argument::Int(value.into()),
            Preset::Float(value) => Argument::Float(value),
            Preset::Flag(value) => Argument::Flag(value.into()),
            Preset::Word(word) => Argument::Text(word.into()),
        })
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn list<T: ToString>(items: &[T]) -> String {
            items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        match self {
            Argument::Int(dim) => write!(f, "{dim}"),
            Argument::Ints(dims) => write!(f, "[{}]", list(dims)),
            Argument::Float(value) => write!(f, "{value}"),
            Argument::Floats(values) => write!(f, "[{}]", list(values)),
            Argument::Flag(prop) => write!(f, "{prop}"),
            Argument::Type(kind) => write!(f, "{kind}"),
            Argument::Text(text) => write!(f, "'{text}'"),
            Argument::Texts(texts) => write!(f, "'{}'", texts.join("', '")),
            Argument::Operators(operators) => match operators.as_slice() {
                [only] => write!(f, "{only}"),
                several => write!(f, "[{}]", list(several)),
            },
            Argument::Unknown(_) => write!(f, "not known"),
        }
    }
}

impl Call {
    fn parameter(&self, name: &str) -> (Option<&Argument>, Preset) {
        let position = self
            .operator
            .parameters
            .iter()
            .position(|parameter| parameter.name == name)
            .unwrap_or_else(|| panic!("{} has no parameter `{name}`", self.operator.name));
        (self.arguments[position].as_ref(), self.operator.parameters[position].default)
    }
    pub(super) fn unknown<T>(&self, name: &str, why: &str) -> Result<T, Stop> {
        Err(Stop::Unknown(format!("the value of `{name}` is not known{why}")))
    }
    pub fn is_given(&self, name: &str) -> bool {
        self.parameter(name).0.is_some()
    }
    /// Whether it was given as a list, be it of one.
    pub fn is_list(&self, name: &str) -> bool {
        matches!(self.parameter(name).0, Some(Argument::Ints(_) | Argument::Floats(_)))
    }
    pub fn optional_int(&self, name: &str) -> Result<Option<Dim>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Int(dim)), _) => Ok(Some(*dim)),
            (Some(Argument::Ints(dims)), _) if dims.len() == 1 => Ok(Some(dims[0])),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as an integer"),
            (None, Preset::Int(value)) => Ok(Some(value.into())),
            (None, _) => Ok(None),
        }
    }
    pub fn int(&self, name: &str) -> Result<Dim, Stop> {
        self.optional_int(name)?.map_or_else(|| self.unknown(name, ""), Ok)
    }
    /// An integer that only the run may tell: then a fresh symbol in `low..=high`.
    pub fn int_or_symbol(&mut self, name: &str, low: i64, high: i64) -> Dim {
        self.int(name).unwrap_or_else(|stop| {
            if let Stop::Unknown(reason) = stop {
                self.lost.push(reason);
            }
            Dim::symbol(name, low, high)
        })
    }
    pub fn optional_ints(&self, name: &str) -> Result<Option<Vec<Dim>>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Int(dim)), _) => Ok(Some(vec![*dim])),
            (Some(Argument::Ints(dims)), _) => Ok(Some(dims.clone())),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as integers"),
            (None, _) => Ok(None),
        }
    }
    pub fn ints(&self, name: &str) -> Result<Vec<Dim>, Stop> {
        self.optional_ints(name)?.map_or_else(|| self.unknown(name, ""), Ok)
    }
    /// One value per axis; the default stands for all of them, and so does a single `Int`.
    pub fn per_axis(&mut self, name: &str, label: &'static str, axes: usize) -> Result<Vec<Dim>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Int(dim)), _) => Ok(vec![*dim; axes]),
            (None, Preset::Int(value)) => Ok(vec![value.into(); axes]),
            _ => {
                let values = self.ints(name)?;
                self.insist(Category::IllegalValue, label, values.len() == axes)?;
                Ok(values)
            }
        }
    }
    pub fn optional_float(&self, name: &str) -> Result<Option<f64>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Float(value)), _) => Ok(Some(*value)),
            (Some(Argument::Floats(values)), _) if values.len() == 1 => Ok(Some(values[0])),
            (Some(Argument::Int(dim)), _) => match dim.known() {
                Some(value) => Ok(Some(value as f64)),
                None => self.unknown(name, ""),
            },
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as a number"),
            (None, Preset::Float(value)) => Ok(Some(value)),
            (None, Preset::Int(value)) => Ok(Some(value as f64)),
            (None, _) => Ok(None),
        }
    }
    pub fn float(&self, name: &str) -> Result<f64, Stop> {
        self.optional_float(name)?.map_or_else(|| self.unknown(name, ""), Ok)
    }
    pub fn optional_floats(&self, name: &str) -> Result<Option<Vec<f64>>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Floats(values)), _) => Ok(Some(values.clone())),
            (Some(Argument::Float(value)), _) => Ok(Some(vec![*value])),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as numbers"),
            (None, _) => Ok(None),
        }
    }
    /// A yes or no that decides the form of the result, so it must be known.
    pub fn flag(&self, name: &str) -> Result<bool, Stop> {
        let prop = match self.parameter(name) {
            (Some(Argument::Flag(prop)), _) => *prop,
            (Some(Argument::Int(dim)), _) => dim.ne(0),
            (Some(Argument::Unknown(reason)), _) => return self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => return self.unknown(name, " as a flag"),
            (None, Preset::Flag(value)) => value.into(),
            (None, Preset::Int(value)) => (value != 0).into(),
            (None, _) => false.into(),
        };
        prop.known().map_or_else(|| self.unknown(name, ""), Ok)
    }
    /// A word or text; `""` if it is absent without a default.
    pub fn text(&self, name: &str) -> Result<String, Stop> {
        match self.parameter(name) {
            (Some(Argument::Text(text)), _) => Ok(text.clone()),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as text"),
            (None, Preset::Word(word)) => Ok(word.into()),
            (None, _) => Ok(String::new()),
        }
    }
    pub fn optional_texts(&self, name: &str) -> Result<Option<Vec<String>>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Texts(texts)), _) => Ok(Some(texts.clone())),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as texts"),
            (None, _) => Ok(None),
        }
    }
    /// Operators that are given to be called, where this call is; none if the parameter is not given.
    pub fn operators(&self, name: &str) -> Result<Vec<Prepared>, Stop> {
        let here =
            |operator: &Prepared| Prepared { backend: self.backend, policy: self.policy, ..operator.clone() };
        match self.parameter(name) {
            (Some(Argument::Operators(operators)), _) => Ok(operators.iter().map(here).collect()),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as operators"),
            (None, _) => Ok(Vec::new()),
        }
    }
    pub fn optional_type(&self, name: &str) -> Result<Option<Kind>, Stop> {
        match self.parameter(name) {
            (Some(Argument::Type(kind)), _) => Ok(Some(*kind)),
            (Some(Argument::Unknown(reason)), _) => self.unknown(name, &format!(": {reason}")),
            (Some(_), _) => self.unknown(name, " as an element type"),
            (None, _) => Ok(None),
        }
    }
}
