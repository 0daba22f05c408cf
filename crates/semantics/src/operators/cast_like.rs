//! Changes the element type to that of another tensor.

use super::cast::converted;
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
    onnx: &[
        onnx(15, "CastLike(input, target)"),
        onnx(19, "CastLike(input, target; saturate)"),
        onnx(24, "CastLike(input, target; saturate, round_mode)"),
    ],
    define: |call| one(converted(call.tensor("input")?, call.tensor("target")?.dtype())),
    examples: &[
        "cast_like(f32[2]{1.5,-1.5}, i64[0]) -> i64[2]{1,-1}",
        "cast_like(i64[N,3], f16[...]) -> f16[N,3]",
        "cast_like(f32[...], f8e5m2[]) -> f8e5m2[...]",
        "cast_like(f32[2], i64[], round_mode=away) fails: `round_mode` is one of up, down, nearest",
        "cast_like(f32[2]) fails: `target` is given",
    ],
};
