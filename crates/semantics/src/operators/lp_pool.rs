//! The p-norm of each window.

use super::prelude::*;
use crate::pooling::*;

pub static OPERATOR: Operator = Operator {
    name: "lp_pool",
    summary: "The p-norm of each window of each channel; padding counts as zeros.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[KERNEL, STRIDE, PADDING, DILATION, CEIL_MODE, CHOSEN_PADDING, int("p").or(2)],
    outputs: &["output"],
    spellings: &[
        onnx(
            2,
            "LpPool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, p)",
        )
        .adapted(as_onnx),
        onnx(
            18,
            "LpPool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, p, \
             dilations as dilation, ceil_mode:one)",
        )
        .adapted(as_onnx),
    ],
    define: |call| define(call, TooLong::Refused),
    examples: &[
        "lp_pool(f32[N,3,32,32], kernel=[2,2]) -> f32[N,3,31,31]",
        "lp_pool(f32[1,1,2]{3,-4}, kernel=[2]) -> f32[1,1,1]{5}",
        "lp_pool(f32[1,1,3]{3,-4,1}, kernel=[2], p=1, padding=[0,1]) -> f32[1,1,3]{7,5,1}",
        "lp_pool(f32[1,1,2]{1,2}, kernel=[2], p=3) -> f32[1,1,1]{2.0800838}",
        "lp_pool(f32[1,1,4], kernel=[3], stride=[2], ceil_mode=true) -> f32[1,1,2]",
        "lp_pool(f32[1,3], kernel=[2]) fails: `input` has a batch, a channel and at least one spatial axis",
        "lp_pool(f32[1,3,8,8], kernel=[2]) fails: `kernel` has one value per spatial axis",
        "lp_pool(f32[1,0,8,8], kernel=[2,2]) fails: no axis of `input` but the batch is empty",
        "lp_pool(f32[1,3,4,4], kernel=[5,5]) fails: the kernel fits the padded input",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], padding=[2,0,0,0]) fails: `padding` is smaller than the kernel",
        "lp_pool(f32[1,3,8,8], kernel=[0,2]) fails: the kernel is not empty",
        "lp_pool(f32[1,3,8,8]) fails: `kernel` is given",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], stride=[0,1]) fails: `stride` is positive",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], stride=[3,1]) fails: `stride` is at most what the kernel spans",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], stride=[1]) fails: `stride` has one value per spatial axis",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], dilation=[1,0]) fails: `dilation` is positive",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], padding=[0,-1,0,0]) fails: `padding` is not negative",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], p=0) fails: `p` is at least 1",
        "lp_pool(f32[1,3,8,8], kernel=[2,2], padding=[1,0,0,0], auto_pad=VALID) fails: `padding` is zero where `auto_pad` chooses it",
        "lp_pool(i8[1,3,8,8], kernel=[2,2]) fails: `input` is floating point",
    ],
};

fn as_onnx(call: &mut Call) -> Outcome {
    define(call, TooLong::Rounded)
}

fn define(call: &mut Call, too_long: TooLong) -> Outcome {
    let pooling = pooling(call, too_long)?;
    let p = call.float("p")?;
    // Of less there is no norm: what padding adds to it is anyone's guess.
    call.require(ToleratedValue, "`p` is at least 1", (p >= 1.0).into());
    let input = pooling.input;
    let powers = {
        let pooling = pooling.clone();
        Tensor::from_elements(input.dtype(), pooling.shape, move |index| {
            pooling.fold(Fold::Sum, index, |source| power(input.padded_at(source), p))
        })
    };
    one(map(powers, input.dtype(), move |sum| root(sum, p)))
}

/// `|x|^p`.
pub fn power(x: Element, p: f64) -> Element {
    match p {
        1.0 => x.abs(),
        2.0 => x * x,
        _ => x.abs().pow(p),
    }
}

/// The number whose p-th power is `x`.
pub fn root(x: Element, p: f64) -> Element {
    match p {
        1.0 => x,
        2.0 => x.sqrt(),
        _ => x.pow(1.0 / p),
    }
}
