//! Slopes below zero, with a slope that is learned for each place.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "PReLU",
        summary: "Slopes below zero, with a slope that is learned for each place.",
        inputs: &[tensor("inputs", NUMERIC), tensor("alpha", FLOAT).optional()],
        parameters: &[ints("shared_axes").optional()],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "PReLU(f32[1,2]{-1,2}, f32[2]{3,4}) -> f32[1,2]{-3,2}",
            "PReLU(f32[N,8,8,3], f32[1,1,3], shared_axes=[1,2]) -> f32[N,8,8,3]",
            "PReLU(f32[N,4,5], f32[1,5], shared_axes=[-1]) -> f32[N,4,5]",
            "PReLU(f32[2,3], f32[3,1]) fails: a weight has as many axes as the layer gives it",
            "PReLU(f32[2,3], f32[2]) fails: a weight has the shape that the layer gives it",
            "PReLU(f32[2,3], f32[3], shared_axes=[2]) fails: `shared_axes` are axes of `inputs` after the batch",
            "PReLU(f32[]{-1}, f32[]{3}) -> f32[]{-3}",
            "PReLU(i32[1,2]{-1,2}, f32[2]{3,4}) on torch -> f32[1,2]{-3,2}",
            "PReLU(i32[2,3]) fails: `inputs` is floating point",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Passes,
};

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let input = call.tensor("inputs")?;
    let sizes = call.known_sizes(input)?;
    let shared = call.optional_ints("shared_axes")?.unwrap_or_default();
    // Keras takes the number before as an index of what follows the batch: -1 is the axis before the last.
    let after = sizes.len().saturating_sub(1);
    let exist = Prop::all(shared.iter().map(|&axis| (axis - 1).within(-Dim::from(after), after)));
    call.demand(IllegalValue, "`shared_axes` are axes of `inputs` after the batch", exist)?;
    let shared = call.positions("shared_axes", &shared)?;
    let mut own = sizes[sizes.len() - after..].to_vec();
    for axis in shared {
        own[(axis - 1).rem_euclid(after as i64) as usize] = 1.into();
    }
    Ok(vec![weight("alpha", Shape::new(own))])
}

fn define(call: &mut Call) -> Outcome {
    let taken = call.backend == Backend::Torch;
    require_floats_unless(call, "`inputs` is floating point", taken)?;
    make_floats(call, &["inputs"]);
    let weights = weights(call)?;
    require_weights(call, &weights)?;
    let (input, alpha) = (call.tensor("inputs")?, call.tensor("alpha")?);
    one(Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let x = input.at(index);
        x.gt(0.0).select(x, x * alpha.broadcast_at(index.get(1..).unwrap_or_default()))
    }))
}
