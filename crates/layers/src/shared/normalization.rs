//! What normalizing layers share: the learned scale and shift of what was moved to mean 0 and variance 1.

use crate::layer::{Weight, policy_floats, weight};
use semantics::call::{Call, Stop};
use semantics::compose::cast;
use semantics::dim::Dim;
use semantics::dtype::DType;
use semantics::element::Element;
use semantics::operator::Backend;
use semantics::operator::Category::{ToleratedValue, UnsupportedValue};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// States what PyTorch's kernel supposes: it is asked where axes lie side by side, and takes the last ones.
pub fn require_last_axes(call: &mut Call) -> Result<(), Stop> {
    if call.backend == Backend::TensorFlow {
        return Ok(());
    }
    let given = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let rank = call.known_sizes(call.tensor("inputs")?)?.len() as i64;
    let mut given = call.positions("axis", &given)?;
    given.sort_unstable();
    let beside = given.windows(2).all(|pair| pair[1] - pair[0] == 1);
    let last = given.iter().rev().zip(1..).all(|(axis, place)| axis.rem_euclid(rank) == rank - place);
    let fits = !beside || last && !given.is_empty();
    call.require(UnsupportedValue, "axes side by side are the last ones", fits.into());
    Ok(())
}

pub const NOT_THE_BATCH: &str = "`axis` is not the batch, whose size no model knows";

/// `gamma` if the layer scales and `beta` if it shifts, both of one shape.
pub fn weights(call: &mut Call, shape: Shape) -> Result<Vec<Weight>, Stop> {
    let mut weights = Vec::new();
    if call.flag("scale")? {
        weights.push(weight("gamma", shape));
    }
    if call.flag("center")? {
        weights.push(weight("beta", shape));
    }
    Ok(weights)
}

/// What Keras makes of normalized integers: integers, and where they meet floats, floats without the digits that were
/// lost.
pub fn in_integers(call: &mut Call, given: DType, normalized: Tensor) -> Tensor {
    let label = "`inputs` are floats: of integers only whole numbers are given back";
    match given.known().filter(|kind| !kind.is_float()) {
        Some(kind) => {
            call.require(ToleratedValue, label, false.into());
            cast(normalized, kind)
        }
        None => normalized,
    }
}

/// The same, in the type of the policy: what was normalized is cast to it last.
pub fn in_type_of_inputs(call: &mut Call, given: DType, normalized: Tensor) -> Tensor {
    let whole = in_integers(call, given, normalized);
    cast(whole, given.known().map_or(normalized.kind(), |kind| policy_floats(call, kind)))
}

/// The scale and the shift, as far as the layer has them.
pub fn scale_and_shift(call: &mut Call) -> Result<(Option<Tensor>, Option<Tensor>), Stop> {
    let gamma = if call.flag("scale")? { Some(call.tensor("gamma")?) } else { None };
    let beta = if call.flag("center")? { Some(call.tensor("beta")?) } else { None };
    Ok((gamma, beta))
}

/// `(x - mean) * inverse * gamma + beta`, as Keras computes it: the mean is scaled and taken off the shift.
pub fn moved(
    x: Element,
    mean: Element,
    inverse: Element,
    gamma: Option<Element>,
    beta: Option<Element>,
) -> Element {
    let factor = gamma.map_or(inverse, |gamma| inverse * gamma);
    let scaled_mean = mean * factor;
    x * factor + beta.map_or(-scaled_mean, |beta| beta - scaled_mean)
}
