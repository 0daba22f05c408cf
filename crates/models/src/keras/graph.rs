//! From the configuration of a model to a program: Sequential and Functional models, one inside another.

use super::call::{Among, Operands, Passed, call_among};
use super::origins::{Numbering, Origin, check, name, origins, wanted};
use super::stored::{self, Owner, Stored};
use super::stubs::Stubs;
use super::{arguments, declared, meant, policy, recorded, sequence, timed, weights};
use layers::entry::ENTRY;
use layers::layer::Layer;
use program::ir::{Constant, Fault, Given, Program, Size, ValueId};
use program::network::Network;
use rustc_hash::FxHashMap;
use semantics::dtype::Kind;
use semantics::operator::{Arity, Category};
use serde_json::{Map, Value};
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// Models inside models; no real one comes near.
const DEEPEST: usize = 32;

/// Layers with weights that do not fit them, of which it is searched why.
const MOST_SEARCHED: usize = 32;

/// The program of a model's description, with the weights that are stored for it. What is stored for nobody stays
/// in `stored`.
pub(super) fn program(
    document: &Value,
    stored: Option<&mut Stored>,
    stubs: &Stubs,
    file: &str,
) -> Result<Program, String> {
    let mut reader = Reader {
        network: Network::default(),
        prefix: String::new(),
        around: Vec::new(),
        folder: String::new(),
        stored,
        stubs,
        bound: FxHashMap::default(),
        first: FxHashMap::default(),
        policies: FxHashMap::default(),
        batch_is_open: false,
        efforts: MOST_SEARCHED,
        times: 0,
    };
    let mut outputs = reader.model(document, None)?;
    reader.name_outputs(&document["config"]["output_layers"], &mut outputs);
    let mut program = reader.network.finish(file, outputs);
    policy::cast(&mut program, &reader.policies);
    Ok(program)
}

struct Reader<'s> {
    network: Network,
    /// What the names of values in this model begin with.
    prefix: String,
    /// The names of the models around this one.
    around: Vec<String>,
    /// Where the weights of this model are stored.
    folder: String,
    stored: Option<&'s mut Stored>,
    stubs: &'s Stubs,
    /// The weights of layers by their places: they are the same, however often a layer is called.
    bound: FxHashMap<String, Bound>,
    /// The first calls of layers whose weights nobody has stored, by their places: further calls have the same ones.
    first: FxHashMap<String, String>,
    /// The types in which layers compute, by the names of their calls.
    policies: FxHashMap<String, Kind>,
    /// Whether the model leaves open how many examples it is called on.
    batch_is_open: bool,
    /// For how many layers it may still be searched what their weights were made by.
    efforts: usize,
    /// How many axes of time the models around this one are called along: what is called in them has these, too.
    times: usize,
}

/// The weights of a layer by name, or what is wrong with what is stored.
type Bound = Result<Vec<(String, ValueId)>, Fault>;

/// A layer of a model, and where its weights are stored.
#[derive(Clone, Copy)]
struct Filed<'l> {
    layer: &'l Value,
    folder: &'l str,
}

impl Reader<'_> {
    /// Adds a model. What is called inside another is given its inputs; the outermost one declares them.
    fn model(&mut self, document: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, String> {
        if self.around.len() > DEEPEST {
            return Err("the models are nested too deeply".into());
        }
        let class = text(document, "class_name").ok_or("not a Keras model: it has no `class_name`")?;
        let config = &document["config"];
        match class {
            "Sequential" => self.sequential(document, config, given),
            "Functional" | "Model" => self.functional(config, given),
            other => {
                Err(format!("`{other}` is no model that a file describes: Sequential and Functional are"))
            }
        }
    }

    fn sequential(
        &mut self,
        document: &Value,
        config: &Value,
        given: Option<&[ValueId]>,
    ) -> Result<Vec<ValueId>, String> {
        // The oldest files have the layers themselves in place of a configuration.
        let layers = config
            .as_array()
            .or_else(|| config["layers"].as_array())
            .ok_or_else(|| self.lacks("Sequential", "layers"))?;
        let folders = stored::folders(layers);
        let layers = sequence::named(layers, &folders);
        sequence::check(&layers)?;
        let mut is_first = true;
        // A layer that gives more than one tensor.
        let mut several: Option<&str> = None;
        let mut now: Vec<ValueId> = given.map(<[ValueId]>::to_vec).unwrap_or_default();
        for (layer, folder) in layers.iter().map(AsRef::as_ref).zip(&folders) {
            let is_first = std::mem::take(&mut is_first);
            if text(layer, "class_name") == Some("InputLayer") {
                now = match &now[..] {
                    [] => vec![self.input(layer)?],
                    [only] => vec![self.entered(
                        *only,
                        name(layer),
                        declared::shape(layer),
                        declared::dtype(layer)?,
                    )],
                    _ => now,
                };
                continue;
            }
            match (&now[..], implied(layer, document)) {
                ([], implied) => now = vec![self.implied_input(implied)?],
                ([only], Some(shape)) if is_first && given.is_some() => {
                    now = vec![self.entered(*only, "input", Some(shape), None)];
                }
                _ => {}
            }
            now = self.call(Filed { layer, folder }, 0, Operands::on(now), 1)?;
            match (takes_list(layer), several) {
                (Some(true), None) => self.blame(layer, 0, sequence::bare()),
                // What learns nothing may take each tensor of a list alone.
                (Some(false), Some(before)) if makes_weights(layer) => {
                    self.blame(layer, 0, sequence::after_list(before));
                }
                _ => {}
            }
            several = Some(name(layer)).filter(|_| sequence::gives_list(layer));
        }
        Ok(now)
    }

    /// A model without an input layer says elsewhere what it was built for.
    fn implied_input(&mut self, shape: Option<&Value>) -> Result<ValueId, String> {
        let shape = shape
            .ok_or("the model was never built: nothing says what shape its input has; add an Input layer")?;
        self.batch_is_open |= shape[0].is_null();
        Ok(self.entry("input", Kind::F32, shape))
    }

    /// An input of that shape; what is left open in it stays so until somebody calls the model.
    fn entry(&mut self, name: &str, kind: Kind, shape: &Value) -> ValueId {
        let sizes = sizes(name, shape);
        for (size, given) in sizes.iter().zip(shape.as_array().into_iter().flatten()) {
            if let (Size::Named(name), true) = (size, given.is_null()) {
                self.network.leave_open(name);
            }
        }
        self.network.input(name, kind, sizes)
    }

    fn functional(&mut self, config: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, String> {
        let layers = config["layers"].as_array().ok_or_else(|| self.lacks("Functional", "layers"))?;
        let folders = stored::folders(layers);
        let [inputs, outputs] = ["input_layers", "output_layers"].map(|key| {
            let all = origins(&config[key]);
            if all.is_empty() { Err(self.lacks("Functional", key)) } else { Ok(all) }
        });
        let (inputs, outputs) = (inputs?, outputs?);
        let numbering = Numbering::of(layers);
        let outputs: Vec<Origin> = outputs.into_iter().map(|origin| numbering.of_output(origin)).collect();
        let wanted = wanted(layers, &outputs, &numbering);
        let notes = recorded::of(layers, &numbering);
        check(layers, &outputs, &numbering)?;
        let mut made: FxHashMap<Origin, ValueId> = FxHashMap::default();
        // Inputs stand in the order of the model, not in that of its layers.
        let entry = |origin: &Origin| {
            layers.iter().find(|layer| {
                text(layer, "class_name") == Some("InputLayer") && name(layer) == origin.0.as_str()
            })
        };
        if let Some(given) = given.filter(|given| given.len() != inputs.len()) {
            let takes = format!("has {} inputs, and is called on {} tensors", inputs.len(), given.len());
            return Err(format!("the model `{}` {takes}", self.prefix.trim_end_matches('/')));
        }
        for (k, origin) in inputs.iter().enumerate() {
            let value = match (given.and_then(|given| given.get(k)), entry(origin)) {
                (Some(value), Some(layer)) => {
                    self.entered(*value, name(layer), declared::shape(layer), declared::dtype(layer)?)
                }
                (Some(value), None) => *value,
                (None, Some(layer)) => self.input(layer)?,
                (None, None) => continue,
            };
            made.insert(origin.clone(), value);
        }
        let mut waiting: Vec<(Filed<'_>, u64, Operands<Origin>)> = Vec::new();
        for (layer, folder) in layers.iter().zip(&folders) {
            if text(layer, "class_name") == Some("InputLayer") {
                let origin = (name(layer).to_string(), 0, 0);
                if let Entry::Vacant(place) = made.entry(origin) {
                    place.insert(self.input(layer)?);
                }
                continue;
            }
            let calls = layer["inbound_nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
            let filed = Filed { layer, folder };
            let calls = calls.iter().map(|call| numbering.of_call(call)).enumerate();
            waiting.extend(calls.map(|(k, call)| (filed, k as u64, call)));
        }
        // Layers stand in the order in which they were made; a call may need one that stands later.
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut later = Vec::new();
            for (filed, number, call) in waiting {
                let Some(values) = call.each(|origin| made.get(origin).copied()) else {
                    later.push((filed, number, call));
                    continue;
                };
                let own = name(filed.layer).to_string();
                let count = wanted.get(&(own.clone(), number)).copied().unwrap_or(1);
                let outputs = self.call(filed, number, values, count)?;
                let written = &filed.layer["inbound_nodes"][number as usize];
                if takes_list(filed.layer) == Some(true) && recorded::is_bare(written, &call) {
                    self.blame(filed.layer, number, sequence::bare());
                }
                for (k, value) in outputs.into_iter().enumerate() {
                    let origin = (own.clone(), number, k as u64);
                    if let Some((kind, sizes)) = notes.get(&origin).filter(|_| self.times == 0) {
                        self.network.record(value, *kind, sizes.clone());
                    }
                    made.insert(origin, value);
                }
            }
            if later.len() == before {
                return Err(waits(&later, &made));
            }
            waiting = later;
        }
        outputs
            .iter()
            .map(|origin| {
                made.get(origin).copied().ok_or_else(|| {
                    format!("the model gives output {} of `{}`, which has none such", origin.2, origin.0)
                })
            })
            .collect()
    }

    fn input(&mut self, layer: &Value) -> Result<ValueId, String> {
        declared::check(layer)?;
        let shape = declared::shape(layer);
        let kind = declared::dtype(layer)?.unwrap_or(Kind::F32);
        self.batch_is_open |= shape.is_some_and(|shape| shape[0].is_null());
        Ok(self.entry(name(layer), kind, shape.unwrap_or(&Value::Null)))
    }

    /// What a model inside another one is called on, as one of its inputs declares it.
    fn entered(&mut self, value: ValueId, name: &str, shape: Option<&Value>, kind: Option<Kind>) -> ValueId {
        let Some(shape) = shape.and_then(Value::as_array).filter(|shape| !shape.is_empty()) else {
            return value;
        };
        let size = |size: &Value| size.as_i64().unwrap_or(-1);
        // The axes of time lie after the batch.
        let sizes = [-1; 1].into_iter().chain(vec![-1; self.times]).chain(shape[1..].iter().map(size));
        let place = format!("{}{name}", self.prefix);
        let arguments = vec![Some(Given::Ints(sizes.collect())), kind.map(Given::Type)];
        self.network.converted(&ENTRY, &place, value, arguments)
    }

    /// One call of a layer on tensors, by its number from 0 on; its outputs.
    fn call(
        &mut self,
        filed: Filed<'_>,
        number: u64,
        mut given: Operands<ValueId>,
        wanted: usize,
    ) -> Result<Vec<ValueId>, String> {
        let layer = filed.layer;
        let is_operation = is_operation(layer);
        if !is_operation {
            // A model that predicts tells all its layers that they are not trained, whatever their calls say.
            given.named.retain(|(name, _)| name != "training");
        }
        let own = name(layer);
        let called = called(own, number);
        let class =
            text(layer, "class_name").ok_or_else(|| format!("the layer `{own}` has no `class_name`"))?;
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

    /// What a model does without, though it cannot.
    fn lacks(&self, class: &str, key: &str) -> String {
        match self.prefix.trim_end_matches('/') {
            "" => format!("a {class} model has `{key}`, and this one has none"),
            own => format!("a {class} model has `{key}`, and `{own}` has none"),
        }
    }

    /// Says what is wrong with one call of a layer.
    fn blame(&mut self, layer: &Value, number: u64, fault: Fault) {
        let place = format!("{}{}", self.prefix, called(name(layer), number));
        self.network.blame(&place, fault);
    }

    /// Outputs that a model gives under names of its own have these names.
    fn name_outputs(&mut self, named: &Value, outputs: &mut [ValueId]) {
        let keys = named.as_object().into_iter().flatten();
        let keys: Vec<&String> = keys.filter(|(_, of)| origins(of).len() == 1).map(|(key, _)| key).collect();
        if keys.len() != outputs.len() {
            return;
        }
        for (output, key) in outputs.iter_mut().zip(keys) {
            if self.network.name(*output) != key.as_str() {
                let operator = &layers::layers::identity::LAYER.operator;
                *output = self.network.converted(operator, key, *output, Vec::new());
            }
        }
    }

    /// A model that is called as a layer of that name, by a name for this call.
    fn model_in(
        &mut self,
        own: &str,
        called: &str,
        model: &Value,
        given: &Operands<ValueId>,
    ) -> Result<Vec<ValueId>, String> {
        self.around.push(own.to_string());
        let inner = format!("{}{called}/", self.prefix);
        let prefix = std::mem::replace(&mut self.prefix, inner);
        let inputs: Vec<ValueId> = given.tensors().copied().collect();
        let outputs = self.model(model, Some(&inputs));
        self.prefix = prefix;
        self.around.pop();
        outputs
    }

    /// Leaves alone what is stored for a layer of which nothing is known.
    fn pass_over(&mut self, filed: Filed<'_>) {
        let names: Vec<&str> = self.around.iter().map(String::as_str).chain([name(filed.layer)]).collect();
        let owner = Owner { folder: &self.folder, own: filed.folder, names: &names };
        if let Some(stored) = self.stored.as_deref_mut() {
            stored.pass_over(&owner);
        }
    }

    /// The weights that a layer has where none are stored: those that it says it was built with, or those that its
    /// first call made.
    fn made(
        &mut self,
        layer: &str,
        definition: Option<&'static Layer>,
        built: Option<Vec<weights::Built>>,
        config: &Map<String, Value>,
        place: &str,
    ) -> Vec<(String, ValueId)> {
        if let Some(built) = built {
            let kind = self.policies.get(place).copied().filter(|kind| kind.is_float()).unwrap_or(Kind::F32);
            let stored = |(name, sizes): weights::Built| {
                let constant = Constant { kind, sizes, load: Rc::new(|| None) };
                (name.to_string(), self.network.stored(&format!("{layer}/{name}"), constant))
            };
            let made: Vec<(String, ValueId)> = built.into_iter().map(stored).collect();
            self.bound.insert(layer.to_string(), Ok(made.clone()));
            return made;
        }
        let Some(first) = self.first.get(layer) else {
            self.first.insert(layer.to_string(), place.to_string());
            return Vec::new();
        };
        let names =
            definition.and_then(|layer| weights::made(layer, config)).filter(|names| !names.is_empty());
        let made = names.and_then(|names| self.network.weights_of(first, &names)).unwrap_or_default();
        self.bound.insert(layer.to_string(), Ok(made.clone()));
        made
    }

    /// Finds the weights of a layer among those that are stored.
    fn bind(&mut self, filed: Filed<'_>, class: &str, config: &Map<String, Value>, place: &str) -> Bound {
        let names: Vec<&str> = self.around.iter().map(String::as_str).chain([name(filed.layer)]).collect();
        let layer = names.join("/");
        if let Some(bound) = self.bound.get(&layer) {
            return bound.clone();
        }
        let definition = Among::Layers.find(class);
        let built = definition.and_then(|layer| weights::built(layer, config, &filed.layer["build_config"]));
        let Some(stored) = self.stored.as_deref_mut() else {
            return Ok(self.made(&layer, definition, built, config, place));
        };
        let owner = Owner { folder: &self.folder, own: filed.folder, names: &names };
        let made = definition.and_then(|layer| weights::made(layer, config));
        let missing = match (made.is_none(), definition) {
            (true, Some(layer)) => arguments::missing(layer, config),
            _ => None,
        };
        let bound = match (made, missing) {
            (Some(made), _) => weights::bound(&made, stored.of_layer(&owner, filed.layer), config)
                .and_then(|bound| weights::fits(bound, built.as_deref())),
            (None, missing) => {
                stored.pass_over(&owner);
                missing.map_or(Ok(Vec::new()), Err)
            }
        };
        // The weights say what was meant, unless too many layers ask.
        let is_at_fault = bound.is_err();
        let meant = definition.filter(|_| is_at_fault && self.efforts > 0).and_then(|layer| {
            self.efforts -= 1;
            let found = stored.of_layer(&owner, filed.layer);
            meant::of(layer, config, &filed.layer["build_config"], &found)
        });
        let bound = bound.or_else(|fault| match meant {
            Some(meant) => Err(Fault {
                detail: format!("{}: {} for what is stored", fault.detail, meant.words),
                mend: Some(meant.mend),
                ..fault
            }),
            // The definition tells that it is missing.
            None if fault.label.ends_with(arguments::IS_GIVEN) => Ok(Vec::new()),
            None => Err(fault),
        });
        // What Keras does not store of an activation it makes anew.
        let bound = match bound {
            Err(_) if filed.folder.ends_with(ACTIVATION) => Ok(Vec::new()),
            bound => bound,
        };
        let bound = bound.map(|constants| {
            let name = |weight: &str| format!("{layer}/{weight}");
            constants
                .into_iter()
                .map(|(weight, constant)| (weight.clone(), self.network.stored(&name(&weight), constant)))
                .collect()
        });
        self.bound.insert(layer, bound.clone());
        bound
    }
}

/// What calls wait for that cannot be made: tensors of calls that wait themselves.
fn waits(later: &[(Filed<'_>, u64, Operands<Origin>)], made: &FxHashMap<Origin, ValueId>) -> String {
    let missing = |call: &Operands<Origin>| {
        let missing = call.tensors().find(|origin| !made.contains_key(*origin));
        missing.map(|(layer, ..)| layer.clone())
    };
    let own = |at: usize| name(later[at].0.layer);
    // From one to the next that it waits for, until one comes again.
    let (mut at, mut seen) = (0, Vec::new());
    while !seen.contains(&at) {
        seen.push(at);
        let wanted = missing(&later[at].2);
        let next = wanted.as_ref().and_then(|wanted| (0..later.len()).find(|k| own(*k) == wanted));
        match next {
            Some(next) => at = next,
            None => {
                let wanted = wanted.unwrap_or_default();
                return format!("the layer `{}` uses an output of `{wanted}` that it does not give", own(at));
            }
        }
    }
    let start = seen.iter().position(|before| *before == at).unwrap_or(0);
    let circle: Vec<&str> = seen[start..].iter().map(|at| own(*at)).collect();
    match circle[..] {
        [only] => format!("the layer `{only}` is called on what it gives itself"),
        _ => format!("the layers `{}` wait for each other: they are a circle", circle.join("`, `")),
    }
}

/// The second call of a layer has a name of its own.
fn called(own: &str, number: u64) -> String {
    if number == 0 { own.to_string() } else { format!("{own}@{}", number + 1) }
}

/// Whether a layer is called on a list of tensors, and never on one that stands alone; `None` if that is not known.
fn takes_list(layer: &Value) -> Option<bool> {
    let definition = Among::Layers.find(text(layer, "class_name")?).filter(|_| !is_operation(layer))?;
    let takes_any = definition.operator.inputs[0].arity == Arity::Variadic;
    Some(takes_any || definition.takes_list())
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
fn makes_weights(layer: &Value) -> bool {
    let definition = text(layer, "class_name").and_then(|class| Among::Layers.find(class));
    let made =
        definition.zip(layer["config"].as_object()).and_then(|(own, config)| weights::made(own, config));
    made.is_some_and(|names| !names.is_empty())
}

/// The shape that a model without an input layer was built for.
fn implied<'d>(layer: &'d Value, document: &'d Value) -> Option<&'d Value> {
    [
        &layer["config"]["batch_input_shape"],
        &document["build_config"]["input_shape"],
        &document["config"]["build_input_shape"],
    ]
    .into_iter()
    .find(|shape| shape.is_array())
}

/// Where below a layer's own folder its activation has one.
const ACTIVATION: &str = "/activation";

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

/// Writes what stands in the brackets of `x[…]` as Python does.
fn key_as_text(given: &mut Operands<ValueId>) {
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

/// Whether an entry is an operation and no layer. Where its module is not told (`.h5`), it is one if it has neither a
/// policy nor a say in whether it is trained: every layer that Keras 3 saves has one of them.
fn is_operation(layer: &Value) -> bool {
    let by_keras_3 = |call: &Value| call["args"][0]["config"]["shape"].is_array();
    match text(layer, "module") {
        Some(module) => module.contains(".ops."),
        None => {
            let mut calls = layer["inbound_nodes"].as_array().into_iter().flatten();
            let says = |name: &str| !layer["config"][name].is_null();
            !says("trainable") && !says("dtype") && calls.any(by_keras_3)
        }
    }
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

pub(super) fn is_model(class: &str) -> bool {
    matches!(class, "Sequential" | "Functional" | "Model")
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

pub(super) fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "float16" => Kind::F16,
        "bfloat16" => Kind::BF16,
        "float32" => Kind::F32,
        "float64" => Kind::F64,
        "int8" => Kind::I8,
        "int16" => Kind::I16,
        "int32" => Kind::I32,
        "int64" => Kind::I64,
        "uint8" => Kind::U8,
        "uint16" => Kind::U16,
        "uint32" => Kind::U32,
        "uint64" => Kind::U64,
        "complex64" => Kind::C64,
        "complex128" => Kind::C128,
        "float8_e4m3fn" => Kind::F8E4M3FN,
        "float8_e5m2" => Kind::F8E5M2,
        "string" => Kind::String,
        "bool" => Kind::Bool,
        _ => return None,
    })
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

/// The shape of an input: what is open in front is the batch, what is open elsewhere is named after its axis.
fn sizes(input: &str, shape: &Value) -> Vec<Size> {
    let list = shape.as_array().map(Vec::as_slice).unwrap_or_default();
    let size = |(k, size): (usize, &Value)| match (size.as_i64(), size.as_str()) {
        (Some(size), _) => Size::Known(size),
        (None, Some(name)) => Size::Named(name.into()),
        (None, None) if k == 0 => Size::Named("batch".into()),
        (None, None) => Size::Named(format!("{input}.{k}").into()),
    };
    list.iter().enumerate().map(size).collect()
}
