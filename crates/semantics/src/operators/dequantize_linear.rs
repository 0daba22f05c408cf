//! Small integers as floats.

use super::prelude::*;
use crate::quantization::spread;

pub static OPERATOR: Operator = Operator {
    name: "dequantize_linear",
    summary: "`(input - zero_point) * scale`. There is one scale for all, one per position of `axis`, or one per block \
              of it.",
    inputs: &[
        tensor("input", QUANTIZED_OR_INT32),
        tensor("scale", SCALE),
        tensor("zero_point", QUANTIZED_OR_INT32).like("input").optional(),
    ],
    parameters: &[int("axis").or(1), int("block_size").or(0), element_type("output_dtype").optional()],
    outputs: &["output"],
    spellings: &[
        onnx(10, "DequantizeLinear(input, scale, zero_point)"),
        onnx(13, "DequantizeLinear(input, scale, zero_point; axis)"),
        onnx(21, "DequantizeLinear(input, scale, zero_point; axis, block_size)"),
        onnx(23, "DequantizeLinear(input, scale, zero_point; axis, block_size, output_dtype)"),
    ],
    define,
    examples: &[
        "dequantize_linear(u8[3]{0,3,255}, f32[]{0.5}, u8[]{1}) -> f32[3]{-0.5,1,127}",
        "dequantize_linear(i32[2]{-4,6}, f32[1]{0.25}) -> f32[2]{-1,1.5}",
        "dequantize_linear(i8[N,3,H,W], f32[3], i8[3]) -> f32[N,3,H,W]",
        "dequantize_linear(u8[3,4], f16[4], axis=-1) -> f16[3,4]",
        "dequantize_linear(u8[1,4]{1,2,3,4}, f32[1,2]{1,2}, u8[1,2]{0,1}, block_size=2) -> f32[1,4]{1,2,4,6}",
        "dequantize_linear(u8[N], f32[], output_dtype=f16) -> f16[N]",
        "dequantize_linear(f8e5m2[N], f32[]) -> f32[N]",
        "dequantize_linear(u8[...], f32[]) -> f32[...]",
        "dequantize_linear(u8[3,4], f32[3]) fails: `scale` has one value per position of the axis",
        "dequantize_linear(u8[4], f32[4]) fails: `axis` is within the rank",
        "dequantize_linear(u8[3,4], f32[3,4]) fails: `scale` is a scalar or a vector unless there are blocks",
        "dequantize_linear(u8[3,4], f32[4], u8[3]) fails: `zero_point` has the shape of `scale`",
        "dequantize_linear(u8[3,4], f32[4], block_size=2) fails: `scale` has as many axes as `input`",
        "dequantize_linear(u8[3,4], f32[3,2], block_size=1) fails: `scale` has one value per block of the axis",
        "dequantize_linear(u8[3,4], f32[2,2], block_size=2) fails: sizes agree outside the axis",
        "dequantize_linear(u8[3,4], f32[3,2], block_size=-2) fails: `block_size` is not negative",
        "dequantize_linear(u8[3], f32[], output_dtype=f64) fails: the output is float16, bfloat16 or float32",
        "dequantize_linear(f8e5m2[3], f8e8m0[]) fails: the output is float16, bfloat16 or float32",
        "dequantize_linear(f32[3], f32[]) fails: `input` is an integer of at most 32 bits, float8 or float4",
        "dequantize_linear(u8[3], f64[], output_dtype=f32) fails: `scale` is float16, bfloat16, float32 or float8e8m0",
        "dequantize_linear(u8[3], f32[], i8[]) fails: `zero_point` has the element type of `input`",
    ],
};

const SCALE: TypeSet = TypeSet {
    name: "float16, bfloat16, float32 or float8e8m0",
    kinds: &[Kind::F16, Kind::BF16, Kind::F32, Kind::F8E8M0],
};
fn define(call: &mut Call) -> Outcome {
    let (input, scale, zero_point) =
        (call.tensor("input")?, call.tensor("scale")?, call.optional("zero_point"));
    let dtype = call.optional_type("output_dtype")?.map_or(scale.dtype(), DType::from);
    call.require_type("the output is float16, bfloat16 or float32", dtype.is_in(SHORT_FLOAT));
    let kinds = (input.dtype(), scale.dtype(), dtype);
    let (Some(spread), (DType::Known(from), DType::Known(scale_kind), DType::Known(kind))) =
        (spread(call)?, kinds)
    else {
        return one(unknown_elements(dtype, input.shape()));
    };
    if !from.is_int() || !scale_kind.is_float() {
        return one(unknown_elements(dtype, input.shape()));
    }
    // The difference is exact, and the product is made in 32 bits before it is rounded to the output's type.
    one(Tensor::from_elements(kind, input.shape(), move |index| {
        let x = input.at(index).cast(Kind::I32);
        let centred = zero_point.map_or(x, |zero_point| x - spread.pick(zero_point, index).cast(Kind::I32));
        (centred.cast(Kind::F32) * spread.pick(scale, index).cast(Kind::F32)).cast(kind)
    }))
}
