//! Moves each group of channels of each example to mean 0 and variance 1, then scales and shifts the channels.

use super::prelude::*;
use crate::shared::normalization::{self, NOT_THE_BATCH, in_type_of_inputs, moved, scale_and_shift};
use semantics::normalization::{inverse_deviation, moments};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GroupNormalization",
        summary: "Moves each group of channels of each example to mean 0 and variance 1, then scales and shifts the channels.",
        inputs: &[
            tensor("inputs", REAL_OR_BOOL),
            tensor("gamma", FLOAT).optional(),
            tensor("beta", FLOAT).optional(),
        ],
        parameters: &[
            int("groups").or(32),
            int("axis").or(-1),
            float("epsilon").or_float(1e-3),
            flag("center").or_flag(true),
            flag("scale").or_flag(true),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "GroupNormalization(f32[N,8,4], f32[4], f32[4], groups=2) -> f32[N,8,4]",
            "GroupNormalization(f32[1,2]{1,3}, f32[2]{1,1}, f32[2]{0,5}, groups=1, epsilon=0) -> f32[1,2]{-1,6}",
            "GroupNormalization(f32[N,4], groups=3) fails: `groups` divides the channels",
            "GroupNormalization(f32[N,0], groups=1) fails: `groups` divides the channels",
            "GroupNormalization(f32[2,0,4], groups=2) on torch fails: there is something to normalize",
            "GroupNormalization(f32[2,0,4], groups=2) -> f32[2,0,4]",
            "GroupNormalization(f32[N,4], groups=0) fails: `groups` is positive, or -1 for one per channel",
            "GroupNormalization(f32[2,4], f32[2], f32[4], groups=2) fails: a weight has the shape that the layer gives it",
            "GroupNormalization(f32[2,4], f32[4,1], f32[4], groups=2) fails: a weight has as many axes as the layer gives it",
            "GroupNormalization(f32[2,3], axis=2) fails: `axis` is within the rank",
            "GroupNormalization(f32[2,3], axis=0) fails: `axis` is not the batch, whose size no model knows",
            "GroupNormalization(i32[N,3,4], groups=2) fails: `inputs` are floats: of integers only whole numbers are given back",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Passes,
};

/// The axis of the channels, how many there are, and in how many groups.
fn channels(call: &mut Call, input: Tensor) -> Result<(usize, Dim, Dim), Stop> {
    let sizes = call.known_sizes(input)?;
    let axis = position(call.axis("axis", "`axis` is within the rank", input.shape())?, sizes.len());
    call.insist(IllegalValue, NOT_THE_BATCH, axis > 0)?;
    let groups = call.int("groups")?;
    let label = "`groups` is positive, or -1 for one per channel";
    call.demand(IllegalValue, label, groups.ge(1) | groups.eq(-1))?;
    let groups = Dim::select(groups.eq(-1), sizes[axis], groups);
    let divides = groups.divides(sizes[axis]) & sizes[axis].ge(1);
    call.demand(IncompatibleShape, "`groups` divides the channels", divides)?;
    Ok((axis, sizes[axis], groups))
}

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let input = call.tensor("inputs")?;
    let (_, count, _) = channels(call, input)?;
    let shape = Shape::new([count]);
    normalization::weights(call, shape)
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let given = call.tensor("inputs")?.dtype();
    let input = in_floats(call)?;
    let ((axis, count, groups), epsilon) = (channels(call, input)?, call.float("epsilon")?);
    let sizes = call.known_sizes(input)?;
    if call.backend == Backend::Torch {
        let some = Prop::all(sizes[1..].iter().map(|size| size.ge(1)));
        call.require_legal("there is something to normalize", some);
    }
    let (gamma, beta) = scale_and_shift(call)?;
    let each = count.div_floor(groups);
    let normalized = Tensor::composed([(input.dtype(), input.shape())], move || {
        // The channels as groups of channels; all but the batch and the groups is folded.
        let mut split = sizes.to_vec();
        split.splice(axis..=axis, [groups, each]);
        let grouped = reshape(input, Shape::new(split.iter().copied()));
        let folded: Vec<usize> = (1..split.len()).filter(|k| *k != axis).collect();
        let (mean, variance) = moments(grouped, &folded);
        let inverse = inverse_deviation(variance, epsilon);
        vec![Tensor::from_elements(input.dtype(), input.shape(), move |index| {
            let channel = &index[axis..=axis];
            let mut group = vec![Dim::from(0); index.len() + 1];
            group[0] = index[0];
            group[axis] = index[axis].div_floor(each);
            let (gamma, beta) = (gamma.map(|gamma| gamma.at(channel)), beta.map(|beta| beta.at(channel)));
            moved(input.at(index), mean.at(&group), inverse.at(&group), gamma, beta)
        })]
    });
    one(in_type_of_inputs(call, given, normalized[0]))
}
