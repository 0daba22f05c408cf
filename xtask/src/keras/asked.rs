//! The failing examples of the layers' own files, put to Keras: each says that its label is the one rule it breaks, and
//! Keras must refuse it, too. A draw seldom breaks every rule alone; an example does so by its purpose.

use models::keras::literal;
use semantics::arena;
use semantics::call::{Argument, Call, Prepared};
use semantics::dtype::Kind;
use semantics::example::{self, Example, Expected};
use semantics::operator::{Arity, Backend};
use semantics::tensor::Tensor;
use serde_json::{Map, Value, json};

/// The calls as `keras_calls.py --asked` reads them, one for each failing example.
pub fn questions(backend: Backend) -> Vec<Value> {
    let mut rows = Vec::new();
    for layer in layers::layers::ALL.iter().chain(layers::preparing::ALL) {
        for text in layer.operator.examples {
            // One that says who computes is about that backend alone.
            if text.contains(" on torch ") && backend != Backend::Torch {
                continue;
            }
            arena::scope(|| {
                let Ok(example) = example::parse_call(text, &layer.operator) else { return };
                rows.extend(question(&example, layer.takes));
            });
        }
    }
    rows
}

/// A call without its weights, which Keras makes by itself; `None` if a size is a name, or a type has none.
fn question(example: &Example, takes: &[&str]) -> Option<Value> {
    let Expected::Fails(label) = &example.expected else { return None };
    let operator = example.call.operator;
    let (mut inputs, mut call) = (Vec::new(), Map::new());
    for (place, (input, given)) in operator.inputs.iter().zip(&example.call.tensors).enumerate() {
        let given: Vec<Value> =
            given.iter().map(|tensor| described(&example.call, *tensor)).collect::<Option<_>>()?;
        let is_list = matches!(input.arity, Arity::Variadic | Arity::Any);
        // The attention layers that take a list take these by name, too, and merging ones masks that come with tensors.
        let is_taken = takes.contains(&input.name) || matches!(input.name, "value" | "key" | "mask");
        match given.as_slice() {
            [] => {}
            _ if place == 0 => inputs = given,
            [only] if is_taken && !is_list => drop(call.insert(input.name.into(), only.clone())),
            _ if is_taken => drop(call.insert(input.name.into(), Value::Array(given))),
            _ => {}
        }
    }
    let mut arguments = Map::new();
    for (parameter, given) in operator.parameters.iter().zip(&example.call.arguments) {
        let Some(given) = given else { continue };
        let of = if takes.contains(&parameter.name) { &mut call } else { &mut arguments };
        of.insert(parameter.name.into(), argument(given)?);
    }
    Some(
        json!({ "layer": operator.name, "arguments": arguments, "inputs": inputs, "call": call, "label": label }),
    )
}

fn described(call: &Call, tensor: Tensor) -> Option<Value> {
    let sizes: Vec<i64> = tensor.shape().sizes()?.iter().map(|size| size.known()).collect::<Option<_>>()?;
    let kind: Kind = tensor.dtype().known()?;
    let mut told = json!({ "shape": sizes, "dtype": literal::dtype(kind).ok()? });
    let numbers =
        call.values(tensor).and_then(|dims| dims.iter().map(|dim| dim.known()).collect::<Option<Vec<i64>>>());
    if let Some(numbers) = numbers {
        told["values"] = json!(numbers);
    }
    Some(told)
}

fn argument(given: &Argument) -> Option<Value> {
    Some(match given {
        Argument::Int(dim) => json!(dim.known()?),
        Argument::Ints(dims) => json!(dims.iter().map(|dim| dim.known()).collect::<Option<Vec<i64>>>()?),
        Argument::Float(value) => json!(value),
        Argument::Floats(values) => json!(values),
        Argument::Flag(prop) => json!(prop.known()?),
        Argument::Type(kind) => json!(literal::dtype(*kind).ok()?),
        Argument::Text(text) => json!(text),
        Argument::Texts(texts) => json!(texts),
        Argument::Operators(operators) => match operators.as_slice() {
            [only] => layer(only)?,
            several => json!(several.iter().map(layer).collect::<Option<Vec<_>>>()?),
        },
        Argument::Unknown(_) => return None,
    })
}

fn layer(prepared: &Prepared) -> Option<Value> {
    let given = prepared.operator.parameters.iter().zip(&prepared.arguments);
    let given = given.filter_map(|(parameter, given)| Some((parameter.name, given.as_ref()?)));
    let config: Map<String, Value> =
        given.map(|(name, given)| Some((name.to_string(), argument(given)?))).collect::<Option<_>>()?;
    Some(json!({ "class_name": prepared.operator.name, "config": config }))
}
