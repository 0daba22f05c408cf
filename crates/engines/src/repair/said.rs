//! Arguments and inputs as Python writes them, and as JSON: in the form that Keras takes.

use super::Said;
use layers::entry::TIME;
use program::ir::{Given, Size};
use semantics::dtype::Kind;
use semantics::operator::{Operator, Parameter, ParameterKind};
use serde_json::{Map, Value, json};

/// An argument as Python writes it.
pub(crate) fn written(given: &Given, parameter: &Parameter) -> String {
    match given {
        Given::Int(value) if matches!(parameter.kind, ParameterKind::Flag) => {
            if *value == 0 { "False" } else { "True" }.into()
        }
        Given::Int(value) => value.to_string(),
        Given::Ints(values) => match layers::pairs::of(parameter.name, values) {
            Some(pairs) => format!("{pairs:?}"),
            None => format!("{values:?}"),
        },
        Given::Float(value) => value.to_string(),
        Given::Floats(values) => format!("{values:?}"),
        Given::Type(kind) => kind.to_string(),
        Given::Text(text) => format!("{text:?}"),
        Given::Texts(texts) => format!("{texts:?}"),
        Given::Operators(operators) => {
            let call = |(operator, given): &(&'static Operator, Vec<Option<Given>>)| {
                let given = operator.parameters.iter().zip(given);
                let given = given.filter_map(|(parameter, given)| {
                    Some(format!("{}={}", parameter.name, written(given.as_ref()?, parameter)))
                });
                format!("{}({})", operator.name, given.collect::<Vec<_>>().join(", "))
            };
            let calls: Vec<String> = operators.iter().map(call).collect();
            if calls.len() == 1 { calls.concat() } else { format!("[{}]", calls.join(", ")) }
        }
        Given::Value(..) => "a tensor".into(),
    }
}

/// An argument as a file has it.
pub(super) fn json(given: &Given, parameter: &Parameter) -> Value {
    match given {
        Given::Int(value) if matches!(parameter.kind, ParameterKind::Flag) => json!(*value != 0),
        Given::Int(value) => json!(value),
        Given::Ints(values) => match layers::pairs::of(parameter.name, values) {
            Some(pairs) => json!(pairs),
            None => json!(values),
        },
        Given::Float(value) => json!(value),
        Given::Floats(values) => json!(values),
        Given::Type(kind) => json!(kind.name()),
        Given::Text(text) => json!(text),
        Given::Texts(texts) => json!(texts),
        Given::Operators(operators) => {
            let call = |(operator, given): &(&'static Operator, Vec<Option<Given>>)| {
                let given = operator.parameters.iter().zip(given);
                let config: Map<String, Value> = given
                    .filter_map(|(own, given)| Some((own.name.to_string(), json(given.as_ref()?, own))))
                    .collect();
                json!({
                    "module": "keras.layers", "class_name": operator.name, "config": config,
                    "registered_name": null,
                })
            };
            match operators.as_slice() {
                [only] => call(only),
                several => several.iter().map(call).collect(),
            }
        }
        Given::Value(..) => Value::Null,
    }
}

/// An input as JSON: null for a size that is left open.
pub(super) fn input(kind: Kind, sizes: &[Size]) -> Value {
    let size = |size: &Size| match size {
        Size::Known(size) => json!(size),
        Size::Named(name) => json!(**name),
        Size::Unknown => Value::Null,
    };
    json!({"type": kind.name(), "shape": sizes.iter().map(size).collect::<Vec<_>>()})
}

/// What an input of a model inside another one declares; what is below zero it leaves open.
pub(super) fn entry(kind: Kind, sizes: &[i64]) -> Said {
    let size = |(axis, &size): (usize, &i64)| match size {
        // The batch is open whatever is declared.
        _ if axis == 0 => Size::Named("batch".into()),
        0.. => Size::Known(size),
        _ => Size::Unknown,
    };
    let sizes: Vec<Size> = sizes.iter().filter(|size| **size != TIME).enumerate().map(size).collect();
    let words: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    Said { words: format!("{kind}[{}]", words.join(", ")), json: input(kind, &sizes) }
}
