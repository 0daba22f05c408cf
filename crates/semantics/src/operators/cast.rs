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
    spellings: &[
        onnx(1, "Cast(input; to:named)"),
        onnx(6, "Cast(input; to)"),
        onnx(19, "Cast(input; to, saturate)").adapted(as_onnx),
        onnx(24, "Cast(input; to, saturate, round_mode)").adapted(as_onnx),
        tensorflow("Cast(input; DstT as to, !SrcT, !Truncate)"),
    ],
    define,
    examples: &[
        "cast(f32[2]{1.5,-1.5}, to=i64) -> i64[2]{1,-1}",
        "cast(i64[N], to=f16) -> f16[N]",
        "cast(i32[3]{-1,0,300}, to=u8) -> u8[3]{255,0,44}",
        "cast(f32[2]{0,0.5}, to=bool) -> bool[2]{false,true}",
        "cast(f32[N], to=f8e4m3fn) -> f8e4m3fn[N]",
        "cast(string[...], to=f32) -> f32[...]",
        "cast(f32[2], to=f8e8m0, round_mode=away) fails: `round_mode` is one of up, down, nearest",
        "cast(f32[2]) fails: `to` is given",
    ],
};

const FLOAT8: [Kind; 5] = [Kind::F8E4M3FN, Kind::F8E4M3FNUZ, Kind::F8E5M2, Kind::F8E5M2FNUZ, Kind::F8E8M0];

fn define(call: &mut Call) -> Outcome {
    let Some(to) = call.optional_type("to")? else { return Err(Stop::Unknown("the target type".into())) };
    one(converted(call.tensor("input")?, to.into()))
}

/// ONNX Runtime refuses to switch off what only float8 types know.
fn as_onnx(call: &mut Call) -> Outcome {
    if let Some(to) = call.optional_type("to")? {
        require_saturating(call, to)?;
    }
    define(call)
}

/// States that saturation is switched off for float8 types only.
pub fn require_saturating(call: &mut Call, to: Kind) -> Result<(), Stop> {
    let saturates = call.flag("saturate")?;
    let known = FLOAT8.contains(&to) || saturates;
    call.require_value("`saturate` is switched off for float8 types only", known.into());
    Ok(())
}

/// The tensor as another element type, as far as elements of both types are computed with.
pub fn converted(input: Tensor, to: DType) -> Tensor {
    let computable = |kind: Kind| kind.class() != Class::Opaque;
    match (input.dtype(), to) {
        (DType::Known(from), DType::Known(to)) if computable(from) && computable(to) => cast(input, to),
        _ => unknown_elements(to, input.shape()),
    }
}
