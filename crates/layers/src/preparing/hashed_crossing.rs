//! A bin for the numbers that several tensors have at one place, by a hash. Which one is not told here.

use crate::layers::prelude::*;
use crate::shared::categories::encoded;
use semantics::between::Between;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "HashedCrossing",
        summary: "A bin for the numbers that several tensors have at one place, by a hash. Which one is not told here.",
        inputs: &[tensor("inputs", INTEGER).variadic()],
        parameters: &[int("num_bins"), word("output_mode", &["int", "one_hot"]).or_word("int")],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "HashedCrossing(i64[N], i64[N], num_bins=5) -> i64[N]",
            "HashedCrossing(i64[N,1], i64[N,1], num_bins=5, output_mode=one_hot) -> f32[N,5]",
            "HashedCrossing(i64[2], num_bins=5) fails: there are at least two tensors",
            "HashedCrossing(num_bins=5) fails: `inputs` is given",
            "HashedCrossing(i64[2], i64[2]) fails: `num_bins` is given",
            "HashedCrossing(i64[2], i64[2], num_bins=0) fails: `num_bins` is positive",
            "HashedCrossing(i64[2,3], i64[2,3], num_bins=5) fails: each tensor has one number per example",
            "HashedCrossing(i64[2], i64[3], num_bins=5) fails: the tensors have one shape",
            "HashedCrossing(i64[2], i64[2], num_bins=5, output_mode=count) fails: `output_mode` is one of int, one_hot",
            "HashedCrossing(f32[2], f32[2], num_bins=5) fails: `inputs` is an integer type",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (inputs, bins, mode) = (call.list("inputs"), call.int("num_bins")?, call.text("output_mode")?);
    call.demand(IllegalValue, "`num_bins` is positive", bins.ge(1))?;
    call.insist(IncompatibleShape, "there are at least two tensors", inputs.len() > 1)?;
    let sizes = call.known_sizes(inputs[0])?;
    let single = match sizes.as_slice() {
        [] | [_] => true.into(),
        [_, last] => last.eq(1),
        _ => false.into(),
    };
    call.demand(IncompatibleShape, "each tensor has one number per example", single)?;
    let alike = inputs[1..].iter().map(|other| other.shape().same(inputs[0].shape()));
    call.demand(IncompatibleShape, "the tensors have one shape", Prop::all(alike))?;
    call.lost.push("the values: the hash of numbers is not defined here".into());
    let places =
        unknown_elements(Kind::I64.into(), inputs[0].shape()).lying_between(Between::new(0, bins - 1));
    encoded(call, places, &mode, bins, None, Kind::F32)
}
