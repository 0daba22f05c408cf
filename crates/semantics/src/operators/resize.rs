//! Changes the size of a grid by repeating or interpolating.

use super::prelude::*;
use crate::resampling::{Axis, Scale, TRANSFORMATIONS, UNCUT_CORNERS, Weighing, may_be_copied, scaled_size};

pub static OPERATOR: Operator = Operator {
    name: "resize",
    summary: "Brings axes to new `sizes`, or scales them, taking the nearest element or interpolating linearly or \
              with cubics.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[
        floats("roi").optional(),
        floats("scales").optional(),
        ints("sizes").optional(),
        ints("axes").optional(),
        word("mode", &["nearest", "linear", "cubic"]).or_word("nearest"),
        word("coordinate_transformation_mode", TRANSFORMATIONS).or_word("half_pixel"),
        word("nearest_mode", &["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
            .or_word("round_prefer_floor"),
        float("cubic_coeff_a").or_float(-0.75),
        flag("exclude_outside").or_flag(false),
        float("extrapolation_value").or_float(0.0),
        flag("antialias").or_flag(false),
        word("keep_aspect_ratio_policy", &["stretch", "not_larger", "not_smaller"]).or_word("stretch"),
    ],
    outputs: &["output"],
    spellings: &[
        onnx(7, "Upsample(input:nchw; scales, mode)").adapted(enlarge),
        onnx(9, "Upsample(input:nchw, scales:float32 any; mode)").adapted(enlarge),
        withdrawn(10, "Upsample"),
        onnx(
            10,
            "Resize(input, scales:float32 any; mode, with coordinate_transformation_mode=asymmetric, with nearest_mode=floor)",
        )
        .adapted(first_version),
        onnx(
            11,
            "Resize(input, roi, scales:float32 any, sizes:any; mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, \
             exclude_outside, extrapolation_value)",
        ),
        onnx(
            18,
            "Resize(input, roi, scales:float32 any, sizes:any; mode, coordinate_transformation_mode, nearest_mode, cubic_coeff_a, \
             exclude_outside, extrapolation_value, axes, antialias, keep_aspect_ratio_policy)",
        ),
    ],
    define,
    examples: &[
        "resize(f32[N,3,H,W], scales=[1,1,2,2]) -> f32[N,3,2*H,2*W]",
        "resize(f32[N,3,H,W], scales=[1,1,0.5,0.5], mode=linear) -> f32[N,3,H//2,W//2]",
        "resize(f32[N,3,H,W], sizes=[224,224], axes=[-2,-1], mode=cubic, antialias=true) -> f32[N,3,224,224]",
        "resize(f32[N,3,H,W], sizes=[N,3,7,8], mode=linear) -> f32[N,3,7,8]",
        "resize(f32[1,10], scales=[1,0.7]) -> f32[1,7]",
        "resize(f32[1,1,2,4], sizes=[1,3], axes=[2,3], keep_aspect_ratio_policy=not_larger) -> f32[1,1,1,2]",
        "resize(f32[1,1,2,4], sizes=[1,3], axes=[2,3], keep_aspect_ratio_policy=not_smaller) -> f32[1,1,2,3]",
        "resize(i64[4]{0,1,2,3}, scales=[2]) -> i64[8]{0,0,1,1,2,2,3,3}",
        "resize(i64[4]{0,1,2,3}, sizes=[6], coordinate_transformation_mode=asymmetric, nearest_mode=ceil) -> i64[6]{0,1,2,2,3,3}",
        "resize(i64[4]{0,1,2,3}, sizes=[6], coordinate_transformation_mode=align_corners) -> i64[6]{0,1,1,2,2,3}",
        "resize(f32[4]{0,1,2,3}, scales=[2], mode=linear) -> f32[8]{0,0.25,0.75,1.25,1.75,2.25,2.75,3}",
        "resize(f32[4]{0,1,2,3}, sizes=[6], mode=linear, coordinate_transformation_mode=align_corners) -> f32[6]{0,0.6,1.2,1.8,2.4,3}",
        "resize(f32[4]{0,1,2,3}, scales=[1.7], mode=linear, coordinate_transformation_mode=half_pixel_symmetric) -> f32[6]{0.02941181,0.6176471,1.2058823,1.7941177,2.3823528,2.9705882}",
        "resize(f32[4]{0,1,2,3}, sizes=[1], mode=linear, coordinate_transformation_mode=pytorch_half_pixel) -> f32[1]{0}",
        "resize(f32[4]{0,1,2,3}, scales=[1.7], mode=cubic) -> f32[6]{-0.09737587,0.30073911,0.95652479,1.54432034,2.20516515,2.79683375}",
        "resize(f32[4]{0,1,2,3}, roi=[0.5,1.5], sizes=[5], mode=linear, coordinate_transformation_mode=tf_crop_and_resize, extrapolation_value=9) -> f32[5]{1.5,2.25,3,9,9}",
        "resize(f32[4]{1,2,3,4}, scales=[0.6], mode=linear, antialias=true) -> f32[2]{1.375,3}",
        "resize(f32[0,2], scales=[1,2]) -> f32[0,4]",
        "resize(f32[1,4]) fails: either `scales` or `sizes` is given",
        "resize(f32[1,4], scales=[1,1], sizes=[1,4]) fails: either `scales` or `sizes` is given",
        "resize(f32[1,4], scales=[1,1], keep_aspect_ratio_policy=not_larger) fails: `keep_aspect_ratio_policy` goes with `sizes`",
        "resize(f32[1,4], scales=[1,1], sizes=[]) fails: for ONNX Runtime, an empty `sizes` is left out",
        "resize(f32[1,4], scales=[1]) fails: one size or scale is given per axis",
        "resize(f32[1,4], sizes=[4,4], axes=[1]) fails: one size or scale is given per axis",
        "resize(f32[1,4], scales=[1,0]) fails: `scales` are positive",
        "resize(f32[1,4], sizes=[1,0]) fails: `sizes` are positive",
        "resize(f32[1,0], sizes=[1,3]) fails: an empty axis stays empty",
        "resize(f32[1,4], sizes=[4], axes=[2]) fails: `axes` are within the rank",
        "resize(f32[1,4], sizes=[4,4], axes=[1,-1]) fails: `axes` name each axis once",
        "resize(f32[1,4], scales=[1,1], antialias=true) fails: only linear and cubic modes are antialiased",
        "resize(f32[1,4], scales=[1,1], exclude_outside=true) fails: `exclude_outside` goes with cubic or antialiased modes",
        "resize(f32[4], roi=[0], scales=[2], coordinate_transformation_mode=tf_crop_and_resize) fails: `roi` has two values per axis",
        "resize(bool[4], scales=[2], mode=linear) fails: what is interpolated is numbers",
        "resize(f32[4], scales=[2], mode=area) fails: `mode` is one of nearest, linear, cubic",
        "resize(f32[4], scales=[2], coordinate_transformation_mode=half) fails: `coordinate_transformation_mode` is one of half_pixel, half_pixel_symmetric, pytorch_half_pixel, align_corners, asymmetric, tf_crop_and_resize",
        "resize(f32[4], scales=[2], nearest_mode=round) fails: `nearest_mode` is one of round_prefer_floor, round_prefer_ceil, floor, ceil",
        "resize(f32[4], sizes=[2], keep_aspect_ratio_policy=larger) fails: `keep_aspect_ratio_policy` is one of stretch, not_larger, not_smaller",
        "resize(f8e4m3fn[N,3,H,W], scales=[1,1,2,2]) fails: `input` is any type but float8 and those below a byte",
    ],
};

/// How elements are chosen or weighed.
#[derive(Clone)]
struct Manner {
    mode: String,
    transformation: String,
    /// How a tie is settled, per axis; one for all if there is one.
    nearest: Vec<String>,
    cubic: f64,
    exclude_outside: bool,
    extrapolation: f64,
    antialias: bool,
}

fn define(call: &mut Call) -> Outcome {
    let manner = stated(call)?;
    resize(call, manner)
}

fn stated(call: &mut Call) -> Result<Manner, Stop> {
    Ok(Manner {
        mode: call.text("mode")?,
        transformation: call.text("coordinate_transformation_mode")?,
        nearest: vec![call.text("nearest_mode")?],
        cubic: call.float("cubic_coeff_a")?,
        exclude_outside: call.flag("exclude_outside")?,
        extrapolation: call.float("extrapolation_value")?,
        antialias: call.flag("antialias")?,
    })
}

/// `Upsample` never shrinks, and measures positions from the corner.
fn enlarge(call: &mut Call) -> Outcome {
    promised(call)?;
    if let Some(scales) = call.optional_floats("scales")? {
        let large = scales.iter().all(|&scale| scale >= 1.0);
        call.insist(IllegalValue, "`scales` are at least 1", large)?;
    }
    let manner = Manner {
        mode: call.text("mode")?,
        transformation: "asymmetric".into(),
        nearest: vec!["floor".into()],
        cubic: -0.75,
        exclude_outside: false,
        extrapolation: 0.0,
        antialias: false,
    };
    resize(call, manner)
}

/// The first `Resize` does not say which element is the nearest. Its stored results and ONNX Runtime round
/// down where an axis grows and up where it shrinks.
fn first_version(call: &mut Call) -> Outcome {
    promised(call)?;
    let shrinks = |scale: &f64| if *scale < 1.0 { "ceil" } else { "floor" };
    let scales = call.optional_floats("scales")?.unwrap_or_default();
    let manner =
        Manner { nearest: scales.iter().map(|scale| shrinks(scale).into()).collect(), ..stated(call)? };
    resize(call, manner)
}

/// The input, whose type and rank the output has, whatever the scales are.
fn promised(call: &mut Call) -> Result<Tensor, Stop> {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::RankOf(input.shape()));
    Ok(input)
}

fn resize(call: &mut Call, manner: Manner) -> Outcome {
    let input = promised(call)?;
    let nearest = manner.mode == "nearest";
    let aliased = !(manner.antialias && nearest);
    call.insist(IllegalValue, "only linear and cubic modes are antialiased", aliased)?;
    let may_exclude = !manner.exclude_outside || manner.mode == "cubic" || manner.antialias;
    call.insist(IllegalValue, "`exclude_outside` goes with cubic or antialiased modes", may_exclude)?;
    if !nearest {
        call.require_kinds("what is interpolated is numbers", input, NUMERIC);
    }
    let axes = resized_axes(call, input, &manner)?;
    let shape =
        axes.iter().fold(input.shape(), |shape, &(k, axis)| shape.with_size(Front(k as u32), axis.resized));
    let axes: Vec<(usize, Axis)> = axes.into_iter().filter(|(_, axis)| !axis.is_unchanged()).collect();
    let copied = may_be_copied(&manner.transformation, &axes);
    if nearest {
        let places = axes.iter().map(|&(k, axis)| {
            let rounding = manner.nearest.get(k).or(manner.nearest.first());
            axis.nearest(&manner.transformation, rounding.map_or("floor", |rounding| rounding), copied)
        });
        let places: Vec<Tensor> = places.collect();
        return one(Tensor::from_elements(input.dtype(), shape, move |index| {
            let mut source = index.to_vec();
            for (&(k, _), places) in axes.iter().zip(&places) {
                source[k] = places.at(&[index[k]]).as_index();
            }
            manner.cropped(&axes, index, input.at(&source))
        }));
    }
    let kind = call.kind(input)?;
    Ok(Tensor::composed([(kind.into(), shape)], move || {
        // Integers are interpolated as floats and cut off at the end.
        let work = if kind.is_float() { kind } else { Kind::F32 };
        let weighing = if manner.mode == "cubic" { Weighing::Cubic(manner.cubic) } else { Weighing::Linear };
        let interpolated = |transformation: &str| {
            axes.iter().fold(cast(input, work), |result, &(k, axis)| {
                let Manner { antialias, exclude_outside, .. } = manner;
                axis.interpolate(result, k, transformation, weighing, antialias, exclude_outside)
            })
        };
        let mut result = interpolated(&manner.transformation);
        if manner.transformation == "align_corners" && axes.iter().any(|(_, axis)| axis.may_be_cut()) {
            result = either(result, interpolated(UNCUT_CORNERS));
        }
        if copied && !axes.is_empty() {
            result = either(result, cast(input, work));
        }
        let (manner, axes) = (manner.clone(), axes.clone());
        let cropped = Tensor::from_elements(work, result.shape(), move |index| {
            manner.cropped(&axes, index, result.at(index))
        });
        vec![cast(cropped, kind)]
    }))
}

impl Manner {
    /// The element, or the extrapolated value where an axis is left.
    fn cropped(&self, axes: &[(usize, Axis)], index: &[Dim], element: Element) -> Element {
        let outside = axes.iter().filter_map(|&(k, axis)| axis.is_outside(&self.transformation, index[k]));
        match outside.reduce(|some, other| some.or(other)) {
            Some(outside) => outside.select(Element::constant(element.kind(), self.extrapolation), element),
            None => element,
        }
    }
}

/// The axes named, with their new sizes.
fn resized_axes(call: &mut Call, input: Tensor, manner: &Manner) -> Result<Vec<(usize, Axis)>, Stop> {
    let scales = call.optional_floats("scales")?.filter(|scales| !scales.is_empty());
    let sizes = call.optional_ints("sizes")?.filter(|sizes| !sizes.is_empty());
    let either = scales.is_some() != sizes.is_some();
    call.insist(IllegalValue, "either `scales` or `sizes` is given", either)?;
    let count = scales.as_ref().map_or(0, Vec::len) + sizes.as_ref().map_or(0, Vec::len);

    let one_each = "one size or scale is given per axis";
    let axes: Vec<usize> = match call.optional_ints("axes")? {
        Some(axes) => {
            call.insist(IllegalValue, one_each, axes.len() == count)?;
            call.axes_at(&axes, "`axes` are within the rank", "`axes` name each axis once", input.shape())?;
            let rank = call.known_sizes(input)?.len() as i64;
            let axes = call.positions("axes", &axes)?;
            axes.iter().map(|axis| axis.rem_euclid(rank.max(1)) as usize).collect()
        }
        None => {
            call.sizes(one_each, input, count)?;
            (0..count).collect()
        }
    };
    let old: Vec<Dim> = axes.iter().map(|&k| input.shape().size(Front(k as u32))).collect();
    let regions = regions(call, manner, count)?;
    let new: Vec<(Dim, Scale)> = match (scales, sizes) {
        (Some(scales), _) => {
            let stretches = call.text("keep_aspect_ratio_policy")? == "stretch";
            call.insist(IllegalValue, "`keep_aspect_ratio_policy` goes with `sizes`", stretches)?;
            let label = "for ONNX Runtime, an empty `sizes` is left out";
            call.require(UnsupportedValue, label, (!call.is_given("sizes")).into());
            let positive = scales.iter().all(|&scale| scale > 0.0);
            call.insist(IllegalValue, "`scales` are positive", positive)?;
            let pairs = old.iter().zip(&scales);
            pairs.map(|(&size, &scale)| (scaled_size(size, scale), Scale::of(scale))).collect()
        }
        (None, sizes) => {
            let sizes = sizes.unwrap_or_default();
            let positive = sizes.iter().zip(&old).map(|(new, old)| new.ge(1) | (new.eq(0) & old.eq(0)));
            call.demand(IllegalValue, "`sizes` are positive", Prop::all(positive))?;
            let stays = sizes.iter().zip(&old).map(|(new, old)| old.ge(1) | new.eq(0));
            call.require_shape("an empty axis stays empty", Prop::all(stays));
            let scales = sizes.iter().zip(&old).map(|(&up, &down)| Scale { up, down });
            proportioned(&call.text("keep_aspect_ratio_policy")?, &old, &sizes, scales.collect())
        }
    };
    let axes = axes.into_iter().zip(old).zip(new).zip(regions);
    Ok(axes
        .map(|(((k, size), (resized, scale)), region)| (k, Axis { size, resized, scale, region }))
        .collect())
}

/// The new sizes and scales; unless stretched, all axes get the smallest or the largest scale.
fn proportioned(policy: &str, old: &[Dim], sizes: &[Dim], scales: Vec<Scale>) -> Vec<(Dim, Scale)> {
    if policy == "stretch" {
        return sizes.iter().copied().zip(scales).collect();
    }
    let chosen = scales.iter().copied().reduce(|best, next| {
        let smaller = (next.up * best.down).lt(best.up * next.down);
        let replace = if policy == "not_larger" { smaller } else { !smaller };
        Scale { up: Dim::select(replace, next.up, best.up), down: Dim::select(replace, next.down, best.down) }
    });
    let Some(scale) = chosen else { return Vec::new() };
    // Rounded to the nearest integer, halves up.
    let resized = old.iter().map(|&size| (2 * size * scale.up + scale.down).div_floor(2 * scale.down));
    resized.map(|size| (size, scale)).collect()
}

/// The part of each axis that is kept; all of it unless a region is cropped.
fn regions(call: &mut Call, manner: &Manner, count: usize) -> Result<Vec<(f64, f64)>, Stop> {
    let all = vec![(0.0, 1.0); count];
    if manner.transformation != "tf_crop_and_resize" {
        return Ok(all);
    }
    let Some(roi) = call.optional_floats("roi")?.filter(|roi| !roi.is_empty()) else { return Ok(all) };
    call.insist(IllegalValue, "`roi` has two values per axis", roi.len() == 2 * count)?;
    Ok((0..count).map(|k| (roi[k], roi[count + k])).collect())
}
