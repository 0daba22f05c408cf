//! Floats as bytes, with a scale made to measure.

use super::prelude::*;
use crate::quantization::quantized;

pub static OPERATOR: Operator = Operator {
    name: "dynamic_quantize_linear",
    summary: "Quantizes to bytes with the scale and zero point that make the range of `input`, zero included, fill them.",
    inputs: &[tensor("input", FLOAT32)],
    parameters: &[],
    outputs: &["output", "scale", "zero_point"],
    spellings: &[onnx(11, "DynamicQuantizeLinear(input)")],
    define,
    examples: &[
        "dynamic_quantize_linear(f32[N,3]) -> u8[N,3], f32[], u8[]",
        "dynamic_quantize_linear(f32[3]{0,2,-3}) -> u8[3]{153,255,0}, f32[]{0.0196078431372549}, u8[]{153}",
        "dynamic_quantize_linear(f32[2]{0,0}) -> u8[2]{0,0}, f32[]{1}, u8[]{0}",
        "dynamic_quantize_linear(f32[0]) -> u8[0], f32[], u8[]",
        "dynamic_quantize_linear(f32[...]) -> u8[...], f32[], u8[]",
        "dynamic_quantize_linear(f64[2]) fails: `input` is float32",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let shape = input.shape();
    let outputs: [(DType, Shape); 3] =
        [(Kind::U8.into(), shape), (Kind::F32.into(), Shape::scalar()), (Kind::U8.into(), Shape::scalar())];
    let Some(rank) = shape.known_rank() else {
        return Ok(outputs.into_iter().map(|(dtype, shape)| unknown_elements(dtype, shape)).collect());
    };
    Ok(Tensor::composed(outputs, move || {
        let axes: Vec<usize> = (0..rank).collect();
        let (highest, lowest) =
            (reduce(Fold::Max, input, &axes, false), reduce(Fold::Min, input, &axes, false));
        // Nothing but zeros would make the scale zero: runtimes take 1 then.
        let scale = zip(highest, lowest, Kind::F32, Shape::scalar(), |highest, lowest| {
            let range = highest.max(0.0) - lowest.min(0.0);
            range.eq(0.0).select(Element::constant(Kind::F32, 1.0), range / 255.0)
        });
        let zero_point = zip(lowest, scale, Kind::U8, Shape::scalar(), |lowest, scale| {
            (-lowest.min(0.0) / scale).max(0.0).min(255.0).round().cast(Kind::U8)
        });
        let output = Tensor::from_elements(Kind::U8, shape, move |index| {
            quantized(input.at(index), scale.at(&[]), Some(zero_point.at(&[])), Kind::U8)
        });
        vec![output, scale, zero_point]
    }))
}
