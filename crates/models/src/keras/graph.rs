//! From the configuration of a model to a program: Sequential and Functional models, one inside another.

use super::call::{Operands, Passed, call};
use super::stored::{self, Owner, Stored};
use super::stubs::Stubs;
use super::{policy, timed, weights};
use program::ir::{Fault, Program, Size, ValueId};
use program::network::Network;
use rustc_hash::FxHashMap;
use semantics::dtype::Kind;
use semantics::operator::Category;
use serde_json::{Map, Value};

/// Models inside models; no real one comes near.
const DEEPEST: usize = 32;

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
        policies: FxHashMap::default(),
        batch_is_open: false,
        times: 0,
    };
    let outputs = reader.model(document, None)?;
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
    /// The types in which layers compute, by the names of their calls.
    policies: FxHashMap<String, Kind>,
    /// Whether the model leaves open how many examples it is called on.
    batch_is_open: bool,
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

/// Where a tensor comes from: a layer, which call of it, and which of its outputs.
type Origin = (String, u64, u64);

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
            .ok_or("a Sequential model has `layers`")?;
        let mut now: Vec<ValueId> = given.map(<[ValueId]>::to_vec).unwrap_or_default();
        for (layer, folder) in layers.iter().zip(&stored::folders(layers)) {
            if text(layer, "class_name") == Some("InputLayer") {
                if now.is_empty() {
                    now = vec![self.input(layer)];
                }
                continue;
            }
            if now.is_empty() {
                now = vec![self.implied_input(layer, document)?];
            }
            now = self.call(Filed { layer, folder }, 0, Operands::on(now), 1)?;
        }
        Ok(now)
    }

    /// A model without an input layer says elsewhere what it was built for.
    fn implied_input(&mut self, layer: &Value, document: &Value) -> Result<ValueId, String> {
        let shape = [
            &layer["config"]["batch_input_shape"],
            &document["build_config"]["input_shape"],
            &document["config"]["build_input_shape"],
        ]
        .into_iter()
        .find(|shape| shape.is_array())
        .ok_or("the model was never built: nothing says what shape its input has; add an Input layer")?;
        self.batch_is_open |= shape[0].is_null();
        Ok(self.network.input("input", Kind::F32, sizes(shape)))
    }

    fn functional(&mut self, config: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, String> {
        let layers = config["layers"].as_array().ok_or("a Functional model has `layers`")?;
        let folders = stored::folders(layers);
        let inputs = origins(&config["input_layers"]);
        let outputs = origins(&config["output_layers"]);
        let numbering = Numbering::of(layers);
        let outputs: Vec<Origin> = outputs.into_iter().map(|origin| numbering.of_output(origin)).collect();
        let wanted = wanted(layers, &outputs, &numbering);
        let mut made: FxHashMap<Origin, ValueId> = FxHashMap::default();
        for (k, origin) in inputs.iter().enumerate() {
            if let Some(value) = given.and_then(|given| given.get(k)) {
                made.insert(origin.clone(), *value);
            }
        }
        // Inputs stand in the order of the model, not in that of its layers.
        let entry = |origin: &Origin| {
            layers.iter().find(|layer| {
                text(layer, "class_name") == Some("InputLayer") && name(layer) == origin.0.as_str()
            })
        };
        for origin in &inputs {
            if let (false, Some(layer)) = (made.contains_key(origin), entry(origin)) {
                made.insert(origin.clone(), self.input(layer));
            }
        }
        let mut waiting: Vec<(Filed<'_>, u64, Operands<Origin>)> = Vec::new();
        for (layer, folder) in layers.iter().zip(&folders) {
            if text(layer, "class_name") == Some("InputLayer") {
                let origin = (name(layer).to_string(), 0, 0);
                made.entry(origin).or_insert_with(|| self.input(layer));
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
                for (k, value) in self.call(filed, number, values, count)?.into_iter().enumerate() {
                    made.insert((own.clone(), number, k as u64), value);
                }
            }
            if later.len() == before {
                let (Filed { layer, .. }, _, call) = &later[0];
                let missing = call.tensors().find(|origin| !made.contains_key(origin));
                let missing = missing.map_or("?", |(layer, ..)| layer);
                return Err(format!("the layer `{}` needs `{missing}`, which no layer gives", name(layer)));
            }
            waiting = later;
        }
        outputs
            .iter()
            .map(|origin| {
                made.get(origin).copied().ok_or(format!("the output `{}` is given by no layer", origin.0))
            })
            .collect()
    }

    fn input(&mut self, layer: &Value) -> ValueId {
        let config = &layer["config"];
        let shape =
            [&config["batch_shape"], &config["batch_input_shape"]].into_iter().find(|shape| shape.is_array());
        let kind = text(config, "dtype").and_then(kind).unwrap_or(Kind::F32);
        self.batch_is_open |= shape.is_some_and(|shape| shape[0].is_null());
        let sizes = shape.map(sizes).unwrap_or_default();
        self.network.input(name(layer), kind, sizes)
    }

    /// One call of a layer on tensors, by its number from 0 on; its outputs.
    fn call(
        &mut self,
        filed: Filed<'_>,
        number: u64,
        given: Operands<ValueId>,
        wanted: usize,
    ) -> Result<Vec<ValueId>, String> {
        let layer = filed.layer;
        let own = name(layer);
        // The second call of a layer has a name of its own.
        let called = if number == 0 { own.to_string() } else { format!("{own}@{}", number + 1) };
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
        let is_defined = layers::layers::by_name(class).is_some();
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
        let not_modelled = match policy::of(config) {
            Err(reason) => Some(reason),
            Ok(kind) => {
                self.policies.insert(place.clone(), kind);
                operation(layer, class).or_else(|| timed.as_ref().err().cloned())
            }
        };
        if let Some(reason) = not_modelled {
            self.pass_over(filed);
            let inputs: Vec<ValueId> = given.tensors().copied().collect();
            return Ok(self.network.unknown(&place, class, &inputs, wanted, reason));
        }
        // An operation takes its tensors one by one, where a layer takes a list.
        let given = match is_operation(layer) {
            true => Operands::on(given.tensors().copied().collect()),
            false => given,
        };
        let (class, config) = match &timed {
            Ok(Some((class, config))) => (*class, config),
            _ => (class, config),
        };
        let bound = self.bind(filed, class, config);
        if !is_defined && layer["registered_name"].as_str().is_some_and(|name| name.contains('>')) {
            let reason = format!("`{class}` is a layer of the user's own");
            let inputs: Vec<ValueId> = given.tensors().copied().collect();
            return Ok(self.network.unknown(&place, class, &inputs, wanted, reason));
        }
        let weights = bound.as_deref().unwrap_or_default();
        let outputs = call(&mut self.network, class, config, &place, given, weights, wanted);
        if let Err(fault) = bound {
            self.network.blame(&place, fault);
        }
        if self.batch_is_open && keeps_state(config) {
            let fault = Fault {
                category: Category::IllegalValue,
                label: "the batch is known to a layer that keeps its state".into(),
                detail: "the model leaves the batch open, and `stateful` is true".into(),
            };
            self.network.blame(&place, fault);
        }
        Ok(outputs)
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

    /// Finds the weights of a layer among those that are stored.
    fn bind(&mut self, filed: Filed<'_>, class: &str, config: &Map<String, Value>) -> Bound {
        let Some(stored) = self.stored.as_deref_mut() else { return Ok(Vec::new()) };
        let names: Vec<&str> = self.around.iter().map(String::as_str).chain([name(filed.layer)]).collect();
        let layer = names.join("/");
        if let Some(bound) = self.bound.get(&layer) {
            return bound.clone();
        }
        let owner = Owner { folder: &self.folder, own: filed.folder, names: &names };
        let made = layers::layers::by_name(class).and_then(|layer| weights::made(layer, config));
        let bound = match made {
            Some(made) => weights::bound(&made, stored.of_layer(&owner, filed.layer)),
            None => {
                stored.pass_over(&owner);
                Ok(Vec::new())
            }
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

/// How the calls of a model inside another one are counted: older files begin with 1, and those of Keras 3 do so
/// for the outputs of a Functional model.
struct Numbering<'l> {
    models: FxHashMap<&'l str, bool>,
    is_old: bool,
}

impl<'l> Numbering<'l> {
    fn of(layers: &'l [Value]) -> Numbering<'l> {
        let class = |layer: &'l Value| text(layer, "class_name").unwrap_or_default();
        let models = layers.iter().filter(|layer| is_model(class(layer)));
        let models = models.map(|layer| (name(layer), class(layer) != "Sequential")).collect();
        let mut calls = layers.iter().filter_map(|layer| layer["inbound_nodes"].as_array()).flatten();
        Numbering { models, is_old: calls.any(Value::is_array) }
    }
    fn of_output(&self, (layer, call, output): Origin) -> Origin {
        let from_one = self.models.get(&*layer).is_some_and(|functional| self.is_old || *functional);
        (layer, call.saturating_sub(from_one.into()), output)
    }
    fn of_call(&self, call: &Value) -> Operands<Origin> {
        let from_one = |layer: &str| self.is_old && self.models.contains_key(layer);
        called(call).map(|(layer, call, output): &Origin| {
            (layer.clone(), call.saturating_sub(from_one(layer).into()), *output)
        })
    }
}

/// Why nothing is said of an operation of `keras.ops` in a graph. Those that are written `a + b` are the layers of the
/// same name, if they are given tensors alone, and those have one rank and type.
fn operation(layer: &Value, class: &str) -> Option<String> {
    if !is_operation(layer) {
        return None;
    }
    let tensor = |argument: &Value| {
        let config = &argument["config"];
        let is_one = text(argument, "class_name") == Some("__keras_tensor__");
        is_one.then(|| Some((config["shape"].as_array()?.len(), text(config, "dtype")?.to_string())))?
    };
    let is_plain = |call: &Value| {
        let arguments: Option<Vec<_>> = call["args"].as_array()?.iter().map(tensor).collect();
        Some(arguments?.windows(2).all(|pair| pair[0] == pair[1]))
    };
    let mut calls = layer["inbound_nodes"].as_array().into_iter().flatten();
    let is_layer = matches!(class, "Add" | "Subtract" | "Multiply" | "Maximum" | "Minimum");
    (!is_layer || !calls.all(|call| is_plain(call) == Some(true)))
        .then(|| format!("the operation `{class}` is not modelled"))
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

fn is_model(class: &str) -> bool {
    matches!(class, "Sequential" | "Functional" | "Model")
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn name(layer: &Value) -> &str {
    text(layer, "name").or_else(|| text(&layer["config"], "name")).unwrap_or("layer")
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

/// A shape; the open size in front is the batch.
fn sizes(shape: &Value) -> Vec<Size> {
    let list = shape.as_array().map(Vec::as_slice).unwrap_or_default();
    let size = |(k, size): (usize, &Value)| match (size.as_i64(), size.as_str()) {
        (Some(size), _) => Size::Known(size),
        (None, Some(name)) => Size::Named(name.into()),
        (None, None) if k == 0 => Size::Named("batch".into()),
        (None, None) => Size::Unknown,
    };
    list.iter().enumerate().map(size).collect()
}

/// `["dense", 0, 0]`, or a list or table of such.
fn origins(value: &Value) -> Vec<Origin> {
    if let Some(origin) = origin(value) {
        return vec![origin];
    }
    match value {
        Value::Array(list) => list.iter().flat_map(origins).collect(),
        Value::Object(table) => table.values().flat_map(origins).collect(),
        _ => Vec::new(),
    }
}

fn origin(value: &Value) -> Option<Origin> {
    let list = value.as_array()?;
    let (layer, call, output) = (list.first()?.as_str()?, list.get(1)?.as_u64()?, list.get(2)?.as_u64()?);
    Some((layer.to_string(), call, output))
}

/// What a layer is called with, in Keras 3's form or the one before it.
fn called(call: &Value) -> Operands<Origin> {
    let passed = |value: &Value| {
        let mut found = Vec::new();
        keras_tensors(value, &mut found);
        if found.is_empty() { Passed::Other(value.clone()) } else { Passed::Tensors(found) }
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
fn wanted(
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
