//! What the inputs of a model declare: shapes, types and storage, and which of it Keras refuses.

use super::broken::Broken;
use super::graph::{kind, text};
use super::origins::name;
use semantics::dtype::Kind;
use serde_json::Value;

/// The shape that an input declares.
pub(super) fn shape(layer: &Value) -> Option<&Value> {
    let config = &layer["config"];
    [&config["batch_shape"], &config["batch_input_shape"]].into_iter().find(|shape| shape.is_array())
}

/// The type that an input declares.
pub(super) fn dtype(layer: &Value) -> Result<Option<Kind>, Broken> {
    let Some(named) = text(&layer["config"], "dtype") else { return Ok(None) };
    let found = kind(named).ok_or_else(|| {
        let own = name(layer);
        Broken::at(own, format!("the input `{own}` has the type `{named}`, which Keras does not have"))
    })?;
    Ok(Some(found))
}

/// What is wrong with an input on its own. A size by name is that of a model written by hand.
pub(super) fn check(layer: &Value) -> Result<(), Broken> {
    let own = name(layer);
    if own.contains('/') {
        return Err(Broken::at(own, slashed(own)));
    }
    let sizes = shape(layer).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let by_hand = layer["module"].is_null();
    let is_size = |size: &Value| match size {
        Value::Null | Value::Bool(_) => true,
        Value::String(_) => by_hand,
        size => size.as_u64().is_some_and(|size| i64::try_from(size).is_ok()),
    };
    if let Some(wrong) = sizes.iter().find(|size| !is_size(size)) {
        let sizes = "sizes are whole numbers that are not negative, or null";
        return Err(Broken::at(own, format!("the input `{own}` has {wrong} in its shape: {sizes}")));
    }
    if shape(layer).is_none() && !layer["config"]["shape"].is_array() {
        return Err(Broken::at(own, format!("the input `{own}` declares no shape")));
    }
    let is_set = |flag: &str| layer["config"][flag] == true;
    match is_set("sparse") && is_set("ragged") {
        true => {
            let why = format!("the input `{own}` is both sparse and ragged: Keras takes one of them");
            Err(Broken::at(own, why))
        }
        false => Ok(()),
    }
}

/// Keras makes paths of names.
pub(super) fn slashed(name: &str) -> String {
    format!("the layer `{name}` has a `/` in its name, which Keras refuses")
}
