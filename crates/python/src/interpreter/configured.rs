//! Constants, and entries of dictionaries and of files of settings, that something else is assumed of than what stands
//! there.

use super::Interpreter;
use crate::heap::{Id, Payload};
use crate::syntax::{Expr, ExprKind};
use crate::value::{Key, Value};

/// Tables inside tables that are looked through.
const DEEPEST: usize = 8;

impl Interpreter {
    /// Whether the user's code is at work and something is asked of what it says itself.
    fn is_configurable(&self) -> bool {
        self.asked.assumed.iter().any(|assumed| assumed.always)
    }
    /// The value of an entry of a dictionary that the user's code writes down, or what is assumed instead.
    pub(super) fn entry(&mut self, key: &Value, written: &Expr, value: Value) -> Value {
        if !self.is_configurable() || !self.frame().is_own() {
            return value;
        }
        match key.as_text() {
            Some(name) if is_written_out(written) && self.is_plain(&value) => {
                let name = name.to_string();
                self.configured(&name, value)
            }
            // `{"head": {"hidden": 24}}`: an entry can be told from others of its name by where it stands.
            Some(name) if matches!(written.kind, ExprKind::Dict(_)) => {
                let name = name.to_string();
                self.configure(&value, &name, true, 0);
                value
            }
            _ => value,
        }
    }
    /// Looks for entries of what a file of settings says.
    pub(crate) fn configure_file(&mut self, settings: &Value) {
        if self.is_configurable() {
            self.configure(settings, "", false, 0);
        }
    }
    /// Sets entries of a table, by the path to them; by their own names only if that was not done before.
    pub(super) fn configure(&mut self, table: &Value, path: &str, is_entered: bool, depth: usize) {
        let Some(id) = table.as_object().filter(|_| depth < DEEPEST) else { return };
        let Payload::Dict(pairs) = &self.heap.get(id).payload else { return };
        let entries = pairs.iter().filter_map(|(key, (_, value))| match key {
            Key::Text(name) => Some((name.clone(), value.clone())),
            _ => None,
        });
        let entries: Vec<_> = entries.collect();
        for (key, value) in entries {
            let full = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
            if !self.is_plain(&value) {
                self.configure(&value, &full, is_entered, depth + 1);
                continue;
            }
            let mut new = value.clone();
            if !is_entered {
                new = self.configured(&key, new);
            }
            if full.contains('.') {
                new = self.configured(&full, new);
            }
            if !new.is(&value) {
                self.set_entry(id, &key, new);
            }
        }
    }
    fn set_entry(&mut self, dict: Id, key: &str, value: Value) {
        if let Payload::Dict(pairs) = &mut self.heap.get_mut(dict).payload
            && let Some(entry) = pairs.get_mut(&Key::Text(key.into()))
        {
            entry.1 = value;
        }
    }
    /// What a program says itself, unless something else is assumed whatever it says.
    pub(super) fn configured(&mut self, name: &str, value: Value) -> Value {
        if !self.is_configurable() {
            return value;
        }
        self.offer(name);
        let number = self.asked.assumed.iter().position(|assumed| assumed.always && assumed.name == name);
        // An option of the same name is what is meant.
        match number.filter(|number| !self.optional.contains(number)) {
            Some(number) => self.assume(number, &value),
            None => value,
        }
    }

    /// Whether a hyper-parameter could stand for a value.
    pub(super) fn is_plain(&self, value: &Value) -> bool {
        match value {
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Text(_) | Value::None => true,
            Value::Tuple(items) => items.iter().all(|item| self.is_plain(item)),
            value => match self.payload(value) {
                Some(Payload::List(items)) => items.iter().all(|item| self.is_plain(item)),
                _ => false,
            },
        }
    }
}

/// Whether a value stands there as it is, and is not taken from elsewhere.
pub(super) fn is_written_out(written: &Expr) -> bool {
    match &written.kind {
        ExprKind::Constant(_) => true,
        ExprKind::Unary(_, inner) => is_written_out(inner),
        ExprKind::Tuple(all) | ExprKind::List(all) => all.iter().all(is_written_out),
        _ => false,
    }
}
