//! Gives what it is given; in training it drops some channels.

use super::prelude::*;
use crate::shared::random;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "SpatialDropout1D",
        summary: "Gives what it is given; in training it drops some channels.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("rate")],
        outputs: &["output"],
        spellings: &[],
        define: |call| random::spatial_dropout(call, 1),
        examples: &[
            "SpatialDropout1D(f32[N,8,3], rate=0.5) -> f32[N,8,3]",
            "SpatialDropout1D(f32[N,8,3], rate=-1) fails: `rate` lies between 0 and 1",
            "SpatialDropout1D(f32[N,8], rate=0.5) fails: `inputs` has 3 axes: a batch, one of space, and channels",
            "SpatialDropout1D(f32[N,8,3]) fails: `rate` is given",
            "SpatialDropout1D(i32[2,3,4], rate=0.5) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};
