//! How scales and zero points are spread over a tensor: one for all, one per position of an axis, one per block.

use crate::call::{Call, Stop, position, slot};
use crate::compose::only_element;
use crate::dim::Dim;
use crate::dtype::{Kind, Kind::F32};
use crate::element::Element;
use crate::operator::Category::{IllegalValue, IncompatibleShape};
use crate::shape::Slot;
use crate::tensor::Tensor;

/// Which scale and zero point belong to an element.
#[derive(Clone, Copy)]
pub enum Spread {
    Whole,
    /// By the position along an axis, unless there is only one value.
    Axis(Slot),
    /// By the position along an axis divided by the block's length, and by all other positions.
    Blocks(Slot, Dim),
}

impl Spread {
    /// The element of a scale or zero point that belongs to the element of the tensor at `index`.
    pub fn pick(self, from: Tensor, index: &[Dim]) -> Element {
        match (self, from.shape().sizes().as_deref()) {
            (Spread::Axis(slot), Some([length])) => {
                let place = index[position(slot, index.len())];
                from.at(&[Dim::select(length.eq(1), 0, place)])
            }
            (Spread::Blocks(slot, block), Some(_)) => {
                let mut index = index.to_vec();
                let axis = position(slot, index.len());
                index[axis] = index[axis].div_floor(block);
                from.at(&index)
            }
            _ => only_element(from),
        }
    }
}

/// Reads `input`, `scale`, `zero_point`, `axis` and `block_size`, and states that they fit.
/// `None` where the rank of scale or zero point is not known.
pub fn spread(call: &mut Call) -> Result<Option<Spread>, Stop> {
    let (input, scale, zero_point) =
        (call.tensor("input")?, call.tensor("scale")?, call.optional("zero_point"));
    let block = call.int("block_size")?;
    call.demand(IllegalValue, "`block_size` is not negative", block.ge(0))?;
    let unblocked = call.positions("block_size", &[block])? == [0];

    let rank = scale.shape().known_rank();
    let spread = match rank {
        None => None,
        Some(_) if !unblocked => Some(in_blocks(call, input, scale, block)?),
        Some(0) => Some(Spread::Whole),
        Some(_) => Some(along_axis(call, input, scale)?),
    };
    let zero_rank = zero_point.map_or(rank, |zero_point| zero_point.shape().known_rank());
    if let Some(zero_point) = zero_point {
        let alike = match (rank, zero_rank) {
            // A scalar and a vector of one value serve alike.
            (Some(0 | 1), Some(0 | 1)) => zero_point.shape().count().eq(scale.shape().count()),
            _ => zero_point.shape().same(scale.shape()),
        };
        call.require_shape("`zero_point` has the shape of `scale`", alike);
    }
    if spread.is_none() || zero_rank.is_none() {
        call.lost.push("the rank of `scale` or `zero_point` is not known".into());
        return Ok(None);
    }
    Ok(spread)
}

fn along_axis(call: &mut Call, input: Tensor, scale: Tensor) -> Result<Spread, Stop> {
    let [length] = call.dims("`scale` is a scalar or a vector unless there are blocks", scale)?;
    // A single value serves the whole tensor, whatever the axis.
    let single = length.eq(1);
    let (axis, rank) = (call.int("axis")?, input.shape().rank());
    call.require_value("`axis` is within the rank", single | axis.within(-rank, rank));
    let axis = call.positions("axis", &[axis])?[0];
    let outside = |rank: usize| axis >= rank as i64 || axis < -(rank as i64);
    if input.shape().known_rank().is_some_and(outside) {
        return Ok(Spread::Whole);
    }
    let slot = slot(axis, input.shape());
    call.require_shape(
        "`scale` has one value per position of the axis",
        length.eq(input.shape().size(slot)) | single,
    );
    Ok(Spread::Axis(slot))
}

fn in_blocks(call: &mut Call, input: Tensor, scale: Tensor, block: Dim) -> Result<Spread, Stop> {
    let same_rank = input.shape().rank().eq(scale.shape().rank());
    call.demand(IncompatibleShape, "`scale` has as many axes as `input`", same_rank)?;
    let slot = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let blocks = input.shape().size(slot).div_ceil(block);
    call.require_shape("`scale` has one value per block of the axis", scale.shape().size(slot).eq(blocks));
    let agree = scale.shape().without(slot).same(input.shape().without(slot));
    call.require_shape("sizes agree outside the axis", agree);
    Ok(Spread::Blocks(slot, block))
}

/// `saturate(round(x / scale) + zero_point)`, rounding ties to even. The division is made in the type of `scale`;
/// the sum is one of small integers, which a 32-bit float holds exactly.
pub fn quantized(x: Element, scale: Element, zero_point: Option<Element>, kind: Kind) -> Element {
    let steps = (x.cast(scale.kind()) / scale).round().cast(F32);
    let shifted = zero_point.map_or(steps, |zero_point| steps + zero_point.cast(F32));
    let (low, high) = kind.int_range().unwrap_or((0, 0));
    shifted.max(low as f64).min(high as f64).cast(kind)
}
