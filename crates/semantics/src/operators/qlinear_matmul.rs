//! Matrix product of quantized tensors, quantized again.

use super::matmul::product;
use super::prelude::*;
use crate::quantized::{SINGLE, centred, parameter_at, requantized, require_per_line, require_single};

pub static OPERATOR: Operator = Operator {
    name: "qlinear_matmul",
    summary: "Matrix product of quantized tensors: added up exactly, scaled, rounded and cut to the type of the \
              output's zero point.",
    inputs: &[
        tensor("a", QUANTIZED),
        tensor("a_scale", SCALE),
        tensor("a_zero_point", QUANTIZED).like("a"),
        tensor("b", QUANTIZED),
        tensor("b_scale", SCALE).like("a_scale"),
        tensor("b_zero_point", QUANTIZED).like("b"),
        tensor("output_scale", SCALE).like("a_scale"),
        tensor("output_zero_point", QUANTIZED),
    ],
    parameters: &[],
    outputs: &["output"],
    spellings: &[
        onnx(
            10,
            "QLinearMatMul(a, a_scale, a_zero_point, b, b_scale, b_zero_point, output_scale, output_zero_point)",
        )
        .adapted(of_bytes),
        onnx(
            21,
            "QLinearMatMul(a, a_scale, a_zero_point, b, b_scale, b_zero_point, output_scale, output_zero_point)",
        ),
    ],
    define,
    examples: &[
        "qlinear_matmul(u8[N,3], f32[], u8[], u8[3,4], f32[], u8[], f32[], u8[]) -> u8[N,4]",
        "qlinear_matmul(u8[1,2]{3,4}, f32[1]{0.5}, u8[1]{1}, u8[2,1]{5,1}, f32[1]{0.5}, u8[1]{0}, f32[1]{1}, u8[1]{3}) -> u8[1,1]{6}",
        "qlinear_matmul(i8[1,1]{-100}, f32[]{1}, i8[]{0}, i8[1,1]{100}, f32[]{1}, i8[]{0}, f32[]{1}, i8[]{0}) -> i8[1,1]{-128}",
        "qlinear_matmul(u8[2,1]{1,1}, f32[2]{1,2}, u8[2]{0,0}, i8[1,2]{1,1}, f32[2]{1,3}, i8[]{0}, f32[]{1}, u8[]{0}) -> u8[2,2]{1,3,2,6}",
        "qlinear_matmul(u8[3], f16[], u8[], u8[3], f16[], u8[], f16[], i8[]) -> i8[]",
        "qlinear_matmul(u8[2,2,3], f32[2,2,1], u8[2,2,1], u8[2,3,4], f32[2,1,4], u8[2,1,4], f32[], u8[]) -> u8[2,2,4]",
        "qlinear_matmul(u8[2,3], f32[3], u8[], u8[3,4], f32[], u8[], f32[], u8[]) fails: `a_scale` is one value or one per row of `a`",
        "qlinear_matmul(u8[2,3], f32[], u8[3], u8[3,4], f32[], u8[], f32[], u8[]) fails: `a_zero_point` is one value or one per row of `a`",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[3], u8[], f32[], u8[]) fails: `b_scale` is one value or one per column of `b`",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[], u8[3], f32[], u8[]) fails: `b_zero_point` is one value or one per column of `b`",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[], u8[], f32[2], u8[]) fails: `output_scale` is a single value",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[], u8[], f32[], u8[2]) fails: `output_zero_point` is a single value",
        "qlinear_matmul(u8[], f32[], u8[], u8[3,4], f32[], u8[], f32[], u8[]) fails: `a` has at least one axis",
        "qlinear_matmul(u8[3], f32[], u8[], u8[], f32[], u8[], f32[], u8[]) fails: `b` has at least one axis",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[4,3], f32[], u8[], f32[], u8[]) fails: the last axis of `a` is as long as the second to last of `b`",
        "qlinear_matmul(u8[2,2,3], f32[], u8[], u8[3,3,4], f32[], u8[], f32[], u8[]) fails: the leading axes broadcast",
        "qlinear_matmul(i32[2,3], f32[], i32[], u8[3,4], f32[], u8[], f32[], u8[]) fails: `a` is int8, uint8 or float8",
        "qlinear_matmul(u8[2,3], f32[], u8[], i32[3,4], f32[], i32[], f32[], u8[]) fails: `b` is int8, uint8 or float8",
        "qlinear_matmul(u8[2,3], f64[], u8[], u8[3,4], f64[], u8[], f64[], u8[]) fails: `a_scale` is float32 or half precision",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[], u8[], f32[], i32[]) fails: `output_zero_point` is int8, uint8 or float8",
        "qlinear_matmul(u8[2,3], f32[], i8[], u8[3,4], f32[], u8[], f32[], u8[]) fails: `a_zero_point` has the element type of `a`",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[], i8[], f32[], u8[]) fails: `b_zero_point` has the element type of `b`",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f16[], u8[], f32[], u8[]) fails: `b_scale` has the element type of `a_scale`",
        "qlinear_matmul(u8[2,3], f32[], u8[], u8[3,4], f32[], u8[], f16[], u8[]) fails: `output_scale` has the element type of `a_scale`",
    ],
};

/// Types that quantized values are stored in.
const QUANTIZED: TypeSet = TypeSet {
    name: "int8, uint8 or float8",
    kinds: &[Kind::I8, Kind::U8, Kind::F8E4M3FN, Kind::F8E4M3FNUZ, Kind::F8E5M2, Kind::F8E5M2FNUZ],
};
const SCALE: TypeSet =
    TypeSet { name: "float32 or half precision", kinds: &[Kind::F32, Kind::F16, Kind::BF16] };

fn define(call: &mut Call) -> Outcome {
    let (a, a_scale, a_zero) = (call.tensor("a")?, call.tensor("a_scale")?, call.tensor("a_zero_point")?);
    let (b, b_scale, b_zero) = (call.tensor("b")?, call.tensor("b_scale")?, call.tensor("b_zero_point")?);
    let (scale, zero) = (call.tensor("output_scale")?, call.tensor("output_zero_point")?);
    let product = product(call, centred(a, Some(a_zero), Back(1)), centred(b, Some(b_zero), Back(0)))?;
    let (rows, columns) = ((a.shape(), Back(1)), (b.shape(), Back(0)));
    for (label, parameter, (shape, kept)) in [
        ("`a_scale` is one value or one per row of `a`", a_scale, rows),
        ("`a_zero_point` is one value or one per row of `a`", a_zero, rows),
        ("`b_scale` is one value or one per column of `b`", b_scale, columns),
        ("`b_zero_point` is one value or one per column of `b`", b_zero, columns),
    ] {
        require_per_line(call, label, parameter, shape, kept);
    }
    require_single(call, "`output_scale` is a single value", scale);
    require_single(call, "`output_zero_point` is a single value", zero);

    let opaque = |tensor: Tensor| tensor.kind().class() == Class::Opaque;
    if opaque(a) || opaque(b) || opaque(zero) {
        return one(unknown_elements(zero.dtype(), product.shape()));
    }
    one(Tensor::from_elements(zero.dtype(), product.shape(), move |index| {
        // The index as it is when vectors count as a row and a column.
        let mut place = index.to_vec();
        if b.shape().known_rank() == Some(1) {
            place.push(0.into());
        }
        if a.shape().known_rank() == Some(1) {
            place.insert(place.len() - 1, 0.into());
        }
        let (row, column) = (place.len() - 2, place.len() - 1);
        let scales = parameter_at(a_scale, &place, row) * parameter_at(b_scale, &place, column);
        let multiplier = scales / parameter_at(scale, &place, column);
        requantized(product.at(index), multiplier, parameter_at(zero, &place, column))
    }))
}

/// Before version 21 there are only bytes and `float32` scales.
fn of_bytes(call: &mut Call) -> Outcome {
    let (a, b, zero) = (call.tensor("a")?, call.tensor("b")?, call.tensor("output_zero_point")?);
    let scale = call.tensor("a_scale")?;
    call.require_kinds("`a` is int8 or uint8", a, BYTE);
    call.require_kinds("`b` is int8 or uint8", b, BYTE);
    call.require_kinds("`output_zero_point` is int8 or uint8", zero, BYTE);
    call.require_kinds("`a_scale` is float32", scale, SINGLE);
    define(call)
}
