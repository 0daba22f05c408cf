//! What a file asks for that only some backends of Keras have: the others refuse to load it.

use super::arguments::truth;
use super::broken::Broken;
use super::graph::text;
use super::origins::name;
use serde_json::Value;

/// Arguments that only TensorFlow takes for true, by the class that has them.
const OF_TENSORFLOW: &[(&str, &str)] = &[
    ("InputLayer", "sparse"),
    ("InputLayer", "ragged"),
    ("BatchNormalization", "synchronized"),
    ("Discretization", "sparse"),
    ("HashedCrossing", "sparse"),
    ("IntegerLookup", "sparse"),
    ("StringLookup", "sparse"),
    ("TextVectorization", "sparse"),
    ("TextVectorization", "ragged"),
];

/// Objects in objects; no real file comes near.
const DEEPEST: usize = 200;

/// The first layer that every backend but TensorFlow refuses.
pub(super) fn of_tensorflow(document: &Value) -> Option<Broken> {
    first(document, DEEPEST)
}

fn first(value: &Value, depth: usize) -> Option<Broken> {
    let depth = depth.checked_sub(1)?;
    if let Value::Array(list) = value {
        return list.iter().find_map(|inner| first(inner, depth));
    }
    let table = value.as_object()?;
    let class = text(value, "class_name").unwrap_or_default();
    let asked = OF_TENSORFLOW
        .iter()
        .find(|(of, argument)| *of == class && truth(&value["config"][*argument]) == Some(true));
    if let Some((_, argument)) = asked {
        let own = name(value);
        let why = format!("`{argument}` of `{own}` is true, which Keras takes on TensorFlow alone");
        return Some(Broken::at(own, why));
    }
    table.values().find_map(|inner| first(inner, depth))
}
