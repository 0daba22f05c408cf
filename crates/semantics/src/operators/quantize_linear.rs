//! Floats as small integers.

use super::prelude::*;
use crate::quantization::{quantized, spread};

pub static OPERATOR: Operator = Operator {
    name: "quantize_linear",
    summary: "`round(input / scale) + zero_point` as a small integer, cut to its range. There is one scale for all, \
              one per position of `axis`, or one per block of it.",
    inputs: &[
        tensor("input", SHORT_FLOAT_OR_INT32),
        tensor("scale", SCALE),
        tensor("zero_point", QUANTIZED).optional(),
    ],
    parameters: &[
        int("axis").or(1),
        int("block_size").or(0),
        element_type("output_dtype").optional(),
        element_type("precision").optional(),
        flag("saturate").or_flag(true),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(10, "QuantizeLinear(input, scale, zero_point)").adapted(with_float_scale),
        onnx(13, "QuantizeLinear(input, scale, zero_point; axis)").adapted(with_float_scale),
        onnx(19, "QuantizeLinear(input, scale, zero_point; axis, saturate)").adapted(with_scale_like_input),
        onnx(21, "QuantizeLinear(input, scale, zero_point; axis, saturate, block_size, output_dtype)")
            .adapted(with_scale_like_input),
        onnx(
            23,
            "QuantizeLinear(input, scale, zero_point; axis, saturate, block_size, output_dtype, precision)",
        ),
    ],
    define,
    examples: &[
        "quantize_linear(f32[4]{0.25,0.75,1.25,-0.25}, f32[]{0.5}, i8[]{1}) -> i8[4]{1,3,3,1}",
        "quantize_linear(f32[3]{-1000,0,1000}, f32[]{2}) -> u8[3]{0,0,255}",
        "quantize_linear(f32[N,3,H,W], f32[3], u8[3]) -> u8[N,3,H,W]",
        "quantize_linear(f32[3,4], f32[3], u8[3], axis=-2) -> u8[3,4]",
        "quantize_linear(f32[3,4], f32[1], u8[], axis=5) -> u8[3,4]",
        "quantize_linear(f32[2,5], f32[2,3], u8[2,3], block_size=2) -> u8[2,5]",
        "quantize_linear(f32[1,4]{1,2,3,4}, f32[1,2]{1,2}, i16[1,2]{0,1}, block_size=2) -> i16[1,4]{1,2,3,3}",
        "quantize_linear(f32[N], f32[], output_dtype=i16) -> i16[N]",
        "quantize_linear(f32[N], f32[], output_dtype=i4) -> i4[N]",
        "quantize_linear(f32[...], f32[]) -> u8[...]",
        "quantize_linear(f32[3,4], f32[3]) fails: `scale` has one value per position of the axis",
        "quantize_linear(f32[4], f32[4]) fails: `axis` is within the rank",
        "quantize_linear(f32[3,4], f32[3,4]) fails: `scale` is a scalar or a vector unless there are blocks",
        "quantize_linear(f32[3,4], f32[4], u8[3]) fails: `zero_point` has the shape of `scale`",
        "quantize_linear(f32[3,4], f32[4], block_size=2) fails: `scale` has as many axes as `input`",
        "quantize_linear(f32[3,4], f32[3,2], block_size=4) fails: `scale` has one value per block of the axis",
        "quantize_linear(f32[3,4], f32[2,2], block_size=2) fails: sizes agree outside the axis",
        "quantize_linear(f32[3,4], f32[3,2], block_size=-2) fails: `block_size` is not negative",
        "quantize_linear(f32[3], f32[], u8[], output_dtype=i8) fails: `output_dtype` is the element type of `zero_point`",
        "quantize_linear(f32[3], f32[], output_dtype=f32) fails: `output_dtype` is a type to quantize to",
        "quantize_linear(f64[3], f32[]) fails: `input` is float16, bfloat16, float32 or int32",
        "quantize_linear(f32[3], f64[]) fails: `scale` is float16, bfloat16, float32, int32 or float8e8m0",
        "quantize_linear(f32[3], f32[], i32[]) fails: `zero_point` is an integer of at most 16 bits, float8 or float4",
    ],
};

const SCALE: TypeSet = TypeSet {
    name: "float16, bfloat16, float32, int32 or float8e8m0",
    kinds: &[Kind::F16, Kind::BF16, Kind::F32, Kind::I32, Kind::F8E8M0],
};

fn define(call: &mut Call) -> Outcome {
    let (input, scale, zero_point) =
        (call.tensor("input")?, call.tensor("scale")?, call.optional("zero_point"));
    let dtype = match (zero_point, call.optional_type("output_dtype")?) {
        (Some(zero_point), wanted) => {
            let agrees = wanted.map_or(true.into(), |kind| zero_point.dtype().is(kind));
            call.require_type("`output_dtype` is the element type of `zero_point`", agrees);
            zero_point.dtype()
        }
        (None, Some(kind)) => {
            call.require_type("`output_dtype` is a type to quantize to", DType::from(kind).is_in(QUANTIZED));
            kind.into()
        }
        (None, None) => Kind::U8.into(),
    };
    let precision = call.optional_type("precision")?;
    let (Some(spread), DType::Known(kind), DType::Known(scale_kind)) = (spread(call)?, dtype, scale.dtype())
    else {
        return one(unknown_elements(dtype, input.shape()));
    };
    if !kind.is_int() || scale_kind.class() == Class::Opaque {
        return one(unknown_elements(dtype, input.shape()));
    }
    let precision = precision.unwrap_or(scale_kind);
    let precision = if precision.is_float() { precision } else { Kind::F32 };
    one(Tensor::from_elements(dtype, input.shape(), move |index| {
        let scale = spread.pick(scale, index).cast(precision);
        quantized(input.at(index), scale, zero_point.map(|zero_point| spread.pick(zero_point, index)), kind)
    }))
}

fn with_float_scale(call: &mut Call) -> Outcome {
    let scale = call.tensor("scale")?;
    call.require_type("`scale` is float32", scale.dtype().is(Kind::F32));
    define(call)
}

fn with_scale_like_input(call: &mut Call) -> Outcome {
    let (input, scale) = (call.tensor("input")?, call.tensor("scale")?);
    call.require_type("`scale` has the element type of `input`", scale.dtype().same(input.dtype()));
    define(call)
}
