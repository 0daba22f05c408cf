//! Arithmetic on numbers, known and not.

use super::{Interpreter, Outcome};
use crate::syntax::BinaryOperator;
use crate::value::{BuiltIn, Value};
use semantics::dim::Dim;

impl Interpreter {
    pub(super) fn integers(&mut self, operator: BinaryOperator, a: Dim, b: Dim) -> Outcome {
        use BinaryOperator as B;
        let both = a.known().zip(b.known());
        let unknown = |why: &str| Ok(Value::unknown_of(BuiltIn::Int, why));
        match operator {
            B::Add => Ok(Value::Int(a + b)),
            B::Sub => Ok(Value::Int(a - b)),
            B::Mul => Ok(Value::Int(a * b)),
            B::Div | B::FloorDiv | B::Mod => {
                let not_zero = !b.eq(0);
                match not_zero.known().or_else(|| self.decide_quietly(not_zero)) {
                    Some(true) => {}
                    Some(false) => {
                        let is_rest = operator == B::Mod;
                        let what = if is_rest { "integer modulo by zero" } else { "division by zero" };
                        return self.raise("ZeroDivisionError", what);
                    }
                    None => self.grant("division", "ZeroDivisionError", not_zero, "the divisor is not zero"),
                }
                match (operator, both) {
                    (B::Div, Some((x, y))) => Ok(Value::Float(x as f64 / y as f64)),
                    (B::Div, None) => {
                        // Kept, so that `int(n / 2)` can be told.
                        Ok(Value::quotient(a, b))
                    }
                    (B::FloorDiv, _) => Ok(Value::Int(floor_division(a, b))),
                    _ => Ok(Value::Int(a - floor_division(a, b) * b)),
                }
            }
            B::Pow => match both {
                Some((x, y)) if y >= 0 => {
                    let power = u32::try_from(y).ok().and_then(|y| x.checked_pow(y));
                    power.map_or_else(|| unknown("a number beyond 64 bits"), |power| Ok(Value::int(power)))
                }
                Some((x, y)) => Ok(Value::Float((x as f64).powf(y as f64))),
                None => match b.known() {
                    Some(exponent @ 0..=8) => {
                        Ok(Value::Int((0..exponent).fold(Dim::from(1), |power, _| power * a)))
                    }
                    _ => unknown("a power of sizes"),
                },
            },
            B::ShiftLeft => match both {
                Some((x, y @ 0..=62)) if x.checked_shl(y as u32).is_some_and(|s| s >> y == x) => {
                    Ok(Value::int(x << y))
                }
                _ => match b.known() {
                    Some(shift @ 0..=40) => Ok(Value::Int(a * (1i64 << shift))),
                    _ => unknown("a shift by an unknown number"),
                },
            },
            B::ShiftRight => match b.known() {
                Some(shift @ 0..=62) => Ok(Value::Int(floor_division(a, (1i64 << shift).into()))),
                _ => unknown("a shift by an unknown number"),
            },
            B::BitAnd | B::BitOr | B::BitXor => match both {
                Some((x, y)) => Ok(Value::int(match operator {
                    B::BitAnd => x & y,
                    B::BitOr => x | y,
                    _ => x ^ y,
                })),
                None => unknown("bits of an unknown number"),
            },
            B::MatMul => self.raise("TypeError", "unsupported operand type(s) for @: 'int' and 'int'"),
        }
    }

    pub(super) fn floats(&mut self, operator: BinaryOperator, a: f64, b: f64) -> Outcome {
        use BinaryOperator as B;
        if b == 0.0 && matches!(operator, B::Div | B::FloorDiv | B::Mod) {
            return self.raise("ZeroDivisionError", "float division by zero");
        }
        Ok(Value::Float(match operator {
            B::Add => a + b,
            B::Sub => a - b,
            B::Mul => a * b,
            B::Div => a / b,
            B::FloorDiv => (a / b).floor(),
            B::Mod => a - b * (a / b).floor(),
            B::Pow => a.powf(b),
            _ => {
                let message =
                    format!("unsupported operand type(s) for {}: 'float' and 'float'", operator.sign());
                return self.raise("TypeError", message);
            }
        }))
    }
}

/// A number as a float: `None` if it is no number, `Some(None)` if it depends on sizes.
pub(super) fn number(value: &Value) -> Option<Option<f64>> {
    match value {
        Value::Float(number) => Some(Some(*number)),
        Value::Int(_) | Value::Bool(_) => Some(value.as_int().map(|number| number as f64)),
        _ => None,
    }
}

/// Python's `//`, which rounds towards minus infinity whatever the signs.
pub(crate) fn floor_division(a: Dim, b: Dim) -> Dim {
    if let Some(quotient) = a.div_exact(b) {
        return quotient;
    }
    let negative = b.lt(0);
    match negative.known() {
        Some(false) => a.div_floor(b),
        Some(true) => (Dim::from(0) - a).div_floor(Dim::from(0) - b),
        None => {
            let flipped = (Dim::from(0) - a).div_floor(Dim::from(0) - b);
            Dim::select(negative, flipped, a.div_floor(b))
        }
    }
}
