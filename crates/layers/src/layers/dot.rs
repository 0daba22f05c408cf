//! The products of two tensors, summed along an axis of each.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Dot",
        summary: "The products of two tensors, summed along an axis of each.",
        inputs: &[tensor("inputs", NUMERIC).variadic()],
        parameters: &[ints("axes"), flag("normalize").or_flag(false)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Dot(f32[2,3,4], f32[2,5,4], axes=2) -> f32[2,3,5]",
            "Dot(f32[1,2]{1,2}, f32[1,2]{3,4}, axes=1) -> f32[1,1]{11}",
            "Dot(f32[2,3], f32[2,3], f32[2,3], axes=1) fails: there are exactly two tensors",
            "Dot(f32[2,3], f32[2], axes=1) fails: every tensor has a batch and another axis",
            "Dot(f32[2,3], f32[3,3], axes=1) fails: the tensors have one batch",
            "Dot(f32[2,3], f32[2,4], axes=1) fails: the axes that are summed along have one size",
            "Dot(f32[2,3], f32[2,3], axes=2) fails: `axes` are axes of the tensors after the batch",
            "Dot(f32[2,3], f32[2,3], axes=[1,1,1]) fails: `axes` is one number or two",
            "Dot(f32[2,3], f32[2,3]) fails: `axes` is given",
            "Dot(i32[2,3], f32[2,3], axes=1) -> f32[2,1]",
            "Dot(i32[2,3], f32[2,3], axes=1, normalize=true) fails: what is normalized is floating point",
            "Dot(i32[2,3], i32[2,3], axes=1, normalize=true) on torch -> f32[2,1]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let whole = |tensor: &Tensor| tensor.dtype().known().is_some_and(|kind| !kind.is_float());
    if call.backend == Backend::TensorFlow && call.flag("normalize")? {
        let floats = !call.list("inputs").iter().any(whole);
        call.insist(IncompatibleType, "what is normalized is floating point", floats)?;
    }
    let tensors = merge::promoted(call);
    call.insist(IncompatibleShape, "there are exactly two tensors", tensors.len() == 2)?;
    let (a, b) = (tensors[0], tensors[1]);
    let (left, right) = (call.known_sizes(a)?, call.known_sizes(b)?);
    let enough = left.len() >= 2 && right.len() >= 2;
    call.insist(IncompatibleShape, "every tensor has a batch and another axis", enough)?;
    let axes = call.ints("axes")?;
    let axes = call.positions("axes", &axes)?;
    call.insist(
        IllegalValue,
        "`axes` is one number or two",
        axes.len() == if call.is_list("axes") { 2 } else { 1 },
    )?;
    let wraps = axes.len() == 1;
    let place = |axis: i64, rank: usize| match axis {
        // Keras counts a single number from the back as often as it takes.
        0.. => axis,
        _ if wraps => axis.rem_euclid(rank as i64),
        _ => axis + rank as i64,
    };
    let (p, q) = (place(axes[0], left.len()), place(axes[axes.len() - 1], right.len()));
    let inside = (1..left.len() as i64).contains(&p) && (1..right.len() as i64).contains(&q);
    call.insist(IllegalValue, "`axes` are axes of the tensors after the batch", inside)?;
    let (p, q) = (p as usize, q as usize);
    call.require_shape("the tensors have one batch", left[0].eq(right[0]));
    call.require_shape("the axes that are summed along have one size", left[p].eq(right[q]));
    let (a, b) = match call.flag("normalize")? {
        true => {
            let [a, b] = [a, b].map(|tensor| if whole(&tensor) { cast(tensor, Kind::F32) } else { tensor });
            (normalized(a, p), normalized(b, q))
        }
        false => (a, b),
    };
    let rest: Vec<Dim> = (1..left.len()).filter(|k| *k != p).map(|k| left[k]).collect();
    let others = (1..right.len()).filter(|k| *k != q).map(|k| right[k]);
    let (kept, extent) = (rest.len(), left[p]);
    let shape = Shape::new([left[0]].into_iter().chain(rest).chain(others));
    // Two vectors give one number, which has an axis of its own.
    let shape = if shape.known_rank() == Some(1) { Shape::new([left[0], 1.into()]) } else { shape };
    one(Tensor::from_elements(a.dtype(), shape, move |index| {
        Element::fold(Fold::Sum, extent, |k| {
            let with = |own: &[Dim], axis: usize| {
                let mut source = vec![index[0]];
                source.extend_from_slice(own);
                source.insert(axis, k);
                source
            };
            let (first, second) = (&index[1..1 + kept], &index[1 + kept..]);
            let second = if kept == 0 && right.len() == 2 { &[] } else { second };
            a.at(&with(first, p)) * b.at(&with(second, q))
        })
    }))
}

/// Each vector along the axis with length 1; what is all but zero is made longer by no more than a factor.
fn normalized(tensor: Tensor, axis: usize) -> Tensor {
    let squares = reduce_map(Fold::Sum, tensor, tensor.dtype(), &[axis], true, |x| x * x);
    zip(tensor, squares, tensor.dtype(), tensor.shape(), |x, square| x * square.sqrt().reciprocal().min(1e7))
}
