//! The scalar functions on integers: exact, wrapping at the width of the element type.
//!
//! What C leaves undefined has a value here: dividing by zero gives 0, and shifting by the width or more
//! shifts every bit out. `u64` is held as its bit pattern.

use crate::dtype::Kind;
use crate::scalar::{Binary, Unary};
use std::cmp::Ordering;

/// The value of an integer function; `None` for those that are not functions from integers to an integer.
pub fn unary(function: Unary, kind: Kind, x: i64) -> Option<i64> {
    let value = match function {
        Unary::Neg => x.wrapping_neg(),
        Unary::Abs if kind.is_signed() => x.wrapping_abs(),
        Unary::Sign if kind.is_signed() => x.signum(),
        Unary::Sign => i64::from(x != 0),
        Unary::BitNot => !x,
        Unary::Abs | Unary::Floor | Unary::Ceil | Unary::Round | Unary::Trunc => x,
        _ => return None,
    };
    Some(kind.wrap(value))
}

/// The value of an integer function of two numbers; `None` for comparisons and float functions.
pub fn binary(function: Binary, kind: Kind, x: i64, y: i64) -> Option<i64> {
    let value = match function {
        Binary::Add => x.wrapping_add(y),
        Binary::Sub => x.wrapping_sub(y),
        Binary::Mul => x.wrapping_mul(y),
        Binary::Div => quotient(kind, x, y),
        Binary::FloorDiv => {
            let rounded = quotient(kind, x, y);
            let inexact = y != 0 && remainder(kind, x, y) != 0;
            if kind.is_signed() && inexact && (x < 0) != (y < 0) { rounded - 1 } else { rounded }
        }
        Binary::Remainder => remainder(kind, x, y),
        Binary::Modulo => {
            let rest = remainder(kind, x, y);
            if kind.is_signed() && rest != 0 && (rest < 0) != (y < 0) { rest + y } else { rest }
        }
        Binary::Pow => power(kind, x, y),
        Binary::Max => {
            if compare(kind, x, y) == Ordering::Less {
                y
            } else {
                x
            }
        }
        Binary::Min => {
            if compare(kind, x, y) == Ordering::Greater {
                y
            } else {
                x
            }
        }
        Binary::BitAnd => x & y,
        Binary::BitOr => x | y,
        Binary::BitXor => x ^ y,
        Binary::ShiftLeft => match shift(kind, y) {
            Some(by) => x.wrapping_shl(by),
            None => 0,
        },
        Binary::ShiftRight => match (shift(kind, y), kind.is_signed()) {
            (Some(by), true) => x.wrapping_shr(by),
            (Some(by), false) => ((x as u64).wrapping_shr(by)) as i64,
            (None, true) => x >> 63,
            (None, false) => 0,
        },
        _ => return None,
    };
    Some(kind.wrap(value))
}

/// The order of two integers of a type.
pub fn compare(kind: Kind, x: i64, y: i64) -> Ordering {
    if kind == Kind::U64 { (x as u64).cmp(&(y as u64)) } else { x.cmp(&y) }
}

/// The integer as a float, before rounding to any type narrower than `f64`.
pub fn to_float(kind: Kind, x: i64) -> f64 {
    if kind == Kind::U64 { x as u64 as f64 } else { x as f64 }
}

/// The integral part of a float; the ends of the type's range stand for what lies beyond, 0 for NaN.
pub fn from_float(kind: Kind, x: f64) -> i64 {
    match kind {
        Kind::I8 => i64::from(x as i8),
        Kind::I16 => i64::from(x as i16),
        Kind::I32 => i64::from(x as i32),
        Kind::U8 => i64::from(x as u8),
        Kind::U16 => i64::from(x as u16),
        Kind::U32 => i64::from(x as u32),
        Kind::U64 => (x as u64) as i64,
        _ => x as i64,
    }
}

/// The mathematical value: that of the bit pattern for `u64`.
pub fn widen(kind: Kind, x: i64) -> i128 {
    if kind == Kind::U64 { i128::from(x as u64) } else { i128::from(x) }
}

/// The smallest and the largest integer of a type, as they are held.
pub fn extremes(kind: Kind) -> (i64, i64) {
    kind.int_range().map_or((i64::MIN, i64::MAX), |(low, high)| (low as i64, high as i64))
}

fn quotient(kind: Kind, x: i64, y: i64) -> i64 {
    match y {
        0 => 0,
        _ if kind == Kind::U64 => ((x as u64) / (y as u64)) as i64,
        _ => x.wrapping_div(y),
    }
}

fn remainder(kind: Kind, x: i64, y: i64) -> i64 {
    match y {
        0 => 0,
        _ if kind == Kind::U64 => ((x as u64) % (y as u64)) as i64,
        _ => x.wrapping_rem(y),
    }
}

fn shift(kind: Kind, by: i64) -> Option<u32> {
    u32::try_from(by).ok().filter(|&by| by < kind.bits().unwrap_or(64))
}

/// Wrapping; a negative exponent gives the integral part of the quotient.
fn power(kind: Kind, base: i64, exponent: i64) -> i64 {
    if kind.is_signed() && exponent < 0 {
        return match base {
            1 => 1,
            -1 => {
                if exponent % 2 == 0 {
                    1
                } else {
                    -1
                }
            }
            _ => 0,
        };
    }
    let (mut result, mut square, mut left) = (1i64, base, exponent as u64);
    while left > 0 {
        if left & 1 == 1 {
            result = result.wrapping_mul(square);
        }
        square = square.wrapping_mul(square);
        left >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_and_unsigned() {
        assert_eq!(binary(Binary::Add, Kind::I8, 127, 1), Some(-128));
        assert_eq!(binary(Binary::Sub, Kind::U8, 0, 1), Some(255));
        assert_eq!(binary(Binary::Div, Kind::U64, -1, 2), Some(i64::MAX));
        assert_eq!(binary(Binary::Max, Kind::U64, -1, 2), Some(-1));
        assert_eq!(binary(Binary::ShiftRight, Kind::U64, -1, 63), Some(1));
        assert_eq!(binary(Binary::FloorDiv, Kind::I32, -7, 2), Some(-4));
        assert_eq!(binary(Binary::Modulo, Kind::I32, -7, 2), Some(1));
        assert_eq!(binary(Binary::Remainder, Kind::I32, -7, 2), Some(-1));
        assert_eq!(binary(Binary::Div, Kind::I32, i64::from(i32::MIN), -1), Some(i64::from(i32::MIN)));
        assert_eq!(binary(Binary::Pow, Kind::I64, 3, 4), Some(81));
        assert_eq!(to_float(Kind::U64, -1), 18446744073709551615.0);
        assert_eq!(from_float(Kind::U8, 300.7), 255);
        assert_eq!(from_float(Kind::I32, f64::NAN), 0);
    }
}
