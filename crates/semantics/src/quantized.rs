//! Products of quantized integers: values less their zero point, and the way back to a narrow type.
//!
//! A quantized `q` stands for `scale * (q - zero)`. A scale or zero point is one value for the whole tensor,
//! or one per row, column or filter.

use crate::call::{Call, position};
use crate::dim::Dim;
use crate::dtype::{Kind, TypeSet};
use crate::element::Element;
use crate::prop::Prop;
use crate::shape::{Shape, Slot};
use crate::tensor::Tensor;

/// The only type of scales in the older operators.
pub const SINGLE: TypeSet = TypeSet { name: "float32", kinds: &[Kind::F32] };

/// States that a scale or zero point is one value.
pub fn require_single(call: &mut Call, label: &'static str, parameter: Tensor) {
    let shape = parameter.shape();
    let single = match shape.known_rank() {
        Some(0) => true.into(),
        Some(1) => shape.size(Slot::Front(0)).eq(1),
        Some(_) => false.into(),
        None => shape.count().eq(1),
    };
    call.require_shape(label, single);
}

/// States that a scale or zero point is one value, or a vector of as many as there are filters.
pub fn require_per_filter(call: &mut Call, label: &'static str, parameter: Tensor, filters: Dim) {
    let shape = parameter.shape();
    let fits = match shape.known_rank() {
        Some(0) => true.into(),
        Some(1) => shape.size(Slot::Front(0)).eq(1) | shape.size(Slot::Front(0)).eq(filters),
        Some(_) => false.into(),
        None => shape.rank().le(1),
    };
    call.require_shape(label, fits);
}

/// States that a scale or zero point is one value, or one per row (`kept` is `Back(1)`) or column (`Back(0)`):
/// a vector for a matrix, and for a stack of matrices its shape with the other axis of size 1.
pub fn require_per_line(call: &mut Call, label: &'static str, parameter: Tensor, matrix: Shape, kept: Slot) {
    let shape = parameter.shape();
    let (Some(rank), Some(matrix_rank)) = (shape.known_rank(), matrix.known_rank()) else { return };
    let folded = if kept == Slot::Back(0) { Slot::Back(1) } else { Slot::Back(0) };
    let fits: Prop = match rank {
        0 => true.into(),
        1 if matrix_rank == 2 => {
            shape.size(Slot::Back(0)).eq(1) | shape.size(Slot::Back(0)).eq(matrix.size(kept))
        }
        1 => shape.size(Slot::Back(0)).eq(1),
        _ if rank == matrix_rank => shape.same(matrix.with_size(folded, 1.into())),
        _ => false.into(),
    };
    call.require_shape(label, fits);
}

/// The scale or zero point of an element: the only one, or that of its place along `axis`.
pub fn parameter_at(parameter: Tensor, index: &[Dim], axis: usize) -> Element {
    match parameter.shape().known_rank() {
        Some(0) => parameter.at(&[]),
        Some(1) => parameter.broadcast_at(&index[axis..=axis]),
        _ => parameter.broadcast_at(index),
    }
}

/// `values - zero` in 32 bits, where products are exact; a missing zero point is 0.
/// One that is a vector runs along `axis`.
pub fn centred(values: Tensor, zero: Option<Tensor>, axis: Slot) -> Tensor {
    Tensor::from_elements(Kind::I32, values.shape(), move |index| {
        let value = values.at(index).cast(Kind::I32);
        let Some(zero) = zero else { return value };
        // A vector has no second axis from the back, and no zero point of its own along it either.
        let axis = match axis {
            Slot::Back(k) if k as usize >= index.len() => 0,
            axis => position(axis, index.len()),
        };
        value - parameter_at(zero, index, axis).cast(Kind::I32)
    })
}

/// A sum of products in a narrow type again: `round(total * multiplier) + zero`, ties to even, cut to its range.
pub fn requantized(total: Element, multiplier: Element, zero: Element) -> Element {
    let kind = zero.kind();
    let (low, high) = kind.int_range().unwrap_or_default();
    let steps = total.cast(Kind::F32) * multiplier.cast(Kind::F32);
    (steps.round() + zero.cast(Kind::F32)).max(low as f64).min(high as f64).cast(kind)
}
