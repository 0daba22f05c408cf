//! Numbers: `int`, `float` and their methods.

use super::{Keywords, Native, argument, required};
use crate::heap::Payload;
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::{BinaryOperator, Comparison, Name, UnaryOperator};
use crate::value::{BuiltIn, Value};
use semantics::dim::Dim;

pub static INT: &[Native] = &[
    Native { name: "bit_length", call: bit_length },
    Native { name: "bit_count", call: bit_count },
    Native { name: "conjugate", call: itself },
    Native { name: "item", call: itself },
    Native { name: "is_integer", call: |_, _, _| Ok(Value::bool(true)) },
    Native { name: "as_integer_ratio", call: ratio },
    Native { name: "to_bytes", call: to_bytes },
    Native { name: "from_bytes", call: from_bytes },
    Native { name: "__index__", call: itself },
    Native { name: "__int__", call: itself },
    Native { name: "__float__", call: |run, values, _| make_float(run, &values) },
    Native { name: "__trunc__", call: itself },
    Native { name: "__floor__", call: itself },
    Native { name: "__ceil__", call: itself },
];
/// The operators of built-in types, by the names of their methods.
pub static OPERATORS: &[Native] = &[
    Native { name: "__add__", call: |run, values, _| binary(run, &values, BinaryOperator::Add, false) },
    Native { name: "__radd__", call: |run, values, _| binary(run, &values, BinaryOperator::Add, true) },
    Native { name: "__sub__", call: |run, values, _| binary(run, &values, BinaryOperator::Sub, false) },
    Native { name: "__rsub__", call: |run, values, _| binary(run, &values, BinaryOperator::Sub, true) },
    Native { name: "__mul__", call: |run, values, _| binary(run, &values, BinaryOperator::Mul, false) },
    Native { name: "__rmul__", call: |run, values, _| binary(run, &values, BinaryOperator::Mul, true) },
    Native { name: "__truediv__", call: |run, values, _| binary(run, &values, BinaryOperator::Div, false) },
    Native {
        name: "__floordiv__",
        call: |run, values, _| binary(run, &values, BinaryOperator::FloorDiv, false),
    },
    Native { name: "__mod__", call: |run, values, _| binary(run, &values, BinaryOperator::Mod, false) },
    Native { name: "__pow__", call: |run, values, _| binary(run, &values, BinaryOperator::Pow, false) },
    Native { name: "__and__", call: |run, values, _| binary(run, &values, BinaryOperator::BitAnd, false) },
    Native { name: "__or__", call: |run, values, _| binary(run, &values, BinaryOperator::BitOr, false) },
    Native { name: "__xor__", call: |run, values, _| binary(run, &values, BinaryOperator::BitXor, false) },
    Native { name: "__eq__", call: |run, values, _| compared(run, &values, Comparison::Equal) },
    Native { name: "__ne__", call: |run, values, _| compared(run, &values, Comparison::NotEqual) },
    Native { name: "__lt__", call: |run, values, _| compared(run, &values, Comparison::Less) },
    Native { name: "__le__", call: |run, values, _| compared(run, &values, Comparison::LessEqual) },
    Native { name: "__gt__", call: |run, values, _| compared(run, &values, Comparison::Greater) },
    Native { name: "__ge__", call: |run, values, _| compared(run, &values, Comparison::GreaterEqual) },
    Native { name: "__neg__", call: |run, values, _| unary(run, &values, UnaryOperator::Minus) },
    Native { name: "__pos__", call: |run, values, _| unary(run, &values, UnaryOperator::Plus) },
    Native { name: "__invert__", call: |run, values, _| unary(run, &values, UnaryOperator::Invert) },
    Native { name: "__bool__", call: truth },
    Native { name: "__str__", call: shown },
    Native { name: "__repr__", call: shown },
    Native { name: "__format__", call: formatted },
];

/// The built-in behaviour, whatever a subclass defines.
fn plain(interpreter: &mut Interpreter, values: &[Value], place: usize) -> Outcome {
    let value = required(interpreter, values, place, "operator")?;
    let inner = interpreter.unwrapped(&value);
    Ok(match interpreter.payload(&inner).cloned() {
        Some(Payload::List(items)) => interpreter.new_list(items),
        Some(Payload::Set(pairs)) => interpreter.new_set(pairs),
        _ => inner,
    })
}
fn binary(
    interpreter: &mut Interpreter,
    values: &[Value],
    operator: BinaryOperator,
    mirrored: bool,
) -> Outcome {
    let (a, b) = (plain(interpreter, values, 0)?, plain(interpreter, values, 1)?);
    let (a, b) = if mirrored { (b, a) } else { (a, b) };
    interpreter.binary(operator, &a, &b)
}
fn compared(interpreter: &mut Interpreter, values: &[Value], comparison: Comparison) -> Outcome {
    let (a, b) = (plain(interpreter, values, 0)?, plain(interpreter, values, 1)?);
    interpreter.compare(comparison, &a, &b)
}
fn unary(interpreter: &mut Interpreter, values: &[Value], operator: UnaryOperator) -> Outcome {
    let value = plain(interpreter, values, 0)?;
    interpreter.unary(operator, &value)
}
fn truth(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = plain(interpreter, &values, 0)?;
    Ok(Value::Bool(interpreter.truth(&value)?))
}
fn shown(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = plain(interpreter, &values, 0)?;
    Ok(Value::Text(interpreter.represent(&value).into()))
}
fn formatted(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = plain(interpreter, &values, 0)?;
    let format = values.get(1).and_then(Value::as_text).cloned().unwrap_or_default();
    Ok(Value::Text(interpreter.format_value(&value, &format)?.into()))
}
fn known(interpreter: &mut Interpreter, values: &[Value]) -> Option<i64> {
    values.first().and_then(|value| interpreter.unwrapped(value).as_int())
}
fn bit_count(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match known(interpreter, &values) {
        Some(number) => Value::int(i64::from(number.unsigned_abs().count_ones())),
        None => Value::unknown_of(BuiltIn::Int, "the bits of an unknown number"),
    })
}
fn ratio(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = plain(interpreter, &values, 0)?;
    Ok(match value {
        Value::Float(number) if number.is_finite() && number.abs() < 1e15 => {
            let (mut number, mut below) = (number, 1i64);
            while number.fract() != 0.0 && below < 1 << 52 {
                number *= 2.0;
                below *= 2;
            }
            Value::tuple([Value::int(number as i64), Value::int(below)])
        }
        Value::Float(_) => Value::unknown("the ratio of a float"),
        whole => Value::tuple([whole, Value::int(1)]),
    })
}
fn to_bytes(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let length = argument(&values, &keywords, 1, "length").map_or(Some(1), |length| length.as_int());
    let order = argument(&values, &keywords, 2, "byteorder").and_then(|order| order.as_text().cloned());
    let (Some(number), Some(length @ 0..=64)) = (known(interpreter, &values), length) else {
        return Ok(Value::unknown_of(BuiltIn::Bytes, "the bytes of an unknown number"));
    };
    let mut bytes: Vec<u8> = (0..length).map(|place| (number >> (8 * place).min(63)) as u8).collect();
    if order.as_deref() != Some("little") {
        bytes.reverse();
    }
    Ok(Value::Bytes(bytes.into()))
}
fn from_bytes(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let bytes = required(interpreter, &values, 1, "from_bytes")?;
    let order = argument(&values, &keywords, 2, "byteorder").and_then(|order| order.as_text().cloned());
    Ok(match bytes {
        Value::Bytes(bytes) if bytes.len() < 8 => {
            let mut bytes = bytes.to_vec();
            if order.as_deref() == Some("little") {
                bytes.reverse();
            }
            Value::int(bytes.iter().fold(0, |number, &byte| number * 256 + i64::from(byte)))
        }
        _ => Value::unknown_of(BuiltIn::Int, "a number made of bytes"),
    })
}
pub static FLOAT: &[Native] = &[
    Native { name: "is_integer", call: is_integer },
    Native { name: "as_integer_ratio", call: ratio },
    Native { name: "hex", call: |_, _, _| Ok(Value::unknown_of(BuiltIn::Text, "a float in base 16")) },
    Native { name: "fromhex", call: |_, _, _| Ok(Value::unknown_of(BuiltIn::Float, "a float in base 16")) },
    Native { name: "__int__", call: |run, values, _| make_int(run, &values) },
    Native { name: "__float__", call: itself },
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
            let base = positional.get(1).and_then(Value::as_int).unwrap_or(10).clamp(0, 36) as u32;
            match whole_number(text, base) {
                Some(Some(number)) => Ok(Value::int(number)),
                Some(None) => Ok(Value::unknown_of(BuiltIn::Int, "a number beyond 64 bits")),
                None => {
                    let message = format!("invalid literal for int() with base {base}: '{text}'");
                    interpreter.raise("ValueError", message)
                }
            }
        }
        Value::Unknown(unknown) => Ok(match unknown.quotient {
            // Cut off towards zero.
            Some((a, b)) => {
                let below = crate::interpreter::floor_division(a, b);
                let above = Dim::from(0) - crate::interpreter::floor_division(Dim::from(0) - a, b);
                let positive = (a.ge(0) & b.gt(0)) | (a.le(0) & b.lt(0));
                Value::Int(Dim::select(positive, below, above))
            }
            None => interpreter.whole_part(unknown),
        }),
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

/// A number as it is written; `Some(None)` beyond 64 bits, `None` if it is no number.
fn whole_number(text: &str, base: u32) -> Option<Option<i64>> {
    let trimmed = text.trim();
    let (negative, digits) = match trimmed.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, trimmed.strip_prefix('+').unwrap_or(trimmed)),
    };
    let lower = digits.to_lowercase();
    let prefixed = [("0x", 16), ("0o", 8), ("0b", 2)];
    let found =
        prefixed.into_iter().find(|(prefix, own)| lower.starts_with(prefix) && (base == 0 || base == *own));
    let (digits, base) = match found {
        Some((prefix, own)) => (&lower[prefix.len()..], own),
        None => (lower.as_str(), if base == 0 { 10 } else { base.max(2) }),
    };
    let digits = digits.strip_prefix('_').filter(|_| found.is_some()).unwrap_or(digits);
    if digits.is_empty() || digits.starts_with('_') || digits.ends_with('_') || digits.contains("__") {
        return None;
    }
    let digits = digits.replace('_', "");
    if !digits.chars().all(|digit| digit.is_digit(base)) {
        return None;
    }
    Some(i64::from_str_radix(&digits, base).ok().map(|number| if negative { -number } else { number }))
}
