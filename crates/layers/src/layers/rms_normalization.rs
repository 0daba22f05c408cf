//! Divides by the root of the mean square along an axis, then scales.

use super::prelude::*;
use crate::shared::normalization::{NOT_THE_BATCH, in_integers, require_last_axes};
use semantics::normalization::{inverse_deviation, mean_square};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RMSNormalization",
        summary: "Divides by the root of the mean square along an axis, then scales.",
        inputs: &[tensor("inputs", NUMERIC), tensor("scale", FLOAT).optional()],
        parameters: &[ints("axis").or(-1), float("epsilon").or_float(1e-6)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RMSNormalization(f32[2,3,3], axis=1) on torch fails: axes side by side are the last ones",
            "RMSNormalization(f32[2,3,3]) on torch -> f32[2,3,3]",
            "RMSNormalization(f32[1,2]{3,3}, f32[2]{1,2}, epsilon=0) -> f32[1,2]{1,2}",
            "RMSNormalization(f32[2,3], f32[1]) fails: a weight has the shape that the layer gives it",
            "RMSNormalization(f32[2,3], f32[3,1]) fails: a weight has as many axes as the layer gives it",
            "RMSNormalization(f32[2,4,3], axis=1) fails: the scale broadcasts along the last axes",
            "RMSNormalization(f32[2,4,1], axis=1) fails: the scale leaves the shape as it is, as a symbolic build supposes",
            "RMSNormalization(f32[2,3], axis=2) fails: `axis` is within the rank",
            "RMSNormalization(f32[2,3], axis=0) fails: `axis` is not the batch, whose size no model knows",
            "RMSNormalization(f32[2,3], axis=[1,1]) fails: no axis is named twice",
            "RMSNormalization(i32[1,2]{6,8}, f32[2]{1,2}, epsilon=0) fails: `inputs` are floats: of integers only whole numbers are given back",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Drops,
};

fn axes(call: &mut Call, input: Tensor) -> Result<Vec<usize>, Stop> {
    let axes = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", input.shape())
}

/// The axes in the order in which the scale has them: sorted before it is known which those below zero are.
fn as_kept(call: &Call) -> Result<Vec<usize>, Stop> {
    let given = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let rank = call.known_sizes(call.tensor("inputs")?)?.len() as i64;
    let mut given = call.positions("axis", &given)?;
    given.sort_unstable();
    Ok(given.into_iter().map(|axis| axis.rem_euclid(rank) as usize).collect())
}

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let input = call.tensor("inputs")?;
    let (axes, sizes) = (axes(call, input)?, call.known_sizes(input)?);
    call.insist(IllegalValue, NOT_THE_BATCH, !axes.contains(&0))?;
    let kept = as_kept(call)?;
    Ok(vec![weight("scale", Shape::new(kept.iter().map(|&axis| sizes[axis])))])
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let given = call.tensor("inputs")?.dtype();
    let (input, scale) = (in_floats(call)?, call.tensor("scale")?);
    let (axes, epsilon) = (axes(call, input)?, call.float("epsilon")?);
    require_last_axes(call)?;
    // Keras lays the scale along the last axes, whichever are normalized.
    let shape = call.broadcast("the scale broadcasts along the last axes", &[input, scale]);
    let label = "the scale leaves the shape as it is, as a symbolic build supposes";
    call.require(UnsupportedValue, label, shape.same(input.shape()));
    let normalized = Tensor::composed([(input.dtype(), shape)], move || {
        let inverse = inverse_deviation(mean_square(input, &axes), epsilon);
        vec![Tensor::from_elements(input.dtype(), shape, move |index| {
            input.broadcast_at(index) * inverse.broadcast_at(index) * scale.broadcast_at(index)
        })]
    });
    one(in_integers(call, given, normalized[0]))
}
