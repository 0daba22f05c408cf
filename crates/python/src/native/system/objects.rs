//! Copies of objects, and what functions are made of.

use crate::heap::{Id, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::native::{Keywords, Native, required};
use crate::syntax::Name;
use crate::value::{Pairs, Value};
use rustc_hash::FxHashMap;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "shallow_copy", call: shallow_copy },
    Native { name: "deep_copy", call: deep_copy },
    Native { name: "parameters", call: parameters },
    Native { name: "module", call: module },
    Native { name: "loaded", call: loaded },
    Native { name: "awaited", call: awaited },
    Native { name: "handled", call: handled },
    Native { name: "harmless", call: harmless },
];

/// A module that was imported before, or None.
fn loaded(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let name = values.first().and_then(Value::as_text).cloned().unwrap_or_default();
    Ok(interpreter.modules.get(&name).map_or(Value::None, |&module| Value::Object(module)))
}
fn awaited(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "await")?;
    interpreter.awaited(value)
}
/// The exception that is being handled, or None.
fn handled(interpreter: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    Ok(interpreter.handling.map_or(Value::None, Value::Object))
}
/// Something that has no say in what tensors do.
fn harmless(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(Value::harmless(values.first().and_then(Value::as_text).map_or("?", |what| what)))
}

fn is_shared(payload: &Payload) -> bool {
    matches!(
        payload,
        Payload::Function(_)
            | Payload::Class(_)
            | Payload::Module { .. }
            | Payload::Scope { .. }
            | Payload::Generator(_)
    )
}

fn shallow_copy(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "copy")?;
    Ok(match value.as_object().map(|id| interpreter.heap.get(id).clone()) {
        Some(object) if !is_shared(&object.payload) => Value::Object(interpreter.heap.push(object)),
        _ => value,
    })
}
fn deep_copy(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "deepcopy")?;
    copied(interpreter, &value, &mut FxHashMap::default(), 0)
}

/// Deeper structures are not followed.
const DEEPEST: usize = 500;

fn copied(
    interpreter: &mut Interpreter,
    value: &Value,
    made: &mut FxHashMap<Id, Value>,
    depth: usize,
) -> Outcome {
    if depth > DEEPEST {
        return Ok(Value::unknown("a structure that is too deep to copy"));
    }
    let at = interpreter.frame().at;
    interpreter.step(at)?;
    match value {
        Value::Tuple(items) => {
            let items: Outcome<Vec<Value>> =
                items.iter().map(|item| copied(interpreter, item, made, depth + 1)).collect();
            Ok(Value::Tuple(items?.into()))
        }
        Value::Method(method) => {
            let on = copied(interpreter, &method.1, made, depth + 1)?;
            Ok(Value::method(method.0.clone(), on))
        }
        Value::Object(id) => copied_object(interpreter, *id, made, depth),
        value => Ok(value.clone()),
    }
}
fn copied_object(
    interpreter: &mut Interpreter,
    id: Id,
    made: &mut FxHashMap<Id, Value>,
    depth: usize,
) -> Outcome {
    if let Some(known) = made.get(&id) {
        return Ok(known.clone());
    }
    let mut object = interpreter.heap.get(id).clone();
    if is_shared(&object.payload) {
        return Ok(Value::Object(id));
    }
    if depth > 0 && interpreter.in_order(object.class, Name::new("__deepcopy__")).is_some() {
        let memo = interpreter.new_dict(Pairs::default());
        let copy = interpreter.call_special(&Value::Object(id), "__deepcopy__", vec![memo])?;
        made.insert(id, copy.clone());
        return Ok(copy);
    }
    // Entered first, so that circles end.
    let copy = interpreter.heap.push(object.clone());
    made.insert(id, Value::Object(copy));
    for (_, value) in object.attributes.iter_mut() {
        *value = copied(interpreter, value, made, depth + 1)?;
    }
    object.payload = match object.payload {
        Payload::List(items) => {
            let items: Outcome<Vec<Value>> =
                items.iter().map(|item| copied(interpreter, item, made, depth + 1)).collect();
            Payload::List(items?)
        }
        Payload::Dict(pairs) | Payload::Set(pairs) => {
            let is_set = matches!(interpreter.heap.get(copy).payload, Payload::Set(_));
            let mut new = Pairs::default();
            for (name, value) in pairs.into_values() {
                let name = copied(interpreter, &name, made, depth + 1)?;
                let value = copied(interpreter, &value, made, depth + 1)?;
                new.insert(interpreter.key(&name)?, (name, value));
            }
            if is_set { Payload::Set(new) } else { Payload::Dict(new) }
        }
        Payload::Wrapped(inner) => Payload::Wrapped(copied(interpreter, &inner, made, depth + 1)?),
        payload => payload,
    };
    *interpreter.heap.get_mut(copy) = object;
    Ok(Value::Object(copy))
}

/// The parameters of a function as (name, kind, default or nothing); None if they are not known.
fn parameters(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mut function = required(interpreter, &values, 0, "signature")?;
    if let Value::Method(method) = &function {
        function = method.0.clone();
    }
    let Some(Payload::Function(function)) = interpreter.payload(&function).cloned() else {
        return Ok(Value::None);
    };
    let parameters = &function.def.parameters;
    let count = parameters.positional.len();
    let part = |name: Name, kind: i64, default: Option<&Value>| {
        let default = default.map_or(Value::None, |default| Value::tuple([default.clone()]));
        Value::tuple([Value::Text(name.text()), Value::int(kind), default])
    };
    let mut parts = Vec::new();
    for (place, parameter) in parameters.positional.iter().enumerate() {
        let kind = if place < parameters.positional_only { 0 } else { 1 };
        parts.push(part(parameter.name, kind, function.defaults[place].as_ref()));
    }
    parts.extend(parameters.variadic.iter().map(|parameter| part(parameter.name, 2, None)));
    for (place, parameter) in parameters.keyword_only.iter().enumerate() {
        parts.push(part(parameter.name, 3, function.defaults[count + place].as_ref()));
    }
    parts.extend(parameters.keywords.iter().map(|parameter| part(parameter.name, 4, None)));
    Ok(interpreter.new_list(parts))
}

/// A module by its name.
fn module(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    match values.first() {
        Some(Value::Text(name)) => {
            let name = name.clone();
            interpreter.module(&name)
        }
        _ => Ok(interpreter.lose("the name of a module is not known")),
    }
}
