//! The shapes and types that Keras has noted in a graph for what its layers are called on: what is known of a layer
//! whose meaning is not.

use super::call::{Operands, Passed};
use super::graph::{kind, text};
use super::origins::{Numbering, Origin, origin};
use program::ir::Size;
use rustc_hash::FxHashMap;
use semantics::dtype::Kind;
use serde_json::Value;

/// A type, and sizes.
pub(super) type Noted = (Kind, Vec<Size>);

/// What is noted of each tensor that a layer is called on.
pub(super) fn of(layers: &[Value], numbering: &Numbering<'_>) -> FxHashMap<Origin, Noted> {
    let mut notes = FxHashMap::default();
    for layer in layers {
        collect(&layer["inbound_nodes"], numbering, &mut notes);
    }
    notes
}

fn collect(value: &Value, numbering: &Numbering<'_>, notes: &mut FxHashMap<Origin, Noted>) {
    match value {
        Value::Object(_) if text(value, "class_name") == Some("__keras_tensor__") => {
            let config = &value["config"];
            if let (Some(from), Some(noted)) = (origin(&config["keras_history"]), noted(config)) {
                notes.insert(numbering.of_tensor(from), noted);
            }
        }
        Value::Object(table) => table.values().for_each(|inner| collect(inner, numbering, notes)),
        Value::Array(list) => list.iter().for_each(|inner| collect(inner, numbering, notes)),
        _ => {}
    }
}

fn noted(config: &Value) -> Option<Noted> {
    let kind = kind(text(config, "dtype")?)?;
    let size = |(axis, size): (usize, &Value)| match size {
        // As inputs name it: what is open in front is the batch.
        Value::Null if axis == 0 => Some(Size::Named("batch".into())),
        Value::Null => Some(Size::Unknown),
        size => size.as_i64().filter(|size| *size >= 0).map(Size::Known),
    };
    let sizes = config["shape"].as_array()?.iter().enumerate().map(size).collect::<Option<_>>()?;
    Some((kind, sizes))
}

/// Whether a call is on one tensor that stands in no list.
pub(super) fn is_bare(call: &Value, operands: &Operands<Origin>) -> bool {
    let first = call["args"].as_array().map(Vec::as_slice).unwrap_or_default();
    let only = matches!(operands.positional.as_slice(), [Passed::Tensors(only)] if only.len() == 1);
    only && matches!(first, [tensor] if tensor.is_object())
}
