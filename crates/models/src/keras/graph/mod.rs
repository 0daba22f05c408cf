//! From the configuration of a model to a program: Sequential and Functional models, one inside another.

mod bound;
mod brackets;
mod circles;
mod layer;

use super::broken::Broken;
use super::call::{Among, Operands};
use super::origins::{Numbering, Origin, check, name, origins, wanted};
use super::stored::{self, Stored};
use super::stubs::Stubs;
use super::{declared, policy, recorded, sequence};
use circles::waits;
use layer::makes_weights;
use layers::entry::{ENTRY, TIME};
use program::ir::{Fault, Given, Program, Size, ValueId};
use program::network::Network;
use rustc_hash::FxHashMap;
use semantics::dtype::Kind;
use semantics::operator::Arity;
use serde_json::Value;
use std::collections::hash_map::Entry;

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
) -> Result<Program, Broken> {
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
    fn model(&mut self, document: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, Broken> {
        if self.around.len() > DEEPEST {
            return Err(Broken::model("the models are nested too deeply".into()));
        }
        let class = text(document, "class_name")
            .ok_or_else(|| Broken::unread("not a Keras model: it has no `class_name`".into()))?;
        let config = &document["config"];
        match class {
            "Sequential" => self.sequential(document, config, given),
            "Functional" | "Model" => self.functional(config, given),
            other => {
                let why =
                    format!("`{other}` is no model that a file describes: Sequential and Functional are");
                Err(Broken::unread(why))
            }
        }
    }

    fn sequential(
        &mut self,
        document: &Value,
        config: &Value,
        given: Option<&[ValueId]>,
    ) -> Result<Vec<ValueId>, Broken> {
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
                declared::check(layer)?;
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
    fn implied_input(&mut self, shape: Option<&Value>) -> Result<ValueId, Broken> {
        let shape = shape
            .ok_or("the model was never built: nothing says what shape its input has; add an Input layer")
            .map_err(|why| Broken::model(why.into()))?;
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

    fn functional(&mut self, config: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, Broken> {
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
            let why = format!("the model `{}` {takes}", self.prefix.trim_end_matches('/'));
            return Err(Broken::model(why));
        }
        for (k, origin) in inputs.iter().enumerate() {
            let value = match (given.and_then(|given| given.get(k)), entry(origin)) {
                (Some(value), Some(layer)) => {
                    declared::check(layer)?;
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
                    let what = format!("output {} of `{}`, which has none such", origin.2, origin.0);
                    Broken::at(&origin.0, format!("the model gives {what}"))
                })
            })
            .collect()
    }

    fn input(&mut self, layer: &Value) -> Result<ValueId, Broken> {
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
        let sizes = [-1; 1].into_iter().chain(vec![TIME; self.times]).chain(shape[1..].iter().map(size));
        let place = format!("{}{name}", self.prefix);
        let arguments = vec![Some(Given::Ints(sizes.collect())), kind.map(Given::Type)];
        self.network.converted(&ENTRY, &place, value, arguments)
    }

    /// What a model does without, though it cannot.
    fn lacks(&self, class: &str, key: &str) -> Broken {
        Broken::model(match self.prefix.trim_end_matches('/') {
            "" => format!("a {class} model has `{key}`, and this one has none"),
            own => format!("a {class} model has `{key}`, and `{own}` has none"),
        })
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
    ) -> Result<Vec<ValueId>, Broken> {
        self.around.push(own.to_string());
        let inner = format!("{}{called}/", self.prefix);
        let prefix = std::mem::replace(&mut self.prefix, inner);
        let inputs: Vec<ValueId> = given.tensors().copied().collect();
        let outputs = self.model(model, Some(&inputs));
        self.prefix = prefix;
        self.around.pop();
        outputs.map_err(|broken| broken.inside(called))
    }
}

/// Whether a layer is called on a list of tensors, and never on one that stands alone; `None` if that is not known.
fn takes_list(layer: &Value) -> Option<bool> {
    let definition = Among::Layers.find(text(layer, "class_name")?).filter(|_| !is_operation(layer))?;
    let takes_any = definition.operator.inputs[0].arity == Arity::Variadic;
    Some(takes_any || definition.takes_list())
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

/// The operations of a model that Keras does not find where it looks for layers alone, by name and class: a layer of
/// that class is taken for it.
pub(super) fn unfound_operations(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect_operations(document, DEEPEST, &mut found);
    found
}

fn collect_operations(document: &Value, depth: usize, found: &mut Vec<(String, String)>) {
    for layer in document["config"]["layers"].as_array().into_iter().flatten().filter(|_| depth > 0) {
        let class = text(layer, "class_name").unwrap_or_default();
        if is_operation(layer) && Among::Layers.find(class).is_none() {
            found.push((name(layer).to_string(), class.to_string()));
        }
        collect_operations(layer, depth - 1, found);
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
