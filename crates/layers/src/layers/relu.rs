//! Leaves what lies between a threshold and a largest value, and slopes below.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ReLU",
        summary: "Leaves what lies between a threshold and a largest value, and slopes below.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[
            float("max_value").optional(),
            float("negative_slope").or_float(0.0),
            float("threshold").or_float(0.0),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "ReLU(f32[3]{-1,2,9}, max_value=6) -> f32[3]{0,2,6}",
            "ReLU(f32[4]{-inf,inf,nan,-1}) -> f32[4]{0,inf,nan,0}",
            "ReLU(f32[1]{4}, max_value=2, threshold=5, negative_slope=1) -> f32[1]{-1}",
            "ReLU(f32[3]{-2,0.5,2}, threshold=1, negative_slope=0.5) -> f32[3]{-1.5,-0.25,2}",
            "ReLU(f32[3], max_value=-1) fails: `max_value` is not negative",
            "ReLU(f32[3], negative_slope=-1) fails: `negative_slope` is not negative",
            "ReLU(f32[3], threshold=-1) fails: `threshold` is not negative",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let max_value = call.optional_float("max_value")?;
    let (slope, threshold) = (call.float("negative_slope")?, call.float("threshold")?);
    call.insist(IllegalValue, "`max_value` is not negative", max_value.is_none_or(|max| max >= 0.0))?;
    call.insist(IllegalValue, "`negative_slope` is not negative", slope >= 0.0)?;
    call.insist(IllegalValue, "`threshold` is not negative", threshold >= 0.0)?;
    one(map(input, input.dtype(), move |x| {
        // Where nothing slopes nothing is multiplied: what lies below is 0, however far.
        if slope == 0.0 && threshold == 0.0 {
            return max_value.map_or(x.max(0.0), |max| x.max(0.0).min(max));
        }
        let kept = max_value.map_or(x, |max| x.min(max));
        // Below the threshold comes first: Keras does so where the largest value lies below it.
        x.ge(threshold).select(kept, (x - threshold) * slope)
    }))
}
