//! The tensors one after the other along an axis.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Concatenate",
        summary: "The tensors one after the other along an axis.",
        inputs: merge::NUMBERS,
        parameters: &[int("axis").or(-1)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Concatenate(f32[N,3], f32[N,4]) -> f32[N,7]",
            "Concatenate(f32[1,2]{1,2}, f32[1,1]{3}, axis=1) -> f32[1,3]{1,2,3}",
            "Concatenate(f32[2,3], axis=7) -> f32[2,3]",
            "Concatenate(f32[2,3], axis=7) on torch fails: `axis` is within the rank",
            "Concatenate(f32[], axis=0) fails: `axis` is within the rank",
            "Concatenate(f32[2,3], axis=-3) fails: `axis` is within the rank",
            "Concatenate(f32[2,3], f32[2,3,4]) fails: the tensors have one rank",
            "Concatenate(f32[2,3], f32[3,3]) fails: sizes off the axis are equal",
            "Concatenate(f32[2,3], f32[2,3], axis=2) fails: `axis` is within the rank",
            "Concatenate(i32[2,3], i32[2,3]) fails: `inputs` are floats, as a symbolic build supposes",
            "Concatenate(i32[2,3], f32[2,3]) -> f32[2,6]",
            "Concatenate(f32[2,3], f32[2,3], mask=bool[2,1], mask=bool[5]) fails: a mask and the rows of its tensor broadcast",
            "Concatenate(f32[1,3,4], f32[1,3,4], mask=bool[2,3], mask=bool[2,3]) -> f32[1,3,8]",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Made(When::Any, mask),
};

/// The masks one after the other, each as wide as its tensor; what any feature lets through.
fn mask(call: &mut Call) -> Outcome {
    let tensors = call.list("inputs");
    // Masks are put together even where there is one tensor.
    call.axis("axis", "`axis` is within the rank", tensors[0].shape())?;
    let masks = merge::masks(call);
    let mut widened = Vec::new();
    for (&tensor, mask) in tensors.iter().zip(masks) {
        // A mask that has as many axes as its tensor is put together as it is.
        let whole = mask.filter(|mask| mask.shape().known_rank() == tensor.shape().known_rank());
        if let Some(whole) = whole {
            widened.push(whole);
            continue;
        }
        // One of a single row is for all, on either side.
        let shape = match mask {
            Some(mask) => {
                let (shape, fits) = tensor.shape().broadcast(mask.shape().followed_by([1.into()]));
                call.demand(IncompatibleShape, "a mask and the rows of its tensor broadcast", fits)?;
                shape
            }
            None => tensor.shape(),
        };
        widened.push(Tensor::from_elements(Kind::Bool, shape, move |index| match mask {
            Some(mask) => merge::passes(mask, index),
            None => Element::constant(Kind::Bool, 1.0),
        }));
    }
    call.tensors[0] = widened.into_iter().collect();
    let joined = joined(call)?[0];
    let rank = joined.shape().known_rank().unwrap_or(1);
    one(reduce(Fold::Max, joined, &[rank - 1], false))
}

fn define(call: &mut Call) -> Outcome {
    require_promised_type(call)?;
    if merge::masks(call).iter().any(Option::is_some) {
        // They are put together whether somebody wants them or not.
        let tensors = call.tensors[0].clone();
        mask(call)?;
        call.tensors[0] = tensors;
    }
    joined(call)
}

fn joined(call: &mut Call) -> Outcome {
    let tensors = merge::promoted(call);
    if let [only] = tensors[..] {
        // Nothing is put together; on TensorFlow an axis beyond the last is not noticed, one before the first is.
        let rank = only.shape().rank();
        let axis = call.int("axis")?;
        let noticed = call.backend == Backend::Torch;
        let within = rank.ge(1) & axis.ge(-rank) & (axis.lt(rank) | (!noticed).into());
        call.require_value("`axis` is within the rank", within);
        return one(only);
    }
    let label = "`axis` is within the rank";
    let ranks: Option<Vec<usize>> = tensors.iter().map(|tensor| tensor.shape().known_rank()).collect();
    let ranks = ranks.ok_or_else(|| Stop::Unknown("the rank of an input is not known".into()))?;
    call.insist(IncompatibleShape, ONE_RANK, ranks.iter().all(|rank| *rank == ranks[0]))?;
    let axis = call.axis("axis", label, tensors[0].shape())?;
    one(join(call, &tensors, axis)?)
}

const ONE_RANK: &str = "the tensors have one rank";

/// The tensors, of one type, one after the other along an axis.
pub fn join(call: &mut Call, tensors: &[Tensor], axis: Slot) -> Result<Tensor, Stop> {
    let sizes: Vec<Sizes> =
        tensors.iter().map(|tensor| call.known_sizes(*tensor)).collect::<Result<_, Stop>>()?;
    let rank = sizes[0].len();
    call.insist(IncompatibleShape, ONE_RANK, sizes.iter().all(|each| each.len() == rank))?;
    let axis = position(axis, rank);
    let mut starts = vec![Dim::from(0)];
    for each in &sizes {
        let others = (0..rank).filter(|k| *k != axis).map(|k| each[k].eq(sizes[0][k]));
        call.require_shape("sizes off the axis are equal", Prop::all(others));
        starts.push(starts[starts.len() - 1] + each[axis]);
    }
    let total = starts[starts.len() - 1];
    let shape = tensors[0].shape().with_size(Front(axis as u32), total);
    let tensors = tensors.to_vec();
    Ok(Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let at = |k: usize| {
            let mut source = index.to_vec();
            source[axis] = index[axis] - starts[k];
            tensors[k].at(&source)
        };
        let last = tensors.len() - 1;
        (0..last).rev().fold(at(last), |later, k| Element::when(index[axis].lt(starts[k + 1]), at(k), later))
    }))
}
