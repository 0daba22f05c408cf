//! Functions of numbers, for `math`: exact where the number is known, sizes where a size will do.

use crate::interpreter::{Interpreter, Outcome, floor_division};
use crate::native::{Keywords, Native, required};
use crate::value::{BuiltIn, Value};
use semantics::dim::Dim;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "function", call: function },
    Native { name: "floor", call: |run, values, _| whole(run, &values, f64::floor, false) },
    Native { name: "ceil", call: |run, values, _| whole(run, &values, f64::ceil, true) },
    Native { name: "frexp", call: frexp },
];

/// `function("sqrt", x)`: a function of one float, or of two.
fn function(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let name = required(interpreter, &values, 0, "function")?;
    let name = name.as_text().cloned().unwrap_or_default();
    let Some(x) = number(interpreter, &values, 1)? else { return Ok(unknown()) };
    let y = match values.len() {
        0..=2 => None,
        _ => match number(interpreter, &values, 2)? {
            Some(y) => Some(y),
            None => return Ok(unknown()),
        },
    };
    let refused = match &*name {
        "sqrt" => x < 0.0,
        "log" | "log2" | "log10" => x <= 0.0,
        "log1p" => x <= -1.0,
        "acos" | "asin" => x.abs() > 1.0,
        "acosh" => x < 1.0,
        "atanh" => x.abs() >= 1.0,
        "fmod" => y == Some(0.0),
        _ => false,
    };
    if refused {
        return interpreter.raise("ValueError", "math domain error");
    }
    let result = match (&*name, y) {
        ("sqrt", _) => x.sqrt(),
        ("exp", _) => x.exp(),
        ("expm1", _) => x.exp_m1(),
        ("log", _) => x.ln(),
        ("log2", _) => x.log2(),
        ("log10", _) => x.log10(),
        ("log1p", _) => x.ln_1p(),
        ("sin", _) => x.sin(),
        ("cos", _) => x.cos(),
        ("tan", _) => x.tan(),
        ("asin", _) => x.asin(),
        ("acos", _) => x.acos(),
        ("atan", _) => x.atan(),
        ("sinh", _) => x.sinh(),
        ("cosh", _) => x.cosh(),
        ("tanh", _) => x.tanh(),
        ("asinh", _) => x.asinh(),
        ("acosh", _) => x.acosh(),
        ("atanh", _) => x.atanh(),
        ("cbrt", _) => x.cbrt(),
        ("pow", Some(y)) => x.powf(y),
        ("atan2", Some(y)) => x.atan2(y),
        ("fmod", Some(y)) => x % y,
        ("copysign", Some(y)) => x.copysign(y),
        // What no formula here computes to the last digit.
        _ => return Ok(unknown()),
    };
    if result.is_infinite() && x.is_finite() {
        return interpreter.raise("OverflowError", "math range error");
    }
    Ok(Value::Float(result))
}
fn unknown() -> Value {
    Value::unknown_of(BuiltIn::Float, "a function of an unknown number")
}
fn number(interpreter: &mut Interpreter, values: &[Value], place: usize) -> Outcome<Option<f64>> {
    let given = required(interpreter, values, place, "math")?;
    let float = crate::native::numbers::make_float(interpreter, std::slice::from_ref(&given));
    if let (Value::Text(_), Ok(_)) = (interpreter.unwrapped(&given), &float) {
        return interpreter.raise("TypeError", "must be real number, not str");
    }
    Ok(match float? {
        Value::Float(number) => Some(number),
        _ => None,
    })
}

/// Rounding to a whole number, of quotients of sizes, too.
fn whole(interpreter: &mut Interpreter, values: &[Value], round: fn(f64) -> f64, up: bool) -> Outcome {
    let given = required(interpreter, values, 0, "floor")?;
    let value = interpreter.unwrapped(&given);
    match &value {
        Value::Int(_) | Value::Bool(_) => Ok(value.as_dim().map_or(value, Value::Int)),
        Value::Float(number) if number.is_finite() && number.abs() < 9e18 => {
            Ok(Value::int(round(*number) as i64))
        }
        Value::Float(_) => interpreter.raise("OverflowError", "cannot convert float infinity to integer"),
        Value::Unknown(unknown) => Ok(match (unknown.quotient, up) {
            (Some((a, b)), false) => Value::Int(floor_division(a, b)),
            (Some((a, b)), true) => Value::Int(Dim::from(0) - floor_division(Dim::from(0) - a, b)),
            (None, _) => interpreter.whole_part(unknown),
        }),
        _ => {
            let word = if up { "__ceil__" } else { "__floor__" };
            if let Some(result) = interpreter.try_special(&given, word, Vec::new())? {
                return Ok(result);
            }
            match number(interpreter, values, 0)? {
                Some(number) => Ok(Value::int(round(number) as i64)),
                None => Ok(Value::unknown_of(BuiltIn::Int, "an unknown number, rounded")),
            }
        }
    }
}
fn frexp(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(mut x) = number(interpreter, &values, 0)? else {
        return Ok(Value::tuple([unknown(), unknown()]));
    };
    let mut exponent = 0;
    if x != 0.0 && x.is_finite() {
        while x.abs() >= 1.0 {
            x /= 2.0;
            exponent += 1;
        }
        while x.abs() < 0.5 {
            x *= 2.0;
            exponent -= 1;
        }
    }
    Ok(Value::tuple([Value::Float(x), Value::int(exponent)]))
}
