//! Finds finite numbers.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "is_finite",
    summary: "True where the element is a number and not infinite.",
    inputs: &[tensor("input", FLOAT)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[tensorflow("IsFinite(input)")],
    define,
    examples: &[
        "is_finite(f32[3]{1,inf,nan}) -> bool[3]{true,false,false}",
        "is_finite(f32[N]) -> bool[N]",
        "is_finite(i32[2]) fails: `input` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    one(map(input, Kind::Bool, |x| {
        let infinite = x.unary(Unary::IsNegInf).or(x.unary(Unary::IsPosInf));
        x.is_nan().or(infinite).negated()
    }))
}
