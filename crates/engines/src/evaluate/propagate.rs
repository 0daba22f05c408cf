//! How an error of the argument shows in the result of an elementary function: over the whole interval that
//! the argument lies in, not by the derivative at one point.

use super::near::{Near, OWN, nan_max};
use semantics::number;
use semantics::scalar::Unary;

/// How far `f` may be from `value` over the whole of `x`. `None` if nothing can be said of the function.
pub(super) fn propagated(function: Unary, x: Near, value: f64) -> Option<f64> {
    let (low, high) = x.ends();
    if low.is_nan() || high.is_nan() || x.error.is_infinite() {
        // Bounded functions stay within their range.
        return Some(match function {
            Unary::Tanh | Unary::Sigmoid | Unary::Erf | Unary::Sin | Unary::Cos if !x.value.is_nan() => 2.0,
            _ => f64::INFINITY,
        });
    }
    // The commonest have a bound that costs no further call.
    let slack = 4.0 * OWN * value.abs();
    match function {
        Unary::Exp if x.error <= 1.0 => return Some(value * (x.error + x.error * x.error) + slack),
        Unary::Ln if x.error < 0.5 * x.value => return Some(x.error / (x.value - x.error) + slack),
        Unary::Sqrt if x.error < x.value => {
            return Some(x.error / (value + (x.value - x.error).sqrt()) + slack);
        }
        _ => {}
    }
    let at = |x: f64| number::unary(function, x).unwrap_or(f64::NAN);
    let away = |x: f64| {
        let there = at(x);
        (there - value).abs() + 2.0 * OWN * (there.abs() + value.abs())
    };
    let ends = nan_max(away(low), away(high));
    let spread = match function {
        // Lipschitz with constant 1, and close to an extreme even flatter.
        Unary::Sin => x.error.min(x.value.cos().abs() * x.error + 0.5 * x.error * x.error).min(2.0),
        Unary::Cos => x.error.min(x.value.sin().abs() * x.error + 0.5 * x.error * x.error).min(2.0),
        Unary::Cosh if low < 0.0 && high > 0.0 => nan_max(ends, away(0.0)),
        // Between two poles it is monotone.
        Unary::Tan
            if x.error >= 1.0
                || ((low / std::f64::consts::PI + 0.5).floor()
                    != (high / std::f64::consts::PI + 0.5).floor()) =>
        {
            f64::INFINITY
        }
        Unary::Exp
        | Unary::Expm1
        | Unary::Ln
        | Unary::Log1p
        | Unary::Sqrt
        | Unary::Tan
        | Unary::Asin
        | Unary::Acos
        | Unary::Atan
        | Unary::Sinh
        | Unary::Cosh
        | Unary::Tanh
        | Unary::Sigmoid
        | Unary::Asinh
        | Unary::Acosh
        | Unary::Atanh
        | Unary::Erf => ends,
        _ => return None,
    };
    // NaN at one end: part of the interval lies outside the domain.
    Some(if spread.is_nan() { f64::INFINITY } else { spread })
}

/// How far the angle of a point may be off.
pub(super) fn turned(y: Near, x: Near) -> f64 {
    let (reach, radius) = (x.error.hypot(y.error), x.value.hypot(y.value));
    let crosses_cut = x.value - x.error < 0.0 && y.value.abs() <= y.error && y.error > 0.0;
    if reach == 0.0 {
        0.0
    } else if reach >= radius || crosses_cut || radius.is_nan() {
        2.0 * std::f64::consts::PI
    } else {
        (reach / radius).asin() * (1.0 + 8.0 * OWN)
    }
}
