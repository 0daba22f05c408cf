//! Leaves what lies between a threshold and a largest value, and slopes below.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ReLU",
        summary: "Leaves what lies between a threshold and a largest value, and slopes below.",
        inputs: &[tensor("inputs", NUMERIC)],
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
            "ReLU(i32[3]{-2,1,7}, threshold=0.5, max_value=5.5) -> i32[3]{0,1,5}",
            "ReLU(i32[3]{-2,1,7}, threshold=1.5) on torch -> i32[3]{0,0,7}",
            "ReLU(i32[2]{-2,3}, negative_slope=0.5) -> f32[2]{-1,3}",
            "ReLU(i32[2], negative_slope=0.5) on torch fails: `inputs` is floating point",
            "ReLU(i32[2], negative_slope=0.5, threshold=1.0) fails: `inputs` is floating point",
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
    let max_value = call.optional_float("max_value")?;
    let (slope, threshold) = (call.float("negative_slope")?, call.float("threshold")?);
    call.insist(IllegalValue, "`max_value` is not negative", max_value.is_none_or(|max| max >= 0.0))?;
    call.insist(IllegalValue, "`negative_slope` is not negative", slope >= 0.0)?;
    call.insist(IllegalValue, "`threshold` is not negative", threshold >= 0.0)?;
    // TensorFlow makes floats of integers that slope and are not bounded besides.
    let plain = max_value.is_none() && threshold == 0.0 && call.backend == Backend::TensorFlow;
    require_floats_unless(call, "`inputs` is floating point", slope == 0.0 || plain)?;
    if slope != 0.0 {
        make_floats(call, &["inputs"]);
    }
    let input = call.tensor("inputs")?;
    // Of integers those reach a threshold that reach the next integer, and a largest value is cut down to one.
    let whole = input.dtype().known().is_some_and(|kind| !kind.is_float());
    let threshold = if whole { threshold.ceil() } else { threshold };
    let max_value = max_value.map(|max| if whole { max.trunc() } else { max });
    one(map(input, input.dtype(), move |x| {
        // Where nothing slopes nothing is multiplied: what lies below is 0, however far.
        if slope == 0.0 && threshold == 0.0 {
            return max_value.map_or(x.max(0.0), |max| x.max(0.0).min(max));
        }
        let kept = max_value.map_or(x, |max| x.min(max));
        // Below the threshold comes first: Keras does so where the largest value lies below it.
        let below = if whole { Element::constant(x.kind(), 0.0) } else { (x - threshold) * slope };
        x.ge(threshold).select(kept, below)
    }))
}
