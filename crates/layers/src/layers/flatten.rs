//! Each example as one row.

use super::prelude::*;
use crate::shared::spatial::DATA_FORMAT;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Flatten",
        summary: "Each example as one row.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[DATA_FORMAT],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Flatten(f32[2,3,4]) -> f32[2,12]",
            "Flatten(f32[N]) -> f32[N,1]",
            "Flatten(f32[1,2,2]{1,2,3,4}, data_format=channels_first) -> f32[1,4]{1,3,2,4}",
            "Flatten(f32[]) fails: `inputs` has a batch",
            "Flatten(f32[2,3], data_format=last) fails: `data_format` is one of channels_last, channels_first",
            "Flatten(i32[2,3,4]) -> i32[2,12]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let channels_first = call.text("data_format")? == "channels_first";
    let mut input = call.tensor("inputs")?;
    let rank = call.known_sizes(input)?.len();
    call.insist(IncompatibleShape, "`inputs` has a batch", rank > 0)?;
    if channels_first && rank > 2 {
        // Rows are those of the other layout.
        input = transpose(input, &[0].into_iter().chain(2..rank).chain([1]).collect::<Vec<_>>());
    }
    let sizes = call.known_sizes(input)?;
    let row = Dim::product(sizes[1..].iter().copied());
    one(reshape(input, Shape::new([sizes[0], row])))
}
