//! Moves each example to mean 0 and variance 1 along axes, then scales and shifts it.

use super::prelude::*;
use crate::shared::normalization::{
    self, NOT_THE_BATCH, in_type_of_inputs, moved, require_last_axes, scale_and_shift,
};
use semantics::normalization::{inverse_deviation, moments};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LayerNormalization",
        summary: "Moves each example to mean 0 and variance 1 along axes, then scales and shifts it.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("gamma", FLOAT).optional(),
            tensor("beta", FLOAT).optional(),
        ],
        parameters: &[
            ints("axis").or(-1),
            float("epsilon").or_float(1e-3),
            flag("center").or_flag(true),
            flag("scale").or_flag(true),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "LayerNormalization(f32[2,4,3], axis=1) on torch fails: axes side by side are the last ones",
            "LayerNormalization(f32[2,4,3], axis=[]) on torch fails: axes side by side are the last ones",
            "LayerNormalization(f32[2,4,3], axis=[1,2]) on torch -> f32[2,4,3]",
            "LayerNormalization(f32[N,3], f32[3], f32[3]) -> f32[N,3]",
            "LayerNormalization(f32[1,2]{1,3}, f32[2]{1,1}, f32[2]{0,5}, epsilon=0) -> f32[1,2]{-1,6}",
            "LayerNormalization(f32[2,3], f32[2], f32[3]) fails: a weight has the shape that the layer gives it",
            "LayerNormalization(f32[2,3], f32[3,1], f32[3]) fails: a weight has as many axes as the layer gives it",
            "LayerNormalization(f32[2,3], axis=0) fails: `axis` is not the batch, whose size no model knows",
            "LayerNormalization(f32[2,1]{1,3}, axis=0, epsilon=0, center=false, scale=false) -> f32[2,1]{-1,1}",
            "LayerNormalization(f32[N,3,4], f32[4,3], f32[4,3], axis=[1,-1]) -> f32[N,3,4]",
            "LayerNormalization(f32[2,3], axis=2) fails: `axis` is within the rank",
            "LayerNormalization(f32[2,3], axis=[1,1]) fails: no axis is named twice",
            "LayerNormalization(i32[N,3]) fails: `inputs` are floats: of integers only whole numbers are given back",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Passes,
};

fn axes(call: &mut Call, input: Tensor) -> Result<Vec<usize>, Stop> {
    let axes = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", input.shape())
}

/// The axes in the order in which weights have them: Keras sorts them before it knows which those below zero are.
fn as_kept(call: &Call) -> Result<Vec<usize>, Stop> {
    let given = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let rank = call.known_sizes(call.tensor("inputs")?)?.len() as i64;
    let given = call.positions("axis", &given)?.into_iter();
    let mut pairs: Vec<(i64, usize)> = given.map(|axis| (axis, axis.rem_euclid(rank) as usize)).collect();
    pairs.sort_unstable();
    Ok(pairs.into_iter().map(|(_, axis)| axis).collect())
}

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let input = call.tensor("inputs")?;
    let (axes, sizes) = (axes(call, input)?, call.known_sizes(input)?);
    // Without a scale and a shift nothing is kept that would have the size of the batch.
    let keeps = call.flag("scale")? || call.flag("center")?;
    call.insist(IllegalValue, NOT_THE_BATCH, !keeps || !axes.contains(&0))?;
    let shape = Shape::new(as_kept(call)?.iter().map(|&axis| sizes[axis]));
    normalization::weights(call, shape)
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let given = call.tensor("inputs")?.dtype();
    let input = in_floats(call)?;
    let (axes, epsilon) = (axes(call, input)?, call.float("epsilon")?);
    require_last_axes(call)?;
    let (gamma, beta) = scale_and_shift(call)?;
    let kept = as_kept(call)?;
    let mut axes = axes;
    axes.sort_unstable();
    // What is kept in another order is read in the order of the axes.
    let sizes = call.known_sizes(input)?;
    let read = move |weight: Tensor, axes: &[usize]| match kept.as_slice() == axes {
        true => weight,
        false => reshape(weight, Shape::new(axes.iter().map(|&axis| sizes[axis]))),
    };
    let (gamma, beta) = (gamma.map(|gamma| read(gamma, &axes)), beta.map(|beta| read(beta, &axes)));
    let normalized = Tensor::composed([(input.dtype(), input.shape())], move || {
        let (mean, variance) = moments(input, &axes);
        let inverse = inverse_deviation(variance, epsilon);
        let axes = axes.clone();
        vec![Tensor::from_elements(input.dtype(), input.shape(), move |index| {
            let own: Vec<Dim> = axes.iter().map(|&axis| index[axis]).collect();
            let (gamma, beta) = (gamma.map(|gamma| gamma.at(&own)), beta.map(|beta| beta.at(&own)));
            let (mean, inverse) = (mean.broadcast_at(index), inverse.broadcast_at(index));
            moved(input.at(index), mean, inverse, gamma, beta)
        })]
    });
    one(in_type_of_inputs(call, given, normalized[0]))
}
