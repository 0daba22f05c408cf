//! A matrix with ones on a diagonal.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "eye_like",
    summary: "A matrix of the shape of `input` with ones on diagonal `k` (above the main one if positive), else zeros.",
    inputs: &[tensor("input", REAL_OR_BOOL)],
    parameters: &[element_type("dtype").optional(), int("k").or(0)],
    outputs: &["output"],
    spellings: &[onnx(9, "EyeLike(input; dtype, k)")],
    define,
    examples: &[
        "eye_like(i32[N,M]) -> i32[N,M]",
        "eye_like(f32[2,3], k=1) -> f32[2,3]{0,1,0,0,0,1}",
        "eye_like(f32[2,2], k=-1, dtype=bool) -> bool[2,2]{false,false,true,false}",
        "eye_like(f32[2,2], k=5) -> f32[2,2]{0,0,0,0}",
        "eye_like(f32[2]) fails: `input` is a matrix",
        "eye_like(c64[2,2]) fails: `input` is a real number type or bool",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let [rows, columns] = call.dims("`input` is a matrix", input)?;
    let (kind, diagonal) = (call.optional_type("dtype")?, call.int("k")?);
    let dtype = kind.map_or(input.dtype(), DType::from);
    one(Tensor::from_elements(dtype, Shape::new([rows, columns]), move |index| {
        let kind = kind.unwrap_or(input.kind());
        let on_it = index[1].eq(index[0] + diagonal);
        Element::when(on_it, Element::constant(kind, 1.0), Element::constant(kind, 0.0))
    }))
}
