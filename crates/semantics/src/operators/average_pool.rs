//! The mean of each window.

use super::prelude::*;
use crate::pooling::*;

pub static OPERATOR: Operator = Operator {
    name: "average_pool",
    summary: "The mean of each window of each channel, over what lies in the input or, with `count_include_pad`, \
              in the padded input.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[
        KERNEL,
        STRIDE,
        PADDING,
        DILATION,
        CEIL_MODE,
        CHOSEN_PADDING,
        flag("count_include_pad").or_flag(false),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(
            1,
            "AveragePool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad)",
        )
        .adapted(as_onnx),
        onnx(
            7,
            "AveragePool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, \
             count_include_pad)",
        )
        .adapted(as_onnx),
        onnx(
            10,
            "AveragePool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, \
             count_include_pad, ceil_mode:one)",
        )
        .adapted(as_onnx),
        onnx(
            19,
            "AveragePool(input:nchw; kernel_shape as kernel, strides as stride, pads as padding, auto_pad, \
             count_include_pad, ceil_mode:one, dilations as dilation)",
        )
        .adapted(as_onnx),
    ],
    define: |call| define(call, TooLong::Refused),
    examples: &[
        "average_pool(f32[N,3,32,32], kernel=[2,2]) -> f32[N,3,31,31]",
        "average_pool(f32[1,1,4]{1,2,3,4}, kernel=[2], stride=[2]) -> f32[1,1,2]{1.5,3.5}",
        "average_pool(f32[1,1,2]{2,4}, kernel=[2], padding=[1,1]) -> f32[1,1,3]{2,3,4}",
        "average_pool(f32[1,1,2]{2,4}, kernel=[2], padding=[1,1], count_include_pad=true) -> f32[1,1,3]{1,3,2}",
        "average_pool(f32[1,1,4]{1,2,3,4}, kernel=[3], stride=[2], ceil_mode=true) -> f32[1,1,2]{2,3.5}",
        "average_pool(f32[1,1,5]{1,2,3,4,5}, kernel=[4], stride=[3], padding=[1,1], ceil_mode=true, count_include_pad=true) -> f32[1,1,2]{1.5,3}",
        "average_pool(f32[1,1,6]{1,2,3,4,5,6}, kernel=[3], stride=[2], dilation=[2], ceil_mode=true, count_include_pad=true) -> f32[1,1,2]{3,4}",
        "average_pool(f16[1,2,H], kernel=[3], auto_pad=SAME_LOWER, stride=[2]) -> f16[1,2,(H - 1)//2 + 1]",
        "average_pool(f32[0,3,8], kernel=[2]) -> f32[0,3,7]",
        "average_pool(f32[1,3], kernel=[2]) fails: `input` has a batch, a channel and at least one spatial axis",
        "average_pool(f32[1,3,8,8], kernel=[2]) fails: `kernel` has one value per spatial axis",
        "average_pool(f32[1,0,8,8], kernel=[2,2]) fails: no axis of `input` but the batch is empty",
        "average_pool(f32[1,3,4,4], kernel=[5,5]) fails: the kernel fits the padded input",
        "average_pool(f32[1,3,4], kernel=[6], stride=[2], ceil_mode=true) fails: the kernel fits the padded input",
        "average_pool(f32[1,3,8,8], kernel=[2,2], padding=[2,0,0,0]) fails: `padding` is smaller than the kernel",
        "average_pool(f32[1,3,8,8], kernel=[0,2]) fails: the kernel is not empty",
        "average_pool(f32[1,3,8,8]) fails: `kernel` is given",
        "average_pool(f32[1,3,8,8], kernel=[2,2], stride=[0,1]) fails: `stride` is positive",
        "average_pool(f32[1,3,8,8], kernel=[2,2], stride=[3,1]) fails: `stride` is at most what the kernel spans",
        "average_pool(f32[1,3,8,8], kernel=[2,2], stride=[1]) fails: `stride` has one value per spatial axis",
        "average_pool(f32[1,3,8,8], kernel=[2,2], dilation=[1,0]) fails: `dilation` is positive",
        "average_pool(f32[1,3,8,8], kernel=[2,2], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "average_pool(f32[1,3,8,8], kernel=[2,2], padding=[0,-1,0,0]) fails: `padding` is not negative",
        "average_pool(f32[1,3,8,8], kernel=[2,2], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "average_pool(f32[1,3,8,8], kernel=[2,2], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "average_pool(f32[1,3,8,8], kernel=[2,2], padding=[1,0,0,0], auto_pad=VALID) fails: `padding` is zero where `auto_pad` chooses it",
        "average_pool(i8[1,3,8,8], kernel=[2,2]) fails: `input` is floating point",
    ],
};

fn as_onnx(call: &mut Call) -> Outcome {
    define(call, TooLong::Rounded)
}

fn define(call: &mut Call, too_long: TooLong) -> Outcome {
    let pooling = pooling(call, too_long)?;
    let include_padding = call.flag("count_include_pad")?;
    let input = pooling.input;
    one(Tensor::from_elements(input.dtype(), pooling.shape, move |index| {
        let total = pooling.fold(Fold::Sum, index, |source| input.padded_at(source));
        // Dilated taps may all miss a short input: their mean is zero.
        total / Element::index(input.kind(), pooling.taps(index, include_padding).max(1))
    }))
}
