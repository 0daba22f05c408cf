//! Turns axes around.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "reverse",
    summary: "The elements in reverse order along `axes`.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("axes")],
    outputs: &["output"],
    spellings: &[tensorflow("ReverseV2(input, axes)")],
    define,
    examples: &[
        "reverse(f32[N,3], axes=[0]) -> f32[N,3]",
        "reverse(i32[3]{1,2,3}, axes=[-1]) -> i32[3]{3,2,1}",
        "reverse(f32[2], axes=[1]) fails: `axes` are within the rank",
        "reverse(f32[2], axes=[0,-1]) fails: `axes` name each axis once",
        "reverse(f32[2]) fails: `axes` is given",
        "reverse(f8e4m3fn[2], axes=[0]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::Shape(input.shape()));
    let sizes = call.known_sizes(input)?;
    let mut axes = Vec::new();
    for axis in call.ints("axes")? {
        let axis = position(call.axis_at(axis, "`axes` are within the rank", input.shape())?, sizes.len());
        call.insist(IllegalValue, "`axes` name each axis once", !axes.contains(&axis))?;
        axes.push(axis);
    }
    one(reversed(input, sizes.to_vec(), axes))
}

/// A tensor of these sizes with the elements in reverse order along axes.
pub fn reversed(input: Tensor, sizes: Vec<Dim>, axes: Vec<usize>) -> Tensor {
    Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let turned = |(k, &i): (usize, &Dim)| if axes.contains(&k) { sizes[k] - 1 - i } else { i };
        input.at(&index.iter().enumerate().map(turned).collect::<Vec<Dim>>())
    })
}
