//! Random zeros against overfitting.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "dropout",
    summary: "In training, makes each element zero with probability `ratio` and scales the others up; else the input. \
              `mask` is true where an element stays.",
    inputs: &[tensor("input", FLOAT_OR_FLOAT8)],
    parameters: &[float("ratio").or_float(0.5), flag("training_mode").or_flag(false)],
    outputs: &["output", "mask?"],
    spellings: &[
        onnx(1, "Dropout(input; ratio, !is_test)").adapted(with_number_mask),
        onnx(7, "Dropout(input; ratio)").adapted(with_number_mask),
        onnx(10, "Dropout(input; ratio)").adapted(with_unsaid_mask),
        onnx(12, "Dropout(input, ratio:scalar, training_mode:scalar; !seed)"),
    ],
    define,
    examples: &[
        "dropout(f32[2]{1,2}) -> f32[2]{1,2}, bool[2]{true,true}",
        "dropout(f32[N,3], ratio=0.1, training_mode=true) -> f32[N,3], bool[N,3]",
        "dropout(f32[2]{1,2}, ratio=0, training_mode=true) -> f32[2]{1,2}, bool[2]{true,true}",
        "dropout(f32[...]) -> f32[...], bool[...]",
        "dropout(f32[2], ratio=1) fails: `ratio` is at least 0 and below 1",
        "dropout(f32[2], ratio=-0.5, training_mode=true) fails: `ratio` is at least 0 and below 1",
        "dropout(i64[2]) fails: `input` is floating point or float8",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let ratio = call.float("ratio");
    if let Ok(ratio) = ratio {
        call.insist(IllegalValue, "`ratio` is at least 0 and below 1", (0.0..1.0).contains(&ratio))?;
    }
    // Whether it trains may be a value that only the run will tell: shape and type do not depend on it.
    let drops = !matches!(call.flag("training_mode"), Ok(false)) && !matches!(ratio, Ok(0.0));
    if !drops {
        return Ok([input, all_true(input.shape())].into_iter().collect());
    }
    let anything = Random { low: f64::NEG_INFINITY, high: f64::INFINITY, mean: None, deviation: None };
    let kept = Random { low: 0.0, high: 1.0, mean: ratio.ok().map(|ratio| 1.0 - ratio), deviation: None };
    let output = Tensor::random(input.dtype(), input.shape(), anything);
    Ok([output, Tensor::random(Kind::Bool, input.shape(), kept)].into_iter().collect())
}

fn all_true(shape: Shape) -> Tensor {
    Tensor::from_elements(Kind::Bool, shape, |_| Element::bool(true))
}

/// Before version 12 models are only run, and nobody says what the mask is then.
fn with_unsaid_mask(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    Ok([input, unknown_elements(Kind::Bool.into(), input.shape())].into_iter().collect())
}

/// Before version 10 the mask has the type of the input.
fn with_number_mask(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    Ok([input, unknown_elements(input.dtype(), input.shape())].into_iter().collect())
}
