//! Decodes an image file.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "image_decoder",
    summary: "Decodes the bytes of an image file to height, width and channels. Its pixels are not computed here.",
    inputs: &[tensor("input", UINT8)],
    parameters: &[word("pixel_format", &["RGB", "BGR", "Grayscale"]).or_word("RGB")],
    outputs: &["output"],
    onnx: &[onnx(20, "ImageDecoder(input; pixel_format)")],
    define,
    examples: &[
        "image_decoder(u8[5,1]) fails: `input` is a vector",
        "image_decoder(f32[5]) fails: `input` is uint8",
        "image_decoder(u8[5], pixel_format=HSV) fails: `pixel_format` is one of RGB, BGR, Grayscale",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.dims::<1>("`input` is a vector", input)?;
    let channels = if call.text("pixel_format")? == "Grayscale" { 1 } else { 3 };
    let height = Dim::symbol("the height of the image", 1, LARGEST_SIZE);
    let width = Dim::symbol("the width of the image", 1, LARGEST_SIZE);
    let shape = Shape::new([height, width, channels.into()]);
    call.valueless(Kind::U8, shape, "the image is decoded only when the model runs")
}
