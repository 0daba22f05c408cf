//! What must hold of the layers of a Sequential model together, and what one of them hands to the next.

use super::broken::Broken;
use super::declared::slashed;
use super::graph::{is_model, text};
use super::origins::name;
use program::ir::Fault;
use rustc_hash::FxHashSet;
use semantics::operator::Category;
use serde_json::Value;
use std::borrow::Cow;

/// The layers, each with a name: Keras makes one up where a file has none, after the class as the folders of weights
/// are.
pub(super) fn named<'l>(layers: &'l [Value], folders: &[String]) -> Vec<Cow<'l, Value>> {
    let each = layers.iter().zip(folders).map(|(layer, folder)| {
        let has_one = text(layer, "name").or_else(|| text(&layer["config"], "name")).is_some();
        if has_one || !layer.is_object() {
            return Cow::Borrowed(layer);
        }
        let mut named = layer.clone();
        named["name"] = folder.clone().into();
        Cow::Owned(named)
    });
    each.collect()
}

/// What is wrong with the layers of a Sequential model as a list.
pub(super) fn check(layers: &[Cow<'_, Value>]) -> Result<(), Broken> {
    let mut names: FxHashSet<&str> = FxHashSet::default();
    for (k, layer) in layers.iter().enumerate() {
        let (own, class) = (name(layer), text(layer, "class_name").unwrap_or_default());
        if !names.insert(own) {
            let why = format!("two layers of a Sequential model are called `{own}`, which Keras refuses");
            return Err(Broken::at(own, why));
        }
        if class == "InputLayer" && k > 0 {
            let place = "a Sequential model has one input, in front";
            return Err(Broken::at(own, format!("the input `{own}` stands after other layers: {place}")));
        }
        if is_model(class) && own.contains('/') {
            return Err(Broken::at(own, slashed(own)));
        }
    }
    Ok(())
}

/// Whether each layer of a model is called before the next one is made, as those of a Sequential model are if it has its
/// input in front; the layers of other models are all made first.
pub(super) fn is_made_in_turn(document: &Value) -> bool {
    let first = document["config"]["layers"].get(0);
    text(document, "class_name") == Some("Sequential")
        && first.is_some_and(|first| text(first, "class_name") == Some("InputLayer"))
}

/// Whether a layer gives several tensors, so that the next one is called on a list.
pub(super) fn gives_list(layer: &Value) -> bool {
    let is_set = |layer: &Value| layer["config"]["return_state"] == true;
    is_set(layer) || is_set(&layer["config"]["layer"]) && text(layer, "class_name") == Some("Bidirectional")
}

/// Why a layer that takes one tensor cannot follow that one.
pub(super) fn after_list(before: &str) -> Fault {
    Fault {
        category: Category::IllegalValue,
        label: "a layer that takes one tensor is called on one".into(),
        detail: format!("`{before}` gives its states, too: `return_state` is true"),
        mend: None,
    }
}

/// Why a layer that takes a list cannot be called on a tensor alone.
pub(super) fn bare() -> Fault {
    Fault {
        category: Category::IncompatibleShape,
        label: "the layer is called on a list of tensors".into(),
        detail: "it is called on one that stands in no list".into(),
        mend: None,
    }
}
