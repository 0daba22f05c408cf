//! The elements of each example under another shape.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Reshape",
        summary: "The elements of each example under another shape.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[ints("target_shape")],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Reshape(f32[2,3,4], target_shape=[4,3]) -> f32[2,4,3]",
            "Reshape(f32[N,12], target_shape=[-1,3]) -> f32[N,4,3]",
            "Reshape(f32[N,1], target_shape=[]) -> f32[N]",
            "Reshape(f32[2,3,4], target_shape=[5]) fails: both shapes have the same number of elements",
            "Reshape(f32[2,12], target_shape=[-1,5]) fails: both shapes have the same number of elements",
            "Reshape(f32[2,12], target_shape=[-1,-1]) fails: at most one size is left open",
            "Reshape(f32[2,12], target_shape=[-2,6]) fails: sizes are positive, or -1",
            "Reshape(f32[], target_shape=[1]) fails: `inputs` has a batch",
            "Reshape(f32[2,3]) fails: `target_shape` is given",
            "Reshape(u8[2,3,4], target_shape=[12]) -> u8[2,12]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let sizes = call.known_sizes(input)?;
    call.insist(IncompatibleShape, "`inputs` has a batch", !sizes.is_empty())?;
    let target = call.ints("target_shape")?;
    let mut target = call.positions("target_shape", &target)?;
    let open = target.iter().filter(|size| **size == -1).count();
    call.insist(IllegalValue, "at most one size is left open", open <= 1)?;
    call.insist(
        IllegalValue,
        "sizes are positive, or -1",
        target.iter().all(|size| *size >= 1 || *size == -1),
    )?;
    let count = Dim::product(sizes[1..].iter().copied());
    let fixed = Dim::from(target.iter().filter(|size| **size != -1).product::<i64>());
    let label = "both shapes have the same number of elements";
    let fits = if open == 1 { fixed.divides(count) } else { count.eq(fixed) };
    call.demand(IncompatibleShape, label, fits)?;
    let rest = count.div_floor(fixed);
    let own = target.drain(..).map(|size| if size == -1 { rest } else { size.into() });
    let shape = Shape::new([sizes[0]].into_iter().chain(own));
    one(reshape(input, shape))
}
