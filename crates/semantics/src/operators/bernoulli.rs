//! Random zeros and ones.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bernoulli",
    summary: "Draws 1 with the probability that the element is, else 0.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[element_type("dtype").optional()],
    outputs: &["output"],
    spellings: &[onnx(15, "Bernoulli(input; dtype, !seed)")],
    define,
    examples: &[
        "bernoulli(f32[N,3]) -> f32[N,3]",
        "bernoulli(f64[...], dtype=bool) -> bool[...]",
        "bernoulli(f32[2], dtype=string) fails: the output is a real number type or bool",
        "bernoulli(i64[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let dtype = call.optional_type("dtype")?.map_or(input.dtype(), DType::from);
    call.require_type("the output is a real number type or bool", dtype.is_in(REAL_OR_BOOL));
    let random = Random { low: 0.0, high: 1.0, mean: None, deviation: None };
    one(Tensor::random(dtype, input.shape(), random))
}
