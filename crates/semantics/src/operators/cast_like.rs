//! Changes the element type to that of another tensor.

use super::cast::{converted, require_saturating};
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "cast_like",
    summary: "Converts every element to the type of another tensor.",
    inputs: &[tensor("input", ANY), tensor("target", ANY)],
    parameters: &[
        flag("saturate").or_flag(true),
        word("round_mode", &["up", "down", "nearest"]).or_word("up"),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(15, "CastLike(input, target)"),
        onnx(19, "CastLike(input, target; saturate)").adapted(as_onnx),
        onnx(24, "CastLike(input, target; saturate, round_mode)").adapted(as_onnx),
    ],
    define,
    examples: &[
        "cast_like(f32[2]{1.5,-1.5}, i64[0]) -> i64[2]{1,-1}",
        "cast_like(i64[N,3], f16[...]) -> f16[N,3]",
        "cast_like(f32[...], f8e5m2[]) -> f8e5m2[...]",
        "cast_like(f32[2], i64[], round_mode=away) fails: `round_mode` is one of up, down, nearest",
        "cast_like(f32[2]) fails: `target` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    one(converted(call.tensor("input")?, call.tensor("target")?.dtype()))
}

/// ONNX Runtime refuses to switch off what only float8 types know.
fn as_onnx(call: &mut Call) -> Outcome {
    if let DType::Known(to) = call.tensor("target")?.dtype() {
        require_saturating(call, to)?;
    }
    define(call)
}
