//! Window functions that taper a signal towards its ends: sums of cosines.

use crate::call::{Call, Outcome, one};
use crate::dtype::{Kind, NUMERIC};
use crate::element::Element;
use crate::prop::Prop;
use crate::shape::Shape;
use crate::tensor::Tensor;

/// Reads `size`, `periodic` and `dtype`; the element at `n` is `a - b cos(x) + c cos(2x)` for `x = 2πn / N`, where
/// `N` is `size`, or one less if the window is symmetric.
pub fn cosine_window(call: &mut Call, [a, b, c]: [f64; 3]) -> Outcome {
    let size = call.int("size")?;
    let periodic = call.flag("periodic")?;
    let kind = call.optional_type("dtype")?.unwrap_or(Kind::F32);
    call.require_value("`size` is not negative", size.ge(0));
    call.require_type("`dtype` is a real number type", Prop::from(NUMERIC.kinds.contains(&kind)));
    let period = if periodic { size } else { size - 1 };
    // Half precision and integers are made from single precision.
    let wide = if kind == Kind::F64 { Kind::F64 } else { Kind::F32 };
    one(Tensor::from_elements(kind, Shape::new([size]), move |index| {
        let angle = Element::index(wide, index[0]) * std::f64::consts::TAU / Element::index(wide, period);
        let sum = Element::constant(wide, a) - angle.cos() * b;
        let sum = if c == 0.0 { sum } else { sum + (angle * 2.0).cos() * c };
        sum.cast(kind)
    }))
}
