//! Findings that are one: the same layer, kind and arguments.

use super::case::Case;
use super::example::Example;
use super::judge::{Disagreement, Kind};
use super::seen::Way;
use program::ir::Given;
use semantics::dtype::Kind::F32;
use semantics::operator::ParameterKind;

/// What one finding is known by.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub class: String,
    pub kind: Kind,
    pub detail: String,
    /// The arguments that matter: words with their values, numbers by name alone; and the element type, if it is not
    /// float32.
    pub signature: Vec<String>,
    /// Set where it is seen in some ways only.
    pub ways: Vec<Way>,
    /// Cases in which it was met.
    pub count: u64,
    /// How many of them were shrunk.
    pub shrunk: u64,
    /// The layers of its smallest case.
    pub layers: usize,
    /// The cases that were shrunk.
    pub examples: Vec<Example>,
}

#[derive(Default)]
pub struct Groups {
    pub all: Vec<Group>,
}

/// Cases that look like a group that is known are shrunk so often, to see whether they really are.
const LOOKED_AT: u64 = 3;

impl Group {
    pub fn of(case: &Case, found: &Disagreement) -> Group {
        let class = case.invocation(found.node).map_or("?", |invocation| invocation.operator.name);
        let ways = if found.fine.is_empty() { Vec::new() } else { found.ways.clone() };
        Group {
            class: class.to_string(),
            kind: found.kind,
            detail: found.detail.clone(),
            signature: signature(case, found.node),
            ways,
            count: 1,
            shrunk: 1,
            layers: case.layers(),
            examples: vec![Example::of(case, found)],
        }
    }
    /// A name for files: `conv1d-wrong-value-data_format-channels_first`.
    pub fn slug(&self) -> String {
        let words = [self.class.as_str(), self.kind.name()].into_iter();
        let ways = self.ways.iter().map(|way| way.name());
        let words: Vec<&str> = words.chain(self.signature.iter().map(String::as_str)).chain(ways).collect();
        let mut slug: String = words
            .join("-")
            .to_lowercase()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' })
            .collect();
        slug.truncate(100);
        slug
    }
}

impl Groups {
    /// The group that a case seems to belong to, which was looked at often enough: it need not be shrunk.
    pub fn known(&mut self, case: &Case, found: &Disagreement) -> Option<&mut Group> {
        let own = Group::of(case, found);
        self.all.iter_mut().find(|group| {
            let value = |kind: Kind| if kind == Kind::IgnoredArgument { Kind::WrongValue } else { kind };
            group.shrunk >= LOOKED_AT
                && group.class == own.class
                && value(group.kind) == value(own.kind)
                && (group.kind == Kind::IgnoredArgument || group.detail == own.detail)
                && group.signature.iter().all(|item| own.signature.contains(item))
        })
    }
    /// Adds what was shrunk; `true` if it is new.
    pub fn add(&mut self, group: Group) -> bool {
        let same = |other: &&mut Group| {
            (&other.class, other.kind, &other.detail, &other.signature, &other.ways)
                == (&group.class, group.kind, &group.detail, &group.signature, &group.ways)
        };
        match self.all.iter_mut().find(same) {
            Some(other) => {
                other.count += 1;
                other.shrunk += 1;
                other.layers = other.layers.min(group.layers);
                other.examples.extend(group.examples);
                false
            }
            None => {
                self.all.push(group);
                true
            }
        }
    }
}

/// The arguments of a call that are given: words and flags with their values, numbers by name. Cases are made smaller
/// in float32 where they can be: another type of floats matters.
pub fn signature(case: &Case, node: usize) -> Vec<String> {
    let Some(invocation) = case.invocation(node) else { return Vec::new() };
    let mut items = Vec::new();
    for (parameter, given) in invocation.operator.parameters.iter().zip(&invocation.arguments) {
        let Some(given) = given else { continue };
        if matches!(parameter.default, semantics::operator::Preset::Required) {
            continue;
        }
        items.push(match (given, parameter.kind) {
            (Given::Text(text), _) => format!("{}={text}", parameter.name),
            (Given::Int(flag), ParameterKind::Flag) => format!("{}={}", parameter.name, *flag != 0),
            _ => parameter.name.to_string(),
        });
    }
    let stored = case.program.graph.constants.iter().map(|(_, constant)| constant.kind);
    let mut kinds = case.inputs.values().map(|array| array.kind).chain(stored);
    items.extend(kinds.find(|kind| kind.is_float() && *kind != F32).map(|kind| format!("dtype={kind}")));
    items
}
