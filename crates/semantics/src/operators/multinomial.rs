//! Random classes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "multinomial",
    summary: "Draws `sample_size` classes per row, each as often as its unnormalised log-probability says.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[int("sample_size").or(1), element_type("dtype").optional()],
    outputs: &["output"],
    spellings: &[onnx(7, "Multinomial(input; sample_size, dtype, !seed)")],
    define,
    examples: &[
        "multinomial(f32[N,10], sample_size=3) -> i32[N,3]",
        "multinomial(f32[2,10], dtype=i64) -> i64[2,1]",
        "multinomial(f32[10]) fails: `input` has a batch and a class axis",
        "multinomial(f32[0,10]) fails: `input` has at least one row",
        "multinomial(f32[2,0]) fails: `input` has at least one class",
        "multinomial(f32[2,10], sample_size=0) fails: `sample_size` is positive",
        "multinomial(f32[2,10], dtype=f32) fails: the output is int32 or int64",
        "multinomial(i64[2,10]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let [batch, classes] = call.dims("`input` has a batch and a class axis", input)?;
    let samples = call.int("sample_size")?;
    let dtype = call.optional_type("dtype")?.unwrap_or(Kind::I32);
    call.require_legal("`input` has at least one row", batch.ge(1));
    call.require_legal("`input` has at least one class", classes.ge(1));
    call.require_value("`sample_size` is positive", samples.ge(1));
    call.require_type("the output is int32 or int64", DType::from(dtype).is_in(INDEX));
    let random = Random { low: 0.0, high: f64::INFINITY, mean: None, deviation: None };
    one(Tensor::random(dtype, Shape::new([batch, samples]), random))
}
