//! Undoes broadcasting.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "sum_to_shape",
    summary: "Adds up what broadcasting a tensor of shape `shape` to that of `input` had repeated.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[ints("shape")],
    outputs: &["output"],
    spellings: &[],
    define,
    examples: &[
        "sum_to_shape(f32[N,3], shape=[3]) -> f32[3]",
        "sum_to_shape(f32[2,2]{1,2,3,4}, shape=[2,1]) -> f32[2,1]{3,7}",
        "sum_to_shape(f32[N,3], shape=[M,3]) -> f32[M,3]",
        "sum_to_shape(f32[2]{1,2}, shape=[]) -> f32[]{3}",
        "sum_to_shape(f32[2], shape=[3]) fails: `shape` broadcasts to that of `input`",
        "sum_to_shape(f32[2], shape=[1,2]) -> f32[1,2]",
        "sum_to_shape(f32[2]) fails: `shape` is given",
        "sum_to_shape(bool[2], shape=[2]) fails: `input` is a real number type",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::AnyShape);
    let wanted = call.ints("shape")?;
    let shape = Shape::new(wanted.iter().copied());
    let Some(sizes) = input.shape().sizes() else { return one(unknown_elements(input.dtype(), shape)) };
    // Leading axes of size 1 that the input lacks are there in name only.
    let lacking = wanted.len().saturating_sub(sizes.len());
    let more = sizes.len().saturating_sub(wanted.len());
    let extra = Prop::all(wanted[..lacking].iter().map(|size| size.eq(1)));
    let pairs = || wanted[lacking..].iter().zip(&sizes[more..]);
    let fits = Prop::all(pairs().map(|(wanted, &size)| wanted.eq(1) | wanted.eq(size)));
    call.require_shape("`shape` broadcasts to that of `input`", extra & fits);
    let repeated = pairs().map(|(wanted, &size)| Dim::select(wanted.eq(1), size, 1));
    let extents: Vec<Dim> = sizes[..more].iter().copied().chain(repeated).collect();
    let kept: Vec<Dim> = wanted[lacking..].to_vec();
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        Element::fold_over(Fold::Sum, &extents, &|folded| {
            let own = index[lacking..].iter().zip(&kept).zip(&folded[more..]);
            let within = own.map(|((&at, kept), &added)| Dim::select(kept.eq(1), added, at));
            input.at(&folded[..more].iter().copied().chain(within).collect::<Vec<Dim>>())
        })
    }))
}
