//! Pooling over one to three axes, and over all of space.

use super::spatial::{self, DATA_FORMAT, PADDING, POOL_SIZE_LABEL, STRIDES_LABEL, Spatial};
use crate::layer::{in_floats, require_promised_type};
use semantics::call::{Call, Outcome, Stop, one};
use semantics::dim::Dim;
use semantics::dtype::Kind;
use semantics::element::Element;
use semantics::operator::Category::{IllegalShape, ImproperValue};
use semantics::operator::{Backend, Parameter, flag, ints};
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
pub const ADAPTIVE_PARAMETERS: &[Parameter] = &[ints("output_size"), DATA_FORMAT];
pub const GLOBAL_PARAMETERS: &[Parameter] = &[DATA_FORMAT, flag("keepdims").or_flag(false)];

/// The largest element of each window.
pub fn max(call: &mut Call, axes: usize) -> Outcome {
    let (space, windows, shape) = read(call, axes)?;
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        fold(&space, &windows, index, Fold::Max, lowest(space.input.kind()))
    }))
}

/// What is not above anything of a type.
fn lowest(kind: Kind) -> Element {
    match kind.int_range() {
        Some((low, _)) => Element::int(kind, low as i64),
        None => Element::constant(kind, f64::NEG_INFINITY),
    }
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
    require_kernel_takes(call, &space)?;
    let windows = spatial::windows_over_any(call, &pool, &strides, &ones, &space.sizes, &padding)?;
    spatial::remark_on_gaps(call, &windows);
    let counts = windows.iter().zip(&space.sizes).map(|(window, &size)| window.count(size));
    let shape = space.shape(space.channels, counts);
    Ok((space, windows, shape))
}

const SOMETHING: &str = "there is something to pool";

/// States that there are places and channels, where the kernels of PyTorch look for them; the batch may be empty.
fn require_kernel_takes(call: &mut Call, space: &Spatial) -> Result<(), Stop> {
    if call.backend == Backend::Torch {
        let some = space.sizes.iter().chain([&space.channels]).map(|size| size.ge(1));
        call.demand(IllegalShape, SOMETHING, Prop::all(some))?;
    }
    Ok(())
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
    match with {
        Fold::Sum => drop(in_floats(call)?),
        _ => require_promised_type(call)?,
    }
    let space = spatial::read(call, axes)?;
    let full = Prop::all(space.sizes.iter().map(|size| size.ge(1)));
    match with {
        // The mean of nothing is not a number.
        Fold::Sum => call.require(ImproperValue, SOMETHING, full),
        // Nor is there a largest, even where nobody asks for one.
        _ => call.require_legal(SOMETHING, full & space.channels.ge(1) & space.batch.ge(1)),
    }
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

/// So many windows along each axis; the `k`th of `n` over `size` places is from `k * size / n`, rounded down, to
/// `(k + 1) * size / n`, rounded up.
pub fn adaptive(call: &mut Call, axes: usize, with: Fold) -> Outcome {
    let label = "`output_size` has one positive number per axis of space";
    let counts = spatial::positive_per_axis(call, "output_size", label, axes)?;
    let space = spatial::read(call, axes)?;
    let full = Prop::all(space.sizes.iter().map(|size| size.ge(1)));
    let once = Prop::all(counts.iter().map(|count| count.eq(1)));
    let full = match (call.backend, with) {
        (Backend::TensorFlow, _) => full,
        // The mean over everything is a kernel of its own, which gives what is not a number of nothing.
        (Backend::Torch, Fold::Sum) => full & (Prop::from(axes < 3) | space.channels.ge(1)) | once,
        (Backend::Torch, _) => full & space.channels.ge(1),
    };
    call.require_legal(SOMETHING, full);
    let shape = space.shape(space.channels, counts.iter().copied());
    one(Tensor::from_elements(space.input.dtype(), shape, move |index| {
        let first = |k: usize, number: Dim| (number * space.sizes[k]).div_floor(counts[k]);
        let end =
            |k: usize, number: Dim| ((number + 1) * space.sizes[k] + counts[k] - 1).div_floor(counts[k]);
        let number = |k: usize| index[space.first + k];
        let widest: Vec<Dim> =
            (0..axes).map(|k| (space.sizes[k] + counts[k] - 1).div_floor(counts[k]) + 1).collect();
        let kind = space.input.kind();
        let neutral = if with == Fold::Max { lowest(kind) } else { Element::constant(kind, 0.0) };
        let total = Element::fold_over(with, &widest, &|taps| {
            let at = |k: usize| first(k, number(k)) + taps[k];
            let inside = Prop::all((0..axes).map(|k| at(k).lt(end(k, number(k)))));
            let source = space.moved(index, |k, _| at(k));
            // A window may end before the widest one would.
            let source: Vec<Dim> = source
                .iter()
                .enumerate()
                .map(|(axis, &place)| match axis.checked_sub(space.first).filter(|k| *k < axes) {
                    Some(k) => place.min(space.sizes[k] - 1),
                    None => place,
                })
                .collect();
            Element::when(inside, space.input.at(&source), neutral)
        });
        match with {
            Fold::Sum => {
                let held = (0..axes).map(|k| end(k, number(k)) - first(k, number(k)));
                total / Element::index(kind, Dim::product(held))
            }
            _ => total,
        }
    }))
}
