//! The built-in functions of numbers and of order: `abs`, `round`, `max`, `sum`, `sorted` and their like.

use super::{Keywords, argument, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::{BinaryOperator, Comparison};
use crate::value::{BuiltIn, Value};
use semantics::dim::Dim;
use semantics::tensor::Tensor;

pub fn abs(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "abs")?;
    match interpreter.unwrapped(&value) {
        Value::Float(number) => Ok(Value::Float(number.abs())),
        plain @ (Value::Int(_) | Value::Bool(_)) => {
            let dim = plain.as_dim().unwrap_or(Dim::from(0));
            Ok(Value::Int(dim.max(Dim::from(0) - dim)))
        }
        Value::Unknown(unknown) => Ok(Value::Unknown(unknown)),
        _ => interpreter.call_special(&value, "__abs__", Vec::new()),
    }
}
pub fn round(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "round")?;
    let digits = argument(&values, &keywords, 1, "ndigits").filter(|digits| !digits.is_none());
    match interpreter.unwrapped(&value) {
        Value::Float(number) => Ok(match digits {
            None => Value::int(number.round_ties_even() as i64),
            Some(digits) => Value::Float(rounded(number, digits.as_int().unwrap_or(0))),
        }),
        plain @ (Value::Int(_) | Value::Bool(_)) => {
            match (plain.as_int(), digits.and_then(|digits| digits.as_int())) {
                (Some(number), Some(digits @ -17..0)) => {
                    let unit = 10i64.pow(digits.unsigned_abs() as u32);
                    let (low, rest) = (number.div_euclid(unit), number.rem_euclid(unit));
                    let up = rest * 2 > unit || (rest * 2 == unit && low % 2 != 0);
                    Ok(Value::int((low + i64::from(up)) * unit))
                }
                _ => Ok(plain.as_dim().map_or(plain, Value::Int)),
            }
        }
        Value::Unknown(unknown) => {
            let kind = if digits.is_none() { BuiltIn::Int } else { BuiltIn::Float };
            Ok(Value::unknown_of(kind, unknown.reason.clone()))
        }
        _ => interpreter.call_special(&value, "__round__", digits.into_iter().collect()),
    }
}
/// The nearest number of so many digits, by its exact decimal value, as Python rounds.
fn rounded(number: f64, digits: i64) -> f64 {
    match usize::try_from(digits) {
        Ok(digits) if digits > 22 => number,
        Ok(digits) => format!("{number:.digits$}").parse().unwrap_or(number),
        Err(_) => {
            let unit = 10f64.powi(digits.clamp(-300, 0).unsigned_abs() as i32);
            (number / unit).round_ties_even() * unit
        }
    }
}
/// One of two values, where nobody knows which: a tensor of their shape, a number, or nothing that is known.
fn one_of(interpreter: &mut Interpreter, first: &Value, second: &Value) -> Value {
    let is_number = |value: &Value| {
        matches!(value, Value::Int(_) | Value::Float(_))
            || matches!(value, Value::Unknown(unknown) if unknown.kind == Some(BuiltIn::Float))
    };
    let tensors = (interpreter.as_tensor(first), interpreter.as_tensor(second));
    match tensors {
        (Some(a), Some(b)) if a.looks_like(b) => {
            interpreter.new_tensor(Tensor::given("", a.dtype(), a.shape()))
        }
        // A tensor without axes does what a number does.
        (Some(tensor), None) | (None, Some(tensor))
            if tensor.shape().rank().known() == Some(0) && (is_number(first) || is_number(second)) =>
        {
            interpreter.new_tensor(Tensor::given("", tensor.dtype(), tensor.shape()))
        }
        (None, None) if is_number(first) && is_number(second) => {
            Value::unknown_of(BuiltIn::Float, "the extreme of numbers that are not known")
        }
        _ => Value::unknown("the extreme of something unknown"),
    }
}
pub fn extreme(
    interpreter: &mut Interpreter,
    values: Vec<Value>,
    keywords: Keywords,
    largest: bool,
) -> Outcome {
    let items = match values.as_slice() {
        [one] => interpreter.items_of(one)?,
        _ => values.clone(),
    };
    let key = argument(&[], &keywords, 0, "key").filter(|key| !key.is_none());
    let mut best: Option<(Value, Value)> = None;
    for item in items {
        let rank = match &key {
            Some(key) => interpreter.call(key, vec![item.clone()], Vec::new())?,
            None => item.clone(),
        };
        best = Some(match best {
            None => (item, rank),
            Some((held, held_rank)) => match (held_rank.as_dim(), rank.as_dim(), &key) {
                // Sizes need no decision: the larger of two sizes is a size.
                (Some(a), Some(b), None) => {
                    let dim = if largest { a.max(b) } else { a.min(b) };
                    (Value::Int(dim), Value::Int(dim))
                }
                _ => {
                    let comparison = if largest { Comparison::Greater } else { Comparison::Less };
                    let better = interpreter.compare(comparison, &rank, &held_rank)?;
                    let better = interpreter.truth(&better)?;
                    if better.known().is_none() && key.is_none() {
                        let either = one_of(interpreter, &held, &item);
                        (either.clone(), either)
                    } else if better.known().is_none() && matches!(rank, Value::Unknown(_)) {
                        (interpreter.either(&held, &item), rank)
                    } else if interpreter.decide(better)? {
                        (item, rank)
                    } else {
                        (held, held_rank)
                    }
                }
            },
        });
    }
    match best {
        Some((value, _)) => Ok(value),
        None => match argument(&[], &keywords, 0, "default") {
            Some(default) => Ok(default),
            None => {
                let name = if largest { "max" } else { "min" };
                interpreter.raise("ValueError", format!("{name}() arg is an empty sequence"))
            }
        },
    }
}
pub fn sum(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let items = required(interpreter, &values, 0, "sum")?;
    let mut total = argument(&values, &keywords, 1, "start").unwrap_or(Value::int(0));
    for item in interpreter.items_of(&items)? {
        total = interpreter.binary(BinaryOperator::Add, &total, &item)?;
    }
    Ok(total)
}
pub fn sorted(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let items = required(interpreter, &values, 0, "sorted")?;
    let items = interpreter.items_of(&items)?;
    let key = argument(&[], &keywords, 0, "key").filter(|key| !key.is_none());
    let reverse = argument(&[], &keywords, 0, "reverse").unwrap_or(Value::bool(false));
    let reverse = interpreter.truth(&reverse)?.known() == Some(true);
    let mut ranked = Vec::with_capacity(items.len());
    for item in items {
        let rank = match &key {
            Some(key) => interpreter.call(key, vec![item.clone()], Vec::new())?,
            None => item.clone(),
        };
        ranked.push((rank, item));
    }
    // Insertion keeps equal elements in order, and asks only what is needed.
    let mut sorted: Vec<(Value, Value)> = Vec::with_capacity(ranked.len());
    for (rank, item) in ranked {
        let (mut low, mut high) = (0, sorted.len());
        while low < high {
            let middle = (low + high) / 2;
            let (a, b) = if reverse { (&sorted[middle].0, &rank) } else { (&rank, &sorted[middle].0) };
            let before = interpreter.compare(Comparison::Less, a, b)?;
            let before = interpreter.truth(&before)?;
            if before.known().is_none() && interpreter.decide(before).is_err() {
                let unknown = Value::unknown("an order that is not known");
                return Ok(unknown);
            }
            if interpreter.decide(before)? { high = middle } else { low = middle + 1 }
        }
        sorted.insert(low, (rank, item));
    }
    let items = sorted.into_iter().map(|(_, item)| item).collect();
    Ok(interpreter.new_list(items))
}
pub fn reversed(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "reversed")?;
    if let Some(result) = interpreter.try_special(&value, "__reversed__", Vec::new())? {
        return Ok(result);
    }
    let mut items = interpreter.items_of(&value)?;
    items.reverse();
    Ok(interpreter.new_iterator(items))
}
pub fn ord(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "ord")?;
    Ok(match interpreter.unwrapped(&value) {
        Value::Text(text) => text.chars().next().map_or(Value::None, |letter| Value::int(letter as i64)),
        _ => Value::unknown_of(BuiltIn::Int, "the code of a letter"),
    })
}
pub fn chr(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let code = values.first().and_then(Value::as_int).and_then(|code| u32::try_from(code).ok());
    Ok(match code.and_then(char::from_u32) {
        Some(letter) => Value::text(&letter.to_string()),
        None => Value::unknown_of(BuiltIn::Text, "a letter"),
    })
}
pub fn two(interpreter: &mut Interpreter, values: &[Value], operator: BinaryOperator) -> Outcome {
    let (a, b) = (required(interpreter, values, 0, "pow")?, required(interpreter, values, 1, "pow")?);
    interpreter.binary(operator, &a, &b)
}
pub fn pow(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let power = |base: i64, exponent: i64, modulus: i64| {
        let (mut result, mut base, mut exponent) = (1i128, i128::from(base), exponent);
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = (result * base).rem_euclid(modulus.into());
            }
            base = (base * base).rem_euclid(modulus.into());
            exponent >>= 1;
        }
        Value::int(result as i64)
    };
    match values.as_slice() {
        [base, exponent, modulus] if !modulus.is_none() => {
            match (base.as_int(), exponent.as_int(), modulus.as_int()) {
                (Some(base), Some(exponent @ 0..), Some(modulus @ 1..)) => Ok(power(base, exponent, modulus)),
                _ => Ok(Value::unknown_of(BuiltIn::Int, "a power modulo a number")),
            }
        }
        _ => two(interpreter, &values, BinaryOperator::Pow),
    }
}
pub fn divmod(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let first = required(interpreter, &values, 0, "divmod")?;
    if let Some(result) =
        interpreter.try_special(&first, "__divmod__", values.get(1..).unwrap_or_default().to_vec())?
    {
        return Ok(result);
    }
    let quotient = two(interpreter, &values, BinaryOperator::FloorDiv)?;
    let rest = two(interpreter, &values, BinaryOperator::Mod)?;
    Ok(Value::tuple([quotient, rest]))
}
