//! Finding the definition behind a framework's name and version, and how its arguments map to ours.

use crate::dtype::{self, Kind, TypeSet};
use crate::operator::{Arity, Framework, Operator, Parameter, ParameterKind, Preset, Spelling};
use crate::operators;
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock};

/// A framework's operator, resolved: the definition and how to pass arguments to it.
pub struct Resolved {
    pub operator: &'static Operator,
    pub spelling: &'static Spelling,
    /// Apart from the table, which a program reads a few entries of.
    parsed: OnceLock<Box<Mapping>>,
}

/// How a framework's arguments become ours.
pub struct Mapping {
    pub inputs: Vec<Target>,
    pub attributes: Vec<(&'static str, Target)>,
    /// Defaults that differ from ours: parameter and the value as written.
    pub presets: Vec<(usize, &'static str)>,
    /// Defaults of attributes that are numbers and not ours in single precision, which is how ONNX stores them.
    pub singles: Vec<(usize, f64)>,
    /// Parameters that are read from tensors: the shape such a tensor has.
    pub forms: Vec<(usize, Form)>,
    /// Parameters of which the framework reads odd values in its own way.
    pub odd: Vec<(usize, Odd)>,
    /// The input whose channels the framework takes to lie in axis 1.
    pub channels_first: Option<usize>,
    /// Outputs that the framework gives in a type that an attribute states: the attribute, which output, and the type
    /// without it.
    pub results: Vec<(&'static str, usize, Kind)>,
    /// Attributes that are accepted with one value only.
    pub fixed: Vec<(&'static str, &'static str)>,
}

/// The shape of a tensor whose value is a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// No axes.
    Scalar,
    /// One axis.
    List,
    /// At most one axis.
    Flat,
    /// Any number of axes.
    Any,
}

/// What a framework makes of an attribute's value that its specification does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Odd {
    /// Of integers that stand for a yes or no only 1 means yes; without this everything but 0 does.
    OnlyOne,
    /// Integers that stand for a yes or no are 0 or 1.
    Refused,
    /// It is read as this word or type.
    As(&'static str),
    /// An element type is written out instead of being a number.
    Named,
}

/// Where an argument goes.
#[derive(Clone, Copy)]
pub enum Target {
    Tensor(usize),
    /// From this position on, all further inputs.
    Tensors(usize),
    Parameter(usize),
    /// A parameter that is read from the value of a tensor of one of these types.
    Read(usize, TypeSet),
    /// Accepted, without effect on the result.
    Ignored,
}

impl Resolved {
    pub fn mapping(&self) -> &Mapping {
        self.parsed.get_or_init(|| Box::new(parse(self.operator, self.spelling)))
    }
}

impl Mapping {
    /// The shape of a tensor that a parameter is read from.
    pub fn form(&self, parameter: usize) -> Form {
        self.forms.iter().find(|(position, _)| *position == parameter).map_or(Form::Any, |(_, form)| *form)
    }
    pub fn odd(&self, parameter: usize) -> Option<Odd> {
        self.odd.iter().find(|(position, _)| *position == parameter).map(|(_, odd)| *odd)
    }
}

/// The definition of an ONNX operator of the default domain at an opset version.
pub fn onnx(name: &str, version: u32) -> Option<&'static Resolved> {
    let versions = onnx_table().get(name)?;
    let newest = versions.iter().rev().find(|resolved| resolved.spelling.since <= version);
    newest.filter(|resolved| !resolved.spelling.withdrawn)
}

/// The name itself, if some version of the standard knows an operator of it.
pub fn onnx_name(name: &str) -> Option<&'static str> {
    onnx_table().get_key_value(name).map(|(&name, _)| name)
}

/// The names of all operators of the standard that have a definition here.
pub fn onnx_names() -> impl Iterator<Item = &'static str> {
    onnx_table().keys().copied()
}

/// The newest version of the standard in which an operator known here was changed.
pub fn newest_onnx() -> u32 {
    onnx_table().values().flatten().map(|resolved| resolved.spelling.since).max().unwrap_or(0)
}

/// The definition of an operator of TensorFlow graphs.
pub fn tensorflow(name: &str) -> Option<&'static Resolved> {
    tensorflow_table().get(name)?.first()
}

/// The names of all operators of TensorFlow graphs that have a definition here.
pub fn tensorflow_names() -> impl Iterator<Item = &'static str> {
    tensorflow_table().keys().copied()
}

type Table = FxHashMap<&'static str, Vec<Resolved>>;

fn onnx_table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| table(Framework::Onnx));
    &TABLE
}

fn tensorflow_table() -> &'static Table {
    static TABLE: LazyLock<Table> = LazyLock::new(|| table(Framework::TensorFlow));
    &TABLE
}

/// The spellings of every operator, oldest first.
fn table(framework: Framework) -> Table {
    let mut table = Table::default();
    for operator in operators::ALL {
        for spelling in operator.spelled_by(framework) {
            table.entry(spelling.name()).or_default().push(Resolved {
                operator,
                spelling,
                parsed: OnceLock::new(),
            });
        }
    }
    for versions in table.values_mut() {
        versions.sort_by_key(|resolved| resolved.spelling.since);
    }
    table
}

fn parse(operator: &'static Operator, spelling: &'static Spelling) -> Mapping {
    let arguments = spelling.text.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let (inputs, attributes) = arguments.split_once(';').unwrap_or((arguments, ""));
    let names = |list: &'static str| list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut mapping = Mapping {
        inputs: Vec::new(),
        attributes: Vec::new(),
        presets: Vec::new(),
        singles: Vec::new(),
        forms: Vec::new(),
        odd: Vec::new(),
        channels_first: None,
        results: Vec::new(),
        fixed: Vec::new(),
    };
    for name in names(inputs) {
        if name == "_" {
            mapping.inputs.push(Target::Ignored);
            continue;
        }
        if let Some((channelled, "nchw")) = name.split_once(':')
            && let Target::Tensor(position) = target(operator, channelled)
        {
            mapping.inputs.push(Target::Tensor(position));
            mapping.channels_first = Some(position);
            continue;
        }
        let (target, form) = input(operator, name, spelling.framework);
        if let Target::Read(position, _) = target {
            mapping.forms.push((position, form));
        }
        mapping.inputs.push(target);
    }
    for entry in names(attributes) {
        if let Some(ignored) = entry.strip_prefix('!') {
            let (name, fixed) =
                ignored.split_once('=').map_or((ignored, None), |(name, value)| (name, Some(value)));
            mapping.attributes.push((name, Target::Ignored));
            mapping.fixed.extend(fixed.map(|value| (name, value)));
            continue;
        }
        if let Some((stated, number)) = entry.split_once(" as result") {
            let (name, kind) = stated.split_once('=').unwrap_or((stated, ""));
            let kind = Kind::parse(kind).unwrap_or_else(|| panic!("{}: `{kind}` is no type", operator.name));
            mapping.results.push((name, number.trim().parse().unwrap_or(0), kind));
            mapping.attributes.push((name, Target::Ignored));
            continue;
        }
        if let Some((ours, preset)) = entry.strip_prefix("with ").and_then(|entry| entry.split_once('=')) {
            if let Target::Parameter(position) = target(operator, ours.trim()) {
                mapping.presets.push((position, preset.trim()));
            }
            continue;
        }
        let (entry, preset) = match entry.split_once('=') {
            Some((entry, preset)) => (entry.trim(), Some(preset.trim())),
            None => (entry, None),
        };
        let (theirs, ours) = entry.split_once(" as ").unwrap_or((entry, ""));
        let (theirs, odd) = theirs.split_once(':').map_or((theirs, None), |(name, odd)| (name, Some(odd)));
        let target = target(operator, if ours.is_empty() { theirs } else { ours.trim() });
        if let (Some(odd), Target::Parameter(position)) = (odd, target) {
            mapping.odd.push((position, read_odd(operator, odd.trim())));
        }
        if let Target::Parameter(position) = target {
            let parameter = &operator.parameters[position];
            match (single(parameter, preset), preset) {
                (Some(number), _) => mapping.singles.push((position, number)),
                (None, Some(preset)) => mapping.presets.push((position, preset)),
                (None, None) => {}
            }
        }
        mapping.attributes.push((theirs.trim(), target));
    }
    mapping
}

/// The default of an attribute that is a number, in single precision, unless that is the default anyway.
fn single(parameter: &Parameter, preset: Option<&str>) -> Option<f64> {
    let own = match parameter.default {
        Preset::Float(number) => Some(number),
        _ => None,
    };
    let number = match (parameter.kind, preset) {
        (ParameterKind::Float, Some(text)) => text.parse().ok(),
        (ParameterKind::Float, None) => own,
        _ => None,
    };
    number.map(|number: f64| f64::from(number as f32)).filter(|&number| own != Some(number))
}

/// An input by name; a parameter among them may say after a colon which types and shapes it is read from.
fn input(operator: &'static Operator, text: &str, framework: Framework) -> (Target, Form) {
    let (name, words) = text.split_once(':').unwrap_or((text, ""));
    let target = target(operator, name.trim());
    let Target::Parameter(position) = target else { return (target, Form::Any) };
    let integers = match framework {
        Framework::Onnx => dtype::INT64,
        Framework::TensorFlow => dtype::INDEX,
    };
    let (mut types, mut form) = match operator.parameters[position].kind {
        ParameterKind::Int => (integers, Form::Flat),
        ParameterKind::Ints => (integers, Form::List),
        ParameterKind::Float => (dtype::FLOAT, Form::Flat),
        ParameterKind::Floats => (dtype::FLOAT, Form::List),
        ParameterKind::Flag => (dtype::BOOL, Form::Flat),
        _ => (dtype::ANY, Form::Any),
    };
    for word in words.split_whitespace() {
        match word {
            "index" => types = dtype::INDEX,
            "float32" => types = dtype::FLOAT32,
            "scalar" => form = Form::Scalar,
            "list" => form = Form::List,
            "flat" => form = Form::Flat,
            "any" => form = Form::Any,
            other => panic!("{}: `{other}` names no set of types and no shape", operator.name),
        }
    }
    (Target::Read(position, types), form)
}

fn read_odd(operator: &'static Operator, text: &'static str) -> Odd {
    match text {
        "one" => Odd::OnlyOne,
        "strict" => Odd::Refused,
        "named" => Odd::Named,
        text => match text.strip_prefix("else ") {
            Some(word) => Odd::As(word),
            None => panic!("{}: `{text}` does not say how odd values are read", operator.name),
        },
    }
}

fn target(operator: &'static Operator, name: &str) -> Target {
    if let Some(position) = operator.inputs.iter().position(|input| input.name == name) {
        return match operator.inputs[position].arity {
            Arity::Variadic | Arity::Any => Target::Tensors(position),
            Arity::One | Arity::Optional => Target::Tensor(position),
        };
    }
    match operator.parameters.iter().position(|parameter| parameter.name == name) {
        Some(position) => Target::Parameter(position),
        None => panic!("{} has neither input nor parameter `{name}`", operator.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every spelling names only inputs and parameters that exist.
    #[test]
    fn spellings_parse() {
        for operator in operators::ALL {
            for spelling in operator.spellings {
                parse(operator, spelling);
            }
        }
    }

    /// An operator of a graph has one meaning.
    #[test]
    fn tensorflow_names_are_spelled_once() {
        for (name, spelled) in tensorflow_table() {
            assert_eq!(spelled.len(), 1, "{name} is spelled more than once");
        }
    }

    /// 1e-5 has no float32 of that value, 1 has.
    #[test]
    fn defaults_of_attributes_are_float32() {
        let normalization = onnx("BatchNormalization", 15).map(|resolved| &resolved.mapping().singles);
        let rounded: Vec<f64> = normalization.into_iter().flatten().map(|(_, number)| *number).collect();
        assert_eq!(rounded, [f64::from(1e-5_f32), f64::from(0.9_f32)]);
        assert!(onnx("Elu", 22).is_some_and(|resolved| resolved.mapping().singles.is_empty()));
    }
}
