//! The gradient of adding one number per channel.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "bias_add_grad",
    summary: "Adds up everything but the channels, which are the last axis, or the second with `data_format` NCHW.",
    inputs: &[tensor("gradients", NUMERIC)],
    parameters: &[word("data_format", &["NHWC", "NCHW"]).or_word("NHWC")],
    outputs: &["output"],
    spellings: &[tensorflow("BiasAddGrad(gradients; data_format)")],
    define,
    examples: &[
        "bias_add_grad(f32[N,8,8,3]) -> f32[3]",
        "bias_add_grad(f32[2,2]{1,2,3,4}) -> f32[2]{4,6}",
        "bias_add_grad(f32[N,3,8,8], data_format=NCHW) -> f32[3]",
        "bias_add_grad(f32[3]) fails: `gradients` has at least two axes",
        "bias_add_grad(f32[2,3], data_format=HWC) fails: `data_format` is one of NHWC, NCHW",
        "bias_add_grad(bool[2,3]) fails: `gradients` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let gradients = call.tensor("gradients")?;
    let second = call.text("data_format")? == "NCHW";
    call.demand(IncompatibleShape, "`gradients` has at least two axes", gradients.shape().rank().ge(2))?;
    let channels = gradients.shape().size(if second { Front(1) } else { Back(0) });
    let Some(rank) = gradients.shape().known_rank() else {
        return one(unknown_elements(gradients.dtype(), Shape::new([channels])));
    };
    let kept = if second { 1 } else { rank - 1 };
    let axes: Vec<usize> = (0..rank).filter(|&axis| axis != kept).collect();
    one(reduce(Fold::Sum, gradients, &axes, false))
}
