//! Help with exceptions that Python itself would raise: the name that was meant, the keys that are there, what a tuple
//! holds. A hint belongs to the exception; the exception's own words stay those of Python.

use super::{Flow, Interpreter, Outcome};
use crate::heap::{Id, Payload};
use crate::syntax::{Expr, ExprKind, Name, Source, Stmt, StmtKind};
use crate::value::Value;

/// Keys that are listed at most.
const MOST_KEYS: usize = 6;

/// Names that programs give to modules.
const ALIASES: [(&str, &str); 6] = [
    ("nn", "import torch.nn as nn"),
    ("F", "import torch.nn.functional as F"),
    ("np", "import numpy as np"),
    ("plt", "import matplotlib.pyplot as plt"),
    ("optim", "import torch.optim as optim"),
    ("tv", "import torchvision as tv"),
];

/// How the types of results with names are called.
const RESULTS: &str = "torch.return_types.";

impl Interpreter {
    /// Attaches a hint to the exception that something raised.
    pub(crate) fn hinted<T>(
        &mut self,
        raised: Outcome<T>,
        hint: impl FnOnce(&mut Interpreter) -> Option<String>,
    ) -> Outcome<T> {
        if let Err(Flow::Raise(exception)) = &raised
            && !self.is_trying()
            && let Some(hint) = hint(self)
        {
            self.hints.insert(*exception, hint);
        }
        raised
    }

    /// For a name that is not defined.
    pub(super) fn hint_of_name(&mut self, name: Name) -> Option<String> {
        let text = name.text();
        if let Some((_, import)) = ALIASES.iter().find(|(alias, _)| *alias == &*text) {
            return Some(format!("`{import}` is missing"));
        }
        if self.libraries.is_library(&text) {
            return Some(format!("`import {text}` is missing"));
        }
        let mut known = Vec::new();
        let mut scope = Some(self.frame().scope);
        while let Some(id) = scope {
            let object = self.heap.get(id);
            known.extend(object.attributes.keys().copied());
            scope = match object.payload {
                Payload::Scope { around } => around,
                _ => None,
            };
        }
        known.extend(self.heap.get(self.frame().globals).attributes.keys().copied());
        let frame = self.frame();
        if frame.scope == frame.globals
            && let Ok(module) = crate::syntax::read(&frame.source.path, frame.source.text.to_string(), false)
            && let Some(bound) = bound_at(&module.body, name, &frame.source)
        {
            return Some(bound);
        }
        meant(&text, known.into_iter().map(|name| name.to_string()))
    }
    /// For a local name that has no value yet: where it gets one.
    pub(super) fn hint_of_local(&self, name: Name) -> Option<String> {
        let function = self.frame().function.clone()?;
        bound_at(&function.def.body, name, &self.frame().source)
    }

    /// The source of the expression that is being followed.
    fn asked_text(&self) -> &str {
        let frame = self.frame();
        frame.source.text.get(frame.at.start as usize..frame.at.end as usize).unwrap_or_default()
    }

    /// For an attribute that is not there.
    pub(super) fn hint_of_attribute(&mut self, object: &Value, name: Name) -> Option<String> {
        if object.is_none() && self.asked_text().contains(&format!(".grad.{name}")) {
            return Some(
                "a gradient is None until backward() has reached the tensor, and again after zero_grad()"
                    .into(),
            );
        }
        if object.is_none() {
            return Some(format!(
                "what `.{name}` is asked of is None: a function without `return` gives None"
            ));
        }
        if self.type_name(object).starts_with(RESULTS) {
            return self.hint_of_value(object);
        }
        if object.is_real() && self.tensor_class.is_some_and(|class| self.in_order(class, name).is_some()) {
            return Some(
                "tensors have it, numbers do not: `.item()` and `float()` leave the tensor behind".into(),
            );
        }
        let mut known: Vec<Name> = Vec::new();
        if let Some(id) = object.as_object() {
            let held = self.heap.get(id);
            known.extend(held.attributes.keys().copied());
            if let Payload::Module { scope, .. } = held.payload {
                known.extend(self.heap.get(scope).attributes.keys().copied());
            }
            // Layers keep theirs apart.
            for part in ["_modules", "_parameters", "_buffers"] {
                let part = held.attributes.get(&Name::new(part)).cloned();
                if let Some(Payload::Dict(pairs)) = part.as_ref().and_then(|part| self.payload(part)) {
                    let keys = pairs.values().filter_map(|(key, _)| key.as_text());
                    known.extend(keys.map(|key| Name::new(key)));
                }
            }
        }
        let class = if self.is_class(object) { object.as_object() } else { self.class_of(object) };
        for &class in class.iter().flat_map(|class| self.order(*class).to_vec()).collect::<Vec<Id>>().iter() {
            known.extend(self.heap.get(class).attributes.keys().copied());
        }
        let seen = known.into_iter().map(|name| name.to_string()).filter(|name| !name.starts_with("__"));
        meant(&name.text(), seen)
    }

    /// For a key that is not there.
    pub(super) fn hint_of_key(&mut self, dict: Id, key: &Value) -> Option<String> {
        let Payload::Dict(pairs) = &self.heap.get(dict).payload else { return None };
        let keys: Vec<Value> = pairs.values().map(|(key, _)| key.clone()).collect();
        if let Value::Text(key) = self.unwrapped(key) {
            let texts = keys.iter().filter_map(Value::as_text).map(|text| text.to_string());
            if let Some(meant) = meant(&key, texts) {
                return Some(meant);
            }
        }
        let shown: Vec<String> = keys.iter().take(MOST_KEYS).map(|key| self.represent(key)).collect();
        Some(match keys.len() {
            0 => "the dictionary is empty".into(),
            more if more > MOST_KEYS => {
                format!("there is {} and {} more", shown.join(", "), more - MOST_KEYS)
            }
            _ => format!("there is {}", shown.join(", ")),
        })
    }

    /// For something that is no tensor where one is needed: what it holds.
    pub(super) fn hint_of_value(&mut self, value: &Value) -> Option<String> {
        let (kind, class) = (self.type_name(value), self.class_of(value));
        let value = self.unwrapped(value);
        let Value::Tuple(items) = &value else { return None };
        let held: Vec<String> = items.iter().take(4).map(|item| self.held(item)).collect();
        if held.is_empty() || !held.iter().any(|item| item.contains('[')) {
            return None;
        }
        // A result with names: the first of them is what is mostly meant.
        if let (Some(class), true) = (class, kind.starts_with(RESULTS)) {
            let fields = self.heap.get(class).attributes.iter();
            let fields =
                fields.filter(|(_, value)| matches!(self.payload(value), Some(Payload::Property { .. })));
            let fields: Vec<String> = fields.map(|(name, _)| name.to_string()).take(held.len()).collect();
            if let Some(first) = fields.first() {
                let (fields, held) = (fields.join(", "), held.join(", "));
                return Some(format!("it is ({fields}), ({held}): take `.{first}` or `[0]`"));
            }
        }
        Some(format!("it is a tuple, ({}): take one of them, as `[0]`", held.join(", ")))
    }
    fn held(&mut self, value: &Value) -> String {
        if let Some(tensor) = self.as_tensor(value) {
            return tensor.to_string();
        }
        if let Value::Tuple(items) = self.unwrapped(value) {
            let held: Vec<String> = items.iter().take(4).map(|item| self.held(item)).collect();
            return format!("({})", held.join(", "));
        }
        self.number_words(value).unwrap_or_else(|| self.type_name(value))
    }

    /// For values that are unpacked into too many or too few names.
    pub(super) fn hint_of_values(&mut self, items: &[Value]) -> Option<String> {
        if items.is_empty() || items.len() > 8 {
            return None;
        }
        let held: Vec<String> = items.iter().map(|item| self.held(item)).collect();
        Some(format!("what is unpacked is ({})", held.join(", ")))
    }
}

/// Where a name gets its value, for one that has none.
fn bound_at(body: &[Stmt], name: Name, source: &Source) -> Option<String> {
    let mut lines = Vec::new();
    binding(body, name, &mut |at| lines.push(source.position(at.start).line));
    let line = lines.first()?;
    Some(format!("`{name}` gets its value in line {line}, which was not executed"))
}

/// "did you mean `hidden_size`?", of the name that is nearest.
pub fn meant(name: &str, known: impl Iterator<Item = String>) -> Option<String> {
    let nearest = known.filter(|other| other != name).map(|other| (distance(name, &other), other)).min()?;
    let length = name.chars().count();
    let near_enough = nearest.0 <= length.div_ceil(3) && nearest.0 < length;
    near_enough.then(|| format!("did you mean `{}`?", nearest.1))
}

/// How many letters have to be changed, put in or left out to make one word of another; capitals count little.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > a.len().div_ceil(3) || b.len() > 64 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut before = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(!x.eq_ignore_ascii_case(y));
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The statements that give a name its value.
fn binding(body: &[Stmt], name: Name, found: &mut dyn FnMut(crate::syntax::Span)) {
    let binds = |target: &Expr| target_binds(target, name);
    for statement in body {
        match &statement.kind {
            StmtKind::Assign { targets, .. } if targets.iter().any(binds) => found(statement.at),
            StmtKind::Augmented { target, .. } | StmtKind::Annotated { target, .. } if binds(target) => {
                found(statement.at);
            }
            StmtKind::For { target, body, orelse, .. } => {
                if binds(target) {
                    found(statement.at);
                }
                binding(body, name, found);
                binding(orelse, name, found);
            }
            StmtKind::If { body, orelse, .. } | StmtKind::While { body, orelse, .. } => {
                binding(body, name, found);
                binding(orelse, name, found);
            }
            StmtKind::With { items, body } => {
                if items.iter().any(|(_, target)| target.as_ref().is_some_and(binds)) {
                    found(statement.at);
                }
                binding(body, name, found);
            }
            StmtKind::Try { body, handlers, orelse, last } => {
                binding(body, name, found);
                handlers.iter().for_each(|handler| binding(&handler.body, name, found));
                binding(orelse, name, found);
                binding(last, name, found);
            }
            _ => {}
        }
    }
}
fn target_binds(target: &Expr, name: Name) -> bool {
    match &target.kind {
        ExprKind::Name(bound) => *bound == name,
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().any(|item| target_binds(item, name)),
        ExprKind::Starred(inner) => target_binds(inner, name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant() {
        let known = || ["hidden_size", "GELU", "in_features"].map(String::from).into_iter();
        assert_eq!(meant("hiden_size", known()).as_deref(), Some("did you mean `hidden_size`?"));
        assert_eq!(meant("Gelu", known()).as_deref(), Some("did you mean `GELU`?"));
        assert_eq!(meant("optimizer", known()), None);
    }
}
