//! Numbers: `int`, `float` and their methods.

use super::{Native, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

pub static INT: &[Native] = &[
    Native { name: "bit_length", call: bit_length },
    Native { name: "conjugate", call: itself },
    Native { name: "item", call: itself },
    Native { name: "__index__", call: itself },
    Native { name: "__int__", call: itself },
];
pub static FLOAT: &[Native] = &[
    Native { name: "is_integer", call: is_integer },
    Native { name: "conjugate", call: itself },
    Native { name: "item", call: itself },
];

pub fn make_int(interpreter: &mut Interpreter, positional: &[Value]) -> Outcome {
    let Some(given) = positional.first() else { return Ok(Value::int(0)) };
    let value = interpreter.unwrapped(given);
    match &value {
        Value::Int(_) => Ok(value),
        Value::Bool(_) => Ok(value.as_dim().map_or(Value::int(0), Value::Int)),
        Value::Float(number) if number.is_finite() => Ok(Value::int(number.trunc() as i64)),
        Value::Float(_) => {
            interpreter.raise("OverflowError", "cannot convert float infinity or NaN to integer")
        }
        Value::Text(text) => {
            let base = positional.get(1).and_then(Value::as_int).unwrap_or(10) as u32;
            let digits = text.trim().replace('_', "");
            match i64::from_str_radix(&digits, base.clamp(2, 36)) {
                Ok(number) => Ok(Value::int(number)),
                Err(_) => {
                    let message = format!("invalid literal for int() with base {base}: '{text}'");
                    interpreter.raise("ValueError", message)
                }
            }
        }
        Value::Unknown(unknown) => Ok(Value::unknown_of(BuiltIn::Int, unknown.reason.clone())),
        _ => {
            for word in ["__int__", "__index__"] {
                if let Some(result) = interpreter.try_special(given, word, Vec::new())? {
                    return Ok(result);
                }
            }
            let what = interpreter.type_name(given);
            interpreter
                .raise("TypeError", format!("int() argument must be a string or a real number, not '{what}'"))
        }
    }
}

pub fn make_float(interpreter: &mut Interpreter, positional: &[Value]) -> Outcome {
    let Some(given) = positional.first() else { return Ok(Value::Float(0.0)) };
    let value = interpreter.unwrapped(given);
    match &value {
        Value::Float(_) => Ok(value),
        Value::Int(_) | Value::Bool(_) => Ok(match value.as_int() {
            Some(number) => Value::Float(number as f64),
            None => Value::unknown_of(BuiltIn::Float, "a number that depends on sizes"),
        }),
        Value::Text(text) => {
            let lower = text.trim().to_lowercase().replace('_', "");
            let number = match lower.trim_start_matches('+') {
                "inf" | "infinity" => Some(f64::INFINITY),
                "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
                "nan" => Some(f64::NAN),
                digits => digits.parse().ok(),
            };
            match number {
                Some(number) => Ok(Value::Float(number)),
                None => {
                    interpreter.raise("ValueError", format!("could not convert string to float: '{text}'"))
                }
            }
        }
        Value::Unknown(unknown) => Ok(Value::unknown_of(BuiltIn::Float, unknown.reason.clone())),
        _ => {
            if let Some(result) = interpreter.try_special(given, "__float__", Vec::new())? {
                return Ok(result);
            }
            let what = interpreter.type_name(given);
            interpreter.raise(
                "TypeError",
                format!("float() argument must be a string or a real number, not '{what}'"),
            )
        }
    }
}

fn itself(interpreter: &mut Interpreter, positional: Vec<Value>, _: Vec<(Name, Value)>) -> Outcome {
    required(interpreter, &positional, 0, "method")
}
fn bit_length(interpreter: &mut Interpreter, positional: Vec<Value>, _: Vec<(Name, Value)>) -> Outcome {
    let value = required(interpreter, &positional, 0, "bit_length")?;
    Ok(match interpreter.unwrapped(&value).as_int() {
        Some(number) => Value::int(i64::from(64 - number.unsigned_abs().leading_zeros())),
        None => Value::unknown_of(BuiltIn::Int, "the length of an unknown number"),
    })
}
fn is_integer(_: &mut Interpreter, positional: Vec<Value>, _: Vec<(Name, Value)>) -> Outcome {
    Ok(match positional.first() {
        Some(Value::Float(number)) => Value::bool(number.fract() == 0.0),
        _ => Value::unknown_of(BuiltIn::Bool, "whether a number is whole"),
    })
}
