//! A bin for each number, by a hash of how it is written. Which one is not told here.

use crate::layers::prelude::*;
use crate::shared::categories::encoded;
use semantics::between::Between;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Hashing",
        summary: "A bin for each number, by a hash of how it is written. Which one is not told here.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: &[
            int("num_bins"),
            int("mask_value").optional(),
            ints("salt").optional(),
            word("output_mode", &["int", "one_hot", "multi_hot", "count"]).or_word("int"),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Hashing(i64[N,3], num_bins=5) -> i64[N,3]",
            "Hashing(i64[N,3], num_bins=5, mask_value=0, salt=7, output_mode=count) -> f32[N,5]",
            "Hashing(i64[N,1], num_bins=5, output_mode=one_hot) -> f32[N,5]",
            "Hashing(i64[2,3]) fails: `num_bins` is given",
            "Hashing(i64[2,3], num_bins=0) fails: `num_bins` is positive",
            "Hashing(i64[2,3], num_bins=5, salt=[1,2,3]) fails: `salt` is a number or two",
            "Hashing(i64[2,3], num_bins=5, output_mode=hot) fails: `output_mode` is one of int, one_hot, multi_hot, count",
            "Hashing(bool[2,3], num_bins=5) fails: `inputs` is a real number type",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (input, bins, mode) = (call.tensor("inputs")?, call.int("num_bins")?, call.text("output_mode")?);
    call.demand(IllegalValue, "`num_bins` is positive", bins.ge(1))?;
    let salt = call.optional_ints("salt")?.map_or(1, |salt| salt.len());
    call.insist(IllegalValue, "`salt` is a number or two", matches!(salt, 1 | 2))?;
    call.lost.push("the values: the hash of a number is not defined here".into());
    let places = unknown_elements(Kind::I64.into(), input.shape()).lying_between(Between::new(0, bins - 1));
    encoded(call, places, &mode, bins, None, Kind::F32)
}
