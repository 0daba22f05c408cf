//! What is folded along axes.

use super::arranging::along;
use super::elementwise::truth;
use super::operation;
use crate::layer::Layer;
use crate::types::in_floats;
use semantics::normalization::moments;
use semantics::operators::prelude::*;
use semantics::operators::reduce_log_sum_exp::log_sum_exp;
use semantics::operators::reduce_mean::mean;
use semantics::operators::{arg_max, cum_sum};

const X: &[Input] = &[tensor("x", REAL_OR_BOOL)];
const AXES: &[Parameter] = &[ints("axis").optional(), flag("keepdims").or_flag(false)];

macro_rules! reductions { ($($name:ident $define:expr, $summary:literal, [$($example:literal),* $(,)?];)*) => {
    &[$(operation(stringify!($name), $summary, X, AXES, &["x"], $define, &[$($example),*])),*]
}; }

pub static ALL: &[Layer] = reductions! {
    Prod |call| folded(call, summed, |x, axes, keep| reduce(Fold::Product, x, axes, keep)), "The product along axes.", [
        "Prod(f32[2,2]{1,2,3,4}, axis=1) -> f32[2]{2,12}",
        "Prod(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Prod(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Var |call| folded(call, in_floats, |x, axes, keep| kept(moments(x, axes).1, axes, keep)), "The variance along axes.", [
        "Var(f32[2,2]{1,3,4,4}, axis=1) -> f32[2]{1,0}",
        "Var(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Var(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Std |call| folded(call, in_floats, |x, axes, keep| {
        let variance = kept(moments(x, axes).1, axes, keep);
        map(variance, variance.dtype(), Element::sqrt)
    }), "The deviation along axes.", [
        "Std(f32[2,2]{1,3,4,4}, axis=1) -> f32[2]{1,0}",
        "Std(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Std(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Logsumexp |call| {
        if call.backend == Backend::TensorFlow {
            let x = call.tensor("x")?;
            call.require_kinds("`x` is floating point", x, FLOAT);
        }
        folded(call, in_floats, log_sum_exp)
    }, "The logarithm of the sum of exponentials along axes.", [
        "Logsumexp(i32[2]) fails: `x` is floating point",
        "Logsumexp(f32[N,3], axis=1) -> f32[N]",
        "Logsumexp(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Logsumexp(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Norm |call| {
        let x = call.tensor("x")?;
        let few = axes(call, x)?.len() <= 2;
        call.insist(IllegalValue, "a norm is along one axis or two", few)?;
        folded(call, in_floats, |x, axes, keep| {
        let squares = reduce_map(Fold::Sum, x, x.dtype(), axes, keep, |x| x * x);
        map(squares, squares.dtype(), Element::sqrt)
    })
    }, "The root of the sum of squares along axes.", [
        "Norm(f32[2,2]{3,4,0,2}, axis=1) -> f32[2]{5,2}",
        "Norm(f32[2,2,3]) fails: a norm is along one axis or two",
        "Norm(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Norm(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Amax |call| folded(call, |kind| kind, extreme_of(true)), "The largest along axes.", [
        "Amax(f32[2,2]{1,2,3,4}, axis=1) -> f32[2]{2,4}",
        "Amax(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Amax(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    Amin |call| folded(call, |kind| kind, extreme_of(false)), "The smallest along axes.", [
        "Amin(f32[2,2]{1,2,3,4}, axis=1) -> f32[2]{1,3}",
        "Amin(f32[2,2], axis=2) fails: `axis` is within the rank",
        "Amin(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
    CountNonzero |call| {
        let x = call.tensor("x")?;
        let (kind, axes, keep) = (call.kind(x)?, axes(call, x)?, call.flag("keepdims")?);
        let truths = map(x, Kind::Bool, move |x| truth(x, kind));
        one(reduce(Fold::Sum, cast(truths, Kind::I32), &axes, keep))
    }, "How many are not zero along axes.", [
        "CountNonzero(f32[2,2]{1,0,3,4}, axis=1) -> i32[2]{1,2}",
        "CountNonzero(f32[2,2], axis=2) fails: `axis` is within the rank",
        "CountNonzero(f32[2,2], axis=[1,1]) fails: no axis is named twice",
    ];
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

/// What is folded along one axis, or along all in a row.
pub static ALONG_ONE: &[Layer] = &[
    operation(
        "Argmax",
        "The position of the first of the largest.",
        X,
        ONE,
        &["x"],
        |call| first_of(call, Fold::Max),
        &[
            "Argmax(f32[2,3]{1,5,5,7,2,3}, axis=1) -> i32[2]{1,0}",
            "Argmax(f32[2,2]{1,2,3,4}) -> i32[]{3}",
            "Argmax(f32[2,3], axis=-1, keepdims=true) -> i32[2,1]",
            "Argmax(f32[2,3], axis=2) fails: `axis` is within the rank",
            "Argmax(f32[2,0], axis=1) fails: the axis is not empty",
        ],
    ),
    operation(
        "Argmin",
        "The position of the first of the smallest.",
        X,
        ONE,
        &["x"],
        |call| first_of(call, Fold::Min),
        &[
            "Argmin(f32[2,3]{1,5,5,7,2,3}, axis=1) -> i32[2]{0,1}",
            "Argmin(f32[2,3], axis=2) fails: `axis` is within the rank",
            "Argmin(f32[2,0], axis=1) fails: the axis is not empty",
        ],
    ),
    operation(
        "Average",
        "The mean along an axis, or of all.",
        X,
        AXIS,
        &["x"],
        average,
        &[
            "Average(i32[2,2]{1,2,3,4}, axis=1) -> f32[2]{1.5,3.5}",
            "Average(f32[2,2]{1,2,3,6}) -> f32[]{3}",
            "Average(f32[2,2], axis=2) fails: `axis` is within the rank",
        ],
    ),
    operation(
        "Cumsum",
        "The sum of all up to each position.",
        X,
        RUNNING,
        &["x"],
        |call| running(call, Fold::Sum),
        &[
            "Cumsum(f32[4]{1,2,3,4}, axis=0) -> f32[4]{1,3,6,10}",
            "Cumsum(bool[2]{1,1}, axis=0) -> i32[2]{1,2}",
            "Cumsum(f32[2,2]{1,2,3,4}) -> f32[4]{1,3,6,10}",
            "Cumsum(f32[2,3], axis=2) fails: `axis` is within the rank",
        ],
    ),
    operation(
        "Cumprod",
        "The product of all up to each position.",
        X,
        RUNNING,
        &["x"],
        |call| running(call, Fold::Product),
        &[
            "Cumprod(f32[4]{1,2,3,4}, axis=0) -> f32[4]{1,2,6,24}",
            "Cumprod(f32[2,3], axis=2) fails: `axis` is within the rank",
        ],
    ),
];

const AXIS: &[Parameter] = &[int("axis").optional()];
const ONE: &[Parameter] = &[int("axis").optional(), flag("keepdims").or_flag(false)];
const RUNNING: &[Parameter] = &[
    int("axis").optional(),
    Parameter { name: "dtype", kind: ParameterKind::Type, default: Preset::Absent },
];

fn average(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let (x, axis) = along(call, x)?;
    let kind = in_floats(call.kind(x)?);
    one(mean(cast(x, kind), &[axis], false))
}

/// The first position of the extreme element.
fn first_of(call: &mut Call, extreme: Fold) -> Outcome {
    let (x, keep) = (call.tensor("x")?, call.flag("keepdims")?);
    let rank = call.known_sizes(x)?.len();
    let is_open = !call.is_given("axis");
    let (x, axis) = along(call, x)?;
    let size = x.shape().size(Front(axis as u32));
    call.require_legal("the axis is not empty", size.ge(1));
    let first = cast(arg_max::places(extreme, x, axis, false, keep), Kind::I32);
    one(if is_open && keep { reshape(first, Shape::new(vec![Dim::from(1); rank])) } else { first })
}

/// Folds what lies up to each position.
fn running(call: &mut Call, with: Fold) -> Outcome {
    let x = call.tensor("x")?;
    let kind = call.optional_type("dtype")?.map_or_else(|| call.kind(x), Ok)?;
    let kind = if kind == Kind::Bool { Kind::I32 } else { kind };
    let (x, axis) = along(call, x)?;
    let x = if x.dtype().known() == Some(kind) { x } else { cast(x, kind) };
    one(cum_sum::fold_up_to(with, x, Front(axis as u32), false, false))
}

/// What was folded, with the axes of size 1 or without them.
fn kept(folded: Tensor, axes: &[usize], keep: bool) -> Tensor {
    let sizes = folded.shape().sizes().unwrap_or_default();
    if keep { folded } else { reshape(folded, reduced_shape(&sizes, axes, false)) }
}

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
