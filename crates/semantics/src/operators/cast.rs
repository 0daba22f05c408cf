//! Changes the element type.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "cast",
    summary: "Converts every element to another type.",
    inputs: &[tensor("input", ANY)],
    parameters: &[
        element_type("to"),
        flag("saturate").or_flag(true),
        word("round_mode", &["up", "down", "nearest"]).or_word("up"),
    ],
    outputs: &["output"],
    onnx: &[
        onnx(6, "Cast(input; to)"),
        onnx(19, "Cast(input; to, saturate)"),
        onnx(25, "Cast(input; to, saturate, round_mode)"),
    ],
    define,
    examples: &[
        "cast(f32[2]{1.5,-1.5}, to=i64) -> i64[2]{1,-1}",
        "cast(i64[N], to=f16) -> f16[N]",
        "cast(i32[3]{-1,0,300}, to=u8) -> u8[3]{255,0,44}",
        "cast(f32[2]{0,0.5}, to=bool) -> bool[2]{false,true}",
        "cast(f32[2]) fails: `to` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let Some(to) = call.optional_type("to")? else { return Err(Stop::Unknown("the target type".into())) };
    let computable = |kind: Kind| kind.class() != Class::Opaque;
    match input.dtype() {
        DType::Known(from) if computable(from) && computable(to) => one(cast(input, to)),
        _ => one(unknown_elements(to.into(), input.shape())),
    }
}
