//! Moves each channel by the mean and the deviation that were seen in training.

use super::prelude::*;
use crate::shared::normalization::{self, NOT_THE_BATCH, moved, scale_and_shift};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "BatchNormalization",
        summary: "Moves each channel by the mean and the deviation that were seen in training.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("gamma", FLOAT).optional(),
            tensor("beta", FLOAT).optional(),
            tensor("moving_mean", FLOAT).optional(),
            tensor("moving_variance", FLOAT).optional(),
            tensor("mask", BOOL).optional(),
        ],
        parameters: &[
            int("axis").or(-1),
            float("epsilon").or_float(1e-3),
            flag("center").or_flag(true),
            flag("scale").or_flag(true),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "BatchNormalization(f32[N,3], f32[3], f32[3], f32[3], f32[3]) -> f32[N,3]",
            "BatchNormalization(f32[1,1]{5}, f32[1]{2}, f32[1]{1}, f32[1]{3}, f32[1]{4}, epsilon=0) -> f32[1,1]{3}",
            "BatchNormalization(f32[2,3], f32[2], f32[3], f32[3], f32[3]) fails: a weight has the shape that the layer gives it",
            "BatchNormalization(f32[2,3], f32[3,1], f32[3], f32[3], f32[3]) fails: a weight has as many axes as the layer gives it",
            "BatchNormalization(f32[2,3], axis=0) fails: `axis` is not the batch, whose size no model knows",
            "BatchNormalization(f32[2,3,4], mask=bool[2,3]) -> f32[2,3,4]",
            "BatchNormalization(f32[2,3,4,5], mask=bool[2,3]) fails: the mask has an axis less than `inputs`",
            "BatchNormalization(f32[2,3], axis=2) fails: `axis` is within the rank",
            "BatchNormalization(i32[N,3]) -> f32[N,3]",
        ],
    },
    takes: &["inputs", "training", "mask"],
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let input = call.tensor("inputs")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let rank = call.known_sizes(input)?.len();
    call.insist(IllegalValue, NOT_THE_BATCH, position(axis, rank) > 0)?;
    let shape = Shape::new([input.shape().size(axis)]);
    let mut weights = normalization::weights(call, shape)?;
    weights.extend([weight("moving_mean", shape), weight("moving_variance", shape)]);
    Ok(weights)
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let given = call.kind(call.tensor("inputs")?)?;
    let input = in_floats(call)?;
    let rank = call.known_sizes(input)?.len();
    let axis = position(call.axis("axis", "`axis` is within the rank", input.shape())?, rank);
    if let Some(mask) = call.optional("mask") {
        // Only training looks at what is masked.
        let fits = mask.shape().rank().eq(rank as i64 - 1);
        call.demand(IncompatibleShape, "the mask has an axis less than `inputs`", fits)?;
    }
    let epsilon = call.float("epsilon")?;
    let (mean, variance) = (call.tensor("moving_mean")?, call.tensor("moving_variance")?);
    let (gamma, beta) = scale_and_shift(call)?;
    let normalized = Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let channel = &index[axis..=axis];
        let inverse = (variance.at(channel) + epsilon).sqrt().reciprocal();
        let (gamma, beta) = (gamma.map(|gamma| gamma.at(channel)), beta.map(|beta| beta.at(channel)));
        moved(input.at(index), mean.at(channel), inverse, gamma, beta)
    });
    one(cast(normalized, policy_floats(call, given)))
}
