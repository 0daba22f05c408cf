//! Finding the definition behind a framework's name and version, and how its arguments map to ours.

use crate::dtype::{self, TypeSet};
use crate::operator::{Arity, Operator, ParameterKind, Spelling};
use crate::operators;
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, OnceLock};

/// A framework's operator, resolved: the definition and how to pass arguments to it.
pub struct Resolved {
    pub operator: &'static Operator,
    pub spelling: &'static Spelling,
    parsed: OnceLock<Mapping>,
}

/// How a framework's arguments become ours.
pub struct Mapping {
    pub inputs: Vec<Target>,
    pub attributes: Vec<(&'static str, Target)>,
    /// Defaults that differ from ours: parameter and the value as written.
    pub presets: Vec<(usize, &'static str)>,
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
        self.parsed.get_or_init(|| parse(self.operator, self.spelling.text))
    }
}

/// The definition of an ONNX operator of the default domain at an opset version.
pub fn onnx(name: &str, version: u32) -> Option<&'static Resolved> {
    static TABLE: LazyLock<FxHashMap<&'static str, Vec<Resolved>>> = LazyLock::new(|| {
        let mut table: FxHashMap<&'static str, Vec<Resolved>> = FxHashMap::default();
        for operator in operators::ALL {
            for spelling in operator.onnx {
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
    });
    let newest = TABLE.get(name)?.iter().rev().find(|resolved| resolved.spelling.since <= version);
    newest.filter(|resolved| !resolved.spelling.withdrawn)
}

fn parse(operator: &'static Operator, text: &'static str) -> Mapping {
    let arguments = text.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let (inputs, attributes) = arguments.split_once(';').unwrap_or((arguments, ""));
    let names = |list: &'static str| list.split(',').map(str::trim).filter(|name| !name.is_empty());
    let mut mapping = Mapping { inputs: Vec::new(), attributes: Vec::new(), presets: Vec::new() };
    for name in names(inputs) {
        mapping.inputs.push(if name == "_" { Target::Ignored } else { input(operator, name) });
    }
    for entry in names(attributes) {
        if let Some(ignored) = entry.strip_prefix('!') {
            mapping.attributes.push((ignored, Target::Ignored));
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
        let (theirs, ours) = entry.split_once(" as ").unwrap_or((entry, entry));
        let target = target(operator, ours.trim());
        if let (Some(preset), Target::Parameter(position)) = (preset, target) {
            mapping.presets.push((position, preset));
        }
        mapping.attributes.push((theirs.trim(), target));
    }
    mapping
}

/// An input by name; a parameter among them may say after a colon which types it is read from.
fn input(operator: &'static Operator, text: &str) -> Target {
    let (name, types) =
        text.split_once(':').map_or((text, None), |(name, types)| (name.trim(), Some(types.trim())));
    let Target::Parameter(position) = target(operator, name) else { return target(operator, name) };
    let types = match (types, operator.parameters[position].kind) {
        (Some("index"), _) => dtype::INDEX,
        (Some("float32"), _) => dtype::FLOAT32,
        (Some(other), _) => panic!("{}: `{other}` names no set of types", operator.name),
        (None, ParameterKind::Int | ParameterKind::Ints) => dtype::INT64,
        (None, ParameterKind::Float | ParameterKind::Floats) => dtype::FLOAT,
        (None, ParameterKind::Flag) => dtype::BOOL,
        (None, _) => dtype::ANY,
    };
    Target::Read(position, types)
}

fn target(operator: &'static Operator, name: &str) -> Target {
    if let Some(position) = operator.inputs.iter().position(|input| input.name == name) {
        return match operator.inputs[position].arity {
            Arity::Variadic => Target::Tensors(position),
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
            for spelling in operator.onnx {
                parse(operator, spelling.text);
            }
        }
    }
}
