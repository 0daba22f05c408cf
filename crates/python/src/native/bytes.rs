//! Methods of bytes. What is not known stays bytes that are not known.

use super::{Keywords, Native, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::value::{BuiltIn, Value};
use std::rc::Rc;

pub static BYTES: &[Native] = &[
    Native { name: "decode", call: decode },
    Native { name: "hex", call: hex },
    Native { name: "fromhex", call: fromhex },
    Native { name: "split", call: split },
    Native {
        name: "strip",
        call: |run, values, _| mapped(run, &values, |bytes| bytes.trim_ascii().to_vec()),
    },
    Native { name: "upper", call: |run, values, _| mapped(run, &values, |bytes| bytes.to_ascii_uppercase()) },
    Native { name: "lower", call: |run, values, _| mapped(run, &values, |bytes| bytes.to_ascii_lowercase()) },
    Native {
        name: "startswith",
        call: |run, values, _| tested(run, &values, |bytes, part| bytes.starts_with(part)),
    },
    Native {
        name: "endswith",
        call: |run, values, _| tested(run, &values, |bytes, part| bytes.ends_with(part)),
    },
    Native { name: "find", call: find },
    Native { name: "join", call: join },
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__iter__", call: super::functions::iter },
];

fn receiver(interpreter: &mut Interpreter, values: &[Value], place: usize) -> Option<Rc<[u8]>> {
    match values.get(place).map(|value| interpreter.unwrapped(value)) {
        Some(Value::Bytes(bytes)) => Some(bytes),
        _ => None,
    }
}
fn unknown() -> Value {
    Value::unknown_of(BuiltIn::Bytes, "bytes that are not known")
}

fn decode(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let name = values.get(1).and_then(Value::as_text).map_or("utf-8".into(), |name| name.to_lowercase());
    let Some(bytes) = receiver(interpreter, &values, 0) else {
        return Ok(Value::unknown_of(BuiltIn::Text, "bytes that are not known"));
    };
    if name.contains("latin") || name.contains("8859-1") {
        let text: String = bytes.iter().map(|&byte| byte as char).collect();
        return Ok(Value::Text(text.into()));
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok(Value::text(text)),
        Err(_) => Ok(Value::unknown_of(BuiltIn::Text, "bytes in an encoding that is not modelled")),
    }
}
fn hex(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match receiver(interpreter, &values, 0) {
        Some(bytes) => {
            let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            Value::Text(text.into())
        }
        None => Value::unknown_of(BuiltIn::Text, "bytes that are not known"),
    })
}
fn fromhex(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let text = required(interpreter, &values, 1, "fromhex")?;
    let digits: Vec<u32> = text
        .as_text()
        .iter()
        .flat_map(|text| text.chars())
        .filter_map(|letter| letter.to_digit(16))
        .collect();
    Ok(Value::Bytes(
        digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + *digit as u8)).collect(),
    ))
}
fn mapped(interpreter: &mut Interpreter, values: &[Value], f: impl Fn(&[u8]) -> Vec<u8>) -> Outcome {
    Ok(receiver(interpreter, values, 0).map_or_else(unknown, |bytes| Value::Bytes(f(&bytes).into())))
}
fn tested(interpreter: &mut Interpreter, values: &[Value], f: impl Fn(&[u8], &[u8]) -> bool) -> Outcome {
    Ok(match (receiver(interpreter, values, 0), receiver(interpreter, values, 1)) {
        (Some(bytes), Some(part)) => Value::bool(f(&bytes, &part)),
        _ => Value::unknown_of(BuiltIn::Bool, "bytes that are not known"),
    })
}
fn find(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match (receiver(interpreter, &values, 0), receiver(interpreter, &values, 1)) {
        (Some(bytes), Some(part)) if !part.is_empty() => {
            let place = bytes.windows(part.len()).position(|window| *window == *part);
            Value::int(place.map_or(-1, |place| place as i64))
        }
        _ => Value::unknown_of(BuiltIn::Int, "a place in bytes that are not known"),
    })
}
fn split(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (bytes, separator) = (receiver(interpreter, &values, 0), receiver(interpreter, &values, 1));
    let (Some(bytes), Some([separator])) = (bytes, separator.as_deref()) else {
        return Ok(Value::unknown_of(BuiltIn::List, "parts of bytes that are not known"));
    };
    let parts = bytes.split(|byte| byte == separator).map(|part| Value::Bytes(part.into())).collect();
    Ok(interpreter.new_list(parts))
}
fn join(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let items = required(interpreter, &values, 1, "join")?;
    let items = interpreter.items_of(&items)?;
    let parts: Option<Vec<Rc<[u8]>>> =
        (0..items.len()).map(|place| receiver(interpreter, &items, place)).collect();
    let between = receiver(interpreter, &values, 0);
    Ok(match (between, parts) {
        (Some(between), Some(parts)) => Value::Bytes(parts.join(&*between).into()),
        _ => unknown(),
    })
}

/// `bytes(…)`.
pub fn make(interpreter: &mut Interpreter, positional: &[Value]) -> Outcome {
    let given = positional.first().map(|given| interpreter.unwrapped(given));
    Ok(match given {
        None => Value::Bytes([].into()),
        Some(Value::Bytes(bytes)) => Value::Bytes(bytes),
        Some(Value::Text(text)) => Value::Bytes(text.as_bytes().into()),
        Some(Value::Unknown(_)) => unknown(),
        Some(number @ (Value::Int(_) | Value::Bool(_))) => match number.as_int() {
            Some(count @ 0..=0x10_0000) => Value::Bytes(vec![0; count as usize].into()),
            Some(..0) => return interpreter.raise("ValueError", "negative count"),
            _ => unknown(),
        },
        Some(items) => {
            let items = interpreter.items_of(&items)?;
            let bytes: Option<Vec<u8>> =
                items.iter().map(|item| item.as_int().and_then(|byte| u8::try_from(byte).ok())).collect();
            bytes.map_or_else(unknown, |bytes| Value::Bytes(bytes.into()))
        }
    })
}
