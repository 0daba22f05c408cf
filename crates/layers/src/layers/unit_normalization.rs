//! Each vector along the axes with length 1.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "UnitNormalization",
        summary: "Each vector along the axes with length 1.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: &[ints("axis").or(-1)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "UnitNormalization(f32[1,2]{3,4}) -> f32[1,2]{0.6,0.8}",
            "UnitNormalization(f32[2,3], axis=2) fails: `axis` is within the rank",
            "UnitNormalization(f32[2,3], axis=[1,1]) fails: no axis is named twice",
            "UnitNormalization(i32[1,2]{3,4}) on torch -> f32[1,2]{0.6,0.8}",
            "UnitNormalization(i32[2,3]) fails: `inputs` is floating point",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let taken = call.backend == Backend::Torch;
    require_floats_unless(call, "`inputs` is floating point", taken)?;
    make_floats(call, &["inputs"]);
    let input = call.tensor("inputs")?;
    let axes = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let axes = call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", input.shape())?;
    let squares = reduce_map(Fold::Sum, input, input.dtype(), &axes, true, |x| x * x);
    one(zip(input, squares, input.dtype(), input.shape(), |x, square| {
        x * square.sqrt().reciprocal().min(1e12)
    }))
}
