//! Stacks blocks of pixels as channels.

use super::depth_to_space::MODES;
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "space_to_depth",
    summary: "Turns blocks of `blocksize` squared pixels into as many channels.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[int("blocksize"), word("mode", MODES).or_word("DCR")],
    outputs: &["output"],
    spellings: &[
        onnx(1, "SpaceToDepth(input:nchw; blocksize)"),
        onnx(28, "SpaceToDepth(input:nchw; blocksize, mode)"),
    ],
    define,
    examples: &[
        "space_to_depth(f32[N,3,2*H,2*W], blocksize=2) -> f32[N,12,H,W]",
        "space_to_depth(i64[1,2,2,2]{0,1,2,3,4,5,6,7}, blocksize=2) -> i64[1,8,1,1]{0,4,1,5,2,6,3,7}",
        "space_to_depth(i64[1,2,2,2]{0,1,2,3,4,5,6,7}, blocksize=2, mode=CRD) -> i64[1,8,1,1]{0,1,2,3,4,5,6,7}",
        "space_to_depth(f32[1,4,2], blocksize=2) fails: `input` has four axes",
        "space_to_depth(f32[1,1,3,2], blocksize=2) fails: `blocksize` divides height and width",
        "space_to_depth(f32[1,1,2,2], blocksize=-1) fails: `blocksize` is positive",
        "space_to_depth(f32[1,1,2,2], blocksize=2, mode=RCD) fails: `mode` is one of DCR, CRD",
        "space_to_depth(f32[1,1,2,2]) fails: `blocksize` is given",
        "space_to_depth(f8e4m3fn[N,3,2*H,2*W], blocksize=2) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let (block, by_pixel) = (call.int("blocksize")?, call.text("mode")? == "DCR");
    let [batch, channels, height, width] = call.dims("`input` has four axes", input)?;
    call.demand(IllegalValue, "`blocksize` is positive", block.ge(1))?;
    let divides = block.divides(height) & block.divides(width);
    call.require_shape("`blocksize` divides height and width", divides);

    let pixels = block * block;
    let shape = Shape::new([batch, channels * pixels, height.div_floor(block), width.div_floor(block)]);
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let (channel, pixel) = if by_pixel {
            (index[1].modulo(channels), index[1].div_floor(channels))
        } else {
            (index[1].div_floor(pixels), index[1].modulo(pixels))
        };
        let (down, right) = (pixel.div_floor(block), pixel.modulo(block));
        input.at(&[index[0], channel, index[2] * block + down, index[3] * block + right])
    }))
}
