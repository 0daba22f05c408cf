//! Convolution of quantized tensors, quantized again.

use super::conv::convolution;
use super::prelude::*;
use crate::quantized::{SINGLE, centred, parameter_at, requantized, require_per_filter, require_single};
use crate::window::AUTO_PAD;

pub static OPERATOR: Operator = Operator {
    name: "qlinear_conv",
    summary: "Convolution of quantized tensors: added up exactly, scaled, rounded and cut to the type of the \
              output's zero point. `bias` counts in steps of `input_scale * weight_scale`.",
    inputs: &[
        tensor("input", BYTE),
        tensor("input_scale", SINGLE),
        tensor("input_zero_point", BYTE).like("input"),
        tensor("weight", BYTE),
        tensor("weight_scale", SINGLE),
        tensor("weight_zero_point", BYTE).like("weight"),
        tensor("output_scale", SINGLE),
        tensor("output_zero_point", BYTE),
        tensor("bias", INT32).optional(),
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
        "QLinearConv(input:nchw, input_scale, input_zero_point, weight, weight_scale, weight_zero_point, output_scale, \
         output_zero_point, bias; kernel_shape as kernel, strides as stride, pads as padding, \
         dilations as dilation, group as groups, auto_pad)",
    )],
    define,
    examples: &[
        "qlinear_conv(u8[N,3,32,32], f32[], u8[], i8[16,3,5,5], f32[16], i8[16], f32[], u8[], i32[16]) -> u8[N,16,28,28]",
        "qlinear_conv(u8[1,1,3]{1,2,9}, f32[]{0.5}, u8[]{1}, i8[1,1,2]{1,1}, f32[1]{4}, i8[1]{0}, f32[]{1}, u8[]{3}, i32[1]{1}) -> u8[1,1,2]{7,23}",
        "qlinear_conv(u8[1,1,1]{9}, f32[]{1}, u8[]{0}, u8[2,1,1]{1,1}, f32[2]{1,10}, u8[]{0}, f32[]{1}, i8[]{0}) -> i8[1,2,1]{9,90}",
        "qlinear_conv(u8[1,3,8,8], f32[2], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[]) fails: `input_scale` is a single value",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[2], u8[16,3,5,5], f32[], u8[], f32[], u8[]) fails: `input_zero_point` is a single value",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[3], u8[], f32[], u8[]) fails: `weight_scale` is one value or one per filter",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[3], f32[], u8[]) fails: `weight_zero_point` is one value or one per filter",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[2], u8[]) fails: `output_scale` is a single value",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[2]) fails: `output_zero_point` is a single value",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], i32[3]) fails: `bias` has one value per filter",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], i32[16,1]) fails: `bias` is a vector",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], f32[16]) fails: `bias` is int32",
        "qlinear_conv(f32[1,3,8,8], f32[], f32[], u8[16,3,5,5], f32[], u8[], f32[], u8[]) fails: `input` is int8 or uint8",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], f32[16,3,5,5], f32[], f32[], f32[], u8[]) fails: `weight` is int8 or uint8",
        "qlinear_conv(u8[1,3,8,8], f64[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[]) fails: `input_scale` is float32",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f64[], u8[], f32[], u8[]) fails: `weight_scale` is float32",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f64[], u8[]) fails: `output_scale` is float32",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], i32[]) fails: `output_zero_point` is int8 or uint8",
        "qlinear_conv(u8[1,3,8,8], f32[], i8[], u8[16,3,5,5], f32[], u8[], f32[], u8[]) fails: `input_zero_point` has the element type of `input`",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], i8[], f32[], u8[]) fails: `weight_zero_point` has the element type of `weight`",
        "qlinear_conv(u8[1,3], f32[], u8[], u8[16,3,5], f32[], u8[], f32[], u8[]) fails: `input` has a batch, a channel and at least one spatial axis",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5], f32[], u8[], f32[], u8[]) fails: `input` has as many axes as `weight`",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,4,5,5], f32[], u8[], f32[], u8[]) fails: `input` has `groups` times as many channels as a filter of `weight`",
        "qlinear_conv(u8[1,4,8,8], f32[], u8[], u8[3,2,5,5], f32[], u8[], f32[], u8[], groups=2) fails: `groups` divides the number of filters",
        "qlinear_conv(u8[1,0,8,8], f32[], u8[], u8[2,1,5,5], f32[], u8[], f32[], u8[], groups=0) fails: `groups` is positive",
        "qlinear_conv(u8[1,3,4,4], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[]) fails: the kernel fits the padded input",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], kernel=[3,3]) fails: `kernel` is the spatial shape of `weight`",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], stride=[1,0]) fails: `stride` is positive",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], stride=[1,6]) fails: `stride` is at most what the kernel spans",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], stride=[1]) fails: `stride` has one value per spatial axis",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], dilation=[0,1]) fails: `dilation` is positive",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], dilation=[1]) fails: `dilation` has one value per spatial axis",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], padding=[-1,0,0,0]) fails: `padding` is not negative",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], padding=[1,1]) fails: `padding` has two values per spatial axis",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,0,1], f32[], u8[], f32[], u8[]) fails: the kernel is not empty",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], auto_pad=HALF) fails: `auto_pad` is one of NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        "qlinear_conv(u8[1,3,8,8], f32[], u8[], u8[16,3,5,5], f32[], u8[], f32[], u8[], auto_pad=SAME_UPPER, padding=[1,1,1,1]) fails: `padding` and `auto_pad` are not given together",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, input_scale) = (call.tensor("input")?, call.tensor("input_scale")?);
    let (weight, weight_scale) = (call.tensor("weight")?, call.tensor("weight_scale")?);
    let (input_zero, weight_zero) = (call.tensor("input_zero_point")?, call.tensor("weight_zero_point")?);
    let (scale, zero) = (call.tensor("output_scale")?, call.tensor("output_zero_point")?);
    let bias = call.optional("bias");
    let (values, taps) =
        (centred(input, Some(input_zero), Front(0)), centred(weight, Some(weight_zero), Front(0)));
    let products = convolution(call, values, taps)?;

    let filters = weight.shape().size(Front(0));
    require_single(call, "`input_scale` is a single value", input_scale);
    require_single(call, "`input_zero_point` is a single value", input_zero);
    require_per_filter(call, "`weight_scale` is one value or one per filter", weight_scale, filters);
    require_per_filter(call, "`weight_zero_point` is one value or one per filter", weight_zero, filters);
    require_single(call, "`output_scale` is a single value", scale);
    require_single(call, "`output_zero_point` is a single value", zero);
    if let Some(bias) = bias {
        let [length] = call.dims("`bias` is a vector", bias)?;
        call.require_shape("`bias` has one value per filter", length.eq(filters));
    }

    one(Tensor::from_elements(zero.dtype(), products.shape(), move |index| {
        let total = products.at(index);
        let total = bias.map_or(total, |bias| total + bias.at(&index[1..2]));
        let scales = parameter_at(input_scale, index, 1) * parameter_at(weight_scale, index, 1);
        requantized(total, scales / parameter_at(scale, index, 1), parameter_at(zero, index, 1))
    }))
}
