//! One call of a layer: what its class means, what it is called with, and what is wrong with that.

use super::super::broken::Broken;
use super::super::call::{Among, Operands, call_among};
use super::super::origins::name;
use super::super::{arguments, policy, stored, timed, weights};
use super::brackets::key_as_text;
use super::{Filed, Reader, is_model, is_operation, text};
use layers::layer::Layer;
use program::ir::{Fault, ValueId};
use semantics::operator::Category;
use serde_json::{Map, Value};

impl Reader<'_> {
    /// One call of a layer on tensors, by its number from 0 on; its outputs.
    pub(super) fn call(
        &mut self,
        filed: Filed<'_>,
        number: u64,
        mut given: Operands<ValueId>,
        wanted: usize,
    ) -> Result<Vec<ValueId>, Broken> {
        let layer = filed.layer;
        let is_operation = is_operation(layer);
        if !is_operation {
            // A model that predicts tells all its layers that they are not trained, whatever their calls say.
            given.named.retain(|(name, _)| name != "training");
        }
        let own = name(layer);
        let called = called(own, number);
        let class = text(layer, "class_name")
            .ok_or_else(|| Broken::at(own, format!("the layer `{own}` has no `class_name`")))?;
        if let Some((model, below, times)) = inner_model(layer, class) {
            let inner = format!("{}layers/{}/{below}", self.folder, filed.folder);
            let folder = std::mem::replace(&mut self.folder, inner);
            self.times += times;
            let outputs = self.model_in(own, &called, model, &given);
            self.times -= times;
            self.folder = folder;
            return outputs;
        }
        let among = match text(layer, "module") {
            _ if is_operation => Among::Operations,
            Some("keras.layers") => Among::Closed,
            _ => Among::Layers,
        };
        let is_defined = among.find(class).is_some();
        let stub = (!is_defined).then(|| self.stubs.of(class, layer["config"].as_object()?)).flatten();
        if let Some(model) = stub {
            // What is stored for the layer is not what the layers of its stub would have.
            self.pass_over(filed);
            let stored = self.stored.take();
            let outputs = self.model_in(own, &called, &model, &given);
            self.stored = stored;
            return outputs;
        }
        let place = format!("{}{called}", self.prefix);
        let empty = Map::new();
        let config = layer["config"].as_object().unwrap_or(&empty);
        // What a layer has learned from data is written beside the number it was asked for.
        let folder = format!("{}layers/{}", self.folder, filed.folder);
        let vocabulary = self.stored.as_deref().and_then(|stored| stored.vocabulary(&folder));
        let former = former(layer);
        let config = former.as_ref().unwrap_or(config);
        let adapted = learned(class, config, vocabulary);
        let config = adapted.as_ref().unwrap_or(config);
        let timed = timed::at_each_time(class, config, self.times, given.tensors().count());
        let (config, after) = match activated_after(class, config) {
            Some((config, after)) => (config, Some(after)),
            None => (config.clone(), None),
        };
        let config = &config;
        let not_modelled = match policy::of(class, config) {
            _ if is_operation && self.times > 0 => {
                Some(format!("what the operation `{class}` is at each time is not modelled"))
            }
            _ if is_operation => None,
            Err(reason) => Some(reason),
            Ok(kind) => {
                self.policies.insert(place.clone(), kind);
                timed.as_ref().err().cloned()
            }
        };
        if let Some(reason) = not_modelled {
            self.pass_over(filed);
            let inputs: Vec<ValueId> = given.tensors().copied().collect();
            return Ok(self.network.unknown(&place, class, &inputs, wanted, reason));
        }
        if is_operation && class == "GetItem" {
            key_as_text(&mut given);
        }
        let (class, config) = match &timed {
            Ok(Some((class, config))) => (*class, config),
            _ => (class, config),
        };
        let bound = match is_operation {
            true => Ok(Vec::new()),
            false => self.bind(filed, class, config, &place),
        };
        if !is_defined && layer["registered_name"].as_str().is_some_and(|name| name.contains('>')) {
            let reason = format!("`{class}` is a layer of the user's own");
            let inputs: Vec<ValueId> = given.tensors().copied().collect();
            return Ok(self.network.unknown(&place, class, &inputs, wanted, reason));
        }
        let weights = bound.as_deref().unwrap_or_default();
        let mut outputs = call_among(among, &mut self.network, class, config, &place, given, weights, wanted);
        if let Err(fault) = bound {
            self.network.blame(&place, fault);
        }
        if among == Among::Closed && !is_defined && !is_known(class) {
            let meant = stored::slip(class);
            let hint = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            let fault = Fault {
                category: Category::IllegalValue,
                label: "the class is one of `keras.layers`".into(),
                detail: format!("there is no `{class}`{hint}"),
                mend: None,
            };
            self.network.blame(&place, fault);
        }
        let most = among.find(class).and_then(|layer| most_outputs(layer, config));
        if let Some(most) = most.filter(|most| *most < wanted) {
            let fault = Fault {
                category: Category::IllegalValue,
                label: "what is used of a layer is what it gives".into(),
                detail: format!("output {} is used, and it has {most}", wanted - 1),
                mend: None,
            };
            self.network.blame(&place, fault);
        }
        if self.batch_is_open && keeps_state(config) {
            let fault = Fault {
                category: Category::IllegalValue,
                label: "the batch is known to a layer that keeps its state".into(),
                detail: "the model leaves the batch open, and `stateful` is true".into(),
                mend: None,
            };
            self.network.blame(&place, fault);
        }
        if let Some(after) = after {
            // The activation is a layer of its own, called on what this one gives.
            let below = format!("{}{ACTIVATION}", filed.folder);
            let mut inner = after.clone();
            inner["name"] = format!("{called}/activation").into();
            let on = Operands::on(vec![outputs[0]]);
            let filed = Filed { layer: &inner, folder: &below };
            outputs[0] = self.call(filed, 0, on, 1)?[0];
        }
        Ok(outputs)
    }

    /// Says what is wrong with one call of a layer.
    pub(super) fn blame(&mut self, layer: &Value, number: u64, fault: Fault) {
        let place = format!("{}{}", self.prefix, called(name(layer), number));
        self.network.blame(&place, fault);
    }
}

/// The second call of a layer has a name of its own.
pub(super) fn called(own: &str, number: u64) -> String {
    if number == 0 { own.to_string() } else { format!("{own}@{}", number + 1) }
}

/// How many tensors a layer gives at most; `None` for any number. States come only where they are asked for.
fn most_outputs(layer: &Layer, config: &Map<String, Value>) -> Option<usize> {
    let may_give = layer.operator.parameters.iter().any(|parameter| parameter.name == "return_state");
    match config.get("return_state") {
        None | Some(Value::Null | Value::Bool(false)) if may_give => Some(1),
        _ if layer.operator.gives_any_number() => None,
        _ => Some(layer.operator.outputs.len()),
    }
}

/// Whether a layer has weights.
pub(super) fn makes_weights(layer: &Value) -> bool {
    let definition = text(layer, "class_name").and_then(|class| Among::Layers.find(class));
    let made =
        definition.zip(layer["config"].as_object()).and_then(|(own, config)| weights::made(own, config));
    made.is_some_and(|names| !names.is_empty())
}

/// Where below a layer's own folder its activation has one.
pub(super) const ACTIVATION: &str = "/activation";

/// Layers whose activation is the last thing that they do.
const ACTIVATED_LAST: &[&str] = &["Activation", "Dense", "EinsumDense"];

/// The configuration of a layer without its activation, and the layer that it has for one, if that is called on what
/// the layer gives.
fn activated_after<'c>(
    class: &str,
    config: &'c Map<String, Value>,
) -> Option<(Map<String, Value>, &'c Value)> {
    let after = config.get("activation")?;
    let is_last = ACTIVATED_LAST.contains(&class) || class.contains("Conv") && !class.contains("LSTM");
    let inner = arguments::layer_class(after).filter(|_| is_last)?;
    layers::layers::by_name(inner)?;
    let mut without = config.clone();
    without.insert("activation".into(), "linear".into());
    Some((without, after))
}

/// Whether Keras has a layer of that name, although it is not defined here.
fn is_known(class: &str) -> bool {
    layers::unmodelled::REASONS.iter().any(|(known, _)| *known == class)
}

/// Whether a layer, or one inside it, keeps its state from one call to the next.
fn keeps_state(config: &Map<String, Value>) -> bool {
    let inside = |value: &Value| match value {
        Value::Object(inner) => keeps_state(inner),
        Value::Array(list) => list.iter().filter_map(Value::as_object).any(keeps_state),
        _ => false,
    };
    config.get("stateful") == Some(&Value::Bool(true)) || config.values().any(inside)
}

/// A model that is called as a layer, where below the layer's own its weights are stored, and along how many axes of
/// time it is called.
fn inner_model<'l>(layer: &'l Value, class: &str) -> Option<(&'l Value, &'static str, usize)> {
    let inner = &layer["config"]["layer"];
    match class {
        _ if is_model(class) => Some((layer, "", 0)),
        "TimeDistributed" if text(inner, "class_name").is_some_and(is_model) => Some((inner, "layer/", 1)),
        _ => None,
    }
}

/// The configuration of a layer with what it has learned, and without what that was learned by.
fn learned(
    class: &str,
    config: &Map<String, Value>,
    vocabulary: Option<&[i64]>,
) -> Option<Map<String, Value>> {
    if config.get("vocabulary") == Some(&Value::Null) {
        // What was learned and is not stored here is empty: it is not known.
        let mut learned = config.clone();
        learned.insert("vocabulary".into(), vocabulary.unwrap_or_default().into());
        return Some(learned);
    }
    let is_learned = class == "Discretization"
        && config.get("bin_boundaries").is_some_and(Value::is_array)
        && config.contains_key("num_bins");
    is_learned.then(|| {
        config.iter().filter(|(name, _)| *name != "num_bins").map(|(n, v)| (n.clone(), v.clone())).collect()
    })
}

/// The configuration of a layer as older files have it, in the words of now: there an axis stands in a list, which
/// Keras takes out of it. `None` if nothing is to be changed.
fn former(layer: &Value) -> Option<Map<String, Value>> {
    let config = layer["config"].as_object().filter(|_| layer["module"].is_null())?;
    let mut changed = config.clone();
    match config.get("axis").and_then(Value::as_array).map(Vec::as_slice) {
        Some([axis @ Value::Number(_)]) => changed.insert("axis".into(), axis.clone()),
        _ => None,
    };
    for inner in changed.values_mut().filter(|inner| inner["class_name"].is_string()) {
        if let Some(own) = former(inner) {
            inner["config"] = own.into();
        }
    }
    (changed != *config).then_some(changed)
}
