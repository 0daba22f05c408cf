//! Where tensors of a graph come from, as files write it.

use super::broken::Broken;
use super::call::{Operands, Passed};
use super::declared::slashed;
use super::graph::{is_model, text};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value};

/// Where a tensor comes from: a layer, which call of it, and which of its outputs.
pub(super) type Origin = (String, u64, u64);

/// What is wrong with the names of layers, and with what calls and outputs refer to.
pub(super) fn check(layers: &[Value], outputs: &[Origin], numbering: &Numbering<'_>) -> Result<(), Broken> {
    let mut calls: FxHashMap<&str, usize> = FxHashMap::default();
    let mut inputs: FxHashSet<&str> = FxHashSet::default();
    for layer in layers {
        let class = text(layer, "class_name").unwrap_or_default();
        let own = text(layer, "name").ok_or_else(|| {
            let why =
                format!("a layer of the class `{class}` has no `name`: the calls of a graph go by names");
            Broken::at(name(layer), why)
        })?;
        if own.contains('/') && is_model(class) {
            return Err(Broken::at(own, slashed(own)));
        }
        let is_input = class == "InputLayer";
        let count = layer["inbound_nodes"].as_array().map_or(0, Vec::len).max(usize::from(is_input));
        let is_again = calls.insert(name(layer), count).is_some();
        // An input that is declared again is the one that is there.
        if is_again && !(is_input && inputs.contains(name(layer))) {
            return Err(Broken::at(name(layer), format!("two layers are called `{}`", name(layer))));
        }
        if is_input {
            inputs.insert(name(layer));
        }
    }
    let fault = |(layer, call, _): &Origin| match calls.get(layer.as_str()) {
        None => Some(format!("`{layer}`, and there is no such layer")),
        Some(0) => Some(format!("`{layer}`, which is never called")),
        Some(count) if *call >= *count as u64 => {
            let number = call.saturating_add(1);
            let times = if *count == 1 { "once".to_string() } else { format!("{count} times") };
            Some(format!("what call {number} of `{layer}` gives, and it is called {times}"))
        }
        Some(_) => None,
    };
    for layer in layers {
        for call in layer["inbound_nodes"].as_array().into_iter().flatten() {
            if let Some(fault) = numbering.of_call(call).tensors().find_map(fault) {
                return Err(Broken::at(name(layer), format!("the layer `{}` needs {fault}", name(layer))));
            }
        }
    }
    match outputs.iter().find_map(fault) {
        Some(fault) => Err(Broken::model(format!("the model gives {fault}"))),
        None => Ok(()),
    }
}

pub(super) fn name(layer: &Value) -> &str {
    text(layer, "name").or_else(|| text(&layer["config"], "name")).unwrap_or("layer")
}

/// How the calls of a model inside another one are counted: older files begin with 1, and those of Keras 3 do so
/// for the outputs of a Functional model.
pub(super) struct Numbering<'l> {
    models: FxHashMap<&'l str, bool>,
    is_old: bool,
}

impl<'l> Numbering<'l> {
    pub fn of(layers: &'l [Value]) -> Numbering<'l> {
        let class = |layer: &'l Value| text(layer, "class_name").unwrap_or_default();
        let models = layers.iter().filter(|layer| is_model(class(layer)));
        let models = models.map(|layer| (name(layer), class(layer) != "Sequential")).collect();
        let mut calls = layers.iter().filter_map(|layer| layer["inbound_nodes"].as_array()).flatten();
        Numbering { models, is_old: calls.any(Value::is_array) }
    }
    pub fn of_output(&self, (layer, call, output): Origin) -> Origin {
        let from_one = self.models.get(&*layer).is_some_and(|functional| self.is_old || *functional);
        (layer, call.saturating_sub(from_one.into()), output)
    }
    pub fn of_call(&self, call: &Value) -> Operands<Origin> {
        called(call).map(|origin: &Origin| self.of_tensor(origin.clone()))
    }
    /// A tensor that a call is on.
    pub fn of_tensor(&self, (layer, call, output): Origin) -> Origin {
        let from_one = self.is_old && self.models.contains_key(&*layer);
        (layer, call.saturating_sub(from_one.into()), output)
    }
}

/// `["dense", 0, 0]`, or a list or table of such.
pub(super) fn origins(value: &Value) -> Vec<Origin> {
    if let Some(origin) = origin(value) {
        return vec![origin];
    }
    match value {
        Value::Array(list) => list.iter().flat_map(origins).collect(),
        Value::Object(table) => table.values().flat_map(origins).collect(),
        _ => Vec::new(),
    }
}

pub(super) fn origin(value: &Value) -> Option<Origin> {
    let list = value.as_array()?;
    let (layer, call, output) = (list.first()?.as_str()?, index(list.get(1)?)?, index(list.get(2)?)?);
    Some((layer.to_string(), call, output))
}

/// A number of a call or an output; one that is too large to be written is the largest.
fn index(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64().filter(|number| *number > 0.0).map(|_| u64::MAX))
}

/// What a layer is called with, in Keras 3's form or the one before it.
pub(super) fn called(call: &Value) -> Operands<Origin> {
    let passed = |value: &Value| {
        let mut found = Vec::new();
        keras_tensors(value, &mut found);
        match with_gaps(value) {
            Some(list) => Passed::Some(list),
            None if found.is_empty() => Passed::Other(value.clone()),
            None => Passed::Tensors(found),
        }
    };
    let named = |table: &Map<String, Value>, passed: &dyn Fn(&Value) -> Passed<Origin>| {
        table.iter().map(|(name, value)| (name.clone(), passed(value))).collect()
    };
    match call {
        Value::Object(call) if call.contains_key("args") => Operands {
            positional: call["args"].as_array().into_iter().flatten().map(passed).collect(),
            named: call
                .get("kwargs")
                .and_then(Value::as_object)
                .map(|t| named(t, &passed))
                .unwrap_or_default(),
        },
        former => {
            // `[["x", 0, 0, {"initial_state": [["h", 0, 0], …]}], …]`
            let tensors = former.as_array().into_iter().flatten().flat_map(origins_alone);
            let table = former.as_array().into_iter().flatten().find_map(|tensor| tensor.get(3)?.as_object());
            let passed = |value: &Value| match origins(value) {
                found if found.is_empty() => Passed::Other(value.clone()),
                found => Passed::Tensors(found),
            };
            Operands {
                positional: vec![Passed::Tensors(tensors.collect())],
                named: table.map(|table| named(table, &passed)).unwrap_or_default(),
            }
        }
    }
}

/// The tensor itself, without what is named in its call.
fn origins_alone(value: &Value) -> Vec<Origin> {
    origin(value).map_or_else(|| origins(value), |origin| vec![origin])
}

/// A list of tensors in which something is left out.
fn with_gaps(value: &Value) -> Option<Vec<Option<Origin>>> {
    let list = value.as_array()?;
    let is_tensor = |value: &&Value| text(value, "class_name") == Some("__keras_tensor__");
    let has_gaps = list.iter().any(Value::is_null) && list.iter().any(|value| is_tensor(&value));
    let is_plain = list.iter().all(|value| value.is_null() || is_tensor(&value));
    (has_gaps && is_plain)
        .then(|| list.iter().map(|value| origin(&value["config"]["keras_history"])).collect())
}

fn keras_tensors(value: &Value, found: &mut Vec<Origin>) {
    match value {
        Value::Object(_) if text(value, "class_name") == Some("__keras_tensor__") => {
            found.extend(origin(&value["config"]["keras_history"]));
        }
        Value::Object(object) => object.values().for_each(|inner| keras_tensors(inner, found)),
        Value::Array(list) => list.iter().for_each(|inner| keras_tensors(inner, found)),
        _ => {}
    }
}

/// How many outputs of each call are used.
pub(super) fn wanted(
    layers: &[Value],
    outputs: &[Origin],
    numbering: &Numbering<'_>,
) -> FxHashMap<(String, u64), usize> {
    let mut wanted = FxHashMap::default();
    let calls = layers.iter().filter_map(|layer| layer["inbound_nodes"].as_array()).flatten();
    let used = calls.flat_map(|call| numbering.of_call(call).tensors().cloned().collect::<Vec<_>>());
    for (layer, call, output) in used.chain(outputs.iter().cloned()) {
        let most = wanted.entry((layer, call)).or_insert(1);
        *most = (*most).max(usize::try_from(output).unwrap_or(0).saturating_add(1).min(64));
    }
    wanted
}
