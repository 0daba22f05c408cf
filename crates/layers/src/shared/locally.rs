//! Convolutions whose weights differ from place to place.

use super::activation::{ACTIVATION, activated};
use super::spatial::{self, DATA_FORMAT, KERNEL_SIZE_LABEL, STRIDES, STRIDES_LABEL, Spatial};
use crate::layer::{Weight, require_weights, weight};
use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::flatten;
use semantics::dim::Dim;
use semantics::element::Element;
use semantics::operator::Category::IllegalValue;
use semantics::operator::{Input, Parameter, flag, int, ints, word};
use semantics::scalar::Fold;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use semantics::window::Window;

pub const INPUTS: &[Input] = super::convolution::INPUTS;
pub const PARAMETERS: &[Parameter] = &[
    int("filters"),
    ints("kernel_size"),
    STRIDES,
    word("padding", &["valid"]).or_word("valid"),
    DATA_FORMAT,
    ACTIVATION,
    flag("use_bias").or_flag(true),
];

struct Places {
    space: Spatial,
    windows: Vec<Window>,
    counts: Vec<Dim>,
    filters: Dim,
}

fn places(call: &mut Call, axes: usize) -> Result<Places, Stop> {
    let filters = call.int("filters")?;
    call.demand(IllegalValue, "`filters` is positive", filters.ge(1))?;
    let kernel = spatial::positive_per_axis(call, "kernel_size", KERNEL_SIZE_LABEL, axes)?;
    let strides = spatial::positive_per_axis(call, "strides", STRIDES_LABEL, axes)?;
    let space = spatial::read(call, axes)?;
    let ones = vec![Dim::from(1); axes];
    let windows = spatial::windows(call, &kernel, &strides, &ones, &space.sizes, "valid")?;
    spatial::remark_on_gaps(call, &windows);
    let counts = windows.iter().zip(&space.sizes).map(|(window, &size)| window.count(size)).collect();
    Ok(Places { space, windows, counts, filters })
}

pub fn weights(call: &mut Call, axes: usize) -> Result<Vec<Weight>, Stop> {
    let Places { space, windows, counts, filters } = places(call, axes)?;
    let taps = Dim::product(windows.iter().map(|window| window.kernel)) * space.channels;
    let kernel = Shape::new([Dim::product(counts.iter().copied()), taps, filters]);
    let mut weights = vec![weight("kernel", kernel)];
    if call.flag("use_bias")? {
        weights.push(weight("bias", Shape::new(counts.into_iter().chain([filters]))));
    }
    Ok(weights)
}

pub fn define(call: &mut Call, axes: usize) -> Outcome {
    let weights = weights(call, axes)?;
    require_weights(call, &weights)?;
    let Places { space, windows, counts, filters } = places(call, axes)?;
    let kernel = call.tensor("kernel")?;
    let bias = if call.flag("use_bias")? { Some(call.tensor("bias")?) } else { None };
    let shape = space.shape(filters, counts.iter().copied());
    let extents: Vec<Dim> = windows.iter().map(|window| window.kernel).chain([space.channels]).collect();
    let output = Tensor::from_elements(space.input.dtype(), shape, move |index| {
        let (place, filter) = (&index[space.first..space.first + axes], index[space.channel_axis]);
        let sum = Element::fold_over(Fold::Sum, &extents, &|taps| {
            let mut source = space.moved(index, |k, number| windows[k].source(number, taps[k]));
            source[space.channel_axis] = taps[axes];
            let tap = [flatten(place, &counts), flatten(taps, &extents), filter];
            space.input.at(&source) * kernel.at(&tap)
        });
        bias.map_or(sum, |bias| {
            let own: Vec<Dim> = place.iter().copied().chain([filter]).collect();
            sum + bias.at(&own)
        })
    });
    one(activated(call, "activation", output)?)
}
