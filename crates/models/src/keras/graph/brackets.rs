//! What stands in the brackets of `x[…]`, as Python writes it.

use super::super::call::{Operands, Passed};
use super::text;
use program::ir::ValueId;
use serde_json::Value;

/// Writes what stands in the brackets of `x[…]` as Python does.
pub(super) fn key_as_text(given: &mut Operands<ValueId>) {
    let keys = given.positional.iter_mut().skip(1).chain(given.named.iter_mut().map(|(_, passed)| passed));
    for passed in keys {
        if let Passed::Other(key) = passed
            && let Some(text) = key_text(key)
        {
            *passed = Passed::Other(text.into());
        }
    }
}

fn key_text(key: &Value) -> Option<String> {
    let bound = |value: &Value| match value {
        Value::Null => Some(String::new()),
        number => number.as_i64().map(|number| number.to_string()),
    };
    match key {
        Value::Array(parts) => {
            let parts: Option<Vec<String>> = parts.iter().map(key_text).collect();
            parts.map(|parts| parts.join(", "))
        }
        Value::Null => Some("None".into()),
        Value::Object(_) => match text(key, "class_name")? {
            "__slice__" => {
                let [start, stop, step] = ["start", "stop", "step"].map(|name| bound(&key["config"][name]));
                Some(format!("{}:{}:{}", start?, stop?, step?))
            }
            "__ellipsis__" => Some("...".into()),
            "__tuple__" => key_text(key.get("config").or_else(|| key.get("items"))?),
            _ => None,
        },
        number => number.as_i64().map(|number| number.to_string()),
    }
}
