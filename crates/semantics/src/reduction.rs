//! Definitions of operators that fold a tensor over some of its axes.

use crate::call::{Call, Outcome, one};
use crate::compose::map;
use crate::tensor::Tensor;

/// Reads `input`, `axes`, `keepdims` and `noop_with_empty_axes`, and lets `fold` build the result from the
/// tensor, its axes (sorted, from the front) and whether they are kept.
pub fn reduction(call: &mut Call, fold: impl FnOnce(Tensor, &[usize], bool) -> Tensor) -> Outcome {
    let input = call.tensor("input")?;
    let keep = call.flag("keepdims")?;
    let axes = call.optional_ints("axes")?.filter(|axes| !axes.is_empty());
    let axes = match axes {
        Some(axes) => {
            call.axes_at(&axes, "`axes` are within the rank", "`axes` name each axis once", input.shape())?
        }
        None if call.flag("noop_with_empty_axes")? => Vec::new(),
        None => (0..call.known_sizes(input)?.len()).collect(),
    };
    one(fold(input, &axes, keep))
}

/// Applies a function to every element of a reduction's result.
pub fn then(
    tensor: Tensor,
    f: impl Fn(crate::element::Element) -> crate::element::Element + 'static,
) -> Tensor {
    map(tensor, tensor.dtype(), f)
}
