//! Adds axes of size 1.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "unsqueeze",
    summary: "Adds axes of size 1 at the positions that they have in the output.",
    inputs: &[tensor("input", ANY)],
    parameters: &[ints("axes")],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Unsqueeze(input; axes)"),
        onnx(13, "Unsqueeze(input, axes:flat)"),
        tensorflow("ExpandDims(input, axes:flat)"),
    ],
    define,
    examples: &[
        "unsqueeze(f32[N,5], axes=[0,-1]) -> f32[1,N,5,1]",
        "unsqueeze(f32[3,4,5], axes=[5,4,2]) -> f32[3,4,1,5,1,1]",
        "unsqueeze(i64[]{7}, axes=[0]) -> i64[1]{7}",
        "unsqueeze(f32[2,3], axes=[]) -> f32[2,3]",
        "unsqueeze(f32[...], axes=[0]) -> f32[...]",
        "unsqueeze(f32[2,3], axes=[3]) fails: `axes` are within the rank of the output",
        "unsqueeze(f32[2,3], axes=[0,-4]) fails: `axes` name each axis once",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::AnyShape);
    let axes = call.ints("axes")?;
    if let Some(rank) = input.shape().known_rank() {
        call.promise(input.dtype(), Promised::Rank(rank + axes.len()));
    }
    let within = "`axes` are within the rank of the output";
    let widest = input.shape().followed_by(axes.iter().map(|_| Dim::from(1)));
    let mut added: Vec<Slot> = match widest.known_rank() {
        Some(_) => {
            let positions = call.axes_at(&axes, within, "`axes` name each axis once", widest)?;
            positions.into_iter().map(|k| Front(k as u32)).collect()
        }
        None => axes.iter().map(|&axis| call.axis_at(axis, within, widest)).collect::<Result<_, _>>()?,
    };
    // Outermost first, so that each lands where it is in the output.
    added.sort_unstable();
    let shape = added.iter().fold(input.shape(), |shape, &slot| shape.with_inserted(slot, 1.into()));
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let added: Vec<usize> = added.iter().map(|&slot| position(slot, index.len())).collect();
        let kept = index.iter().enumerate().filter(|(k, _)| !added.contains(k));
        input.at(&kept.map(|(_, &at)| at).collect::<Vec<Dim>>())
    }))
}
