//! Spreads the values of the tiles of images evenly, up to a limit. The values are not told here.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ContrastLimitedAdaptiveHistogramEqualization",
        summary: "Spreads the values of the tiles of images evenly, up to a limit. The values are not told here.",
        inputs: IMAGES,
        parameters: &[
            VALUE_RANGE,
            float("clip_limit").or_float(4.0),
            ints("tile_grid_size").or(8),
            DATA_FORMAT,
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "ContrastLimitedAdaptiveHistogramEqualization(f32[N,8,8,3], tile_grid_size=[2,4]) -> f32[N,8,8,3]",
            "ContrastLimitedAdaptiveHistogramEqualization(i32[N,8,8,3], tile_grid_size=[2,4]) -> f32[N,8,8,3]",
            "ContrastLimitedAdaptiveHistogramEqualization(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "ContrastLimitedAdaptiveHistogramEqualization(f32[8,8,3], value_range=[1]) fails: `value_range` is two numbers",
            "ContrastLimitedAdaptiveHistogramEqualization(f32[8,8,3], tile_grid_size=[2,2,2]) fails: `tile_grid_size` is two positive numbers",
            "ContrastLimitedAdaptiveHistogramEqualization(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_value_range(call)?;
    let images = as_floats(call)?[0];
    let tiles = call.optional_ints("tile_grid_size")?.unwrap_or_else(|| vec![8.into(); 2]);
    let label = "`tile_grid_size` is two positive numbers";
    call.insist(IllegalValue, label, tiles.len() == 2 || !call.is_given("tile_grid_size"))?;
    call.demand(IllegalValue, label, Prop::all(tiles.iter().map(|count| count.ge(1))))?;
    call.lost.push("the values: histograms of tiles are not defined here".into());
    one(unknown_elements(images.dtype(), images.shape()))
}
