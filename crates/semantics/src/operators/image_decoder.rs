//! Decodes an image file.

use super::prelude::*;
use crate::image::{self, Image, PixelFormat};

pub static OPERATOR: Operator = Operator {
    name: "image_decoder",
    summary: "Decodes the bytes of an image file (BMP, PNM, PNG, TIFF) to height, width and channels. Formats that \
              lose detail are known by shape only: decoders differ in their pixels.",
    inputs: &[tensor("input", UINT8)],
    parameters: &[word("pixel_format", &["RGB", "BGR", "Grayscale"]).or_word("RGB")],
    outputs: &["output"],
    spellings: &[onnx(20, "ImageDecoder(input; pixel_format)")],
    define,
    examples: &[
        "image_decoder(u8[17]{80,54,32,50,32,49,32,50,53,53,10,1,2,3,4,5,6}) -> u8[1,2,3]{1,2,3,4,5,6}",
        "image_decoder(u8[14]{80,54,32,49,32,49,32,50,53,53,10,1,2,3}, pixel_format=BGR) -> u8[1,1,3]{3,2,1}",
        "image_decoder(u8[14]{80,54,32,49,32,49,32,50,53,53,10,9,9,9}, pixel_format=Grayscale) -> u8[1,1,1]{9}",
        "image_decoder(u8[5,1]) fails: `input` is a vector",
        "image_decoder(f32[5]) fails: `input` is uint8",
        "image_decoder(u8[5], pixel_format=HSV) fails: `pixel_format` is one of RGB, BGR, Grayscale",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.dims::<1>("`input` is a vector", input)?;
    let format = match call.text("pixel_format")?.as_str() {
        "BGR" => PixelFormat::Bgr,
        "Grayscale" => PixelFormat::Grayscale,
        _ => PixelFormat::Rgb,
    };
    let channels = if format == PixelFormat::Grayscale { 1 } else { 3 };
    // Where the bytes are known, so is the size.
    let side = |name: &str, measure: fn(&Image) -> usize| {
        let known = Tensor::opaque(&[input], [(Kind::I64.into(), Shape::scalar())], move |arrays| {
            Ok(vec![Array::ints(Kind::I64, &[], vec![measure(&decoded(arrays)?) as i64]).into()])
        })[0];
        call.integer(known).unwrap_or_else(|| Dim::symbol(name, 1, LARGEST_SIZE))
    };
    let height = side("the height of the image", |image| image.height);
    let width = side("the width of the image", |image| image.width);
    let shape = Shape::new([height, width, channels.into()]);
    Ok(Tensor::opaque(&[input], [(Kind::U8.into(), shape)], move |arrays| {
        let image = decoded(arrays)?;
        let shape = [image.height, image.width, channels];
        Ok(vec![Array::ints(Kind::U8, &shape, image.channels(format)).into()])
    }))
}

fn decoded(arrays: &[Array]) -> Result<Image, String> {
    let bytes = arrays[0].as_ints().ok_or("the bytes of the image are not known")?;
    image::decode(&bytes.iter().map(|&byte| byte as u8).collect::<Vec<u8>>())
}
