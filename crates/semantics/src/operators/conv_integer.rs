//! Convolution of quantized integers in 32 bits.

use super::conv::convolution;
use super::prelude::*;
use crate::quantized::{centred, require_per_filter, require_single};
use crate::window::AUTO_PAD;

pub static OPERATOR: Operator = Operator {
    name: "conv_integer",
    summary: "Convolution of 8-bit integers, each less its zero point, added up in 32 bits. Padding counts as the \
              zero point.",
    inputs: &[
        tensor("input", BYTE),
        tensor("weight", BYTE),
        tensor("input_zero_point", BYTE).like("input").optional(),
        tensor("weight_zero_point", BYTE).like("weight").optional(),
    ],
    parameters: &[
        ints("kernel").optional(),
        ints("stride").or(1),
        ints("padding").or(0),
        ints("dilation").or(1),
        int("groups").or(1),
        word("auto_pad", AUTO_PAD).or_word("NOTSET"),
    ],
    outputs: &["output"],
    spellings: &[onnx(
        10,
        "ConvInteger(input:nchw, weight, input_zero_point, weight_zero_point; kernel_shape as kernel, \
         strides as stride, pads as padding, dilations as dilation, group as groups, auto_pad)",
    )],
    define,
    examples: &[
        "conv_integer(u8[N,3,32,32], i8[16,3,5,5], u8[]) -> i32[N,16,28,28]",
        "conv_integer(u8[1,1,3,3]{2,3,4,5,6,7,8,9,10}, u8[1,1,2,2]{1,1,1,1}, u8[]{1}) -> i32[1,1,2,2]{12,16,24,28}",
        "conv_integer(u8[1,1,1]{9}, u8[2,1,1]{1,1}, u8[1]{7}, u8[2]{0,1}, padding=[1,0]) -> i32[1,2,2]{0,2,0,0}",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], u8[3]) fails: `input_zero_point` is a single value",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], _, u8[3]) fails: `weight_zero_point` is one value or one per filter",
        "conv_integer(f32[1,3,8,8], u8[16,3,5,5]) fails: `input` is int8 or uint8",
        "conv_integer(u8[1,3,8,8], f32[16,3,5,5]) fails: `weight` is int8 or uint8",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], i8[]) fails: `input_zero_point` has the element type of `input`",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], _, i8[]) fails: `weight_zero_point` has the element type of `weight`",
        "conv_integer(u8[1,3], u8[16,3,5]) fails: `input` has a batch, a channel and at least one spatial axis",
        "conv_integer(u8[1,3,8,8], u8[16,3,5]) fails: `input` has as many axes as `weight`",
        "conv_integer(u8[1,3,8,8], u8[16,4,5,5]) fails: `input` has `groups` times as many channels as a filter of `weight`",
        "conv_integer(u8[1,4,8,8], u8[3,2,5,5], groups=2) fails: `groups` divides the number of filters",
        "conv_integer(u8[1,0,8,8], u8[2,1,5,5], groups=0) fails: `groups` is positive",
        "conv_integer(u8[1,3,4,4], u8[16,3,5,5]) fails: the kernel fits the padded input",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], kernel=[3,3]) fails: `kernel` is the spatial shape of `weight`",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], stride=[1,0]) fails: `stride` is positive",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], stride=[1,6]) fails: `stride` is at most what the kernel spans",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], stride=[1]) fails: `stride` has one value per spatial axis",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], dilation=[0,1]) fails: `dilation` is positive",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], padding=[-1,0,0,0]) fails: `padding` is not negative",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "conv_integer(u8[1,3,8,8], u8[16,3,0,1]) fails: the kernel is not empty",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "conv_integer(u8[1,3,8,8], u8[16,3,5,5], auto_pad=SAME_UPPER, padding=[1,1,1,1]) fails: `padding` and `auto_pad` are not given together",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, weight) = (call.tensor("input")?, call.tensor("weight")?);
    let (input_zero, weight_zero) = (call.optional("input_zero_point"), call.optional("weight_zero_point"));
    let products =
        convolution(call, centred(input, input_zero, Front(0)), centred(weight, weight_zero, Front(0)))?;
    if let Some(zero) = input_zero {
        require_single(call, "`input_zero_point` is a single value", zero);
    }
    if let Some(zero) = weight_zero {
        let filters = weight.shape().size(Front(0));
        require_per_filter(call, "`weight_zero_point` is one value or one per filter", zero, filters);
    }
    one(products)
}
