//! The mean of each channel.

use super::prelude::*;
use crate::shared::{pooling, spatial};

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "GlobalAveragePooling1D",
        summary: "The mean of each channel.",
        inputs: &[tensor("inputs", REAL_OR_BOOL), tensor("mask", BOOL).optional()],
        parameters: pooling::GLOBAL_PARAMETERS,
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "GlobalAveragePooling1D(f32[N,8,3]) -> f32[N,3]",
            "GlobalAveragePooling1D(f32[N,3,8], data_format=channels_first, keepdims=true) -> f32[N,3,1]",
            "GlobalAveragePooling1D(f32[1,2,1]{1,3}, mask=bool[2,2]{1,1,0,1}) -> f32[2,1]{2,3}",
            "GlobalAveragePooling1D(f32[1,2,1]{1,3}, mask=bool[1,1]{1}) -> f32[1,1]{4}",
            "GlobalAveragePooling1D(i32[1,2,1]{1,2}, mask=bool[1,2]{1,1}) -> f64[1,1]{1.5}",
            "GlobalAveragePooling1D(i32[1,2,1]{1,2}, mask=bool[1,2]{1,1}) on torch -> f32[1,1]{1.5}",
            "GlobalAveragePooling1D(f32[2,8]) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "GlobalAveragePooling1D(f32[2,0,3]) fails: there is something to pool",
            "GlobalAveragePooling1D(f32[2,8,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "GlobalAveragePooling1D(f32[1,3,1]{1,3,5}, bool[1,3]{1,1,0}) -> f32[1,1]{2}",
            "GlobalAveragePooling1D(f32[2,8,3], bool[2,3]) fails: the mask has a truth for each place",
            "GlobalAveragePooling1D(f32[1,2,2]{1,4,2,3}) -> f32[1,2]{1.5,3.5}",
            "GlobalAveragePooling1D(i32[N,2,3]) -> f32[N,3]",
        ],
    },
    takes: &["inputs", "mask"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let given = call.tensor("inputs")?;
    let whole = given.dtype().known().is_some_and(|kind| !kind.is_float());
    if whole && call.backend == Backend::TensorFlow && call.optional("mask").is_some() {
        // It divides integers by integers, as Python does.
        call.tensors[0][0] = cast(given, Kind::F64);
    }
    let plain = pooling::global(call, 1, Fold::Sum)?;
    let Some(mask) = call.optional("mask") else { return Ok(plain) };
    let space = spatial::read(call, 1)?;
    // It is multiplied with the inputs, so that either may be broadcast.
    let label = "the mask has a truth for each place";
    call.sizes(label, mask, 2)?;
    let (all, fits) = mask.shape().broadcast(Shape::new([space.batch, space.sizes[0]]));
    call.demand(IncompatibleShape, label, fits)?;
    let [batch, places] = [0, 1].map(|axis| all.size(Front(axis)));
    let keep = call.flag("keepdims")?;
    let truths = mask.shape().size(Front(1));
    let shape = plain[0].shape().with_size(Front(0), batch);
    // The mean of what the mask lets through.
    one(Tensor::from_elements(plain[0].dtype(), shape, move |index| {
        let channel = if keep { index[space.channel_axis] } else { index[1] };
        let kind = space.input.kind();
        let over = |count: Dim, f: &dyn Fn(Dim) -> Element| {
            Element::fold(Fold::Sum, count, |place| {
                let passed = mask.broadcast_at(&[index[0], place]);
                passed.select(f(place), Element::constant(kind, 0.0))
            })
        };
        let total = over(places, &|place| {
            let mut source = [index[0]; 3];
            (source[space.channel_axis], source[space.first]) = (channel, place);
            space.input.broadcast_at(&source)
        });
        total / over(truths, &|_| Element::constant(kind, 1.0))
    }))
}
