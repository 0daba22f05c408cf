//! Moves and scales data to mean 0 and variance 1, by what is known of them beforehand.

use crate::layers::prelude::*;
use crate::shared::normalization::NOT_THE_BATCH;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Normalization",
        summary: "Moves and scales data to mean 0 and variance 1, by what is known of them beforehand.",
        inputs: &[tensor("inputs", REAL_OR_BOOL), tensor("weights", REAL_OR_BOOL).any()],
        parameters: &[
            ints("axis").or(-1),
            floats("mean").optional(),
            floats("variance").optional(),
            flag("invert").or_flag(false),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Normalization(f32[N,3]) -> f32[N,3]",
            "Normalization(f32[1,2]{3,7}, mean=[1,3], variance=[4,16]) -> f32[1,2]{1,1}",
            "Normalization(f32[1,2]{1,1}, mean=[1,3], variance=[4,16], invert=true) -> f32[1,2]{3,7}",
            "Normalization(f32[1,2]{3,5}, mean=1, variance=4, axis=[]) -> f32[1,2]{1,2}",
            "Normalization(f32[1,2]{3,7}, f32[2]{1,3}, f32[2]{4,16}, i64[]) -> f32[1,2]{1,1}",
            "Normalization(f32[2,3], mean=1) fails: `mean` and `variance` are given together, equally many",
            "Normalization(f32[2,3], mean=[1], variance=1) fails: `mean` and `variance` are given together, equally many",
            "Normalization(f32[2,3], mean=[1], variance=[1], axis=[]) fails: a list of means has an axis to lie along",
            "Normalization(f32[2,3], mean=[1,2], variance=[1,2]) fails: there is a mean for each place along the axis",
            "Normalization(f32[2,3], axis=2) fails: `axis` is within the rank",
            "Normalization(f32[2,3], axis=[1,1]) fails: no axis is named twice",
            "Normalization(f32[2,3], axis=0) fails: `axis` is not the batch, whose size no model knows",
            "Normalization(f32[2,3], f32[3,1]) fails: a weight has as many axes as the layer gives it",
            "Normalization(f32[2,3], f32[2]) fails: a weight has the shape that the layer gives it",
        ],
    },
    takes: &["inputs"],
    weights,
    mask: Mask::Passes,
};

/// The axes along which there are several means, in order.
fn axes(call: &mut Call) -> Result<Vec<usize>, Stop> {
    let shape = call.tensor("inputs")?.shape();
    let given = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let mut axes = call.axes_at(&given, "`axis` is within the rank", "no axis is named twice", shape)?;
    axes.sort_unstable();
    call.insist(IllegalValue, NOT_THE_BATCH, !axes.contains(&0))?;
    Ok(axes)
}

/// Whether what is known of the data is an argument.
fn is_told(call: &mut Call) -> Result<bool, Stop> {
    let (mean, variance) = (call.optional_floats("mean")?, call.optional_floats("variance")?);
    let alike = mean.as_ref().map(Vec::len) == variance.as_ref().map(Vec::len)
        && call.is_list("mean") == call.is_list("variance");
    call.insist(IllegalValue, "`mean` and `variance` are given together, equally many", alike)?;
    Ok(mean.is_some())
}

fn weights(call: &mut Call) -> Result<Vec<Weight>, Stop> {
    let told = is_told(call)?;
    let (axes, sizes) = (axes(call)?, call.known_sizes(call.tensor("inputs")?)?);
    if told {
        return Ok(Vec::new());
    }
    let shape = Shape::new(axes.iter().map(|&axis| sizes[axis]));
    Ok(vec![weight("mean", shape), weight("variance", shape), weight("count", Shape::scalar())])
}

fn define(call: &mut Call) -> Outcome {
    let weights = weights(call)?;
    let known = require_weights(call, &weights)?;
    let (input, axes) = (call.tensor("inputs")?, axes(call)?);
    let kind = policy_floats(call, call.kind(input)?);
    let (mean, variance, axes) = match is_told(call)? {
        true => told(call, kind, &axes)?,
        false => (known[0], known[1], axes),
    };
    let invert = call.flag("invert")?;
    one(Tensor::from_elements(kind, input.shape(), move |index| {
        let own: Vec<Dim> = axes.iter().map(|&axis| index[axis]).collect();
        let (mean, variance) = (mean.broadcast_at(&own), variance.broadcast_at(&own));
        let (x, deviation) = (input.at(index).cast(kind), variance.sqrt().max(1e-7));
        if invert { mean + x * deviation } else { (x - mean) / deviation }
    }))
}

/// Mean and variance from the arguments, and the axes that they have.
fn told(call: &mut Call, kind: Kind, axes: &[usize]) -> Result<(Tensor, Tensor, Vec<usize>), Stop> {
    let listed = call.is_list("mean");
    call.insist(IllegalValue, "a list of means has an axis to lie along", !listed || !axes.is_empty())?;
    let along = if listed { vec![axes[axes.len() - 1]] } else { Vec::new() };
    let mut made = Vec::new();
    for name in ["mean", "variance"] {
        let values = call.optional_floats(name)?.unwrap_or_default();
        if let &[axis] = along.as_slice() {
            let size = call.tensor("inputs")?.shape().size(Front(axis as u32));
            let count = Dim::from(values.len() as i64);
            let label = "there is a mean for each place along the axis";
            call.demand(IncompatibleShape, label, count.eq(1) | count.eq(size))?;
        }
        let shape: Vec<usize> = along.iter().map(|_| values.len()).collect();
        made.push(Tensor::constant(Array::floats(
            kind,
            &shape,
            values.iter().map(|x| kind.round(*x)).collect(),
        )));
    }
    Ok((made[0], made[1], along))
}
