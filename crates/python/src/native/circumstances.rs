//! What a library says of the circumstances: where an object was made, and that a batch is smaller than the others.

use super::Keywords;
use crate::interpreter::{Interpreter, Outcome};
use crate::value::Value;

/// `made_at(object)`: "line 7", of the user's code that made it; None if nobody knows.
pub(super) fn made_at(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let line = values.first().and_then(Value::as_object).and_then(|id| interpreter.line_of_maker(id));
    Ok(line.map_or(Value::None, |line| Value::text(&line)))
}

/// `circumstance(number, usual, text)`: from now on something has another size than usual, and why; without arguments,
/// what was said last is over.
pub(super) fn circumstance(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let number = |place: usize| values.get(place).and_then(Value::as_int);
    match (number(0), number(1), values.get(2).and_then(Value::as_text)) {
        (Some(number), Some(usual), Some(text)) => interpreter.begin_circumstance(number, usual, text),
        _ => interpreter.end_circumstance(),
    }
    Ok(Value::None)
}
