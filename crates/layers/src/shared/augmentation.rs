//! Layers that change images at random while training. When a model predicts they give what they are given; what
//! their arguments must be is checked all the same.

use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::cast;
use semantics::dtype::{Kind, NUMERIC};
use semantics::operator::Category::{IllegalValue, IncompatibleShape};
use semantics::operator::{Input, Parameter, floats, tensor, word};

pub use super::spatial::DATA_FORMAT;

pub const IMAGES: &[Input] = &[tensor("inputs", NUMERIC)];
pub const TAKES: &[&str] = &["inputs"];
pub const VALUE_RANGE: Parameter = floats("value_range").optional();
pub const FILL_MODE: Parameter =
    word("fill_mode", &["reflect", "wrap", "constant", "nearest"]).or_word("reflect");
pub const INTERPOLATION: Parameter = word("interpolation", &["nearest", "bilinear"]).or_word("bilinear");

pub const RANK: &str = "`inputs` is an image of 3 axes, or a batch of them";
pub const VALUE_RANGE_LABEL: &str = "`value_range` is two numbers";

/// The images as they are.
pub fn unchanged(call: &mut Call) -> Outcome {
    let images = call.tensor("inputs")?;
    let rank = call.known_sizes(images)?.len();
    call.insist(IncompatibleShape, RANK, rank == 3 || rank == 4)?;
    one(images)
}

/// The images as they are, integers as floats.
pub fn as_floats(call: &mut Call) -> Outcome {
    let images = unchanged(call)?[0];
    one(if images.dtype().known().is_none_or(Kind::is_float) { images } else { cast(images, Kind::F32) })
}

/// States that the range is two numbers, where it is given.
pub fn require_value_range(call: &mut Call) -> Result<(), Stop> {
    let range = call.optional_floats("value_range")?;
    let two = range.is_none_or(|range| call.is_list("value_range") && range.len() == 2);
    call.insist(IllegalValue, VALUE_RANGE_LABEL, two)
}

/// States that a factor is a number from `low` to `high`, or two of which the first is not above nor the second below.
pub fn require_factor(
    call: &mut Call,
    name: &str,
    label: &'static str,
    low: f64,
    high: f64,
) -> Result<(), Stop> {
    let legal = match (call.optional_floats(name)?.as_deref(), call.is_list(name)) {
        (None, _) => true,
        (Some([only]), false) => (low..=high).contains(only),
        (Some([first, second]), true) => *first <= high && *second >= low,
        _ => false,
    };
    call.insist(IllegalValue, label, legal)
}

/// As [`require_factor`], but both of two numbers lie from `low` to `high`, or above `low` if that is `open`.
pub fn require_factors(
    call: &mut Call,
    name: &str,
    label: &'static str,
    low: f64,
    high: f64,
    open: bool,
) -> Result<(), Stop> {
    let inside = |x: &f64| (low..=high).contains(x) && !(open && *x == low);
    let legal = match (call.optional_floats(name)?.as_deref(), call.is_list(name)) {
        (None, _) => true,
        (Some([only]), false) => inside(only),
        (Some([first, second]), true) => inside(first) && inside(second),
        _ => false,
    };
    call.insist(IllegalValue, label, legal)
}
