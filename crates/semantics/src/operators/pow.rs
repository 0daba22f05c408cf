//! Powers.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "pow",
    summary: "`a` to the power of `b`, element by element and in the type of `a`; the tensors broadcast.",
    inputs: &[tensor("a", BASE), tensor("b", NUMERIC)],
    parameters: LAID,
    outputs: &["output"],
    spellings: &[
        onnx(1, "Pow(a, b; axis, broadcast=0)").adapted(aligned_of_one_type),
        onnx(7, "Pow(a, b)").adapted(of_one_type),
        onnx(12, "Pow(a, b)"),
        tensorflow("Pow(a, b)"),
    ],
    define,
    examples: &[
        "pow(f32[N,3], f32[3]) -> f32[N,3]",
        "pow(f32[...], i64[]) -> f32[...]",
        "pow(f32[3]{2,-2,4}, f32[3]{3,3,0.5}) -> f32[3]{8,-8,2}",
        "pow(f32[2]{2,3}, i64[2]{-1,2}) -> f32[2]{0.5,9}",
        "pow(i32[3]{2,-2,3}, f32[3]{-1,3,0.5}) -> i32[3]{0,-8,1}",
        "pow(i64[2]{2,-3}, i64[2]{10,3}) -> i64[2]{1024,-27}",
        "pow(f32[2,3], f32[4]) fails: `a` and `b` broadcast",
        "pow(u8[2], u8[2]) fails: `a` is int32, int64 or floating point",
        "pow(f32[2], bool[2]) fails: `b` is a real number type",
    ],
};

const BASE: TypeSet = TypeSet {
    name: "int32, int64 or floating point",
    kinds: &[Kind::I32, Kind::I64, Kind::F16, Kind::BF16, Kind::F32, Kind::F64],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let shape = call.broadcast("`a` and `b` broadcast", &[a, b]);
    one(zip(a, b, a.dtype(), shape, |base, exponent| match base.kind() {
        kind if kind.is_float() => base.pow(exponent.cast(kind)),
        // The exponent may be negative or a fraction, so integers go through floats and are cut off.
        kind => base.cast(Kind::F64).pow(exponent.cast(Kind::F64)).cast(kind),
    }))
}

fn of_one_type(call: &mut Call) -> Outcome {
    require_one_type(call)?;
    define(call)
}

fn aligned_of_one_type(call: &mut Call) -> Outcome {
    require_one_type(call)?;
    aligned(call)
}

fn require_one_type(call: &mut Call) -> Result<(), Stop> {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    call.require_type("`b` has the element type of `a`", b.dtype().same(a.dtype()));
    Ok(())
}
