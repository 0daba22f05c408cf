//! What programs write to files, and what they read of files that are not there.

use super::files::path;
use crate::interpreter::{Interpreter, Outcome};
use crate::native::{Keywords, Native};
use crate::syntax::Name;
use crate::value::Value;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "note_written", call: note_written },
    Native { name: "new_book", call: new_book },
    Native { name: "enter", call: enter },
    Native { name: "look_up", call: look_up },
    Native { name: "read_written", call: read_written },
];

/// `note_written(path, value)`: a program has written a file.
fn note_written(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    if let [Value::Text(place), value] = &values[..] {
        interpreter.note_written(place, value);
    }
    Ok(Value::None)
}
/// `new_book()`: what was written, by place. Where one branch has written and another has not, no more is known than
/// that.
fn new_book(interpreter: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    let book = interpreter.new_scope(None);
    interpreter.heap.changes.keep_book(book);
    Ok(Value::Object(book))
}
/// `enter(book, place, value)`.
fn enter(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    if let [Value::Object(book), Value::Text(place), value] = &values[..] {
        interpreter.heap.get_mut(*book).attributes.insert(Name::new(place), value.clone());
    }
    Ok(Value::None)
}
/// `look_up(book, place)`: what was written there, in a tuple; None if that is not known.
fn look_up(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [Value::Object(book), Value::Text(place)] = &values[..] else { return Ok(Value::None) };
    interpreter.heap.changes.look_up(*book);
    let written = interpreter.heap.get(*book).attributes.get(&Name::new(place));
    Ok(match written {
        None | Some(Value::Unknown(_)) => Value::None,
        Some(value) => Value::tuple([value.clone()]),
    })
}
/// `read_written(path, make)`: what another program of the folder writes to a file that is not there, in a tuple.
fn read_written(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(Value::Text(place)) = values.first().cloned() else { return Ok(Value::None) };
    if path(interpreter, &values)?.is_none_or(|path| path.exists()) {
        return Ok(Value::None);
    }
    let neighbours = interpreter.neighbours.clone();
    // What this run has written, in another branch perhaps, an earlier run has.
    let own = interpreter.written.iter().rev().find(|written| neighbours.is_same(&written.place, &place));
    let written = own.cloned().or_else(|| {
        let arguments: Vec<String> = interpreter.arguments.iter().skip(1).cloned().collect();
        neighbours.find(&place, &arguments, interpreter.budget.until)
    });
    let Some(written) = written else { return Ok(Value::None) };
    interpreter.suppose_written(&written);
    let make = values.get(1).cloned().unwrap_or(Value::None);
    Ok(Value::tuple([interpreter.value_of(&written, &make)?]))
}
