//! From the configuration of a model to a program: Sequential and Functional models, one inside another.

use super::arguments;
use program::ir::{Program, Size, ValueId};
use program::network::{Network, Wired};
use rustc_hash::FxHashMap;
use semantics::dtype::Kind;
use semantics::operator::Arity;
use serde_json::{Map, Value};

/// Models inside models; no real one comes near.
const DEEPEST: usize = 32;

/// The program of a model's description.
pub(super) fn program(document: &Value, file: &str) -> Result<Program, String> {
    let mut reader = Reader { network: Network::default(), prefix: String::new(), depth: 0 };
    let outputs = reader.model(document, None)?;
    Ok(reader.network.finish(file, outputs))
}

struct Reader {
    network: Network,
    /// The names of the models around this one.
    prefix: String,
    depth: usize,
}

/// Where a tensor comes from: a layer, which call of it, and which of its outputs.
type Origin = (String, u64, u64);

impl Reader {
    /// Adds a model. What is called inside another is given its inputs; the outermost one declares them.
    fn model(&mut self, document: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, String> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("the models are nested too deeply".into());
        }
        let class = text(document, "class_name").ok_or("not a Keras model: it has no `class_name`")?;
        let config = &document["config"];
        let outputs = match class {
            "Sequential" => self.sequential(document, config, given),
            "Functional" | "Model" => self.functional(config, given),
            other => {
                Err(format!("`{other}` is no model that a file describes: Sequential and Functional are"))
            }
        };
        self.depth -= 1;
        outputs
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
        for layer in layers {
            if text(layer, "class_name") == Some("InputLayer") {
                if now.is_empty() {
                    now = vec![self.input(layer)];
                }
                continue;
            }
            if now.is_empty() {
                now = vec![self.implied_input(layer, document)?];
            }
            now = self.call(layer, name(layer), &now, 1)?;
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
        Ok(self.network.input("input", Kind::F32, sizes(shape)))
    }

    fn functional(&mut self, config: &Value, given: Option<&[ValueId]>) -> Result<Vec<ValueId>, String> {
        let layers = config["layers"].as_array().ok_or("a Functional model has `layers`")?;
        let inputs = origins(&config["input_layers"]);
        let outputs = origins(&config["output_layers"]);
        let wanted = wanted(layers, &outputs);
        let mut made: FxHashMap<Origin, ValueId> = FxHashMap::default();
        for (k, origin) in inputs.iter().enumerate() {
            if let Some(value) = given.and_then(|given| given.get(k)) {
                made.insert(origin.clone(), *value);
            }
        }
        let mut waiting: Vec<(&Value, u64, Vec<Origin>)> = Vec::new();
        for layer in layers {
            if text(layer, "class_name") == Some("InputLayer") {
                let origin = (name(layer).to_string(), 0, 0);
                made.entry(origin).or_insert_with(|| self.input(layer));
                continue;
            }
            let calls = layer["inbound_nodes"].as_array().map(Vec::as_slice).unwrap_or_default();
            waiting
                .extend(calls.iter().enumerate().map(|(k, call)| (layer, k as u64, origins_of_call(call))));
        }
        // Layers stand in the order in which they were made; a call may need one that stands later.
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut later = Vec::new();
            for (layer, number, origins) in waiting {
                let values: Option<Vec<ValueId>> =
                    origins.iter().map(|origin| made.get(origin).copied()).collect();
                let Some(values) = values else {
                    later.push((layer, number, origins));
                    continue;
                };
                let own = name(layer).to_string();
                let count = wanted.get(&(own.clone(), number)).copied().unwrap_or(1);
                for (k, value) in self.call(layer, &own, &values, count)?.into_iter().enumerate() {
                    made.insert((own.clone(), number, k as u64), value);
                }
            }
            if later.len() == before {
                let (layer, _, origins) = &later[0];
                let missing = origins.iter().find(|origin| !made.contains_key(origin));
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
        let sizes = shape.map(sizes).unwrap_or_default();
        self.network.input(name(layer), kind, sizes)
    }

    /// One call of a layer on tensors; its outputs.
    fn call(
        &mut self,
        layer: &Value,
        own: &str,
        inputs: &[ValueId],
        wanted: usize,
    ) -> Result<Vec<ValueId>, String> {
        let class =
            text(layer, "class_name").ok_or_else(|| format!("the layer `{own}` has no `class_name`"))?;
        if matches!(class, "Sequential" | "Functional" | "Model") {
            let inner = format!("{}{own}/", self.prefix);
            let outer = std::mem::replace(&mut self.prefix, inner);
            let outputs = self.model(layer, Some(inputs));
            self.prefix = outer;
            return outputs;
        }
        let place = format!("{}{own}", self.prefix);
        let empty = Map::new();
        let config = layer["config"].as_object().unwrap_or(&empty);
        if layers::layers::by_name(class).is_none()
            && layer["registered_name"].as_str().is_some_and(|name| name.contains('>'))
        {
            let reason = format!("`{class}` is a layer of the user's own");
            return Ok(self.network.unknown(&place, class, inputs, wanted, reason));
        }
        Ok(call(&mut self.network, class, config, &place, inputs, &[], wanted))
    }
}

/// Adds the layer of a class with the arguments of its configuration; weights are those given, by name.
pub fn call(
    network: &mut Network,
    class: &str,
    config: &Map<String, Value>,
    place: &str,
    inputs: &[ValueId],
    weights: &[(String, ValueId)],
    wanted: usize,
) -> Vec<ValueId> {
    let Some(definition) = layers::layers::by_name(class) else {
        return network.unknown(place, class, inputs, wanted, format!("the layer `{class}` is not modelled"));
    };
    let mut read = arguments::read(definition, config);
    let signature = definition.operator.inputs;
    let takes = if signature[0].arity == Arity::Variadic { usize::MAX } else { 1 };
    if inputs.len() > takes {
        read.unknown.push(format!("{} inputs", inputs.len()));
    }
    let mut tensors = vec![(signature[0].name, inputs.to_vec())];
    for (name, value) in weights {
        match signature[1..].iter().find(|input| input.name == name) {
            Some(input) => tensors.push((input.name, vec![*value])),
            None => read.unknown.push(name.clone()),
        }
    }
    if let Some(entry) = read.unknown.first() {
        let reason = format!("what `{entry}` of `{class}` means is not modelled");
        return network.unknown(place, class, inputs, wanted, reason);
    }
    let makes_mask = definition.mask == layers::layer::Mask::Makes;
    let wanted = wanted.max(if makes_mask { 2 } else { 1 });
    network.layer(
        definition,
        place,
        Wired { tensors, arguments: read.arguments, wanted, faults: read.faults },
    )
}

fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}

fn name(layer: &Value) -> &str {
    text(layer, "name").or_else(|| text(&layer["config"], "name")).unwrap_or("layer")
}

fn kind(name: &str) -> Option<Kind> {
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

/// A shape; the open size in front is the batch.
fn sizes(shape: &Value) -> Vec<Size> {
    let list = shape.as_array().map(Vec::as_slice).unwrap_or_default();
    let size = |(k, size): (usize, &Value)| match size.as_i64() {
        Some(size) => Size::Known(size),
        None if k == 0 => Size::Named("batch".into()),
        None => Size::Unknown,
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

/// The tensors that a call takes, in Keras 3's form or the one before it.
fn origins_of_call(call: &Value) -> Vec<Origin> {
    match call {
        Value::Object(call) if call.contains_key("args") => {
            let mut found = Vec::new();
            keras_tensors(&call["args"], &mut found);
            found
        }
        other => origins(other),
    }
}

fn keras_tensors(value: &Value, found: &mut Vec<Origin>) {
    match value {
        Value::Object(object) if text(value, "class_name") == Some("__keras_tensor__") => {
            found.extend(origin(&object["config"]["keras_history"]));
        }
        Value::Object(object) => object.values().for_each(|inner| keras_tensors(inner, found)),
        Value::Array(list) => list.iter().for_each(|inner| keras_tensors(inner, found)),
        _ => {}
    }
}

/// How many outputs of each call are used.
fn wanted(layers: &[Value], outputs: &[Origin]) -> FxHashMap<(String, u64), usize> {
    let mut wanted = FxHashMap::default();
    let calls = layers.iter().filter_map(|layer| layer["inbound_nodes"].as_array()).flatten();
    for (layer, call, output) in calls.flat_map(origins_of_call).chain(outputs.iter().cloned()) {
        let most = wanted.entry((layer, call)).or_insert(1);
        *most = (*most).max(usize::try_from(output).unwrap_or(0).saturating_add(1).min(64));
    }
    wanted
}
