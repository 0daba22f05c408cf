//! Convolutions over one to three axes: plain, transposed, depthwise, separable.
//!
//! Keras keeps kernels as `[space…, channels, filters]`; the sums of products are those of `semantics`, which has
//! channels first.

use super::activation::{ACTIVATION, activated};
use super::spatial::{
    self, DATA_FORMAT, DILATION_LABEL, DILATION_RATE, KERNEL_SIZE_LABEL, PADDING, STRIDES, STRIDES_LABEL,
    Spatial,
};
use crate::layer::{Weight, require_weights, weight};
use semantics::call::{Call, Outcome, Stop, one};
use semantics::compose::transpose;
use semantics::dim::Dim;
use semantics::dtype::FLOAT;
use semantics::operator::Category::{IllegalShape, IllegalValue, IncompatibleShape};
use semantics::operator::{Backend, Input, Parameter, flag, int, ints, tensor, word};
use semantics::prop::Prop;
use semantics::shape::Shape;
use semantics::sliding::{Spread, sliding_products, spread_products};
use semantics::tensor::Tensor;
use semantics::window::Window;

pub const FILTERS: Parameter = int("filters");
pub const KERNEL_SIZE: Parameter = ints("kernel_size");
const GROUPS: Parameter = int("groups").or(1);
const USE_BIAS: Parameter = flag("use_bias").or_flag(true);
const DEPTH_MULTIPLIER: Parameter = int("depth_multiplier").or(1);

pub const INPUTS: &[Input] = &[
    tensor("inputs", FLOAT),
    tensor("kernel", FLOAT).like("inputs").optional(),
    tensor("bias", FLOAT).like("inputs").optional(),
];
pub const SEPARABLE_INPUTS: &[Input] = &[
    tensor("inputs", FLOAT),
    tensor("depthwise_kernel", FLOAT).like("inputs").optional(),
    tensor("pointwise_kernel", FLOAT).like("inputs").optional(),
    tensor("bias", FLOAT).like("inputs").optional(),
];
pub const PARAMETERS: &[Parameter] =
    &[FILTERS, KERNEL_SIZE, STRIDES, PADDING, DATA_FORMAT, DILATION_RATE, GROUPS, ACTIVATION, USE_BIAS];
/// Along one axis the past alone may be looked at.
pub const CAUSAL_PARAMETERS: &[Parameter] = &[
    FILTERS,
    KERNEL_SIZE,
    STRIDES,
    word("padding", &["valid", "same", "causal"]).or_word("valid"),
    DATA_FORMAT,
    DILATION_RATE,
    GROUPS,
    ACTIVATION,
    USE_BIAS,
];
pub const TRANSPOSED_PARAMETERS: &[Parameter] = &[
    FILTERS,
    KERNEL_SIZE,
    STRIDES,
    PADDING,
    ints("output_padding").optional(),
    DATA_FORMAT,
    DILATION_RATE,
    ACTIVATION,
    USE_BIAS,
];
pub const DEPTHWISE_PARAMETERS: &[Parameter] =
    &[KERNEL_SIZE, STRIDES, PADDING, DEPTH_MULTIPLIER, DATA_FORMAT, DILATION_RATE, ACTIVATION, USE_BIAS];
pub const SEPARABLE_PARAMETERS: &[Parameter] = &[
    FILTERS,
    KERNEL_SIZE,
    STRIDES,
    PADDING,
    DATA_FORMAT,
    DILATION_RATE,
    DEPTH_MULTIPLIER,
    ACTIVATION,
    USE_BIAS,
];

/// The arguments that every convolution has, read and checked.
struct Arguments {
    space: Spatial,
    kernel: Vec<Dim>,
    strides: Vec<Dim>,
    dilations: Vec<Dim>,
    padding: String,
}

fn arguments(call: &mut Call, axes: usize) -> Result<Arguments, Stop> {
    let kernel = spatial::positive_per_axis(call, "kernel_size", KERNEL_SIZE_LABEL, axes)?;
    let strides = spatial::positive_per_axis(call, "strides", STRIDES_LABEL, axes)?;
    let dilations = spatial::positive_per_axis(call, "dilation_rate", DILATION_LABEL, axes)?;
    let padding = call.text("padding")?;
    let space = spatial::read(call, axes)?;
    Ok(Arguments { space, kernel, strides, dilations, padding })
}

/// States that windows do not both jump and spread: no backend does it.
pub fn require_still_or_dense(call: &mut Call, strides: &[Dim], dilations: &[Dim]) {
    let moves = |values: &[Dim]| Prop::any(values.iter().map(|value| value.gt(1)));
    let both = moves(strides) & moves(dilations);
    call.require_value("`strides` or `dilation_rate` is 1", !both);
}

/// States that there is something to sum over: no backend convolves nothing.
pub fn require_channels(call: &mut Call, space: &Spatial) -> Result<Dim, Stop> {
    call.demand(IncompatibleShape, "there is a channel", space.channels.ge(1))?;
    Ok(space.channels)
}

pub fn filters(call: &mut Call) -> Result<Dim, Stop> {
    let filters = call.int("filters")?;
    call.demand(IllegalValue, "`filters` is positive", filters.ge(1))?;
    Ok(filters)
}

fn with_bias(call: &mut Call, mut weights: Vec<Weight>, length: Dim) -> Result<Vec<Weight>, Stop> {
    if call.flag("use_bias")? {
        weights.push(weight("bias", Shape::new([length])));
    }
    Ok(weights)
}

/// Adds the bias, puts the channels where the layout has them, and applies the activation.
fn finished(call: &mut Call, space: &Spatial, products: Tensor) -> Outcome {
    let bias = if call.flag("use_bias")? { Some(call.tensor("bias")?) } else { None };
    let summed = match bias {
        None => products,
        Some(bias) => Tensor::from_elements(products.dtype(), products.shape(), move |index| {
            products.at(index) + bias.at(&index[1..2])
        }),
    };
    let placed = transpose(summed, &space.from_channels_first());
    one(activated(call, "activation", placed)?)
}

/// `[space…, a, b]` as `[b, a, space…]`.
pub fn kernel_first(kernel: Tensor, axes: usize) -> Tensor {
    let order: Vec<usize> = [axes + 1, axes].into_iter().chain(0..axes).collect();
    transpose(kernel, &order)
}

/// The windows, and the shape with channels first that the sums of products have; `deep` are filters of each channel
/// alone, and nothing after them.
fn slid(call: &mut Call, read: &Arguments, filters: Dim, deep: bool) -> Result<(Vec<Window>, Shape), Stop> {
    let Arguments { space, kernel, strides, dilations, padding } = read;
    // Channels that come first in three axes are compiled, and not left to a kernel that fails.
    let any = deep || space.sizes.len() == 3 && space.channel_axis == 1;
    let of = if any { spatial::windows_over_any } else { spatial::windows };
    let windows = of(call, kernel, strides, dilations, &space.sizes, padding)?;
    spatial::remark_on_gaps(call, &windows);
    let counts = windows.iter().zip(&space.sizes).map(|(window, &size)| window.count(size));
    let shape = Shape::new([space.batch, filters].into_iter().chain(counts));
    Ok((windows, shape))
}

pub fn weights(call: &mut Call, axes: usize) -> Result<Vec<Weight>, Stop> {
    let (filters, groups) = (filters(call)?, call.int("groups")?);
    call.demand(IllegalValue, "`groups` is positive", groups.ge(1))?;
    call.require_value("`groups` divides `filters`", groups.divides(filters));
    let read = arguments(call, axes)?;
    require_still_or_dense(call, &read.strides, &read.dilations);
    let channels = require_channels(call, &read.space)?;
    call.demand(IncompatibleShape, "`groups` divides the channels of `inputs`", groups.divides(channels))?;
    let sizes = read.kernel.into_iter().chain([channels.div_floor(groups), filters]);
    with_bias(call, vec![weight("kernel", Shape::new(sizes))], filters)
}

pub fn define(call: &mut Call, axes: usize) -> Outcome {
    let weights = weights(call, axes)?;
    require_weights(call, &weights)?;
    let (read, filters, groups) = (arguments(call, axes)?, call.int("filters")?, call.int("groups")?);
    let (windows, shape) = slid(call, &read, filters, false)?;
    let space = read.space;
    let input = transpose(space.input, &space.to_channels_first());
    let kernel = kernel_first(call.tensor("kernel")?, axes);
    let (channels, each) = (space.channels.div_floor(groups), filters.div_floor(groups));
    finished(call, &space, sliding_products(input, kernel, shape, windows, channels, each))
}

pub fn depthwise_weights(call: &mut Call, axes: usize) -> Result<Vec<Weight>, Stop> {
    let multiplier = multiplier(call)?;
    let read = arguments(call, axes)?;
    require_channels(call, &read.space)?;
    let sizes = read.kernel.into_iter().chain([read.space.channels, multiplier]);
    with_bias(call, vec![weight("kernel", Shape::new(sizes))], read.space.channels * multiplier)
}

pub fn depthwise(call: &mut Call, axes: usize) -> Outcome {
    let weights = depthwise_weights(call, axes)?;
    require_weights(call, &weights)?;
    let (read, multiplier) = (arguments(call, axes)?, call.int("depth_multiplier")?);
    let kernel = call.tensor("kernel")?;
    let products = each_channel(call, &read, kernel, multiplier, true)?;
    finished(call, &read.space, products)
}

fn multiplier(call: &mut Call) -> Result<Dim, Stop> {
    let multiplier = call.int("depth_multiplier")?;
    call.demand(IllegalValue, "`depth_multiplier` is positive", multiplier.ge(1))?;
    Ok(multiplier)
}

/// `multiplier` filters for each channel alone, channels first; `deep` if nothing comes after them.
fn each_channel(
    call: &mut Call,
    read: &Arguments,
    kernel: Tensor,
    multiplier: Dim,
    deep: bool,
) -> Result<Tensor, Stop> {
    let space = &read.space;
    let (windows, shape) = slid(call, read, space.channels * multiplier, deep)?;
    let sizes = [space.channels * multiplier, 1.into()].into_iter().chain(read.kernel.iter().copied());
    let filters = Tensor::from_elements(kernel.dtype(), Shape::new(sizes), move |index| {
        let mut source = index[2..].to_vec();
        source.extend([index[0].div_floor(multiplier), index[0].modulo(multiplier)]);
        kernel.at(&source)
    });
    let input = transpose(space.input, &space.to_channels_first());
    Ok(sliding_products(input, filters, shape, windows, 1.into(), multiplier))
}

pub fn separable_weights(call: &mut Call, axes: usize) -> Result<Vec<Weight>, Stop> {
    let (filters, multiplier) = (filters(call)?, multiplier(call)?);
    let read = arguments(call, axes)?;
    let channels = require_channels(call, &read.space)?;
    let depthwise = Shape::new(read.kernel.into_iter().chain([channels, multiplier]));
    let ones = vec![Dim::from(1); axes];
    let pointwise = Shape::new(ones.into_iter().chain([channels * multiplier, filters]));
    let weights = vec![weight("depthwise_kernel", depthwise), weight("pointwise_kernel", pointwise)];
    with_bias(call, weights, filters)
}

pub fn separable(call: &mut Call, axes: usize) -> Outcome {
    let weights = separable_weights(call, axes)?;
    require_weights(call, &weights)?;
    let (read, filters, multiplier) =
        (arguments(call, axes)?, call.int("filters")?, call.int("depth_multiplier")?);
    let kernel = call.tensor("depthwise_kernel")?;
    let each = each_channel(call, &read, kernel, multiplier, false)?;
    let pointwise = kernel_first(call.tensor("pointwise_kernel")?, axes);
    let sizes = each.shape().sizes().unwrap_or_default();
    let shape = Shape::new([sizes[0], filters].into_iter().chain(sizes[2..].iter().copied()));
    let (one, zero) = (Dim::from(1), Dim::from(0));
    let still = Window { kernel: one, stride: one, dilation: one, before: zero, after: zero, same: false };
    let channels = read.space.channels * multiplier;
    let products = sliding_products(each, pointwise, shape, vec![still; axes], channels, filters);
    finished(call, &read.space, products)
}

pub fn transposed_weights(call: &mut Call, axes: usize) -> Result<Vec<Weight>, Stop> {
    let filters = filters(call)?;
    let read = arguments(call, axes)?;
    require_still_or_dense(call, &read.strides, &read.dilations);
    // TensorFlow adds up nothing.
    if call.backend == Backend::Torch {
        require_channels(call, &read.space)?;
        let some = Prop::all(read.space.sizes.iter().map(|size| size.ge(1)));
        call.demand(IllegalShape, "there is something to spread", some)?;
    }
    let sizes = read.kernel.into_iter().chain([filters, read.space.channels]);
    with_bias(call, vec![weight("kernel", Shape::new(sizes))], filters)
}

pub fn transposed(call: &mut Call, axes: usize) -> Outcome {
    let weights = transposed_weights(call, axes)?;
    require_weights(call, &weights)?;
    let (read, filters) = (arguments(call, axes)?, call.int("filters")?);
    let extra = match call.is_given("output_padding") {
        true => {
            let label = "`output_padding` has one number per axis of space, smaller than the stride";
            let extra = call.per_axis("output_padding", label, axes)?;
            let within = extra.iter().zip(&read.strides).map(|(extra, &stride)| extra.within(0, stride));
            call.require_value(label, Prop::all(within));
            Some(extra)
        }
        false => None,
    };
    let spreads: Vec<Spread> = (0..axes)
        .map(|k| {
            let (kernel, stride, dilation) = (read.kernel[k], read.strides[k], read.dilations[k]);
            let (size, reach) = (read.space.sizes[k], dilation * (kernel - 1) + 1);
            let same = read.padding == "same";
            let full = (size - 1) * stride + reach;
            let out = match &extra {
                None if same => size * stride,
                None => size * stride + (reach - stride).max(0),
                Some(extra) if same => full - reach.div_floor(2) * 2 + extra[k],
                Some(extra) => full + extra[k],
            };
            let before = if same { (full - out).max(0).div_floor(2) } else { 0.into() };
            Spread { kernel, stride, dilation, before, size: out }
        })
        .collect();
    if call.backend == Backend::TensorFlow && extra.is_some() && read.padding == "same" {
        // It takes the gradient of a convolution that is padded to the same size, which has to give the input. Of
        // nothing it takes none.
        let label = "a convolution of the output, in steps of `strides`, is as large as `inputs`";
        let back = spreads.iter().zip(&read.space.sizes);
        let fits = back.map(|(spread, size)| spread.size.div_ceil(spread.stride).eq(*size));
        let nothing = Prop::any(spreads.iter().map(|spread| spread.size.eq(0))) | read.space.batch.eq(0);
        call.require(IllegalShape, label, Prop::all(fits) | nothing);
    }
    let space = read.space;
    let counts = spreads.iter().map(|spread| spread.size);
    let shape = Shape::new([space.batch, filters].into_iter().chain(counts));
    let input = transpose(space.input, &space.to_channels_first());
    // `[space…, filters, channels]` as `[channels, filters, space…]`.
    let kernel = kernel_first(call.tensor("kernel")?, axes);
    finished(call, &space, spread_products(input, kernel, shape, spreads, space.channels, filters))
}
