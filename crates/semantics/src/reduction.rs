//! Definitions of operators that fold a tensor over some of its axes.

use crate::call::{Call, Outcome, Promised, one, position};
use crate::compose::{map, reduce, unknown_elements};
use crate::dim::Dim;
use crate::dtype::{Kind, TypeSet};
use crate::element::Element;
use crate::operator::Category;
use crate::prop::Prop;
use crate::scalar::Fold;
use crate::shape::{Shape, Slot};
use crate::tensor::Tensor;

/// What the largest and the smallest element can be asked of.
pub const ORDERED: TypeSet = TypeSet {
    name: "bool or a number type other than 16-bit integers",
    kinds: &[
        Kind::Bool,
        Kind::I8,
        Kind::I32,
        Kind::I64,
        Kind::U8,
        Kind::U32,
        Kind::U64,
        Kind::F16,
        Kind::BF16,
        Kind::F32,
        Kind::F64,
    ],
};

/// Reads `input`, `axes`, `keepdims` and `noop_with_empty_axes`, and lets `fold` build the result from the
/// tensor, its axes (sorted, from the front) and whether they are kept.
pub fn reduction(call: &mut Call, fold: impl FnOnce(Tensor, &[usize], bool) -> Tensor) -> Outcome {
    let input = call.tensor("input")?;
    let keep = call.flag("keepdims")?;
    // Axes that are kept keep the rank, whichever they are.
    let kept = if keep { Promised::RankOf(input.shape()) } else { Promised::AnyShape };
    call.promise(input.dtype(), kept);
    let axes = call.optional_ints("axes")?.filter(|axes| !axes.is_empty());
    if axes.is_none() && call.flag("noop_with_empty_axes")? {
        return one(match input.shape().known_rank() {
            Some(_) => fold(input, &[], keep),
            None => unknown_elements(input.dtype(), input.shape()),
        });
    }
    let Some(rank) = input.shape().known_rank() else { return over_unknown_rank(call, input, axes, keep) };
    let axes = match axes {
        Some(axes) => {
            let mut places = Vec::with_capacity(axes.len());
            for axis in axes {
                places.push(position(call.axis_at(axis, "`axes` are within the rank", input.shape())?, rank));
            }
            once_each(call, places)
        }
        None => (0..rank).collect(),
    };
    one(fold(input, &axes, keep))
}

/// As TensorFlow reduces: an axis that is named twice is refused.
pub fn over_distinct_axes(call: &mut Call) -> Outcome {
    if let (Ok(Some(axes)), Some(rank)) =
        (call.optional_ints("axes"), call.tensor("input")?.shape().known_rank())
    {
        let place = |axis: Dim| Dim::select(axis.lt(0), axis + rank as i64, axis);
        let pairs = axes.iter().enumerate().flat_map(|(k, &a)| axes[k + 1..].iter().map(move |&b| (a, b)));
        let distinct = Prop::all(pairs.take(64).map(|(a, b)| place(a).ne(place(b))));
        call.require_value("`axes` name each axis once", distinct);
    }
    (call.operator.define)(call)
}

/// Sorts axes. One that is named twice is folded once, which is hardly what was meant.
fn once_each<T: Ord + Copy>(call: &mut Call, mut axes: Vec<T>) -> Vec<T> {
    axes.sort_unstable();
    let distinct = axes.windows(2).all(|pair| pair[0] != pair[1]);
    call.require(Category::ImproperValue, "`axes` name each axis once", distinct.into());
    axes.dedup();
    axes
}

/// The shape alone, as far as it follows without the rank.
fn over_unknown_rank(call: &mut Call, input: Tensor, axes: Option<Vec<Dim>>, keep: bool) -> Outcome {
    let shape = input.shape();
    let Some(axes) = axes else {
        return match keep {
            true => call.shapeless(input.dtype(), "the rank of `input` is not known"),
            false => one(unknown_elements(input.dtype(), Shape::scalar())),
        };
    };
    let mut slots = Vec::with_capacity(axes.len());
    for axis in axes {
        slots.push(call.axis_at(axis, "`axes` are within the rank", shape)?);
    }
    let slots = once_each(call, slots);
    let from_one_end = slots.iter().all(|slot| matches!(slot, Slot::Front(_)))
        || slots.iter().all(|slot| matches!(slot, Slot::Back(_)));
    if !keep && !from_one_end {
        return call.shapeless(input.dtype(), "`axes` count from both ends of an unknown rank");
    }
    // From the innermost slot outwards, so that removing one does not move the others.
    let shape = slots.iter().rev().fold(shape, |shape, &slot| match keep {
        true => shape.with_size(slot, 1.into()),
        false => shape.without(slot),
    });
    one(unknown_elements(input.dtype(), shape))
}

/// The largest (or smallest) element; of bools, whether any (or all) are true.
pub fn extreme(largest: bool) -> impl FnOnce(Tensor, &[usize], bool) -> Tensor {
    move |input, axes, keep| {
        let bools = input.kind() == Kind::Bool;
        let with = match (largest, bools) {
            (true, false) => Fold::Max,
            (false, false) => Fold::Min,
            (true, true) => Fold::Any,
            (false, true) => Fold::All,
        };
        reduce(with, input, axes, keep)
    }
}

/// States that an older version does not take bools (or narrow integers) yet.
pub fn before_bool(call: &mut Call, largest: bool) -> Outcome {
    let input = call.tensor("input")?;
    call.require_type("`input` is a real number type", !input.dtype().is(Kind::Bool));
    reduction(call, extreme(largest))
}

/// How many elements are folded into one.
pub fn folded_count(tensor: Tensor, axes: &[usize]) -> Dim {
    Dim::product(axes.iter().map(|&axis| tensor.shape().size(Slot::Front(axis as u32))))
}

/// Applies a function to every element of a reduction's result.
pub fn then(tensor: Tensor, f: impl Fn(Element) -> Element + 'static) -> Tensor {
    map(tensor, tensor.dtype(), f)
}
