//! Rectified linear unit with learned slopes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "prelu",
    summary: "Every element, times its `slope` where it is negative; `slope` broadcasts to the shape of `input`.",
    inputs: &[tensor("input", WIDE), tensor("slope", WIDE).like("input")],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(1, "PRelu(input, slope)").adapted(per_channel), onnx(7, "PRelu(input, slope)")],
    define,
    examples: &[
        "prelu(f32[N,3,H,W], f32[3,1,1]) -> f32[N,3,H,W]",
        "prelu(f32[2,2]{-1,2,-3,4}, f32[2]{0.5,1}) -> f32[2,2]{-0.5,2,-1.5,4}",
        "prelu(i32[2]{-1,5}, i32[]{3}) -> i32[2]{-3,5}",
        "prelu(f32[...], f32[1]) -> f32[...]",
        "prelu(f32[3], f32[2,3]) fails: `slope` broadcasts to the shape of `input`",
        "prelu(f32[1,3], f32[3,1]) fails: `slope` broadcasts to the shape of `input`",
        "prelu(f32[2], f32[3]) fails: `input` and `slope` broadcast",
        "prelu(i8[2], i8[2]) fails: `input` is a number type of at least 32 bits or half precision",
        "prelu(f32[2], f64[2]) fails: `slope` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, slope) = (call.tensor("input")?, call.tensor("slope")?);
    let (shape, agree) = input.shape().broadcast(slope.shape());
    call.demand(IncompatibleShape, "`input` and `slope` broadcast", agree)?;
    // It is meant to be so, but runtimes let `slope` stretch the input as well.
    let meant = slope.shape().broadcasts_to(input.shape());
    call.require(ToleratedValue, "`slope` broadcasts to the shape of `input`", meant);
    one(zip(input, slope, input.dtype(), shape, sloped))
}

fn sloped(x: Element, slope: Element) -> Element {
    x.lt(0.0).select(x * slope, x)
}

/// Before version 7 there is one slope for all, or one per channel.
fn per_channel(call: &mut Call) -> Outcome {
    let (input, slope) = (call.tensor("input")?, call.tensor("slope")?);
    let [count] = call.dims("`slope` is a vector", slope)?;
    let channels = input.shape().size(Front(1));
    let fits = count.eq(1) | (input.shape().rank().ge(2) & count.eq(channels));
    call.require_shape("`slope` has one value, or one per channel", fits);
    one(Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let channel = index.get(1).map_or(Dim::from(0), |&channel| Dim::select(count.eq(1), 0, channel));
        sloped(input.at(index), slope.at(&[channel]))
    }))
}
