//! Gives what it is given; in training it drops some channels.

use super::prelude::*;
use crate::shared::random;
use crate::shared::spatial::DATA_FORMAT;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "SpatialDropout3D",
        summary: "Gives what it is given; in training it drops some channels.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("rate"), DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define: |call| random::spatial_dropout(call, 3),
        examples: &[
            "SpatialDropout3D(f32[N,8,8,8,3], rate=0.5) -> f32[N,8,8,8,3]",
            "SpatialDropout3D(f32[N,8,8,8,3], rate=-1) fails: `rate` lies between 0 and 1",
            "SpatialDropout3D(f32[N,8,8,8], rate=0.5) fails: `inputs` has 5 axes: a batch, three of space, and channels",
            "SpatialDropout3D(f32[N,8,8,8,3]) fails: `rate` is given",
            "SpatialDropout3D(f32[N,8,8,8,3], rate=0.5, data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "SpatialDropout3D(i32[2,3,3,3,4], rate=0.5) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};
