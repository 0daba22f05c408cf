//! Drops axes of size 1.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "squeeze",
    summary: "Drops the axes named, which have size 1; all axes of size 1 if none is named.",
    inputs: &[tensor("input", ANY)],
    parameters: &[ints("axes").optional()],
    outputs: &["output"],
    spellings: &[
        onnx(1, "Squeeze(input; axes)"),
        onnx(13, "Squeeze(input, axes)"),
        tensorflow("Squeeze(input; squeeze_dims as axes)"),
    ],
    define,
    examples: &[
        "squeeze(f32[1,N,1,5], axes=[0,-2]) -> f32[N,5]",
        "squeeze(i64[1,2]{7,8}, axes=[0]) -> i64[2]{7,8}",
        "squeeze(f32[1,3,1]) -> f32[3]",
        "squeeze(f32[1,3,1], axes=[]) -> f32[3]",
        "squeeze(f32[1,2], axes=[0,0]) -> f32[2]",
        "squeeze(f32[N,1]) -> f32[...]",
        "squeeze(f32[...], axes=[-1]) -> f32[...]",
        "squeeze(f32[1,2], axes=[1]) fails: every squeezed axis has size 1",
        "squeeze(f32[1,2], axes=[2]) fails: `axes` are within the rank",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let shape = input.shape();
    call.promise(input.dtype(), Promised::AnyShape);
    let mut dropped: Vec<Slot> = Vec::new();
    match call.optional_ints("axes")?.filter(|axes| !axes.is_empty()) {
        Some(axes) => {
            for axis in axes {
                let slot = call.axis_at(axis, "`axes` are within the rank", shape)?;
                call.require_shape("every squeezed axis has size 1", shape.size(slot).eq(1));
                dropped.push(slot);
            }
        }
        None => {
            let sizes = call.known_sizes(input)?;
            let single: Vec<Dim> = sizes.iter().map(|size| Dim::select(size.eq(1), 1, 0)).collect();
            let Ok(single) = call.positions("axes", &single) else {
                return call.shapeless(input.dtype(), "which axes have size 1 is not known");
            };
            dropped.extend((0..sizes.len()).filter(|&k| single[k] == 1).map(|k| Front(k as u32)));
        }
    }
    dropped.sort_unstable();
    dropped.dedup();
    let from_both_ends = dropped.iter().any(|slot| matches!(slot, Front(_)))
        && dropped.iter().any(|slot| matches!(slot, Back(_)));
    if from_both_ends {
        return call.shapeless(input.dtype(), "whether two of the axes are the same one is not known");
    }
    // The axes further in go first: dropping one moves those beyond it.
    let shape = dropped.iter().rev().fold(shape, |shape, &slot| shape.without(slot));
    one(Tensor::from_elements(input.dtype(), shape, move |index| {
        let rank = index.len() + dropped.len();
        let dropped: Vec<usize> = dropped.iter().map(|&slot| position(slot, rank)).collect();
        let mut kept = index.iter().copied();
        let source: Vec<Dim> = (0..rank)
            .map(|k| if dropped.contains(&k) { Dim::from(0) } else { kept.next().unwrap_or(Dim::from(0)) })
            .collect();
        input.at(&source)
    }))
}
