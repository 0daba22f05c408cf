//! Complex numbers with a radius that bounds what rounding may have changed.

use super::near::{Near, OWN};
use semantics::dtype::Kind;
use semantics::scalar::{Binary, Fold, Unary};

/// A complex number and how far the real result may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Disc {
    pub value: [f64; 2],
    pub error: f64,
}

impl Disc {
    /// An error that cannot be told is infinite.
    pub fn new(value: [f64; 2], error: f64) -> Disc {
        Disc { value, error: if error.is_nan() { f64::INFINITY } else { error } }
    }
}

/// `units` roundings of a result, on top of what the operands bring.
fn rounded(kind: Kind, value: [f64; 2], spread: f64, units: f64) -> Disc {
    let magnitude = value[0].hypot(value[1]);
    let error = spread + units * (kind.unit_roundoff() + OWN) * (magnitude + spread) + kind.smallest_error();
    let whole = |x: f64| x.abs() < 1e6 && x.fract() == 0.0;
    if spread == 0.0 && units <= 1.0 && whole(value[0]) && whole(value[1]) {
        // Small integers add up without rounding.
        return Disc { value, error: 0.0 };
    }
    let error = if error.is_nan() || magnitude > kind.largest() { f64::INFINITY } else { error };
    Disc { value, error }
}

pub(super) fn unary(function: Unary, kind: Kind, x: Disc) -> Option<Disc> {
    let [a, b] = x.value;
    match function {
        Unary::Neg => Some(Disc { value: [-a, -b], error: x.error }),
        Unary::Reciprocal => binary(Binary::Div, kind, Disc { value: [1.0, 0.0], error: 0.0 }, x),
        _ => None,
    }
}

/// A function from complex to real numbers.
pub(super) fn part(function: Unary, kind: Kind, x: Disc) -> Option<Near> {
    let [a, b] = x.value;
    match function {
        Unary::Real => Some(Near { value: a, error: x.error }),
        Unary::Imag => Some(Near { value: b, error: x.error }),
        Unary::Abs => {
            let value = a.hypot(b);
            let error =
                x.error + 4.0 * (kind.unit_roundoff() + OWN) * (value + x.error) + kind.smallest_error();
            let error = if x.error == 0.0 && (a == 0.0 || b == 0.0) { 0.0 } else { error };
            Some(Near { value, error: if error.is_nan() { f64::INFINITY } else { error } })
        }
        _ => None,
    }
}

pub(super) fn binary(function: Binary, kind: Kind, x: Disc, y: Disc) -> Option<Disc> {
    let ([a, b], [c, d]) = (x.value, y.value);
    let (size_x, size_y) = (a.hypot(b), c.hypot(d));
    Some(match function {
        Binary::Add => rounded(kind, [a + c, b + d], x.error + y.error, 1.0),
        Binary::Sub => rounded(kind, [a - c, b - d], x.error + y.error, 1.0),
        Binary::Mul => {
            let spread = size_x * y.error + size_y * x.error + x.error * y.error;
            // sqrt(5) roundings of the product of the magnitudes (Brent, Percival, Zimmermann 2007).
            rounded(kind, [a * c - b * d, a * d + b * c], spread, 2.3)
        }
        Binary::Div => {
            let square = c * c + d * d;
            let value = [(a * c + b * d) / square, (b * c - a * d) / square];
            let least = size_y - y.error;
            let spread = if x.error == 0.0 && y.error == 0.0 {
                0.0
            } else if least > 0.0 {
                (x.error + value[0].hypot(value[1]) * y.error) / least
            } else {
                f64::INFINITY
            };
            rounded(kind, value, spread, 8.0)
        }
        _ => return None,
    })
}

pub(super) fn product([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a * c - b * d, a * d + b * c]
}

/// The error of a fold in any order. Of a sum: from the sum of magnitudes and that of errors. Of a product:
/// from the product of magnitudes, without and with errors.
pub(super) fn fold_error(with: Fold, kind: Kind, first: f64, second: f64, terms: f64) -> f64 {
    let steps = (terms - 1.0).max(0.0) * (kind.unit_roundoff() + 2.0 * OWN);
    let error = match with {
        Fold::Product => (second - first).max(0.0) + (2.3 * steps).exp_m1() * second,
        _ => second + 1.5 * steps * (first + second),
    };
    if error.is_nan() || first + second >= kind.largest() {
        f64::INFINITY
    } else {
        error + terms * kind.smallest_error()
    }
}

/// Folds discs in any order.
pub(super) fn fold(with: Fold, kind: Kind, discs: &[Disc]) -> Disc {
    let size = |disc: &Disc| disc.value[0].hypot(disc.value[1]);
    let terms = discs.len() as f64;
    if with == Fold::Product {
        let value = discs.iter().fold([1.0, 0.0], |value, disc| product(value, disc.value));
        let (first, second) =
            (discs.iter().map(size).product(), discs.iter().map(|disc| size(disc) + disc.error).product());
        return Disc { value, error: fold_error(with, kind, first, second, terms) };
    }
    let value = discs.iter().fold([0.0; 2], |[a, b], disc| [a + disc.value[0], b + disc.value[1]]);
    let (first, second) = (discs.iter().map(size).sum(), discs.iter().map(|disc| disc.error).sum());
    Disc { value, error: fold_error(with, kind, first, second, terms) }
}

pub(super) fn equal(x: Disc, y: Disc) -> Option<bool> {
    let gap = (x.value[0] - y.value[0]).hypot(x.value[1] - y.value[1]);
    match x.error + y.error {
        0.0 => Some(x.value == y.value),
        reach if gap > reach => Some(false),
        _ => None,
    }
}

pub(super) fn cast(to: Kind, x: Disc) -> Disc {
    let value = x.value.map(|part| to.round(part));
    if x.error == 0.0 {
        return Disc { value, error: 0.0 };
    }
    rounded(to, x.value, x.error, 2.0)
}
