//! Pooling over one to three axes, and over all of space.

use super::spatial::{self, DATA_FORMAT, PADDING, POOL_SIZE_LABEL, STRIDES_LABEL, Spatial};
use semantics::call::{Call, Outcome, Stop, one};
use semantics::dim::Dim;
use semantics::element::Element;
use semantics::operator::{Parameter, flag, ints};
use semantics::prop::Prop;
use semantics::scalar::Fold;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::window::Window;

/// The arguments of every pooling; without `strides` the windows do not overlap.
pub const PARAMETERS: &[Parameter] =
    &[ints("pool_size").or(2), ints("strides").optional(), PADDING, DATA_FORMAT];
/// Averages have no size of their own accord.
pub const AVERAGE_PARAMETERS: &[Parameter] =
    &[ints("pool_size"), ints("strides").optional(), PADDING, DATA_FORMAT];
pub const GLOBAL_PARAMETERS: &[Parameter] = &[DATA_FORMAT, flag("keepdims").or_flag(false)];

/// The largest element of each window.
pub fn max(call: &mut Call, axes: usize) -> Outcome {
    let (space, windows, shape) = read(call, axes)?;
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        let lowest = Element::constant(space.input.kind(), f64::NEG_INFINITY);
        fold(&space, &windows, index, Fold::Max, lowest)
    }))
}

/// The mean of what each window holds; padding does not count.
pub fn average(call: &mut Call, axes: usize) -> Outcome {
    let (space, windows, shape) = read(call, axes)?;
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        let kind = space.input.kind();
        let total = fold(&space, &windows, index, Fold::Sum, Element::constant(kind, 0.0));
        let held = windows
            .iter()
            .enumerate()
            .map(|(k, window)| window.taps_within(index[space.first + k], 0.into(), space.sizes[k]));
        total / Element::index(kind, Dim::product(held))
    }))
}

fn read(call: &mut Call, axes: usize) -> Result<(Spatial, Vec<Window>, Shape), Stop> {
    let pool = spatial::positive_per_axis(call, "pool_size", POOL_SIZE_LABEL, axes)?;
    let strides = match call.is_given("strides") {
        true => spatial::positive_per_axis(call, "strides", STRIDES_LABEL, axes)?,
        false => pool.clone(),
    };
    let padding = call.text("padding")?;
    let space = spatial::read(call, axes)?;
    let ones = vec![Dim::from(1); axes];
    let windows = spatial::windows(call, &pool, &strides, &ones, &space.sizes, &padding)?;
    let counts = windows.iter().zip(&space.sizes).map(|(window, &size)| window.count(size));
    let shape = space.shape(space.channels, counts);
    Ok((space, windows, shape))
}

fn fold(space: &Spatial, windows: &[Window], index: &[Dim], with: Fold, outside: Element) -> Element {
    let extents: Vec<Dim> = windows.iter().map(|window| window.kernel).collect();
    Element::fold_over(with, &extents, &|taps| {
        space.input.at_or(&space.moved(index, |k, number| windows[k].source(number, taps[k])), outside)
    })
}

/// Folds all of space into one number per channel.
pub fn global(call: &mut Call, axes: usize, with: Fold) -> Outcome {
    let keep = call.flag("keepdims")?;
    let space = spatial::read(call, axes)?;
    let full = Prop::all(space.sizes.iter().map(|size| size.ge(1)));
    call.require_legal("there is something to pool", full);
    let shape = match keep {
        true => space.shape(space.channels, vec![Dim::from(1); axes]),
        false => Shape::new([space.batch, space.channels]),
    };
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        let channel = if keep { index[space.channel_axis] } else { index[1] };
        let total = Element::fold_over(with, &space.sizes, &|place| {
            let mut source = vec![index[0]; axes + 2];
            source[space.channel_axis] = channel;
            source[space.first..space.first + axes].copy_from_slice(place);
            space.input.at(&source)
        });
        match with {
            Fold::Sum => {
                let count = Dim::product(space.sizes.iter().copied());
                total / Element::index(total.kind(), count)
            }
            _ => total,
        }
    }))
}
