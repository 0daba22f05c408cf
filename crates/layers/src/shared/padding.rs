//! Cropping, padding with zeros, and repeating along the axes of space.

use super::images::{self, INTERPOLATIONS, Images};
use super::spatial::{self, DATA_FORMAT};
use crate::layer::require_promised_type;
use semantics::call::{Call, Outcome, Stop, one};
use semantics::dim::Dim;
use semantics::operator::{Backend, Parameter, int, ints, word};
use semantics::prop::Prop;
use semantics::tensor::Tensor;

/// One axis has no layout to choose.
pub const CROPPING_1D: &[Parameter] = &[ints("cropping").or(1)];
/// Over two axes nothing is cropped unless told.
pub const CROPPING_2D: &[Parameter] = &[ints("cropping").or(0), DATA_FORMAT];
pub const CROPPING_3D: &[Parameter] = &[ints("cropping").or(1), DATA_FORMAT];
pub const PADDING_1D: &[Parameter] = &[ints("padding").or(1), DATA_FORMAT];
pub const PADDING: &[Parameter] = &[ints("padding").or(1), DATA_FORMAT];
pub const SIZE_1D: &[Parameter] = &[int("size").or(2)];
pub const SIZE_2D: &[Parameter] =
    &[ints("size").or(2), DATA_FORMAT, word("interpolation", INTERPOLATIONS).or_word("nearest")];
pub const SIZE_3D: &[Parameter] = &[ints("size").or(2), DATA_FORMAT];

const CROPPING_LABEL: &str = "`cropping` has two numbers per axis of space, none negative";
const PADDING_LABEL: &str = "`padding` has two numbers per axis of space, none negative";
const SIZE_LABEL: &str = "`size` has one positive number per axis of space";

/// What to take or add before and after each axis: one number for all, one per axis, or two per axis.
fn around(call: &mut Call, name: &str, label: &'static str, axes: usize) -> Result<Vec<(Dim, Dim)>, Stop> {
    let given = match call.is_given(name) {
        true => call.ints(name)?,
        false => vec![call.int(name)?],
    };
    let pairs: Vec<(Dim, Dim)> = match given.len() {
        1 if !call.is_list(name) => vec![(given[0], given[0]); axes],
        2 if axes == 1 => vec![(given[0], given[1])],
        length if length == axes && axes > 1 => given.iter().map(|&both| (both, both)).collect(),
        length if length == 2 * axes => given.chunks(2).map(|pair| (pair[0], pair[1])).collect(),
        _ => return call.refuse(semantics::operator::Category::IllegalValue, label),
    };
    let signed = name == "padding" && takes_away(call, axes);
    let negative = pairs.iter().map(|(a, b)| a.ge(0) & b.ge(0));
    call.require_value(label, if signed { true.into() } else { Prop::all(negative) });
    Ok(pairs)
}

/// Whether padding below zero takes away: on PyTorch one number for all of several axes does.
fn takes_away(call: &Call, axes: usize) -> bool {
    call.backend == Backend::Torch && axes > 1 && !call.is_list("padding")
}

pub fn crop(call: &mut Call, axes: usize) -> Outcome {
    require_promised_type(call)?;
    let cropped = around(call, "cropping", CROPPING_LABEL, axes)?;
    let space = spatial::read(call, axes)?;
    let left = |(size, (before, after)): (&Dim, &(Dim, Dim))| *size - *before - *after;
    let sizes: Vec<Dim> = space.sizes.iter().zip(&cropped).map(left).collect();
    call.require_legal("cropping leaves something", Prop::all(sizes.iter().map(|size| size.ge(1))));
    let shape = space.shape(space.channels, sizes);
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        space.input.at(&space.moved(index, |k, i| i + cropped[k].0))
    }))
}

pub fn pad(call: &mut Call, axes: usize) -> Outcome {
    require_promised_type(call)?;
    let added = around(call, "padding", PADDING_LABEL, axes)?;
    let space = spatial::read(call, axes)?;
    let sizes = space.sizes.iter().zip(&added).map(|(size, (before, after))| *size + *before + *after);
    let sizes: Vec<Dim> = sizes.collect();
    if takes_away(call, axes) {
        let left = Prop::all(sizes.iter().map(|size| size.ge(0)));
        call.require_legal("padding takes away no more than there is", left);
    }
    let shape = space.shape(space.channels, sizes);
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        space.input.padded_at(&space.moved(index, |k, i| i - added[k].0))
    }))
}

/// Each element as often as `size` says, or what lies between them.
pub fn repeat(call: &mut Call, axes: usize) -> Outcome {
    require_promised_type(call)?;
    let interpolation = if axes == 2 { call.text("interpolation")? } else { "nearest".into() };
    let times = spatial::positive_per_axis(call, "size", SIZE_LABEL, axes)?;
    let space = spatial::read(call, axes)?;
    let sizes: Vec<Dim> = space.sizes.iter().zip(&times).map(|(size, &times)| *size * times).collect();
    if let ([height, width], "bilinear" | "bicubic" | "lanczos3" | "lanczos5") =
        (sizes[..].as_ref(), interpolation.as_str())
    {
        let images = Images { tensor: space.input, rows: space.first };
        images::require_something(call, &images)?;
        return images.resized_in_type(call, [*height, *width], &interpolation, false);
    }
    let shape = space.shape(space.channels, sizes);
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        space.input.at(&space.moved(index, |k, i| i.div_floor(times[k])))
    }))
}
