//! What moves elements, and products of matrices.

use super::{operation, several};
use crate::layer::Layer;
use crate::layers::concatenate::join;
use crate::types::wider;
use semantics::operators::prelude::*;
use semantics::operators::{einsum, matmul, slice, split};

const X: &[Input] = &[tensor("x", REAL_OR_BOOL)];
const XS: &[Input] = &[tensor("xs", REAL_OR_BOOL).variadic()];
const PAIR: &[Input] = &[tensor("x1", NUMERIC), tensor("x2", NUMERIC)];
const NUMBERS: &[Input] = &[tensor("operands", NUMERIC).variadic()];

pub static ALL: &[Layer] = &[
    operation(
        "Transpose",
        "The tensor with its axes in another order.",
        X,
        &[ints("axes").optional()],
        &["x"],
        transposed,
        &[
            "Transpose(f32[2,3,4], axes=[0,2,1]) -> f32[2,4,3]",
            "Transpose(f32[2,3]) -> f32[3,2]",
            "Transpose(f32[2,3], axes=[0,0]) fails: `axes` names each axis once",
        ],
    ),
    operation(
        "Reshape",
        "The elements under another shape.",
        X,
        &[ints("newshape")],
        &["x"],
        reshaped,
        &[
            "Reshape(f32[N,6,4], newshape=[-1,24]) -> f32[N,24]",
            "Reshape(f32[2,6], newshape=[3,4]) -> f32[3,4]",
            "Reshape(f32[2,6], newshape=[5]) fails: both shapes have the same number of elements",
            "Reshape(f32[2,6], newshape=[-1,-1]) fails: at most one size is left open",
            "Reshape(f32[2,6], newshape=[-2]) fails: sizes are positive, or -1",
            "Reshape(f32[2,6]) fails: `newshape` is given",
        ],
    ),
    operation(
        "ExpandDims",
        "The tensor with axes of size 1 put in.",
        X,
        &[ints("axis")],
        &["x"],
        expanded,
        &[
            "ExpandDims(f32[2,3], axis=-1) -> f32[2,3,1]",
            "ExpandDims(f32[2,3], axis=1) -> f32[2,1,3]",
            "ExpandDims(f32[2,3], axis=4) fails: `axis` is within the rank",
            "ExpandDims(f32[2,3], axis=[1,1]) fails: no axis is named twice",
            "ExpandDims(f32[2,3]) fails: `axis` is given",
        ],
    ),
    operation(
        "Squeeze",
        "The tensor without axes of size 1.",
        X,
        &[ints("axis").optional()],
        &["x"],
        squeezed,
        &[
            "Squeeze(f32[2,1,3], axis=1) -> f32[2,3]",
            "Squeeze(f32[2,1,3], axis=0) fails: what is left out has size 1",
            "Squeeze(f32[2,1,3], axis=3) fails: `axis` is within the rank",
            "Squeeze(f32[2,1,3], axis=[1,1]) fails: no axis is named twice",
        ],
    ),
    operation(
        "Concatenate",
        "The tensors one after the other along an axis.",
        XS,
        &[int("axis").or(0)],
        &["xs"],
        concatenated,
        &[
            "Concatenate(f32[N,3], f32[N,4], axis=-1) -> f32[N,7]",
            "Concatenate(i32[1]{1}, f32[1]{2.5}) -> f32[2]{1,2.5}",
            "Concatenate(f32[2,3], f32[3]) fails: the tensors have one rank",
            "Concatenate(f32[2,3], f32[3,3], axis=1) fails: sizes off the axis are equal",
            "Concatenate(f32[2,3], f32[2,3], axis=2) fails: `axis` is within the rank",
        ],
    ),
    operation(
        "Stack",
        "The tensors one beside the other along a new axis.",
        XS,
        &[int("axis").or(0)],
        &["x"],
        stacked,
        &[
            "Stack(f32[N,3], f32[N,3], axis=1) -> f32[N,2,3]",
            "Stack(f32[2,3], f32[3]) fails: the tensors have one rank",
            "Stack(f32[2,3], f32[3,3]) fails: sizes off the axis are equal",
            "Stack(f32[2,3], f32[2,3], axis=3) fails: `axis` is within the rank",
        ],
    ),
    several(operation(
        "Split",
        "The tensor cut into parts along an axis.",
        X,
        &[ints("indices_or_sections"), int("axis").or(0)],
        &["x"],
        cut,
        &[
            "Split(f32[N,4], indices_or_sections=2, axis=-1) -> f32[N,2], f32[N,2]",
            "Split(f32[2,4], indices_or_sections=[1,3], axis=1) -> f32[2,1], f32[2,2], f32[2,1]",
            "Split(f32[2,4], indices_or_sections=2, axis=2) fails: `axis` is within the rank",
            "Split(f32[2,4], indices_or_sections=3, axis=1) fails: the parts are equally long",
            "Split(f32[2,4], indices_or_sections=[3,1], axis=1) fails: the parts lie one after the other",
            "Split(f32[2,4], indices_or_sections=0, axis=1) fails: there is a part",
            "Split(f32[2,4]) fails: `indices_or_sections` is given",
        ],
    )),
    operation(
        "GetItem",
        "Positions and ranges of axes, as Python's brackets take them.",
        X,
        &[text("key")],
        &["x", "key"],
        item,
        &[
            "GetItem(f32[N,6,4], key=':, 1:4') -> f32[N,3,4]",
            "GetItem(f32[N,6,4], key=':, -1') -> f32[N,4]",
            "GetItem(i32[4]{1,2,3,4}, key='::-2') -> i32[2]{4,2}",
            "GetItem(f32[N,6,4], key='..., None, 0') -> f32[N,6,1]",
            "GetItem(f32[2,3], key='0, 0, 0') fails: there are no more positions than axes",
            "GetItem(f32[2,3], key=':, 3') fails: a position lies within its axis",
            "GetItem(f32[2,3], key='::0') fails: no step is zero",
            "GetItem(f32[2,3], key='::-1') on torch fails: no step goes backwards, which PyTorch's brackets do not take",
            "GetItem(f32[2,3]) fails: `key` is given",
        ],
    ),
    operation(
        "Matmul",
        "The product of matrices.",
        PAIR,
        &[],
        &["x1", "x2"],
        product,
        &[
            "Matmul(f32[N,6,4], f32[N,4,6]) -> f32[N,6,6]",
            "Matmul(i32[2,2], f32[2,2]) -> f32[2,2]",
            "Matmul(f32[2,3], f32[2,3]) fails: the last axis of `a` is as long as the second to last of `b`",
            "Matmul(f32[2,2,3], f32[3,3,4]) fails: the leading axes broadcast",
            "Matmul(f32[], f32[3]) fails: `a` has at least one axis",
            "Matmul(f32[3], f32[]) fails: `b` has at least one axis",
        ],
    ),
    operation(
        "Einsum",
        "Products summed along axes that letters name.",
        NUMBERS,
        &[text("subscripts")],
        &["operands"],
        summed,
        &[
            "Einsum(f32[N,3,4], f32[N,3,4], subscripts='bij,bkj->bik') -> f32[N,3,3]",
            "Einsum(f32[2,3], subscripts='i.->i') fails: `equation` is well formed",
            "Einsum(f32[2], subscripts='i,j->ij') fails: `equation` has one term per tensor",
            "Einsum(f32[2,3], subscripts='i->i') fails: each term has one letter per axis of its tensor",
            "Einsum(f32[2,3], f32[4,4], subscripts='ij,jk->ik') fails: axes of one letter broadcast",
            "Einsum(f32[3], subscripts='i->ii') fails: the output repeats no letter",
            "Einsum(f32[3], subscripts='i->j') fails: the output has only letters of the terms",
            "Einsum(f32[2,3]) fails: `subscripts` is given",
        ],
    ),
    operation(
        "Swapaxes",
        "The tensor with two axes in each other's place.",
        X,
        &[int("axis1"), int("axis2")],
        &["x"],
        swapped,
        &[
            "Swapaxes(f32[2,3,4], axis1=1, axis2=-1) -> f32[2,4,3]",
            "Swapaxes(f32[2,3], axis1=1, axis2=2) fails: `axis1` and `axis2` are within the rank",
            "Swapaxes(f32[2,3], axis2=1) fails: `axis1` is given",
            "Swapaxes(f32[2,3], axis1=1) fails: `axis2` is given",
        ],
    ),
];

fn transposed(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let rank = call.known_sizes(x)?.len();
    let Some(axes) = call.optional_ints("axes")? else {
        return one(transpose(x, &(0..rank).rev().collect::<Vec<_>>()));
    };
    let axes = call.positions("axes", &axes)?;
    let order: Vec<i64> =
        axes.iter().map(|axis| if *axis < 0 { axis + rank as i64 } else { *axis }).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    call.insist(IllegalValue, "`axes` names each axis once", sorted.into_iter().eq(0..rank as i64))?;
    one(transpose(x, &order.iter().map(|axis| *axis as usize).collect::<Vec<_>>()))
}

fn reshaped(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let sizes = call.known_sizes(x)?;
    let target = call.ints("newshape")?;
    let target = call.positions("newshape", &target)?;
    let open = target.iter().filter(|size| **size == -1).count();
    call.insist(IllegalValue, "at most one size is left open", open <= 1)?;
    call.insist(IllegalValue, "sizes are positive, or -1", target.iter().all(|size| *size >= -1))?;
    let count = Dim::product(sizes.iter().copied());
    let fixed = target.iter().filter(|size| **size != -1).try_fold(1i64, |all, size| all.checked_mul(*size));
    let fixed = Dim::from(fixed.unwrap_or(i64::MAX));
    let fits = if open == 1 { fixed.divides(count) } else { count.eq(fixed) };
    call.demand(IncompatibleShape, "both shapes have the same number of elements", fits)?;
    let rest = count.div_floor(fixed);
    one(reshape(x, Shape::new(target.iter().map(|&size| if size == -1 { rest } else { size.into() }))))
}

fn expanded(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let sizes = call.known_sizes(x)?;
    let axes = call.ints("axis")?;
    let mut at = call.positions("axis", &axes)?;
    let rank = (sizes.len() + at.len()) as i64;
    let within = at.iter().all(|axis| (-rank..rank).contains(axis));
    call.insist(IllegalValue, "`axis` is within the rank", within)?;
    at.iter_mut().filter(|axis| **axis < 0).for_each(|axis| *axis += rank);
    at.sort_unstable();
    call.insist(IllegalValue, "no axis is named twice", at.windows(2).all(|pair| pair[0] != pair[1]))?;
    let mut own = sizes.iter().copied();
    let size = |k: i64| if at.contains(&k) { Some(Dim::from(1)) } else { own.next() };
    one(reshape(x, Shape::new((0..rank).map_while(size))))
}

fn squeezed(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let sizes = call.known_sizes(x)?;
    let Some(axes) = call.optional_ints("axis")? else {
        return Err(Stop::Unknown("which axes have size 1 is not asked".into()));
    };
    let axes = call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", x.shape())?;
    for &axis in axes.iter() {
        call.demand(IncompatibleShape, "what is left out has size 1", sizes[axis].eq(1))?;
    }
    let kept = (0..sizes.len()).filter(|axis| !axes.contains(axis)).map(|axis| sizes[axis]);
    one(reshape(x, Shape::new(kept.collect::<Vec<_>>())))
}

/// The tensors in the type that holds them all.
fn in_one_type(call: &mut Call, name: &str) -> Result<Vec<Tensor>, Stop> {
    let tensors = call.list(name);
    let kinds = tensors.iter().map(|tensor| call.kind(*tensor)).collect::<Result<Vec<Kind>, Stop>>()?;
    let Some(kind) = kinds.into_iter().reduce(wider) else {
        return Err(Stop::Unknown("there is no tensor".into()));
    };
    Ok(tensors.iter().map(|&tensor| in_type(tensor, kind)).collect())
}

fn in_type(tensor: Tensor, kind: Kind) -> Tensor {
    if tensor.dtype().known() == Some(kind) { tensor } else { cast(tensor, kind) }
}

fn concatenated(call: &mut Call) -> Outcome {
    let tensors = in_one_type(call, "xs")?;
    let axis = call.axis("axis", "`axis` is within the rank", tensors[0].shape())?;
    one(join(call, &tensors, axis)?)
}

fn stacked(call: &mut Call) -> Outcome {
    let tensors = in_one_type(call, "xs")?;
    let rank = call.known_sizes(tensors[0])?.len();
    let axis = call.int("axis")?;
    let axis = call.positions("axis", &[axis])?[0];
    let all = rank as i64 + 1;
    call.insist(IllegalValue, "`axis` is within the rank", (-all..all).contains(&axis))?;
    let axis = if axis < 0 { axis + all } else { axis } as usize;
    let widened = tensors.iter().map(|&tensor| {
        let mut sizes = call.known_sizes(tensor)?.to_vec();
        sizes.insert(axis.min(sizes.len()), 1.into());
        Ok(reshape(tensor, Shape::new(sizes)))
    });
    let widened = widened.collect::<Result<Vec<Tensor>, Stop>>()?;
    one(join(call, &widened, Front(axis as u32))?)
}

fn cut(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let is_list = call.is_list("indices_or_sections");
    let parts = call.ints("indices_or_sections")?;
    let axis = call.axis("axis", "`axis` is within the rank", x.shape())?;
    let size = x.shape().size(axis);
    if is_list {
        let ends: Vec<Dim> = parts.iter().copied().chain([size]).collect();
        let starts = [Dim::from(0)].into_iter().chain(parts.iter().copied());
        let sizes: Vec<Dim> = starts.zip(&ends).map(|(start, &end)| end - start).collect();
        let within = Prop::all(sizes.iter().map(|size| size.ge(0)));
        call.demand(IllegalValue, "the parts lie one after the other", within)?;
        return Ok(split::cut(x, axis, &sizes));
    }
    let count = call.positions("indices_or_sections", &parts)?.first().copied().unwrap_or(0);
    call.insist(IllegalValue, "there is a part", count > 0)?;
    call.demand(IncompatibleShape, "the parts are equally long", Dim::from(count).divides(size))?;
    let each = size.div_floor(Dim::from(count));
    Ok(split::cut(x, axis, &vec![each; usize::try_from(count).unwrap_or(0).min(MOST_PARTS)]))
}

/// Nobody cuts a tensor into more.
const MOST_PARTS: usize = 4096;

/// What stands between the commas of a key.
enum Place {
    At(i64),
    Range([Option<i64>; 3]),
    New,
}

/// Per axis what a key takes; `...` is spelled out.
fn places(key: &str, rank: usize) -> Option<Vec<Place>> {
    let parts: Vec<&str> = key.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    let named = parts.iter().filter(|part| !matches!(**part, "..." | "None")).count();
    let rest = || (0..rank.saturating_sub(named)).map(|_| Place::Range([None; 3]));
    let mut places = Vec::new();
    for part in &parts {
        match *part {
            "..." => places.extend(rest()),
            "None" => places.push(Place::New),
            range if range.contains(':') => {
                let mut bounds = [None; 3];
                for (bound, text) in bounds.iter_mut().zip(range.split(':')) {
                    *bound = if text.is_empty() { None } else { Some(text.parse().ok()?) };
                }
                places.push(Place::Range(bounds));
            }
            position => places.push(Place::At(position.parse().ok()?)),
        }
    }
    if !parts.contains(&"...") {
        places.extend(rest());
    }
    (named <= rank).then_some(places)
}

fn item(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let sizes = call.known_sizes(x)?;
    let key = call.text("key")?;
    let places = places(&key, sizes.len());
    call.insist(IncompatibleShape, "there are no more positions than axes", places.is_some())?;
    let mut from: Vec<(Dim, Option<(usize, Dim)>)> = Vec::new();
    let (mut shape, mut axis) = (Vec::new(), 0);
    for place in places.unwrap_or_default() {
        match place {
            Place::New => {
                shape.push(Dim::from(1));
                continue;
            }
            Place::At(at) => {
                let (at, size) = (Dim::from(at), sizes[axis]);
                let label = "a position lies within its axis";
                call.demand(IncompatibleShape, label, at.ge(-size) & at.lt(size))?;
                from.push((Dim::select(at.lt(0), at + size, at), None));
            }
            Place::Range([start, stop, step]) => {
                let (size, step) = (sizes[axis], step.unwrap_or(1));
                call.insist(IllegalValue, "no step is zero", step != 0)?;
                let taken = step > 0 || call.backend == Backend::TensorFlow;
                call.insist(
                    IllegalValue,
                    "no step goes backwards, which PyTorch's brackets do not take",
                    taken,
                )?;
                let first = if step > 0 { Dim::from(0) } else { size - 1 };
                let end = if step > 0 { size } else { -size - 1 };
                let (start, stop) = (start.map_or(first, Dim::from), stop.map_or(end, Dim::from));
                let (start, length) = slice::cut(size, start, stop, step.into());
                from.push((start, Some((shape.len(), step.into()))));
                shape.push(length);
            }
        }
        axis += 1;
    }
    one(Tensor::from_elements(x.dtype(), Shape::new(shape), move |index| {
        let at = |&(start, moves): &(Dim, Option<(usize, Dim)>)| match moves {
            Some((axis, step)) => start + index[axis] * step,
            None => start,
        };
        x.at(&from.iter().map(at).collect::<Vec<_>>())
    }))
}

fn product(call: &mut Call) -> Outcome {
    let (a, b) = (call.tensor("x1")?, call.tensor("x2")?);
    let kind = wider(call.kind(a)?, call.kind(b)?);
    one(matmul::product(call, in_type(a, kind), in_type(b, kind))?)
}

fn summed(call: &mut Call) -> Outcome {
    let tensors = in_one_type(call, "operands")?;
    let subscripts = call.text("subscripts")?;
    let mut inner = Call::new(&einsum::OPERATOR);
    inner.tensors[0] = tensors.into_iter().collect();
    inner.arguments[0] = Some(Argument::Text(subscripts.as_str().into()));
    inner.arguments[1] = Some(Argument::Flag(true.into()));
    let outcome = inner.run(einsum::OPERATOR.define);
    call.requirements.append(&mut inner.requirements);
    call.lost.append(&mut inner.lost);
    outcome
}

fn swapped(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let label = "`axis1` and `axis2` are within the rank";
    let rank = call.known_sizes(x)?.len();
    let mut order: Vec<usize> = (0..rank).collect();
    let axes = [call.int("axis1")?, call.int("axis2")?];
    let one_of = call.axis_at(axes[0], label, x.shape())?;
    let other = call.axis_at(axes[1], label, x.shape())?;
    order.swap(position(one_of, rank), position(other, rank));
    one(transpose(x, &order))
}
