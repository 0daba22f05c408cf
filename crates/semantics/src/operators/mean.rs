//! Mean of several tensors.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "mean",
    summary: "The mean of several tensors, element by element; they broadcast.",
    inputs: &[tensor("tensors", FLOAT).like("tensors").variadic()],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Mean(tensors)")
            .adapted(|call| variadic_alike(call, |a, b| a + b).and_then(|sum| divided(call, sum))),
        onnx(8, "Mean(tensors)"),
    ],
    define: |call| variadic(call, |a, b| a + b).and_then(|sum| divided(call, sum)),
    examples: &[
        "mean(f32[N,3], f32[3], f32[]) -> f32[N,3]",
        "mean(f32[N,3]) -> f32[N,3]",
        "mean(f32[...], f32[1]) -> f32[...]",
        "mean(f32[2]{1,2}, f32[2,1]{1,3}) -> f32[2,2]{1,1.5,2,2.5}",
        "mean(f32[2], f32[3]) fails: the tensors broadcast",
        "mean(f32[2], f64[2]) fails: `tensors` have one element type",
        "mean(i32[2], i32[2]) fails: `tensors` is floating point",
    ],
};

fn divided(call: &mut Call, sum: Outputs) -> Outcome {
    let count = call.list("tensors").len() as f64;
    one(map(sum[0], sum[0].dtype(), move |sum| sum / count))
}
