//! Lays channels out as blocks of pixels.

use super::prelude::*;

/// Where a block's pixels are among the channels: `DCR` keeps the channels of one pixel together,
/// `CRD` the pixels of one channel.
pub const MODES: &[&str] = &["DCR", "CRD"];

pub static OPERATOR: Operator = Operator {
    name: "depth_to_space",
    summary: "Turns groups of `blocksize` squared channels into blocks of pixels.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[int("blocksize"), word("mode", MODES).or_word("DCR")],
    outputs: &["output"],
    spellings: &[
        onnx(1, "DepthToSpace(input:nchw; blocksize)"),
        onnx(11, "DepthToSpace(input:nchw; blocksize, mode)"),
    ],
    define,
    examples: &[
        "depth_to_space(f32[N,12,H,W], blocksize=2) -> f32[N,3,2*H,2*W]",
        "depth_to_space(i64[1,8,1,1]{0,1,2,3,4,5,6,7}, blocksize=2) -> i64[1,2,2,2]{0,2,4,6,1,3,5,7}",
        "depth_to_space(i64[1,8,1,1]{0,1,2,3,4,5,6,7}, blocksize=2, mode=CRD) -> i64[1,2,2,2]{0,1,2,3,4,5,6,7}",
        "depth_to_space(f32[1,4,1], blocksize=2) fails: `input` has four axes",
        "depth_to_space(f32[1,6,1,1], blocksize=2) fails: `blocksize` squared divides the number of channels",
        "depth_to_space(f32[1,4,1,1], blocksize=0) fails: `blocksize` is positive",
        "depth_to_space(f32[1,4,1,1], blocksize=2, mode=RCD) fails: `mode` is one of DCR, CRD",
        "depth_to_space(f32[1,4,1,1]) fails: `blocksize` is given",
        "depth_to_space(f8e4m3fn[N,12,H,W], blocksize=2) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let (block, by_pixel) = (call.int("blocksize")?, call.text("mode")? == "DCR");
    let [batch, channels, height, width] = call.dims("`input` has four axes", input)?;
    call.demand(IllegalValue, "`blocksize` is positive", block.ge(1))?;
    let pixels = block * block;
    call.require_shape("`blocksize` squared divides the number of channels", pixels.divides(channels));

    let depth = channels.div_floor(pixels);
    let shape = Shape::new([batch, depth, height * block, width * block]);
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let pixel = index[2].modulo(block) * block + index[3].modulo(block);
        let channel = if by_pixel { pixel * depth + index[1] } else { index[1] * pixels + pixel };
        input.at(&[index[0], channel, index[2].div_floor(block), index[3].div_floor(block)])
    }))
}
