//! Stretches the values of each channel of each image over the whole range.

use crate::layers::prelude::*;
use crate::shared::augmentation::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "AutoContrast",
        summary: "Stretches the values of each channel of each image over the whole range.",
        inputs: IMAGES,
        parameters: &[VALUE_RANGE, DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "AutoContrast(f32[N,8,8,3]) -> f32[N,8,8,3]",
            "AutoContrast(i32[N,8,8,3]) -> f32[N,8,8,3]",
            "AutoContrast(f32[1,3,1]{10,20,30}) -> f32[1,3,1]{0,127.5,255}",
            "AutoContrast(f32[8,8]) fails: `inputs` is an image of 3 axes, or a batch of them",
            "AutoContrast(f32[8,8,3], value_range=[1]) fails: `value_range` is two numbers",
            "AutoContrast(f32[8,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "AutoContrast(f32[8,0,3]) fails: there is something to stretch",
            "AutoContrast(f32[0,8,8,3]) fails: there is something to stretch",
        ],
    },
    takes: TAKES,
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    require_value_range(call)?;
    let images = as_floats(call)?[0];
    let range = call.optional_floats("value_range")?.unwrap_or_else(|| vec![0.0, 255.0]);
    let (low, high) = (range[0].min(range[1]), range[0].max(range[1]));
    let whole = (low, high) == (0.0, 255.0);
    let sizes = call.known_sizes(images)?;
    let rank = sizes.len();
    let some = sizes.iter().map(|size| size.ge(1));
    call.require_shape("there is something to stretch", Prop::all(some));
    let spread = move |x: Element| if whole { x } else { (x - low) / (high - low) * 255.0 };
    Ok(Tensor::composed([(images.dtype(), images.shape())], move || {
        let values = map(images, images.dtype(), spread);
        // Height and width of an image whose channels come last, whatever `data_format` says.
        let axes = [rank - 3, rank - 2];
        let (least, most) = (reduce(Fold::Min, values, &axes, true), reduce(Fold::Max, values, &axes, true));
        vec![Tensor::from_elements(images.dtype(), images.shape(), move |index| {
            let (least, most) = (least.broadcast_at(index), most.broadcast_at(index));
            let scale = Element::constant(least.kind(), 255.0) / (most - least);
            let stretched = (values.at(index) * scale + -least * scale).max(0.0).min(255.0);
            let back = if whole { stretched } else { stretched / 255.0 * (high - low) + low };
            // A channel of one value stays as it is.
            back.is_nan().select(images.at(index), back)
        })]
    }))
}
