//! The inverse of a permutation.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "invert_permutation",
    summary: "Where each number stands in a permutation of 0, 1, ….",
    inputs: &[tensor("input", INDEX)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("InvertPermutation(input)")],
    define,
    examples: &[
        "invert_permutation(i32[N]) -> i32[N]",
        "invert_permutation(i32[3]{2,0,1}) -> i32[3]{1,2,0}",
        "invert_permutation(i32[2,2]) fails: `input` is a vector",
        "invert_permutation(f32[2]) fails: `input` is int32 or int64",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let [length] = call.dims("`input` is a vector", input)?;
    // The place of a number is the sum of the places where it stands.
    one(Tensor::from_elements(input.dtype(), Shape::new([length]), move |index| {
        Element::fold(Fold::Sum, length, |k| {
            let kind = input.kind();
            let here = input.at(&[k]).eq(Element::index(kind, index[0]));
            here.select(Element::index(kind, k), Element::int(kind, 0))
        })
    }))
}
