//! The scalar functions on floats: the `f64` number domain.

use crate::scalar::{Binary, Unary};

/// The value of a float function; `None` for those that are not functions from floats to a float.
pub fn unary(function: Unary, x: f64) -> Option<f64> {
    Some(match function {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Sign => {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                x
            }
        }
        Unary::Exp => x.exp(),
        Unary::Expm1 => x.exp_m1(),
        Unary::Ln => x.ln(),
        Unary::Log1p => x.ln_1p(),
        Unary::Sqrt => x.sqrt(),
        Unary::Reciprocal => 1.0 / x,
        Unary::Sin => x.sin(),
        Unary::Cos => x.cos(),
        Unary::Tan => x.tan(),
        Unary::Asin => x.asin(),
        Unary::Acos => x.acos(),
        Unary::Atan => x.atan(),
        Unary::Sinh => x.sinh(),
        Unary::Cosh => x.cosh(),
        Unary::Tanh => x.tanh(),
        Unary::Asinh => x.asinh(),
        Unary::Acosh => x.acosh(),
        Unary::Atanh => x.atanh(),
        Unary::Erf => erf(x),
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Trunc => x.trunc(),
        Unary::IsNan
        | Unary::IsPosInf
        | Unary::IsNegInf
        | Unary::Not
        | Unary::BitNot
        | Unary::Real
        | Unary::Imag => return None,
    })
}

/// The value of a float function of two numbers; `None` for comparisons and bit operations.
pub fn binary(function: Binary, x: f64, y: f64) -> Option<f64> {
    Some(match function {
        Binary::Add => x + y,
        Binary::Sub => x - y,
        Binary::Mul => x * y,
        Binary::Div => x / y,
        Binary::FloorDiv => (x / y).floor(),
        Binary::Remainder => x % y,
        Binary::Modulo => {
            let remainder = x % y;
            if remainder != 0.0 && (remainder < 0.0) != (y < 0.0) { remainder + y } else { remainder }
        }
        Binary::Pow => x.powf(y),
        Binary::Max => {
            if x.is_nan() || y.is_nan() {
                f64::NAN
            } else {
                x.max(y)
            }
        }
        Binary::Min => {
            if x.is_nan() || y.is_nan() {
                f64::NAN
            } else {
                x.min(y)
            }
        }
        Binary::Atan2 => x.atan2(y),
        _ => return None,
    })
}

/// The error function, by its Taylor series near zero and the continued fraction of erfc further out.
/// Relative error below 1e-15.
pub fn erf(x: f64) -> f64 {
    let magnitude = x.abs();
    if magnitude.is_nan() {
        return x;
    }
    if magnitude > 6.0 {
        return 1f64.copysign(x);
    }
    if magnitude < 2.5 {
        // erf(x) = 2/sqrt(pi) * exp(-x^2) * sum of 2^n x^(2n+1) / (1*3*...*(2n+1)): all terms positive.
        let (mut term, mut sum, mut n) = (x, x, 0.0);
        while term.abs() > sum.abs() * 1e-17 {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum;
    }
    // Lentz from the tail: erfc(x) = exp(-x^2)/sqrt(pi) * 1/(x + (1/2)/(x + 1/(x + (3/2)/(x + ...))))
    let mut tail = magnitude;
    for k in (1..=120).rev() {
        tail = magnitude + (f64::from(k) / 2.0) / tail;
    }
    let complement = (-x * x).exp() / (std::f64::consts::PI.sqrt() * tail);
    (1.0 - complement).copysign(x)
}
