//! What a library says of the circumstances: where an object was made, that a batch is smaller than the others, and
//! which options a program has.

use super::Keywords;
use crate::asked::CommandOption;
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

/// `option(name, value, flags, choices, is_switch, is_given)`: the value of an option of the command line, or what the
/// user assumes instead.
pub(super) fn option(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let [Some(name), Some(value)] = [0, 1].map(|place| values.get(place).cloned()) else {
        return Ok(Value::None);
    };
    let Some(name) = name.as_text() else { return Ok(value) };
    let mut texts = |place: usize| -> Outcome<Vec<String>> {
        match values.get(place) {
            None | Some(Value::None | Value::Unknown(_)) => Ok(Vec::new()),
            Some(given) => {
                let items = interpreter.items_of(given)?;
                Ok(items.iter().filter_map(|item| item.as_text().map(|text| text.to_string())).collect())
            }
        }
    };
    let (flags, mut others) = (texts(2)?, texts(3)?);
    others.retain(|other| value.as_text().is_none_or(|value| **value != **other));
    let is_true =
        |place: usize| matches!(values.get(place), Some(Value::Bool(prop)) if prop.known() == Some(true));
    let flag = flags.iter().find(|flag| flag.starts_with("--")).or(flags.first()).cloned();
    let option = flag.map(|flag| CommandOption {
        name: name.to_string(),
        flag,
        others,
        is_switch: is_true(4),
        is_given: is_true(5),
    });
    Ok(interpreter.option(name, value, option))
}
