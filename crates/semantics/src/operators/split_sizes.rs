//! Cuts a tensor into parts of given sizes.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "split_sizes",
    summary: "Cuts a tensor along an axis into parts of the sizes `sizes`, one of which may be -1: whatever is left.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("sizes"), int("axis").or(0)],
    outputs: &["outputs..."],
    spellings: &[tensorflow("SplitV(input, sizes, axis:scalar; !num_split)")],
    define,
    examples: &[
        "split_sizes(f32[N,6], sizes=[2,-1], axis=1) -> f32[N,2], f32[N,4]",
        "split_sizes(i32[3]{1,2,3}, sizes=[1,2]) -> i32[1]{1}, i32[2]{2,3}",
        "split_sizes(f32[2,3], sizes=[1,2], axis=1) fails: there is one size per output",
        "split_sizes(f32[6], sizes=[5]) fails: the parts are as long as the axis together",
        "split_sizes(f32[6], sizes=[6], axis=1) fails: `axis` is within the rank",
        "split_sizes(f32[2,3], sizes=[2], axis=1) fails: the parts are as long as the axis together",
        "split_sizes(f32[2], sizes=[1,1,0]) -> f32[1], f32[1], f32[0]",
        "split_sizes(f32[2]) fails: `sizes` is given",
        "split_sizes(f8e4m3fn[2], sizes=[2]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let sizes = call.ints("sizes")?;
    call.insist(IllegalValue, "there is one size per output", sizes.len() == call.wanted)?;
    let size = input.shape().size(axis);
    let stated = Dim::sum(sizes.iter().map(|part| part.max(0)));
    let open = Prop::any(sizes.iter().map(|part| part.eq(-1)));
    let fits = stated.eq(size) | (open & stated.le(size));
    call.require_shape("the parts are as long as the axis together", fits);
    let parts: Vec<Dim> =
        sizes.iter().map(|&part| Dim::select(part.eq(-1), size - stated, part).max(0)).collect();
    Ok(super::split::cut(input, axis, &parts))
}
