//! Methods of sets.

use super::containers::{clear, contains, copy, pairs, popitem};
use super::{Keywords, Native, required};
use crate::interpreter::{Flow, Interpreter, Outcome};
use crate::syntax::Comparison;
use crate::value::Value;

pub static SET: &[Native] = &[
    Native { name: "add", call: add },
    Native { name: "discard", call: discard },
    Native { name: "remove", call: remove },
    Native { name: "pop", call: popitem },
    Native { name: "clear", call: clear },
    Native { name: "copy", call: copy },
    Native { name: "update", call: update },
    Native { name: "union", call: |run, values, _| combined(run, &values, "|") },
    Native { name: "intersection", call: |run, values, _| combined(run, &values, "&") },
    Native { name: "difference", call: |run, values, _| combined(run, &values, "-") },
    Native { name: "symmetric_difference", call: |run, values, _| combined(run, &values, "^") },
    Native { name: "intersection_update", call: |run, values, _| updated(run, &values, "&") },
    Native { name: "difference_update", call: |run, values, _| updated(run, &values, "-") },
    Native { name: "symmetric_difference_update", call: |run, values, _| updated(run, &values, "^") },
    Native { name: "isdisjoint", call: isdisjoint },
    Native { name: "__init__", call: update },
    Native { name: "issubset", call: |run, values, _| compared(run, &values, Comparison::LessEqual) },
    Native { name: "issuperset", call: |run, values, _| compared(run, &values, Comparison::GreaterEqual) },
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__contains__", call: contains },
    Native { name: "__iter__", call: super::functions::iter },
];

fn add(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 1, "add")?;
    let key = interpreter.key(&value)?;
    if let Some(pairs) = pairs(interpreter, &values) {
        pairs.entry(key).or_insert((value, Value::None));
    }
    Ok(Value::None)
}
fn discard(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 1, "discard")?;
    let key = interpreter.key(&value)?;
    if let Some(pairs) = pairs(interpreter, &values) {
        pairs.shift_remove(&key);
    }
    Ok(Value::None)
}
fn remove(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 1, "remove")?;
    let key = interpreter.key(&value)?;
    match pairs(interpreter, &values).and_then(|pairs| pairs.shift_remove(&key)) {
        Some(_) => Ok(Value::None),
        None => interpreter.raise_missing(&value),
    }
}
fn update(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    for more in values.get(1..).unwrap_or_default() {
        let items = match interpreter.items_of(more) {
            Err(Flow::Lost(reason)) => {
                interpreter.forget_all(&values[0], reason);
                return Ok(Value::None);
            }
            items => items?,
        };
        for item in items {
            add(interpreter, vec![values[0].clone(), item], Vec::new())?;
        }
    }
    Ok(Value::None)
}
fn combined(interpreter: &mut Interpreter, values: &[Value], sign: &str) -> Outcome {
    let mut result = required(interpreter, values, 0, "set")?;
    let operator = match sign {
        "|" => crate::syntax::BinaryOperator::BitOr,
        "&" => crate::syntax::BinaryOperator::BitAnd,
        "^" => crate::syntax::BinaryOperator::BitXor,
        _ => crate::syntax::BinaryOperator::Sub,
    };
    for other in &values[1..] {
        let items = interpreter.items_of(other)?;
        let other = interpreter.set_of(items)?;
        result = interpreter.binary(operator, &result, &other)?;
    }
    Ok(result)
}
fn updated(interpreter: &mut Interpreter, values: &[Value], sign: &str) -> Outcome {
    let result = combined(interpreter, values, sign)?;
    if let (Some(own), Some(new)) = (values[0].as_object(), result.as_object()) {
        interpreter.heap.get_mut(own).payload = interpreter.heap.get(new).payload.clone();
    }
    Ok(Value::None)
}
pub(super) fn isdisjoint(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (own, other) = (required(interpreter, &values, 0, "set")?, required(interpreter, &values, 1, "set")?);
    for item in interpreter.items_of(&other)? {
        let found = interpreter.compare(Comparison::In, &item, &own)?;
        let found = interpreter.truth(&found)?;
        if interpreter.decide(found)? {
            return Ok(Value::bool(false));
        }
    }
    Ok(Value::bool(true))
}
fn compared(interpreter: &mut Interpreter, values: &[Value], comparison: Comparison) -> Outcome {
    let (own, other) = (required(interpreter, values, 0, "set")?, required(interpreter, values, 1, "set")?);
    let items = interpreter.items_of(&other)?;
    let other = interpreter.set_of(items)?;
    interpreter.compare(comparison, &own, &other)
}
