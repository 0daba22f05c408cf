//! What repeats, turns, cuts, pads and picks elements.

use super::{operation, several};
use crate::layer::Layer;
use crate::layers::concatenate::join;
use crate::types::wider;
use semantics::operators::gather_elements::gather_elements;
use semantics::operators::pad::Border;
use semantics::operators::prelude::*;
use semantics::operators::{reverse, split, tile, trilu};

const X: &[Input] = &[tensor("x", REAL_OR_BOOL)];
const XS: &[Input] = &[tensor("xs", REAL_OR_BOOL).variadic()];
const PICKS: &[Input] = &[tensor("x", REAL_OR_BOOL), tensor("indices", INTEGER)];
const FILL: &[Input] = &[
    tensor("x", REAL_OR_BOOL),
    tensor("constant_values", REAL_OR_BOOL).optional(),
    tensor("constant_values_number", REAL_OR_BOOL).optional(),
];

pub static ALL: &[Layer] = &[
    operation(
        "Tile",
        "Copies of the tensor side by side.",
        X,
        &[ints("repeats")],
        &["x"],
        tiled,
        &[
            "Tile(f32[N,3], repeats=[1,2]) -> f32[N,6]",
            "Tile(i32[2]{1,2}, repeats=2) -> i32[4]{1,2,1,2}",
            "Tile(f32[3], repeats=[2,1]) -> f32[2,3]",
            "Tile(f32[2], repeats=-1) fails: `repeats` is not negative",
            "Tile(f32[2]) fails: `repeats` is given",
        ],
    ),
    operation(
        "Repeat",
        "Each element several times.",
        X,
        &[ints("repeats"), int("axis").optional()],
        &["x"],
        repeated,
        &[
            "Repeat(i32[2]{1,2}, repeats=2) -> i32[4]{1,1,2,2}",
            "Repeat(f32[N,3], repeats=2, axis=1) -> f32[N,6]",
            "Repeat(i32[3]{1,2,3}, repeats=[1,0,2], axis=0) -> i32[3]{1,3,3}",
            "Repeat(f32[2,3], repeats=2, axis=2) fails: `axis` is within the rank",
            "Repeat(f32[3], repeats=[1,2], axis=0) fails: `repeats` has one number, or one per element of the axis",
            "Repeat(f32[3], repeats=-1, axis=0) fails: `repeats` is not negative",
            "Repeat(f32[3], axis=0) fails: `repeats` is given",
        ],
    ),
    operation(
        "BroadcastTo",
        "The tensor in a shape that it broadcasts to.",
        X,
        &[ints("shape")],
        &["x"],
        broadcast,
        &[
            "BroadcastTo(f32[3], shape=[2,3]) -> f32[2,3]",
            "BroadcastTo(f32[2,3], shape=[2,4]) fails: `x` broadcasts to `shape`",
            "BroadcastTo(f32[2]) fails: `shape` is given",
        ],
    ),
    operation(
        "Moveaxis",
        "The tensor with axes at other places.",
        X,
        &[ints("source"), ints("destination")],
        &["x"],
        moved,
        &[
            "Moveaxis(f32[2,3,4], source=0, destination=-1) -> f32[3,4,2]",
            "Moveaxis(f32[2,3,4], source=[1,2], destination=[2,1]) -> f32[2,4,3]",
            "Moveaxis(f32[2,3], source=2, destination=0) fails: `source` and `destination` are within the rank",
            "Moveaxis(f32[2,3], source=[0,0], destination=[0,1]) fails: no axis is named twice",
            "Moveaxis(f32[2,3], source=[0,1], destination=[0]) fails: `source` and `destination` name as many axes",
            "Moveaxis(f32[2,3], destination=0) fails: `source` is given",
            "Moveaxis(f32[2,3], source=0) fails: `destination` is given",
        ],
    ),
    operation(
        "Flip",
        "The elements in reverse order along axes, or along all.",
        X,
        &[ints("axis").optional()],
        &["x"],
        flipped,
        &[
            "Flip(i32[3]{1,2,3}) -> i32[3]{3,2,1}",
            "Flip(i32[2,2]{1,2,3,4}, axis=1) -> i32[2,2]{2,1,4,3}",
            "Flip(f32[2], axis=1) fails: `axis` is within the rank",
            "Flip(f32[2], axis=[0,0]) fails: no axis is named twice",
        ],
    ),
    operation(
        "Roll",
        "The elements moved along axes; what leaves at one end comes in at the other.",
        X,
        &[ints("shift"), ints("axis").optional()],
        &["x"],
        rolled,
        &[
            "Roll(i32[3]{1,2,3}, shift=1, axis=0) -> i32[3]{3,1,2}",
            "Roll(i32[2,2]{1,2,3,4}, shift=1) -> i32[2,2]{4,1,2,3}",
            "Roll(f32[2], shift=1, axis=1) fails: `axis` is within the rank",
            "Roll(f32[2,2], shift=[1,1,1], axis=[0,1]) fails: `shift` has one number per axis",
            "Roll(f32[2], axis=0) fails: `shift` is given",
        ],
    ),
    operation(
        "Ravel",
        "The elements in a row.",
        X,
        &[],
        &["x"],
        row,
        &["Ravel(f32[N,3]) -> f32[3*N]", "Ravel(f32[]) -> f32[1]"],
    ),
    operation(
        "Pad",
        "The tensor with a border: pairs of numbers, before and after each axis.",
        FILL,
        &[ints("pad_width"), word("mode", &["constant", "reflect", "symmetric"]).or_word("constant")],
        &["x", "constant_values"],
        padded,
        &[
            "Pad(f32[N,3], pad_width=[0,0,1,2]) -> f32[N,6]",
            "Pad(i32[2]{1,2}, constant_values_number=i64[]{9}, pad_width=[1,1]) -> i32[4]{9,1,2,9}",
            "Pad(i32[3]{0,1,2}, pad_width=[2,1], mode=reflect) -> i32[6]{2,1,0,1,2,1}",
            "Pad(i32[3]{0,1,2}, pad_width=[2,1], mode=symmetric) -> i32[6]{1,0,0,1,2,2}",
            "Pad(f32[2,3], pad_width=[1,1,1,1,1,1]) fails: `pad_width` has a pair for each axis",
            "Pad(f32[2], pad_width=[-1,0]) fails: `pad_width` is not negative",
            "Pad(f32[3], pad_width=[3,0], mode=reflect) fails: a mirrored border is no wider than what it mirrors",
            "Pad(f32[2], f32[2], pad_width=[1,1]) fails: `constant_values` is one number",
            "Pad(f32[2], pad_width=[1,1], mode=edge) fails: `mode` is one of constant, reflect, symmetric",
            "Pad(f32[2]) fails: `pad_width` is given",
        ],
    ),
    operation(
        "Take",
        "Elements at positions along an axis, or of all in a row.",
        PICKS,
        &[int("axis").optional()],
        &["x", "indices"],
        taken,
        &[
            "Take(i32[3]{7,8,9}, i32[2]{2,-1}, axis=0) -> i32[2]{9,9}",
            "Take(f32[N,4,6], i32[M,3], axis=1) -> f32[N,M,3,6]",
            "Take(f32[2,3], i32[]) -> f32[]",
            "Take(f32[2,3], i32[2], axis=2) fails: `axis` is within the rank",
        ],
    ),
    operation(
        "TakeAlongAxis",
        "Of each row the elements at positions of its own.",
        PICKS,
        &[int("axis").optional()],
        &["x", "indices"],
        taken_along,
        &[
            "TakeAlongAxis(i32[2,2]{1,2,3,4}, i32[2,1]{1,0}, axis=1) -> i32[2,1]{2,3}",
            "TakeAlongAxis(f32[2,3], i32[2,1], axis=2) fails: `axis` is within the rank",
            "TakeAlongAxis(f32[2,3], i32[2], axis=1) fails: `x` and `indices` have one rank",
            "TakeAlongAxis(f32[2,3], i32[3,1], axis=1) fails: `x` and `indices` broadcast off the axis",
        ],
    ),
    operation(
        "Vstack",
        "The tensors one below the other.",
        XS,
        &[],
        &["xs"],
        |call| beside(call, 0),
        &[
            "Vstack(f32[2,3], f32[1,3]) -> f32[3,3]",
            "Vstack(f32[3], f32[3]) -> f32[2,3]",
            "Vstack(f32[3], f32[2,3,3]) fails: the tensors have one rank",
            "Vstack(f32[2,3], f32[2,4]) fails: sizes off the axis are equal",
        ],
    ),
    operation(
        "Hstack",
        "The tensors one beside the other.",
        XS,
        &[],
        &["xs"],
        |call| beside(call, 1),
        &[
            "Hstack(f32[2,3], f32[2,1]) -> f32[2,4]",
            "Hstack(f32[3], f32[2]) -> f32[5]",
            "Hstack(f32[2,3], f32[2,3,3]) fails: the tensors have one rank",
            "Hstack(f32[2,3], f32[3,3]) fails: sizes off the axis are equal",
        ],
    ),
    operation(
        "Tril",
        "What is on and below a diagonal, else zero.",
        X,
        DIAGONAL,
        &["x"],
        |call| triangle(call, false),
        &[
            "Tril(i32[2,2]{1,2,3,4}) -> i32[2,2]{1,0,3,4}",
            "Tril(f32[2,2], k=3) fails: the diagonal is not beyond the corner",
            "Tril(f32[2]) fails: `x` has at least two axes",
        ],
    ),
    operation(
        "Triu",
        "What is on and above a diagonal, else zero.",
        X,
        DIAGONAL,
        &["x"],
        |call| triangle(call, true),
        &[
            "Triu(i32[2,2]{1,2,3,4}, k=1) -> i32[2,2]{0,2,0,0}",
            "Triu(f32[2,2], k=-3) fails: the diagonal is not beyond the corner",
            "Triu(f32[2]) fails: `x` has at least two axes",
        ],
    ),
    several(operation(
        "Unstack",
        "The parts of a tensor along an axis, without it.",
        X,
        &[int("num").optional(), int("axis").or(0)],
        &["x"],
        unstacked,
        &[
            "Unstack(f32[2,3]) -> f32[3], f32[3]",
            "Unstack(f32[N,2], axis=1) -> f32[N], f32[N]",
            "Unstack(f32[2,3], axis=2) fails: `axis` is within the rank",
            "Unstack(f32[2,3], num=3) fails: `num` is the size of the axis",
        ],
    )),
    operation(
        "Slice",
        "A part of the tensor, from a position and of a size.",
        &[tensor("inputs", REAL_OR_BOOL)],
        &[ints("start_indices"), ints("shape")],
        &["inputs", "start_indices"],
        part,
        &[
            "Slice(i32[4]{1,2,3,4}, start_indices=[1], shape=[2]) -> i32[2]{2,3}",
            "Slice(f32[2,4], start_indices=[0], shape=[1,2]) fails: `start_indices` and `shape` have one number per axis",
            "Slice(f32[4], start_indices=[3], shape=[2]) fails: the part lies in `inputs`",
            "Slice(f32[4], shape=[2]) fails: `start_indices` is given",
            "Slice(f32[4], start_indices=[1]) fails: `shape` is given",
        ],
    ),
];

const DIAGONAL: &[Parameter] = &[int("k").or(0)];

fn tiled(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let mut sizes = call.known_sizes(x)?.to_vec();
    let mut repeats = call.ints("repeats")?;
    call.require_value("`repeats` is not negative", Prop::all(repeats.iter().map(|count| count.ge(0))));
    // The shorter of both gets ones in front.
    let rank = sizes.len().max(repeats.len());
    sizes.splice(0..0, vec![Dim::from(1); rank - sizes.len()]);
    repeats.splice(0..0, vec![Dim::from(1); rank - repeats.len()]);
    let x = reshape(x, Shape::new(sizes.iter().copied()));
    let shape = Shape::new(sizes.iter().zip(&repeats).map(|(&size, &count)| size * count));
    one(tile::tiled(x, sizes, shape))
}

/// The tensor, in a row where no axis is given, and the axis.
pub(super) fn along(call: &mut Call, x: Tensor) -> Result<(Tensor, usize), Stop> {
    let sizes = call.known_sizes(x)?;
    match call.optional_int("axis")? {
        Some(axis) => {
            let axis = call.axis_at(axis, "`axis` is within the rank", x.shape())?;
            Ok((x, position(axis, sizes.len())))
        }
        None => Ok((reshape(x, Shape::new([x.shape().count()])), 0)),
    }
}

fn repeated(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let (x, axis) = along(call, x)?;
    let repeats = call.ints("repeats")?;
    let size = x.shape().size(Front(axis as u32));
    let each = repeats.len() == 1;
    let fits = if each { Prop::from(true) } else { size.eq(repeats.len() as i64) };
    call.demand(IllegalValue, "`repeats` has one number, or one per element of the axis", fits)?;
    call.require_value("`repeats` is not negative", Prop::all(repeats.iter().map(|count| count.ge(0))));
    let ends: Vec<Dim> = repeats
        .iter()
        .scan(Dim::from(0), |end, &count| {
            *end = *end + count;
            Some(*end)
        })
        .collect();
    let length = if each { size * repeats[0] } else { ends.last().copied().unwrap_or(0.into()) };
    let shape = x.shape().with_size(Front(axis as u32), length);
    one(Tensor::from_elements(x.dtype(), shape, move |index| {
        let mut source = index.to_vec();
        // Past the ends of so many elements it lies.
        source[axis] = match each {
            true => index[axis].div_floor(repeats[0].max(1)),
            false => Dim::sum(ends.iter().map(|&end| Dim::select(index[axis].ge(end), 1, 0))),
        };
        x.at(&source)
    }))
}

fn broadcast(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let shape = Shape::new(call.ints("shape")?);
    call.require_broadcast_to("`x` broadcasts to `shape`", x, shape);
    one(broadcast_to(x, shape))
}

fn moved(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let rank = call.known_sizes(x)?.len();
    let (within, twice) = ("`source` and `destination` are within the rank", "no axis is named twice");
    let (from, to) = (call.ints("source")?, call.ints("destination")?);
    call.insist(IllegalValue, "`source` and `destination` name as many axes", from.len() == to.len())?;
    // Each is asked for by itself: their order matters.
    let mut distinct = |axes: &[Dim]| -> Result<Vec<usize>, Stop> {
        call.axes_at(axes, within, twice, x.shape())?;
        axes.iter().map(|&axis| Ok(position(call.axis_at(axis, within, x.shape())?, rank))).collect()
    };
    let from = distinct(&from)?;
    let to = distinct(&to)?;
    let mut rest = (0..rank).filter(|axis| !from.contains(axis));
    let order = (0..rank).filter_map(|place| match to.iter().position(|&axis| axis == place) {
        Some(k) => Some(from[k]),
        None => rest.next(),
    });
    one(transpose(x, &order.collect::<Vec<_>>()))
}

fn flipped(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let sizes = call.known_sizes(x)?;
    let axes: Vec<usize> = match call.optional_ints("axis")? {
        Some(axes) => {
            call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", x.shape())?.to_vec()
        }
        None => (0..sizes.len()).collect(),
    };
    one(reverse::reversed(x, sizes.to_vec(), axes))
}

fn rolled(call: &mut Call) -> Outcome {
    let whole = call.tensor("x")?;
    let own = call.known_sizes(whole)?;
    let shifts = call.ints("shift")?;
    let (x, axes) = match call.optional_ints("axis")? {
        Some(axes) => {
            let at = axes.iter().map(|&axis| call.axis_at(axis, "`axis` is within the rank", whole.shape()));
            let at = at.collect::<Result<Vec<Slot>, Stop>>()?;
            (whole, at.into_iter().map(|slot| position(slot, own.len())).collect::<Vec<_>>())
        }
        None => (reshape(whole, Shape::new([whole.shape().count()])), vec![0]),
    };
    call.insist(IllegalValue, "`shift` has one number per axis", shifts.len() == axes.len())?;
    let sizes = call.known_sizes(x)?;
    let turned = Tensor::from_elements(x.dtype(), x.shape(), move |index| {
        let mut source = index.to_vec();
        for (k, &axis) in axes.iter().enumerate() {
            source[axis] = (source[axis] - shifts[k]).modulo(sizes[axis]);
        }
        x.at(&source)
    });
    one(reshape(turned, whole.shape()))
}

fn row(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    one(reshape(x, Shape::new([x.shape().count()])))
}

fn padded(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let sizes = call.known_sizes(x)?;
    let (width, mode) = (call.ints("pad_width")?, call.text("mode")?);
    let each = width.len() == 2 * sizes.len();
    let label = "`pad_width` has a pair for each axis";
    // TensorFlow is handed the one pair as it is.
    let one_for_all = width.len() == 2 && call.backend == Backend::Torch;
    call.insist(IllegalValue, label, each || one_for_all)?;
    call.require_value("`pad_width` is not negative", Prop::all(width.iter().map(|count| count.ge(0))));
    let pair =
        move |axis: usize| if each { (width[2 * axis], width[2 * axis + 1]) } else { (width[0], width[1]) };
    if mode != "constant" {
        let most = if mode == "reflect" { 1 } else { 0 };
        let fits = sizes.iter().enumerate().map(|(axis, &size)| {
            let (before, after) = pair(axis);
            before.max(after).le((size - most).max(0))
        });
        call.require_value("a mirrored border is no wider than what it mirrors", Prop::all(fits));
    }
    let value = call.optional("constant_values").or(call.optional("constant_values_number"));
    if let Some(value) = value {
        call.require_shape("`constant_values` is one number", value.shape().rank().eq(0));
    }
    let padded = sizes.iter().enumerate().map(|(axis, &size)| pair(axis).0 + size + pair(axis).1);
    let shape = Shape::new(padded.collect::<Vec<_>>());
    let border = |(axis, &size): (usize, &Dim)| Border {
        slot: Front(axis as u32),
        before: pair(axis).0,
        first: 0.into(),
        length: size,
    };
    let borders: Vec<Border> = sizes.iter().enumerate().map(border).collect();
    one(Tensor::from_elements(x.dtype(), shape, move |index| {
        let source: Vec<Dim> =
            index.iter().zip(&borders).map(|(&at, border)| border.source(at, &mode)).collect();
        if mode != "constant" {
            return x.at(&source);
        }
        let zero = Element::constant(x.kind(), 0.0);
        x.at_or(&source, value.map_or(zero, |value| only(value).cast(x.kind())))
    }))
}

fn taken(call: &mut Call) -> Outcome {
    let (x, indices) = (call.tensor("x")?, call.tensor("indices")?);
    let (x, axis) = along(call, x)?;
    let extent = x.shape().size(Front(axis as u32));
    let rank = call.known_sizes(indices)?.len();
    let (before, after) = x.shape().around(Front(axis as u32));
    let shape = before.join(indices.shape()).join(after);
    one(Tensor::from_elements(x.dtype(), shape, move |index| {
        let mut source = index[..axis].to_vec();
        source.push(wrapped(indices.at(&index[axis..axis + rank]), extent));
        source.extend_from_slice(&index[axis + rank..]);
        x.at(&source)
    }))
}

fn taken_along(call: &mut Call) -> Outcome {
    let (x, indices) = (call.tensor("x")?, call.tensor("indices")?);
    let (x, axis) = along(call, x)?;
    let (sizes, wanted) = (call.known_sizes(x)?, call.known_sizes(indices)?);
    call.insist(IncompatibleShape, "`x` and `indices` have one rank", sizes.len() == wanted.len())?;
    let slot = Front(axis as u32);
    let (both, fits) =
        x.shape().with_size(slot, 1.into()).broadcast(indices.shape().with_size(slot, 1.into()));
    call.demand(IncompatibleShape, "`x` and `indices` broadcast off the axis", fits)?;
    let x = broadcast_to(x, both.with_size(slot, sizes[axis]));
    let indices = broadcast_to(indices, both.with_size(slot, wanted[axis]));
    one(gather_elements(x, indices, slot))
}

/// The tensors joined along that axis, vectors along their own or as rows.
fn beside(call: &mut Call, axis: usize) -> Outcome {
    let tensors = call.list("xs").to_vec();
    let kinds = tensors.iter().map(|tensor| call.kind(*tensor)).collect::<Result<Vec<Kind>, Stop>>()?;
    let Some(kind) = kinds.into_iter().reduce(wider) else {
        return Err(Stop::Unknown("there is no tensor".into()));
    };
    let mut ranks = Vec::new();
    let mut widened = Vec::new();
    for tensor in tensors {
        let mut sizes = call.known_sizes(tensor)?.to_vec();
        while sizes.len() < 2 - axis {
            sizes.insert(0, 1.into());
        }
        ranks.push(sizes.len());
        widened.push(reshape(cast(tensor, kind), Shape::new(sizes)));
    }
    let axis = if ranks[0] == 1 { 0 } else { axis };
    one(join(call, &widened, Front(axis as u32))?)
}

fn triangle(call: &mut Call, upper: bool) -> Outcome {
    let x = call.tensor("x")?;
    call.demand(IncompatibleShape, "`x` has at least two axes", x.shape().rank().ge(2))?;
    let diagonal = call.int("k")?;
    if call.backend == Backend::TensorFlow {
        let (rows, columns) = (x.shape().size(Back(1)), x.shape().size(Back(0)));
        let within = if upper { (-diagonal).le(rows) } else { diagonal.le(columns) };
        call.require_value("the diagonal is not beyond the corner", within);
    }
    one(trilu::triangle(x, diagonal, upper))
}

/// What falls into more parts is not followed.
const MOST_PARTS: i64 = 4096;

fn unstacked(call: &mut Call) -> Outcome {
    let x = call.tensor("x")?;
    let axis = call.axis("axis", "`axis` is within the rank", x.shape())?;
    let size = x.shape().size(axis);
    if let Some(count) = call.optional_int("num")? {
        call.demand(IllegalValue, "`num` is the size of the axis", count.eq(size))?;
    }
    let count = call.positions("num", &[size])?[0];
    if count > MOST_PARTS {
        return Err(Stop::Unknown(format!("{count} parts are more than the {MOST_PARTS} that are followed")));
    }
    let parts = split::cut(x, axis, &vec![Dim::from(1); count.max(0) as usize]);
    let rest = x.shape().without(axis);
    Ok(parts.into_iter().map(|part| reshape(part, rest)).collect())
}

fn part(call: &mut Call) -> Outcome {
    let x = call.tensor("inputs")?;
    let sizes = call.known_sizes(x)?;
    let (starts, shape) = (call.ints("start_indices")?, call.ints("shape")?);
    let label = "`start_indices` and `shape` have one number per axis";
    call.insist(IllegalValue, label, starts.len() == sizes.len() && shape.len() == sizes.len())?;
    let fits = sizes.iter().zip(&starts).zip(&shape);
    let fits = fits.map(|((&size, &start), &length)| start.ge(0) & length.ge(0) & (start + length).le(size));
    call.demand(IncompatibleShape, "the part lies in `inputs`", Prop::all(fits))?;
    one(Tensor::from_elements(x.dtype(), Shape::new(shape), move |index| {
        let source = index.iter().zip(&starts).map(|(&at, &start)| at + start);
        x.at(&source.collect::<Vec<Dim>>())
    }))
}
