//! Layers of the user's own, told by stubs: each is a model written by hand that does the same.

use super::handwritten;
use crate::onnx::ReadError;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::path::Path;

/// Models by the class that they stand for.
#[derive(Default)]
pub struct Stubs {
    by_class: FxHashMap<String, Value>,
}

impl Stubs {
    /// Takes the stub of a class; `path` is for messages.
    pub fn add(&mut self, class: &str, text: &str, path: &Path) -> Result<(), ReadError> {
        let read = handwritten::read(text, path)
            .ok_or_else(|| ReadError::new(path, "a stub is a model written by hand"))??;
        self.by_class.insert(class.to_string(), read.document);
        Ok(())
    }

    /// The model that stands for a layer; `"$units"` in it is what the layer was given as `units`.
    pub(super) fn of(&self, class: &str, config: &Map<String, Value>) -> Option<Value> {
        let mut model = self.by_class.get(class)?.clone();
        fill(&mut model, config);
        Some(model)
    }
}

fn fill(value: &mut Value, config: &Map<String, Value>) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix('$') {
                *value = config.get(name).cloned().unwrap_or(Value::Null);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|item| fill(item, config)),
        Value::Object(table) => table.values_mut().for_each(|item| fill(item, config)),
        _ => {}
    }
}
