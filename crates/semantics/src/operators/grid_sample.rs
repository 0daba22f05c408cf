//! Reads a grid at given coordinates.

use super::prelude::*;
use crate::resampling::cubic_weight;

pub static OPERATOR: Operator = Operator {
    name: "grid_sample",
    summary: "Reads `input` at the coordinates in `grid`, which run from -1 to 1 across each spatial axis, last axis \
              first, and interpolates between its elements.",
    inputs: &[tensor("input", NUMERIC), tensor("grid", FLOAT)],
    parameters: &[
        word("mode", &["linear", "nearest", "cubic"]).or_word("linear"),
        word("padding_mode", &["zeros", "border", "reflection"]).or_word("zeros"),
        flag("align_corners").or_flag(false),
        // The older names of the modes.
        word("interpolation", &["bilinear", "nearest", "bicubic"]).or_word("bilinear"),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(16, "GridSample(input:nchw, grid; mode as interpolation, padding_mode, align_corners)")
            .adapted(by_older_name),
        onnx(20, "GridSample(input:nchw, grid; mode, padding_mode, align_corners)"),
    ],
    define,
    examples: &[
        "grid_sample(f32[N,C,H,W], f32[N,5,6,2]) -> f32[N,C,5,6]",
        "grid_sample(f32[1,1,3,2,2], f32[1,2,4,2,3], mode=nearest) -> f32[1,1,2,4,2]",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{0.2,-0.4,1.4,0.9}) -> f32[1,1,1,2]{1.6,0}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, align_corners=true) -> f32[1,1,1,2]{0.195,2.91}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, padding_mode=border) -> f32[1,1,1,2]{2.4,5}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, padding_mode=reflection) -> f32[1,1,1,2]{3.25,4.9}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, padding_mode=reflection, align_corners=true) -> f32[1,1,1,2]{2.85,4.45}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, mode=nearest, padding_mode=reflection) -> f32[1,1,1,2]{4,5}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, mode=cubic) -> f32[1,1,1,2]{-0.03958806,-0.20557803}",
        "grid_sample(f32[1,1,2,3]{0,1,2,3,4,5}, f32[1,1,2,2]{-1.9,0.3,1.4,0.9}, mode=cubic, padding_mode=border, align_corners=true) -> f32[1,1,1,2]{1.9944381,4.9900613}",
        "grid_sample(f32[1,1,1,1]{7}, f32[1,1,1,2]{1.5,1.5}, padding_mode=reflection, align_corners=true) -> f32[1,1,1,1]{7}",
        "grid_sample(f32[1,1,2], f32[1,1,1]) fails: `input` has two or three spatial axes",
        "grid_sample(f32[1,1,2,3], f32[1,1,1,1,3]) fails: `grid` has as many axes as `input`",
        "grid_sample(f32[1,1,2,3], f32[1,1,1,3]) fails: `grid` has one coordinate per spatial axis",
        "grid_sample(f32[1,1,2,3], f32[2,1,1,2]) fails: `input` and `grid` have one batch size",
        "grid_sample(f32[1,1,0,3], f32[1,1,1,2]) fails: the spatial axes are not empty",
        "grid_sample(f32[1,1,2,3], f32[1,1,1,2], mode=area) fails: `mode` is one of linear, nearest, cubic",
        "grid_sample(f32[1,1,2,3], f32[1,1,1,2], padding_mode=wrap) fails: `padding_mode` is one of zeros, border, reflection",
        "grid_sample(f32[1,1,2,3], f32[1,1,1,2], interpolation=area) fails: `interpolation` is one of bilinear, nearest, bicubic",
        "grid_sample(bool[1,1,2,3], f32[1,1,1,2]) fails: `input` is a real number type",
        "grid_sample(f32[1,1,2,3], i64[1,1,1,2]) fails: `grid` is floating point",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let mode = call.text("mode")?;
    sample(call, mode)
}

fn by_older_name(call: &mut Call) -> Outcome {
    let mode = call.text("interpolation")?;
    sample(call, mode.trim_start_matches("bi").to_string())
}

fn sample(call: &mut Call, mode: String) -> Outcome {
    let (input, grid) = (call.tensor("input")?, call.tensor("grid")?);
    let padding = call.text("padding_mode")?;
    let align = call.flag("align_corners")?;
    let rank = call.known_sizes(input)?.len();
    call.insist(IncompatibleShape, "`input` has two or three spatial axes", rank == 4 || rank == 5)?;
    let places = call.sizes("`grid` has as many axes as `input`", grid, rank)?;
    let sizes = call.known_sizes(input)?;
    let spatial = sizes[2..].to_vec();
    call.require_shape("`grid` has one coordinate per spatial axis", places[rank - 1].eq(rank - 2));
    call.require_shape("`input` and `grid` have one batch size", places[0].eq(sizes[0]));
    let present = Prop::all(spatial.iter().map(|size| size.ge(1)));
    call.require_legal("the spatial axes are not empty", present);

    let shape = Shape::new([sizes[0], sizes[1]].into_iter().chain(places[1..rank - 1].iter().copied()));
    let kind = call.kind(input)?;
    one(Tensor::from_elements(kind, shape, move |index| {
        let work = if kind.is_float() { kind } else { Kind::F32 };
        let mut place = vec![index[0]];
        place.extend_from_slice(&index[2..]);
        let axes: Vec<Vec<Tap>> = (0..spatial.len())
            .map(|axis| {
                // The last axis comes first in the grid.
                let mut entry = place.clone();
                entry.push(Dim::from(spatial.len() - 1 - axis));
                let x = unnormalised(grid.at(&entry), spatial[axis], align);
                taps(x, &mode, work)
            })
            .collect();
        let read = |at: &[Dim]| {
            let mut source = index[..2].to_vec();
            source.extend(at.iter().zip(&spatial).map(|(&at, &size)| bounded(at, size, &padding, align)));
            let value = if padding == "zeros" { input.padded_at(&source) } else { input.at(&source) };
            value.cast(work)
        };
        interpolated(&axes, &mut Vec::new(), &read).cast(kind)
    }))
}

/// One element that takes part, and how much.
#[derive(Clone, Copy)]
struct Tap {
    at: Dim,
    weight: Option<Element>,
}

/// A coordinate between -1 and 1 as a position along the axis: the ends are the outermost elements' centres
/// if aligned, else their outer edges.
fn unnormalised(x: Element, size: Dim, align: bool) -> Element {
    let kind = x.kind();
    if align {
        (x + 1.0) / 2.0 * Element::index(kind, size - 1)
    } else {
        ((x + 1.0) * Element::index(kind, size) - 1.0) / 2.0
    }
}

/// The elements next to a position along one axis.
fn taps(x: Element, mode: &str, work: Kind) -> Vec<Tap> {
    if mode == "nearest" {
        return vec![Tap { at: x.round().cast(Kind::I64).as_index(), weight: None }];
    }
    let low = x.floor();
    let (first, part) = (low.cast(Kind::I64).as_index(), x - low);
    let (range, linear) = if mode == "linear" { (0..2, true) } else { (-1..3, false) };
    range
        .map(|k: i32| {
            let weight = match (linear, k) {
                (true, 0) => 1.0 - part,
                (true, _) => part,
                (false, k) => {
                    let distance = if k > 0 { f64::from(k) - part } else { part - f64::from(k) };
                    cubic_weight(distance, -0.75)
                }
            };
            Tap { at: first + k, weight: Some(weight.cast(work)) }
        })
        .collect()
}

/// A position outside the axis as one inside it, where the padding says which.
fn bounded(at: Dim, size: Dim, padding: &str, align: bool) -> Dim {
    match padding {
        "border" => at.max(0).min(size - 1),
        "reflection" => {
            // Mirrored at the outermost centres the pattern repeats after 2 (size - 1), at the edges after 2 size.
            let period = if align { (2 * (size - 1)).max(1) } else { 2 * size };
            let folded = at.modulo(period);
            let mirrored = if align { period - folded } else { period - 1 - folded };
            Dim::select(folded.lt(size), folded, mirrored)
        }
        _ => at,
    }
}

/// The weighed sum, one axis inside the other.
fn interpolated(axes: &[Vec<Tap>], at: &mut Vec<Dim>, read: &dyn Fn(&[Dim]) -> Element) -> Element {
    let Some((first, rest)) = axes.split_first() else { return read(at) };
    let terms = first.iter().map(|tap| {
        at.push(tap.at);
        let inner = interpolated(rest, at, read);
        at.pop();
        tap.weight.map_or(inner, |weight| weight * inner)
    });
    let terms: Vec<Element> = terms.collect();
    terms.into_iter().reduce(|sum, term| sum + term).expect("an axis has at least one tap")
}
