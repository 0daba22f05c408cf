//! Cuts a box out of a tensor.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "slice_sizes",
    summary: "Takes `size` positions from `begin` on along each axis; with a size of -1 all that are left.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[ints("begin"), ints("size")],
    outputs: &["output"],
    spellings: &[tensorflow("Slice(input, begin, size)")],
    define,
    examples: &[
        "slice_sizes(f32[N,8], begin=[0,2], size=[-1,3]) -> f32[N,3]",
        "slice_sizes(i32[4]{1,2,3,4}, begin=[1], size=[2]) -> i32[2]{2,3}",
        "slice_sizes(f32[4], begin=[0], size=[0]) -> f32[0]",
        "slice_sizes(f32[4], begin=[0,0], size=[1,1]) fails: `begin` and `size` have one value per axis",
        "slice_sizes(f32[4], begin=[-1], size=[1]) fails: `begin` is within the axis",
        "slice_sizes(f32[4], begin=[2], size=[3]) fails: the slice is within the axis",
        "slice_sizes(f32[4], begin=[2], size=[-2]) fails: `size` is not below -1",
        "slice_sizes(f32[4], size=[1]) fails: `begin` is given",
        "slice_sizes(f32[4], begin=[1]) fails: `size` is given",
        "slice_sizes(f8e4m3fn[4], begin=[0], size=[1]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::RankOf(input.shape()));
    let (begin, size) = (call.ints("begin")?, call.ints("size")?);
    let label = "`begin` and `size` have one value per axis";
    call.insist(IllegalValue, label, begin.len() == size.len())?;
    let sizes = call.sizes(label, input, begin.len())?;
    let mut lengths = Vec::with_capacity(sizes.len());
    for ((&begin, &size), &extent) in begin.iter().zip(&size).zip(&sizes) {
        call.require_value("`begin` is within the axis", begin.ge(0) & begin.le(extent));
        call.require_value("`size` is not below -1", size.ge(-1));
        let length = Dim::select(size.eq(-1), extent - begin, size);
        call.require_value("the slice is within the axis", (begin + length).le(extent));
        lengths.push(length.max(0));
    }
    one(Tensor::from_elements(input.dtype(), Shape::new(lengths), move |index| {
        let source: Vec<Dim> = index.iter().zip(&begin).map(|(&i, &begin)| i + begin).collect();
        input.at(&source)
    }))
}
