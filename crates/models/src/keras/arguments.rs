//! The arguments of a layer, from its configuration.

use layers::layer::Layer;
use program::ir::{Fault, Given};
use semantics::operator::{Category, Parameter, ParameterKind};
use serde_json::{Map, Value};

/// What a configuration comes to: arguments, faults, and entries whose meaning is not known.
#[derive(Default)]
pub(super) struct Read {
    pub arguments: Vec<(&'static str, Given)>,
    pub faults: Vec<Fault>,
    pub unknown: Vec<String>,
}

/// Entries that have no say in what a layer computes when it predicts, by name or by the end of it.
const WITHOUT_EFFECT: &[&str] = &[
    "name",
    "trainable",
    "dtype",
    "seed",
    "momentum",
    "renorm_clipping",
    "renorm_momentum",
    "synchronized",
    "unroll",
    "implementation",
    "stateful",
    "return_state",
    "unit_forget_bias",
    "dropout",
    "recurrent_dropout",
    "time_major",
    "quantization_config",
    "lora_rank",
    "lora_alpha",
    "batch_input_shape",
    "input_length",
    "autocast",
    "noise_shape",
    "sparse",
    "ragged",
];
const WITHOUT_EFFECT_BY_END: &[&str] = &["_initializer", "_regularizer", "_constraint"];

/// Names that older versions gave to arguments.
const FORMER: &[(&str, &str, &str)] = &[("LeakyReLU", "alpha", "negative_slope")];

pub(super) fn read(layer: &Layer, config: &Map<String, Value>) -> Read {
    let mut read = Read::default();
    for (name, value) in config {
        let class = layer.operator.name;
        let former = FORMER.iter().find(|(of, former, _)| *of == class && former == name);
        let name = former.map_or(name.as_str(), |(_, _, now)| now);
        match layer.operator.parameters.iter().find(|parameter| parameter.name == name) {
            // What is null is not given.
            Some(_) if value.is_null() => {}
            Some(parameter) => match given(parameter, value) {
                Ok(given) => read.arguments.push((parameter.name, given)),
                Err(wanted) => read.faults.push(Fault {
                    category: Category::IllegalValue,
                    label: format!("`{name}` is {wanted}"),
                    detail: format!("it is {}", shortened(value)),
                }),
            },
            None if is_without_effect(name) || is_neutral(value) => {}
            None => read.unknown.push(name.to_string()),
        }
    }
    read
}

/// Whether a layer has an argument of that name.
pub(super) fn takes(layer: &Layer, name: &str) -> bool {
    let former = FORMER.iter().any(|(of, former, _)| *of == layer.operator.name && *former == name);
    former
        || is_without_effect(name)
        || layer.operator.parameters.iter().any(|parameter| parameter.name == name)
}

fn is_without_effect(name: &str) -> bool {
    WITHOUT_EFFECT.contains(&name) || WITHOUT_EFFECT_BY_END.iter().any(|end| name.ends_with(end))
}

/// Whether an entry that we do not know says no more than that something is left as it is.
fn is_neutral(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false))
}

/// The value of a parameter, or what it should have been.
fn given(parameter: &Parameter, value: &Value) -> Result<Given, &'static str> {
    match parameter.kind {
        ParameterKind::Int => integer(value).map(Given::Int).ok_or("an integer"),
        ParameterKind::Ints => match value {
            Value::Array(_) => {
                let mut numbers = Vec::new();
                flattened(value, &mut numbers).map(|()| Given::Ints(numbers)).ok_or("a list of integers")
            }
            _ => integer(value).map(Given::Int).ok_or("an integer or a list of them"),
        },
        ParameterKind::Float => value.as_f64().map(Given::Float).ok_or("a number"),
        ParameterKind::Floats => match value {
            Value::Array(list) => {
                let numbers = list.iter().map(Value::as_f64).collect::<Option<_>>();
                numbers.map(Given::Floats).ok_or("a list of numbers")
            }
            _ => value.as_f64().map(Given::Float).ok_or("a number or a list of them"),
        },
        ParameterKind::Flag => value.as_bool().map(|flag| Given::Int(flag.into())).ok_or("true or false"),
        ParameterKind::Word(_) | ParameterKind::Text => word(value).map(Given::Text).ok_or("a name"),
        ParameterKind::Words(_) => Err("a list of names"),
        ParameterKind::Type => {
            value.as_str().and_then(semantics::dtype::Kind::parse).map(Given::Type).ok_or("an element type")
        }
    }
}

fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_f64().filter(|x| x.fract() == 0.0 && x.abs() < 1e15).map(|x| x as i64))
}

/// `[[1, 2], [3, 4]]` as `[1, 2, 3, 4]`.
fn flattened(value: &Value, into: &mut Vec<i64>) -> Option<()> {
    match value {
        Value::Array(list) => list.iter().try_for_each(|item| flattened(item, into)),
        _ => integer(value).map(|number| into.push(number)),
    }
}

/// A name, or the name that a serialized function has.
fn word(value: &Value) -> Option<String> {
    let name = match value {
        Value::Object(object) => object.get("config").and_then(|config| match config {
            Value::String(_) => Some(config),
            _ => object.get("class_name"),
        })?,
        plain => plain,
    };
    name.as_str().map(str::to_string)
}

fn shortened(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 60 { format!("{}…", text.chars().take(60).collect::<String>()) } else { text }
}
