//! What is folded along axes.

use super::elementwise::truth;
use super::operation;
use crate::layer::Layer;
use crate::types::in_floats;
use semantics::operators::prelude::*;
use semantics::operators::reduce_mean::mean;

const X: &[Input] = &[tensor("x", REAL_OR_BOOL)];
const AXES: &[Parameter] = &[ints("axis").optional(), flag("keepdims").or_flag(false)];

macro_rules! reductions { ($($name:ident $define:expr, $summary:literal, [$($example:literal),* $(,)?];)*) => {
    &[$(operation(stringify!($name), $summary, X, AXES, &["x"], $define, &[$($example),*])),*]
}; }

pub static ALL: &[Layer] = reductions! {
    Sum |call| folded(call, summed, |x, axes, keep| reduce(Fold::Sum, x, axes, keep)), "The sum along axes.", [
        "Sum(f32[2,2]{1,2,3,4}, axis=1) -> f32[2]{3,7}",
        "Sum(bool[2]{1,1}) -> i32[]{2}",
        "Sum(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Sum(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Mean |call| folded(call, in_floats, mean), "The mean along axes.", [
        "Mean(i32[2,2]{1,2,3,4}, axis=1, keepdims=true) -> f32[2,1]{1.5,3.5}",
        "Mean(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Mean(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Max |call| folded(call, |kind| kind, extreme_of(true)), "The largest along axes.", [
        "Max(f32[2,2]{1,2,3,4}, axis=1) -> f32[2]{2,4}",
        "Max(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Max(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Min |call| folded(call, |kind| kind, extreme_of(false)), "The smallest along axes.", [
        "Min(f32[2,2]{1,2,3,4}, axis=1) -> f32[2]{1,3}",
        "Min(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Min(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Any |call| of_truths(call, Fold::Any), "Whether any is true along axes.", [
        "Any(bool[2,2]{1,0,0,0}, axis=-1) -> bool[2]{1,0}",
        "Any(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Any(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    All |call| of_truths(call, Fold::All), "Whether all are true along axes.", [
        "All(bool[2,2]{1,0,1,1}, axis=-1) -> bool[2]{0,1}",
        "All(f32[2,2], axis=2) fails: `axis` is within the rank",
        "All(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
};

fn axes(call: &mut Call, x: Tensor) -> Result<Vec<usize>, Stop> {
    let rank = call.known_sizes(x)?.len();
    let Some(axes) = call.optional_ints("axis")? else { return Ok((0..rank).collect()) };
    let axes = call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", x.shape())?;
    Ok(axes.to_vec())
}

/// The tensor in the type that Keras folds, folded.
fn folded(
    call: &mut Call,
    kind: fn(Kind) -> Kind,
    fold: impl FnOnce(Tensor, &[usize], bool) -> Tensor,
) -> Outcome {
    let x = call.tensor("x")?;
    let (own, axes) = (call.kind(x)?, axes(call, x)?);
    let keep = call.flag("keepdims")?;
    let x = if kind(own) == own { x } else { cast(x, kind(own)) };
    one(fold(x, &axes, keep))
}

/// Narrow integers are summed in wider ones.
fn summed(kind: Kind) -> Kind {
    match kind {
        Kind::Bool | Kind::I8 | Kind::I16 => Kind::I32,
        Kind::U8 | Kind::U16 => Kind::U32,
        kind => kind,
    }
}

fn extreme_of(largest: bool) -> impl FnOnce(Tensor, &[usize], bool) -> Tensor {
    semantics::reduction::extreme(largest)
}

fn of_truths(call: &mut Call, fold: Fold) -> Outcome {
    let x = call.tensor("x")?;
    let (kind, axes) = (call.kind(x)?, axes(call, x)?);
    let keep = call.flag("keepdims")?;
    one(reduce(fold, map(x, Kind::Bool, move |x| truth(x, kind)), &axes, keep))
}
