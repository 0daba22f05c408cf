//! Finds infinities.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "is_inf",
    summary: "True where the element is infinite, of the signs to be detected.",
    inputs: &[tensor("input", FLOAT_OR_FLOAT8)],
    parameters: &[flag("detect_negative").or_flag(true), flag("detect_positive").or_flag(true)],
    outputs: &["output"],
    spellings: &[onnx(10, "IsInf(input; detect_negative, detect_positive)"), tensorflow("IsInf(input)")],
    define,
    examples: &[
        "is_inf(f32[N,3]) -> bool[N,3]",
        "is_inf(f8e5m2[...]) -> bool[...]",
        "is_inf(f32[4]{nan,inf,-inf,1}) -> bool[4]{false,true,true,false}",
        "is_inf(f32[2]{inf,-inf}, detect_negative=false) -> bool[2]{true,false}",
        "is_inf(f32[2]{inf,-inf}, detect_positive=false) -> bool[2]{false,true}",
        "is_inf(f32[1]{inf}, detect_negative=false, detect_positive=false) -> bool[1]{false}",
        "is_inf(i64[2]) fails: `input` is floating point or float8",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let (negative, positive) = (call.flag("detect_negative")?, call.flag("detect_positive")?);
    if !matches!(input.dtype(), DType::Known(kind) if kind.is_float()) {
        return one(unknown_elements(Kind::Bool.into(), input.shape()));
    }
    one(map(input, Kind::Bool, move |x| {
        let (below, above) = (x.unary(Unary::IsNegInf), x.unary(Unary::IsPosInf));
        match (negative, positive) {
            (true, true) => below.or(above),
            (true, false) => below,
            (false, true) => above,
            (false, false) => Element::bool(false),
        }
    }))
}
