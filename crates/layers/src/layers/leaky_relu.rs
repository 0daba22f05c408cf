//! Slopes below zero.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "LeakyReLU",
        summary: "Slopes below zero.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: &[float("negative_slope").or_float(0.3)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "LeakyReLU(f32[2]{-10,2}) -> f32[2]{-3,2}",
            "LeakyReLU(f32[2], negative_slope=-1) fails: `negative_slope` is not negative",
            "LeakyReLU(i32[1,2]{-10,2}, negative_slope=0.5) -> f32[1,2]{-5,2}",
            "LeakyReLU(i32[2,3]) on torch fails: `inputs` is floating point",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let taken = call.backend == Backend::TensorFlow;
    require_floats_unless(call, "`inputs` is floating point", taken)?;
    make_floats(call, &["inputs"]);
    let (input, slope) = (call.tensor("inputs")?, call.float("negative_slope")?);
    call.insist(IllegalValue, "`negative_slope` is not negative", slope >= 0.0)?;
    one(map(input, input.dtype(), move |x| x.ge(0.0).select(x, x * slope)))
}
