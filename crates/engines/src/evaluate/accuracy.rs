//! How far the elementary functions of real libraries are from the truth: one table.
//!
//! Stated in units in the last place of the result. The figures are the largest errors measured over
//! 0.8 million samples per function (uniform, logarithmic and close to 1) against 80-bit references, with
//! numpy 2, PyTorch 2.15, ONNX Runtime 1.31 and TensorFlow 2.21 on x86-64 with AVX-512, plus a margin:
//!
//! | function | numpy f32 | torch f32 | ort f32 | tf f32 | worst f64 | stated |
//! |---|---|---|---|---|---|---|
//! | exp | 2.45 | 0.56 | 0.86 | 1.28 | 1.62 | 4 |
//! | expm1 | 2.47 | 1.00 | – | 4.79 | 3.27 | 6 |
//! | ln | 2.89 | 0.82 | 2.90 | 2.90 | 1.42 | 4 |
//! | log1p | 1.71 | 0.58 | – | 3.64 | 2.41 | 6 |
//! | sqrt | 0.50 | 0.75 | 0.50 | 0.50 | 0.53 | 1 |
//! | sin | 1.45 | 0.60 | 2.37 | 2.37 | absolute 6.0e-16 | 4, and 8 roundings of 1 in f64 |
//! | cos | 1.42 | 0.60 | 2.18 | 2.18 | absolute 6.1e-16 | 4, and 8 roundings of 1 in f64 |
//! | tan | 3.23 | 0.94 | 0.87 | 0.87 | 0.56 | 5 |
//! | asin | 2.96 | 0.75 | 4.24 | 4.24 | 0.83 | 6 |
//! | acos | 1.95 | 0.79 | 4.16 | 4.16 | 0.82 | 6 |
//! | atan | 1.72 | 0.80 | 3.58 | 4.09 | 3.75 | 6 |
//! | sinh | 1.41 | 1.65 | 1.65 | 1.65 | 1.65 | 3 |
//! | cosh | 2.35 | 1.00 | 1.00 | 1.00 | 1.00 | 4 |
//! | tanh | 1.35 | 0.51 | 5.12 | 4.97 | 7.40 | 10 |
//! | sigmoid | – | 2.28 | absolute 1.6e-7 | 5.87 | absolute 1.7e-16 | 8, and 4 roundings of 1 |
//! | asinh | 0.89 | 1.56 | 1.56 | 1.56 | 1.59 | 3 |
//! | acosh | 1.16 | 1.94 | 1.94 | 1.94 | 1.91, near 1 absolute 9e-17 | 3, and 2 roundings of 1 |
//! | atanh | 1.42 | 1.00 | 1.61 | 1.58 | 2.11 | 4 |
//! | erf | – | 0.72, in gelu absolute 5.5e-7 | 0.99 | 6.03 | 3.00 | 8, and 8 roundings of 1 in f32, in half precision too |
//! | pow | 0.98 | 0.58 | 0.50 | 1.36 | 2.93 | 4 |
//! | atan2 | 3.17 | 0.89 | – | – | 0.81 | 5 |
//!
//! Half precision is computed in f32 and rounded: 0.5 measured everywhere (1 stated), but for erf,
//! where torch is off by 4.68 near zero, and sigmoid (1.76).
//!
//! The absolute part of the sigmoid is ONNX Runtime's alone: where it cannot be what computes, as in a layer of Keras,
//! the small values of the others count as what they are (5.9 units measured from -120 to 0, with TensorFlow; 2.3 with
//! PyTorch and XLA). Exponentials of all of them are exactly 0 far below the least number of the type.

use semantics::dtype::Kind;
use semantics::scalar::{Binary, Unary};
use std::cell::Cell;

/// Whose functions may compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Libraries {
    Any,
    /// Those that Keras runs on.
    OfKeras,
}

thread_local! {
    static IN_USE: Cell<Libraries> = const { Cell::new(Libraries::Any) };
}

/// Evaluates for these libraries.
pub(super) fn with<T>(libraries: Libraries, evaluate: impl FnOnce() -> T) -> T {
    let before = IN_USE.replace(libraries);
    let result = evaluate();
    IN_USE.set(before);
    result
}

/// An error as multiples of the result and of 1.
#[derive(Clone, Copy)]
pub(super) struct Accuracy {
    pub relative: f64,
    pub absolute: f64,
}

/// The accuracy of a function, computed in a type.
pub(super) fn unary(function: Unary, kind: Kind) -> Accuracy {
    let ulps = match function {
        Unary::Sqrt => 1.0,
        Unary::Sinh | Unary::Asinh => 3.0,
        // Near 1 it is the logarithm of something that was rounded.
        Unary::Acosh if !half_width(kind) => {
            return Accuracy { absolute: 2.0 * kind.unit_roundoff(), ..stated(3.0, kind) };
        }
        Unary::Exp | Unary::Ln | Unary::Sin | Unary::Cos | Unary::Cosh | Unary::Atanh => 4.0,
        Unary::Tan => 5.0,
        Unary::Expm1 | Unary::Log1p | Unary::Asin | Unary::Acos | Unary::Atan => 6.0,
        Unary::Erf => {
            let absolute = if kind.real() == Kind::F64 { 0.0 } else { 8.0 * Kind::F32.unit_roundoff() };
            return Accuracy { absolute, ..stated(8.0, kind) };
        }
        // ONNX Runtime's is 0 below -18.
        Unary::Sigmoid if IN_USE.get() == Libraries::Any => {
            return Accuracy { absolute: 4.0 * kind.unit_roundoff(), ..stated(8.0, kind) };
        }
        Unary::Sigmoid => 8.0,
        Unary::Tanh => 10.0,
        _ => 0.5,
    };
    let mut accuracy = stated(if half_width(kind) { 1.0 } else { ulps }, kind);
    if kind.real() == Kind::F64 && matches!(function, Unary::Sin | Unary::Cos) {
        accuracy.absolute = 8.0 * kind.unit_roundoff();
    }
    accuracy
}

/// The accuracy of a function of two numbers, computed in a type.
pub(super) fn binary(function: Binary, kind: Kind) -> Accuracy {
    let ulps: f64 = match function {
        Binary::Pow => 4.0,
        Binary::Atan2 => 5.0,
        // Dividing may be multiplying with the rounded reciprocal.
        Binary::Div => 1.0,
        _ => 0.5,
    };
    stated(if half_width(kind) { ulps.min(1.0) } else { ulps }, kind)
}

fn half_width(kind: Kind) -> bool {
    matches!(kind, Kind::F16 | Kind::BF16)
}

/// One unit in the last place is at most two roundings of the result.
fn stated(ulps: f64, kind: Kind) -> Accuracy {
    Accuracy { relative: ulps * 2.0 * kind.unit_roundoff(), absolute: 0.0 }
}
