//! Linear unit behind a swish gate.

use super::prelude::*;
use super::swish::swish;

pub static OPERATOR: Operator = Operator {
    name: "swiglu",
    summary: "The swish of the gate `a` times `b`, element by element; the tensors do not broadcast.",
    inputs: &[tensor("a", FLOAT), tensor("b", FLOAT).like("a")],
    parameters: &[float("alpha").or_float(1.0)],
    outputs: &["output"],
    spellings: &[onnx(28, "SwiGLU(a, b; alpha)")],
    define,
    examples: &[
        "swiglu(f32[N,3], f32[N,3]) -> f32[N,3]",
        "swiglu(f32[3]{-1,0,1}, f32[3]{1,2,3}) -> f32[3]{-0.2689414213699951,0,2.1931757358900146}",
        "swiglu(f32[1]{-1}, f32[1]{1}, alpha=2) -> f32[1]{-0.11920292202211755}",
        "swiglu(f32[...], f32[2,3]) -> f32[...]",
        "swiglu(f32[3], f32[1]) fails: `a` and `b` have one shape",
        "swiglu(f32[3], f64[3]) fails: `b` has the element type of `a`",
        "swiglu(i64[3], i64[3]) fails: `a` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("a")?, call.tensor("b")?);
    let alpha = call.float("alpha")?;
    call.require_shape("`a` and `b` have one shape", a.shape().same(b.shape()));
    one(Tensor::from_elements(a.dtype(), a.shape(), move |index| swish(a.at(index), alpha) * b.at(index)))
}
