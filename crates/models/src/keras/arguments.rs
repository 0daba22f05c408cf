//! The arguments of a layer, from its configuration.

use super::call::Among;
use super::unheeded::{is_unheeded, wanted};
use crate::similar::Hints;
use layers::layer::Layer;
use program::ir::{Fault, Given, Mend};
use semantics::operator::{Category, Operator, Parameter, ParameterKind, Preset};
use serde_json::{Map, Value};

/// What a configuration comes to: arguments, faults, and why something in it has no meaning here.
#[derive(Default)]
pub(super) struct Read {
    pub arguments: Vec<(&'static str, Given)>,
    pub faults: Vec<Fault>,
    pub unknown: Vec<String>,
}

/// Names that older versions gave to arguments.
const FORMER: &[(&str, &str, &str)] = &[("LeakyReLU", "alpha", "negative_slope")];

/// Arguments that all layers have, and that a class gives itself: whoever gives them gives them twice.
const OWN: &[(&str, &str)] = &[("ActivityRegularization", "activity_regularizer")];

/// Arguments that all layers have, and that a class takes without a look.
const UNREAD: &[(&str, &str)] = &[
    ("AlphaDropout", "noise_shape"),
    ("IntegerLookup", "dtype"),
    ("IntegerLookup", "trainable"),
    ("IntegerLookup", "vocabulary_size"),
];

/// Arguments that are given, though what is given may be null.
const GIVEN: &[(&str, &str)] = &[("RandomBrightness", "factor"), ("RandomRotation", "factor")];

/// As [`read`], where what a constructor cannot do without is missed.
pub(super) fn read_all(layer: &Layer, config: &Map<String, Value>, among: Among) -> Read {
    let mut read = read_from(layer, config, among);
    let missing =
        |(class, name): &&(&str, &str)| *class == layer.operator.name && !config.contains_key(*name);
    for (_, name) in GIVEN.iter().filter(missing) {
        let (category, detail) = (Category::IllegalValue, "it is not".to_string());
        read.faults.push(Fault { category, label: format!("`{name}` is given"), detail, mend: None });
    }
    read
}

/// How what is missing is told.
pub(super) const IS_GIVEN: &str = " is given";

/// An argument that a layer has to have, and that its configuration lacks.
pub(super) fn missing(layer: &Layer, config: &Map<String, Value>) -> Option<Fault> {
    let required = |parameter: &&Parameter| matches!(parameter.default, Preset::Required);
    let mut needed = layer.operator.parameters.iter().filter(required);
    let lacks = needed.find(|parameter| config.get(parameter.name).is_none_or(Value::is_null))?;
    Some(Fault {
        category: Category::IllegalValue,
        label: format!("`{}`{IS_GIVEN}", lacks.name),
        detail: "it is not".into(),
        mend: None,
    })
}

/// Arguments that classes of Keras have, and that are not defined here.
const NOT_DEFINED: &[&str] = &[
    "bounding_box_format",
    "factor",
    "flash_attention",
    "gptq_unpacked_column_size",
    "has_input_vocabulary",
    "input_dim",
    "input_shape",
    "renorm",
    "reverse_dtype",
    "rms_scaling",
    "use_cudnn",
    "weights",
];

/// Those of operations of Keras, which take no others.
const NOT_DEFINED_OF_OPERATIONS: &[(&str, &str)] = &[
    ("ConvertToTensor", "ragged"),
    ("ConvertToTensor", "sparse"),
    ("Max", "initial"),
    ("Min", "initial"),
    ("Norm", "ord"),
    ("Normalize", "epsilon"),
    ("OneHot", "sparse"),
    ("Prod", "dtype"),
];

pub(super) fn read(layer: &Layer, config: &Map<String, Value>) -> Read {
    read_from(layer, config, Among::Layers)
}

/// As [`read`], where an argument of which nothing is known is one that the layer does not have, if its signature
/// is closed.
pub(super) fn read_from(layer: &Layer, config: &Map<String, Value>, among: Among) -> Read {
    let mut read = Read::default();
    let is_closed = among == Among::Closed;
    for (name, value) in config {
        let class = layer.operator.name;
        let former = FORMER.iter().find(|(of, former, _)| *of == class && former == name);
        let name = former.map_or(name.as_str(), |(_, _, now)| now);
        match layer.operator.parameters.iter().find(|parameter| parameter.name == name) {
            // What is null is not given, or is what stands for nothing among the words that can be said.
            Some(parameter) if value.is_null() => match nothing(parameter, name) {
                Nothing::NotGiven => {}
                Nothing::Given(given) => read.arguments.push((parameter.name, given)),
                Nothing::Illegal(wanted) => {
                    read.faults
                        .push(Fault { mend: mend(layer, parameter, value), ..not(name, wanted, value) });
                }
            },
            Some(parameter) => match given(parameter, value, &mut read.unknown) {
                Ok(Some(given)) => read.arguments.push((parameter.name, given)),
                Ok(None) => {}
                Err(wanted) => read
                    .faults
                    .push(Fault { mend: mend(layer, parameter, value), ..not(name, wanted, value) }),
            },
            None if among == Among::Operations => match name {
                "name" => {}
                _ if NOT_DEFINED_OF_OPERATIONS.contains(&(class, name)) => {
                    if !is_neutral(value) {
                        read.unknown.push(no_meaning(class, name));
                    }
                }
                _ => read.faults.push(none_of_that_name(layer, name, Some(value))),
            },
            None if OWN.contains(&(class, name)) => {
                let nothing = "given by the layer itself, and nobody else";
                read.faults.push(not(name, nothing, value));
            }
            None if UNREAD.contains(&(class, name)) => {}
            None if is_unheeded(name) => {
                read.faults.extend(wanted(name, value).map(|wanted| not(name, wanted, value)))
            }
            None if is_closed && !NOT_DEFINED.contains(&name) => {
                read.faults.push(none_of_that_name(layer, name, Some(value)))
            }
            None if is_neutral(value) => {}
            None => read.unknown.push(no_meaning(class, name)),
        }
    }
    read
}

/// Whether a layer has an argument of that name.
pub(super) fn takes(layer: &Layer, name: &str) -> bool {
    let former = FORMER.iter().any(|(of, former, _)| *of == layer.operator.name && *former == name);
    former || is_unheeded(name) || layer.operator.parameters.iter().any(|parameter| parameter.name == name)
}

/// Why nothing is said of a layer with that argument.
pub(super) fn no_meaning(class: &str, argument: &str) -> String {
    format!("what `{argument}` of `{class}` means is not modelled")
}

/// An argument that a layer does not have, with the one that was probably meant.
pub(super) fn none_of_that_name(layer: &Layer, argument: &str, value: Option<&Value>) -> Fault {
    let parameters = layer.operator.parameters;
    let known = parameters.iter().map(|parameter| parameter.name);
    let meant = Hints::default().nearest(argument, known);
    let slot = parameters.iter().position(|parameter| Some(parameter.name) == meant);
    let mend = slot.zip(value).and_then(|(slot, value)| {
        let given = given(&parameters[slot], value, &mut Vec::new()).ok()??;
        Some(Mend { slot, given: Some(given) })
    });
    let hint = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
    Fault {
        category: Category::IllegalValue,
        label: "every argument is one that the layer has".into(),
        detail: format!("it has no `{argument}`{hint}"),
        mend,
    }
}

fn not(name: &str, wanted: &str, value: &Value) -> Fault {
    Fault {
        category: Category::IllegalValue,
        label: format!("`{name}` is {wanted}"),
        detail: format!("it is {}", shortened(value)),
        mend: None,
    }
}

/// What comes nearest to an argument of the wrong kind: the number in it, or what the layer has without it.
fn mend(layer: &Layer, parameter: &Parameter, value: &Value) -> Option<Mend> {
    let slot = layer.operator.parameters.iter().position(|own| own.name == parameter.name)?;
    let inside = match value {
        Value::Array(list) => list.first().cloned(),
        Value::String(text) => text.parse::<i64>().ok().map(Value::from),
        Value::Number(number) => number.as_f64().map(|number| Value::from(number.round() as i64)),
        _ => None,
    };
    let given = inside.and_then(|inside| plain(parameter, &inside).ok());
    let is_optional = !matches!(parameter.default, Preset::Required);
    (given.is_some() || is_optional).then_some(Mend { slot, given })
}

/// Whether an entry that we do not know says no more than that something is left as it is.
fn is_neutral(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false))
}

const INTEGER: &str = "an integer";
const INTEGERS: &str = "an integer or a list of them";

/// What null says of a parameter.
enum Nothing {
    NotGiven,
    Given(Given),
    Illegal(&'static str),
}

fn nothing(parameter: &Parameter, name: &str) -> Nothing {
    match (parameter.kind, parameter.default) {
        // The layout is that of the configuration of Keras.
        (ParameterKind::Word(_), _) if name == "data_format" => Nothing::NotGiven,
        (ParameterKind::Word(words), preset) => {
            let word = words.iter().find(|word| matches!(**word, "none" | "linear"));
            match (word, preset) {
                (Some(word), _) => Nothing::Given(Given::Text((*word).into())),
                (None, Preset::Word(_)) => Nothing::Illegal("a name"),
                (None, _) => Nothing::NotGiven,
            }
        }
        // What is nothing is not true.
        (ParameterKind::Flag, Preset::Flag(true)) => Nothing::Given(Given::Int(0)),
        // No axis at all.
        (ParameterKind::Ints, Preset::Int(_)) if parameter.name == "axis" => {
            Nothing::Given(Given::Ints(Vec::new()))
        }
        (ParameterKind::Float | ParameterKind::Floats, Preset::Float(_)) => Nothing::Illegal("a number"),
        (ParameterKind::Int, Preset::Int(_)) => Nothing::Illegal(INTEGER),
        (ParameterKind::Ints, Preset::Int(_)) => Nothing::Illegal(INTEGERS),
        _ => Nothing::NotGiven,
    }
}

/// Layers that are an argument, with their own arguments; `None` if one of them is not modelled, and why.
fn operators(
    find: fn(&str) -> Option<&'static Operator>,
    value: &Value,
    unknown: &mut Vec<String>,
) -> Result<Option<Given>, &'static str> {
    let layers = match value {
        Value::Array(layers) => layers.as_slice(),
        only => std::slice::from_ref(only),
    };
    let mut operators = Vec::new();
    for layer in layers {
        let class = layer["class_name"].as_str().ok_or("a layer")?;
        let Some(definition) = layers::layers::by_name(class) else {
            unknown.push(super::call::unmodelled(class));
            return Ok(None);
        };
        let operator = find(class).ok_or("a layer of a kind that it can take")?;
        let empty = Map::new();
        let read = read(definition, layer["config"].as_object().unwrap_or(&empty));
        unknown.extend(read.unknown);
        if !read.faults.is_empty() {
            return Err("a layer with arguments that it can have");
        }
        let mut arguments = vec![None; operator.parameters.len()];
        for (name, given) in read.arguments {
            if let Some(place) = operator.parameters.iter().position(|parameter| parameter.name == name) {
                arguments[place] = Some(given);
            }
        }
        operators.push((operator, arguments));
    }
    Ok(Some(Given::Operators(operators)))
}

/// The value of a parameter, or what it should have been.
fn given(
    parameter: &Parameter,
    value: &Value,
    unknown: &mut Vec<String>,
) -> Result<Option<Given>, &'static str> {
    if let ParameterKind::Operators(find) = parameter.kind {
        return operators(find, value, unknown);
    }
    if matches!(parameter.kind, ParameterKind::Floats) && is_array(value) {
        unknown.push(format!("`{}` is an array of many axes, which is not read", parameter.name));
        return Ok(None);
    }
    if let (ParameterKind::Word(words), Some(own)) = (parameter.kind, own_function(value))
        && !words.contains(&own)
    {
        let name = parameter.name;
        unknown.push(format!("`{own}`, which is the `{name}`, is a function of the user's own"));
        return Ok(None);
    }
    if let (ParameterKind::Word(words), Some(class)) = (parameter.kind, layer_class(value))
        && !words.contains(&class)
    {
        unknown.push(format!("the layer `{class}` as `{}` is not modelled here", parameter.name));
        return Ok(None);
    }
    plain(parameter, value).map(Some)
}

/// A function that Keras does not have: code, or one that was registered under a name.
fn own_function(value: &Value) -> Option<&str> {
    match value {
        Value::String(name) => name.contains('>').then_some(name),
        _ => match value["class_name"].as_str()? {
            "function" => value["config"].as_str(),
            code @ "__lambda__" => Some(code),
            _ => None,
        },
    }
}

/// The class of an object that stands where a name could: a layer, rather than a function.
pub(super) fn layer_class(value: &Value) -> Option<&str> {
    value.as_object().filter(|object| object.get("config").is_some_and(Value::is_object))?;
    value["class_name"].as_str()
}

/// Whether it stands for an array that is not a list of numbers.
fn is_array(value: &Value) -> bool {
    value.is_object() || value.as_array().is_some_and(|list| list.iter().any(Value::is_array))
}

fn plain(parameter: &Parameter, value: &Value) -> Result<Given, &'static str> {
    match parameter.kind {
        ParameterKind::Int => integer(value).map(Given::Int).ok_or(wanted_of(value, INTEGER)),
        ParameterKind::Ints => match value {
            // Borders are pairs, be it only one.
            Value::Array(pairs) if parameter.name == "pad_width" && pairs.len() == 1 => {
                pairs.first().and_then(integers).map(Given::Ints).ok_or("pairs of integers")
            }
            // What is taken off or put on at both ends of several axes is said in pairs.
            Value::Array(list) if is_around(parameter.name) && list.len() > 3 && !holds_lists(list) => {
                Err("a number, or a list of numbers or pairs with one for each axis")
            }
            Value::Array(_) => {
                integers(value).map(Given::Ints).ok_or("a list of integers, or of pairs of them")
            }
            _ => integer(value).map(Given::Int).ok_or(wanted_of(value, INTEGERS)),
        },
        ParameterKind::Float => value.as_f64().map(Given::Float).ok_or("a number"),
        ParameterKind::Floats => match value {
            Value::Array(list) => {
                let numbers = list.iter().map(Value::as_f64).collect::<Option<_>>();
                numbers.map(Given::Floats).ok_or("a list of numbers")
            }
            _ => value.as_f64().map(Given::Float).ok_or("a number or a list of them"),
        },
        ParameterKind::Flag => truth(value).map(|flag| Given::Int(flag.into())).ok_or("true or false"),
        ParameterKind::Word(_) | ParameterKind::Text => word(value).map(Given::Text).ok_or("a name"),
        ParameterKind::Words(_) | ParameterKind::Operators(_) => Err("a list of names"),
        ParameterKind::Type => value
            .as_str()
            .and_then(|name| super::graph::kind(name).or_else(|| semantics::dtype::Kind::parse(name)))
            .map(Given::Type)
            .ok_or("an element type"),
    }
}

/// What Python takes for true: Keras asks no more of a flag.
pub(super) fn truth(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => number.as_f64().map(|number| number != 0.0),
        Value::String(text) => Some(!text.is_empty()),
        _ => None,
    }
}

fn integer(value: &Value) -> Option<i64> {
    value.as_i64()
}

/// What an argument should have been: of a number that is only too large, that it is smaller.
fn wanted_of(value: &Value, wanted: &'static str) -> &'static str {
    match value.as_f64() {
        Some(number) if number.abs() >= i64::MAX as f64 => "an integer of at most 64 bits",
        _ => wanted,
    }
}

fn is_around(name: &str) -> bool {
    matches!(name, "padding" | "cropping")
}

fn holds_lists(list: &[Value]) -> bool {
    list.iter().any(Value::is_array)
}

/// `[1, 2]`, and `[[1, 2], 3]` as `[1, 2, 3, 3]`: a number stands for a pair of it. One pair alone is none.
fn integers(value: &Value) -> Option<Vec<i64>> {
    let list = value.as_array()?;
    if !list.iter().any(Value::is_array) {
        // A size that is left open is one to be found out, as -1 is.
        return list.iter().map(|item| if item.is_null() { Some(-1) } else { integer(item) }).collect();
    }
    let pair = |item: &Value| match item.as_array().map(Vec::as_slice) {
        Some([first, second]) => Some([integer(first)?, integer(second)?]),
        Some(_) => None,
        None => integer(item).map(|number| [number; 2]),
    };
    if list.len() < 2 {
        return None;
    }
    list.iter().map(pair).collect::<Option<Vec<_>>>().map(|pairs| pairs.concat())
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
