//! Axes: numbers that count from the front, or from the back when negative, as positions in a shape.

use super::{Call, Stop};
use crate::dim::Dim;
use crate::operator::Category;
use crate::shape::{Shape, Slot};

/// No framework has tensors of a higher rank; a file that names axes beyond it is not followed.
const HIGHEST_RANK: i64 = 64;

impl Call {
    /// An axis of a tensor, counted from the back when negative; states that it exists.
    pub fn axis(&mut self, name: &str, label: &'static str, shape: Shape) -> Result<Slot, Stop> {
        let axis = self.int(name)?;
        self.axis_at(axis, label, shape)
    }
    /// Like [`Call::axis`], for an axis that is one of a list.
    pub fn axis_at(&mut self, axis: Dim, label: &'static str, shape: Shape) -> Result<Slot, Stop> {
        let rank = shape.rank();
        let exists = axis.within(-rank, rank);
        self.require_value(label, exists);
        if exists.known() == Some(false) {
            return Err(Stop::Violated);
        }
        let Some(axis) = axis.known() else { return Err(Stop::Unknown("an axis is not known".into())) };
        if shape.known_rank().is_none() && !(-HIGHEST_RANK..HIGHEST_RANK).contains(&axis) {
            return Err(Stop::Unknown(format!(
                "axis {axis} of a tensor of unknown rank is beyond any real rank"
            )));
        }
        Ok(slot(axis, shape))
    }
    /// Axes of a tensor as positions from the front, sorted, each once.
    pub fn axes_at(
        &mut self,
        axes: &[Dim],
        label: &'static str,
        once: &'static str,
        shape: Shape,
    ) -> Result<Vec<usize>, Stop> {
        let Some(rank) = shape.known_rank() else {
            for &axis in axes {
                self.axis_at(axis, label, shape)?;
            }
            return Err(Stop::Unknown("the rank is not known".into()));
        };
        let mut positions = Vec::with_capacity(axes.len());
        for &axis in axes {
            let slot = self.axis_at(axis, label, shape)?;
            positions.push(position(slot, rank));
        }
        let mut sorted = positions;
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
        self.insist(Category::IllegalValue, once, distinct)?;
        Ok(sorted)
    }
    /// Parameters that decide the form of the result (an order of axes, a number of parts): they must be numbers.
    pub fn positions(&self, name: &str, values: &[Dim]) -> Result<Vec<i64>, Stop> {
        let numbers: Option<Vec<i64>> = values.iter().map(|value| value.known()).collect();
        match numbers {
            None => self.unknown(name, ""),
            Some(numbers) => match numbers.iter().find(|number| number.unsigned_abs() > FARTHEST.into()) {
                None => Ok(numbers),
                Some(far) => Err(Stop::Unknown(format!("`{name}` is {far}, which is too far to follow"))),
            },
        }
    }
}

/// Axes beyond this are not told apart, and numbers of axes, parts or tuples beyond it are not followed.
const FARTHEST: u32 = 1 << 16;

/// An axis number as a slot: counted from the front where the rank is known.
pub(crate) fn slot(axis: i64, shape: Shape) -> Slot {
    match shape.known_rank() {
        Some(rank) if axis < 0 => Slot::Front((axis + rank as i64).max(0) as u32),
        None if axis < 0 => Slot::Back((-1 - axis).min(FARTHEST.into()) as u32),
        _ => Slot::Front(axis.clamp(0, FARTHEST.into()) as u32),
    }
}

/// A slot as a position from the front, in a shape of known rank.
pub fn position(slot: Slot, rank: usize) -> usize {
    match slot {
        Slot::Front(k) => k as usize,
        Slot::Back(k) => rank.saturating_sub(1 + k as usize),
    }
}
