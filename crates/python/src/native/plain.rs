//! Plain cases that library files meet at every turn, answered at once instead of by a loop in Python.

use super::internal::require;
use super::{Keywords, required};
use crate::heap::{Id, Payload};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::{Comparison, Name};
use crate::value::Value;
use semantics::dtype::{DType, Kind};

/// `is_plain(value)`: whether a value is nothing that a module keeps apart: a number, a text, a list, a function.
pub(super) fn is_plain(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "is_plain")?;
    Ok(Value::bool(match &value {
        Value::None | Value::Unknown(_) => false,
        Value::Object(_) => matches!(
            interpreter.payload(&value),
            Some(Payload::List(_) | Payload::Dict(_) | Payload::Set(_) | Payload::Function(_) | Payload::Class(_))
        ),
        _ => true,
    }))
}

/// `all_ints(numbers)`: whether there are only integers, known or not, and no truth values.
pub(super) fn all_ints(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let numbers = required(interpreter, &values, 0, "all_ints")?;
    let numbers = match (&numbers, interpreter.payload(&numbers)) {
        (Value::Tuple(numbers), _) => &numbers[..],
        (_, Some(Payload::List(numbers))) => numbers,
        _ => return Ok(Value::bool(false)),
    };
    Ok(Value::bool(numbers.iter().all(|number| matches!(number, Value::Int(_)))))
}

/// `at_least("label", numbers, least, tensors…)`: requires it of each number.
pub(super) fn at_least(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [label, numbers, least] = [0, 1, 2].map(|place| required(interpreter, &values, place, "at_least"));
    let (label, numbers, least) = (label?, numbers?, least?);
    if let Value::Unknown(_) = numbers {
        return Ok(Value::None);
    }
    for number in interpreter.items_of(&numbers)? {
        if let (Some(number), Some(least)) = (number.as_int(), least.as_int())
            && number >= least
        {
            interpreter.path.plain.requirements += 1;
            continue;
        }
        let holds = interpreter.compare(Comparison::GreaterEqual, &number, &least)?;
        let stated = [label.clone(), holds, Value::text("value")];
        require(interpreter, stated.into_iter().chain(values[3..].iter().cloned()).collect(), Vec::new())?;
    }
    Ok(Value::None)
}

/// `one_kind(operands)`: the element type that all tensors have, where it holds the numbers beside them; else None.
pub(super) fn one_kind(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let operands = required(interpreter, &values, 0, "one_kind")?;
    let mut common = None;
    let mut highest = 0;
    for operand in interpreter.items_of(&operands)? {
        match (interpreter.as_tensor(&operand).map(|tensor| tensor.dtype()), &operand) {
            (Some(DType::Known(kind)), _) if common.is_none_or(|common| common == kind) => common = Some(kind),
            (None, Value::Bool(_)) => {}
            (None, Value::Int(_)) => highest = highest.max(1),
            (None, Value::Float(_)) => highest = highest.max(2),
            _ => return Ok(Value::None),
        }
    }
    let holds = |kind: Kind| if kind.is_float() { 2 } else { i32::from(kind.is_int()) };
    Ok(match common {
        Some(kind) if holds(kind) >= highest => Value::Text(Name::new(kind.name()).text()),
        _ => Value::None,
    })
}

/// `weights(module, prefix, recurse)`: the parameters of a module and of the modules in it, with their names; None
/// where not all of them are known.
pub(super) fn weights(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [module, prefix, recurse] = [0, 1, 2].map(|place| required(interpreter, &values, place, "weights"));
    let (module, prefix, recurse) = (module?, prefix?, recurse?);
    let (Value::Object(module), Value::Text(prefix), Value::Bool(recurse)) = (&module, &prefix, &recurse) else {
        return Ok(Value::None);
    };
    let Some(recurse) = recurse.known() else { return Ok(Value::None) };
    let mut found = Vec::new();
    let levels = if recurse { DEEPEST } else { 0 };
    Ok(match collect(interpreter, *module, &mut prefix.to_string(), levels, &mut found) {
        Some(()) => interpreter.new_list(found),
        None => Value::None,
    })
}
/// Modules nest less deeply than this, unless one is part of itself.
const DEEPEST: usize = 64;

fn collect(
    interpreter: &Interpreter,
    module: Id,
    prefix: &mut String,
    levels: usize,
    found: &mut Vec<Value>,
) -> Option<()> {
    let attributes = &interpreter.heap.get(module).attributes;
    let pairs = |name: Name| match interpreter.payload(attributes.get(&name)?)? {
        Payload::Dict(pairs) => Some(pairs),
        _ => None,
    };
    for (name, weight) in pairs(Name::PARAMETERS)?.values() {
        match (name, weight) {
            (Value::Text(_), Value::None) => {}
            (Value::Text(name), Value::Object(_)) => {
                found.push(Value::tuple([Value::text(&format!("{prefix}{name}")), weight.clone()]));
            }
            _ => return None,
        }
    }
    if levels == 0 {
        return Some(());
    }
    let outer = prefix.len();
    for (name, part) in pairs(Name::MODULES)?.values() {
        match (name, part) {
            (Value::Text(_), Value::None) => {}
            (Value::Text(name), Value::Object(part)) if levels > 1 => {
                prefix.push_str(name);
                prefix.push('.');
                collect(interpreter, *part, prefix, levels - 1, found)?;
                prefix.truncate(outer);
            }
            _ => return None,
        }
    }
    Some(())
}
