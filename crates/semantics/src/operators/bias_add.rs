//! Adds one number per channel.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bias_add",
    summary: "Adds `bias` to the channels, which are the last axis, or the second with `data_format` NCHW.",
    inputs: &[tensor("input", NUMERIC), tensor("bias", NUMERIC).like("input")],
    parameters: &[word("data_format", &["NHWC", "NCHW"]).or_word("NHWC")],
    outputs: &["output"],
    spellings: &[tensorflow("BiasAdd(input, bias; data_format)"), tensorflow("BiasAddV1(input, bias)")],
    define,
    examples: &[
        "bias_add(f32[N,3], f32[3]) -> f32[N,3]",
        "bias_add(f32[1,2]{1,2}, f32[2]{10,20}) -> f32[1,2]{11,22}",
        "bias_add(f32[N,3,8,8], f32[3], data_format=NCHW) -> f32[N,3,8,8]",
        "bias_add(f32[...], f32[3]) -> f32[...]",
        "bias_add(f32[3], f32[3]) fails: `input` has at least two axes",
        "bias_add(f32[2,3], f32[3,1]) fails: `bias` is a vector",
        "bias_add(f32[2,3], f32[4]) fails: `bias` has one value per channel",
        "bias_add(f32[2,3], f32[3], data_format=HWC) fails: `data_format` is one of NHWC, NCHW",
        "bias_add(bool[2,3], bool[3]) fails: `input` is a real number type",
        "bias_add(f32[2,3], f64[3]) fails: `bias` has the element type of `input`",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, bias) = (call.tensor("input")?, call.tensor("bias")?);
    let second = call.text("data_format")? == "NCHW";
    call.demand(IncompatibleShape, "`input` has at least two axes", input.shape().rank().ge(2))?;
    let [length] = call.dims("`bias` is a vector", bias)?;
    let channels = input.shape().size(if second { Front(1) } else { Back(0) });
    call.require_shape("`bias` has one value per channel", length.eq(channels));
    let shape = input.shape();
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let channel = if second { index[1] } else { index[index.len() - 1] };
        input.at(index) + bias.at(&[channel])
    }))
}
