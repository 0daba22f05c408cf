//! The number of the bin in which a number lies.

use crate::layers::prelude::*;
use crate::shared::categories::encoded;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Discretization",
        summary: "The number of the bin in which a number lies.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[
            floats("bin_boundaries").optional(),
            int("num_bins").optional(),
            float("epsilon").or_float(0.01),
            word("output_mode", &["int", "one_hot", "multi_hot", "count"]).or_word("int"),
        ],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Discretization(f32[1,3]{-1,0,5}, bin_boundaries=[0,1]) -> i32[1,3]{0,1,2}",
            "Discretization(f32[N,3], bin_boundaries=[0,1], output_mode=one_hot) -> f32[N,3,3]",
            "Discretization(f32[1,3]{-1,0,5}, bin_boundaries=[0,1], output_mode=count) -> f32[1,3]{1,1,1}",
            "Discretization(f32[2,3]) fails: boundaries of bins are given, or seen in data",
            "Discretization(f32[2,3], bin_boundaries=[1,0]) fails: `bin_boundaries` do not fall",
            "Discretization(f32[2,3], bin_boundaries=[1,0]) on torch -> i32[2,3]",
            "Discretization(f32[2,3], bin_boundaries=[0,1], num_bins=2) fails: `bin_boundaries` and `num_bins` are not given both",
            "Discretization(f32[2,3], bin_boundaries=[0,1], output_mode=hot) fails: `output_mode` is one of int, one_hot, multi_hot, count",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (input, mode) = (call.tensor("inputs")?, call.text("output_mode")?);
    let (boundaries, bins) = (call.optional_floats("bin_boundaries")?, call.optional_int("num_bins")?);
    call.insist(IllegalValue, "boundaries of bins are given, or seen in data", boundaries.is_some())?;
    let either = boundaries.is_none() || bins.is_none();
    call.insist(IllegalValue, "`bin_boundaries` and `num_bins` are not given both", either)?;
    let boundaries = boundaries.unwrap_or_default();
    // PyTorch halves whatever it is given.
    let sorted = boundaries.is_sorted() || call.backend == Backend::Torch;
    call.insist(IllegalValue, "`bin_boundaries` do not fall", sorted)?;
    let depth = Dim::from(boundaries.len() as i64 + 1);
    let bin = move |x: Element| found(x.cast(Kind::F32), &boundaries, 0, boundaries.len());
    let indices = map(input, Kind::I32, bin);
    encoded(call, indices, &mode, depth, None, Kind::F32)
}

/// The bin from `low` to `high`, by halving: so boundaries that are not in order have a meaning, too.
fn found(x: Element, boundaries: &[f64], low: usize, high: usize) -> Element {
    if low == high {
        return Element::int(Kind::I32, low as i64);
    }
    let middle = (low + high) / 2;
    let boundary = Element::constant(Kind::F32, Kind::F32.round(boundaries[middle]));
    let (above, below) = (found(x, boundaries, middle + 1, high), found(x, boundaries, low, middle));
    x.ge(boundary).select(above, below)
}
