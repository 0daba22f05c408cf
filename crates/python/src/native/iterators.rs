//! Methods of iterators, generators and slices.

use super::{Keywords, Native, required};
use crate::heap::Id;
use crate::interpreter::{Flow, Interpreter, Outcome, Sent, Step};
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

pub static ITERATOR: &[Native] = &[
    Native { name: "__next__", call: super::functions::next },
    Native { name: "__iter__", call: super::functions::iter },
];
pub static SLICE: &[Native] = &[Native { name: "indices", call: slice_indices }];

fn slice_indices(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (Some(Value::Slice(parts)), Some(length)) = (values.first(), values.get(1).and_then(Value::as_int))
    else {
        return Ok(Value::unknown_of(BuiltIn::Tuple, "the places of a slice"));
    };
    let part = |place: usize| parts[place].as_int();
    if parts.iter().any(|part| !part.is_none() && part.as_int().is_none()) {
        return Ok(Value::unknown_of(BuiltIn::Tuple, "the places of a slice"));
    }
    let step = part(2).unwrap_or(1);
    if step == 0 {
        return interpreter.raise("ValueError", "slice step cannot be zero");
    }
    let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |given: Option<i64>, default: i64| match given {
        None => default,
        Some(given) if given < 0 => given.saturating_add(length).clamp(lowest, highest),
        Some(given) => given.clamp(lowest, highest),
    };
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    Ok(Value::tuple([bound(part(0), first), bound(part(1), last), step].map(Value::int)))
}
pub static GENERATOR: &[Native] = &[
    Native { name: "__next__", call: super::functions::next },
    Native { name: "__iter__", call: super::functions::iter },
    Native { name: "send", call: generator_send },
    Native { name: "throw", call: generator_throw },
    Native { name: "close", call: generator_close },
];

fn generator(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<Id> {
    let value = required(interpreter, values, 0, "generator")?;
    match value.as_object() {
        Some(id) => Ok(id),
        None => interpreter.raise("TypeError", "not a generator"),
    }
}
fn stepped(interpreter: &mut Interpreter, id: Id, sent: Sent) -> Outcome {
    match interpreter.resume(id, sent)? {
        Step::Yielded(value) => Ok(value),
        Step::Returned(value) => {
            let Err(Flow::Raise(stop)) = interpreter.raise::<()>("StopIteration", "") else {
                return Ok(Value::None);
            };
            let arguments = if value.is_none() { Vec::new() } else { vec![value.clone()] };
            interpreter.set_name(stop, Name::new("args"), Value::tuple(arguments));
            interpreter.set_name(stop, Name::new("value"), value);
            Err(Flow::Raise(stop))
        }
    }
}
fn generator_send(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let id = generator(interpreter, &values)?;
    let value = required(interpreter, &values, 1, "send")?;
    stepped(interpreter, id, Sent::Value(value))
}
fn generator_throw(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let id = generator(interpreter, &values)?;
    let mut exception = required(interpreter, &values, 1, "throw")?;
    if interpreter.is_class(&exception) {
        exception = match values.get(2).filter(|value| !value.is_none()) {
            Some(value) => value.clone(),
            None => interpreter.call(&exception, Vec::new(), Vec::new())?,
        };
    }
    match exception.as_object() {
        Some(exception) => stepped(interpreter, id, Sent::Raise(exception)),
        None => interpreter
            .raise("TypeError", "exceptions must be classes or instances deriving from BaseException"),
    }
}
fn generator_close(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let id = generator(interpreter, &values)?;
    interpreter.close_generator(id)?;
    Ok(Value::None)
}
