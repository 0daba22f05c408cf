//! Sums of products of a tensor and a kernel that slides over its spatial axes: convolution and its transpose,
//! as formulas, and as fast loops once all sizes are numbers.

use crate::dim::Dim;
use crate::element::Element;
use crate::kernel::{self, ConvGeometry, Run};
use crate::prop::Prop;
use crate::scalar::Fold;
use crate::shape::Shape;
use crate::tensor::{Kernel, Tensor};
use crate::window::Window;

/// For each place of the window the products of the taps with what lies below them, zero outside the input.
/// `input` is `[batch, channels, ...]`, `weight` `[filters, group_channels, ...]`.
pub fn sliding_products(
    input: Tensor,
    weight: Tensor,
    shape: Shape,
    windows: Vec<Window>,
    group_channels: Dim,
    filters_per_group: Dim,
) -> Tensor {
    let run = sliding_geometry(input, weight, shape, &windows).map(kernel::conv);
    let extents: Vec<Dim> =
        [group_channels].into_iter().chain(windows.iter().map(|window| window.kernel)).collect();
    let terms = extents.iter().fold(Dim::from(1), |terms, &extent| terms * extent);
    let products = Tensor::from_elements(input.dtype(), shape, move |index| {
        let (batch, filter, position) = (index[0], index[1], &index[2..]);
        let first_channel = filter.div_floor(filters_per_group) * group_channels;
        Element::fold_over(Fold::Sum, &extents, &|folded| {
            let (channel, taps) = (folded[0], &folded[1..]);
            let mut source = vec![batch, first_channel + channel];
            source.extend(windows.iter().zip(position).zip(taps).map(|((w, &at), &tap)| w.source(at, tap)));
            let mut tap = vec![filter, channel];
            tap.extend_from_slice(taps);
            input.padded_at(&source) * weight.at(&tap)
        })
    });
    with_run(products, (input, weight), terms, run)
}

/// How kernels are laid along one spatial axis of the output.
#[derive(Clone, Copy)]
pub struct Spread {
    pub kernel: Dim,
    pub stride: Dim,
    pub dilation: Dim,
    /// How much is cut off before the first position of the output.
    pub before: Dim,
    /// The size of the output.
    pub size: Dim,
}

/// Each element of `input` times the whole kernel, laid where it belongs and added up:
/// tap `k` of the kernel at input position `i` lands at `i * stride + k * dilation - before`.
/// `input` is `[batch, channels, ...]`, `weight` `[channels, group_filters, ...]`.
pub fn spread_products(
    input: Tensor,
    weight: Tensor,
    shape: Shape,
    spreads: Vec<Spread>,
    group_channels: Dim,
    group_filters: Dim,
) -> Tensor {
    let run = spread_geometry(input, weight, shape, &spreads).map(kernel::conv_transpose);
    let extents: Vec<Dim> =
        [group_channels].into_iter().chain(spreads.iter().map(|spread| spread.kernel)).collect();
    let terms = extents.iter().fold(Dim::from(1), |terms, &extent| terms * extent);
    let products = Tensor::from_elements(input.dtype(), shape, move |index| {
        let (batch, filter, position) = (index[0], index[1], &index[2..]);
        let first_channel = filter.div_floor(group_filters) * group_channels;
        Element::fold_over(Fold::Sum, &extents, &|folded| {
            let (channel, taps) = (first_channel + folded[0], &folded[1..]);
            let mut source = vec![batch, channel];
            let mut hit = Prop::from(true);
            for ((spread, &at), &tap) in spreads.iter().zip(position).zip(taps) {
                let distance = at + spread.before - tap * spread.dilation;
                hit = hit & spread.stride.divides(distance);
                source.push(distance.div_floor(spread.stride));
            }
            let mut tap = vec![channel, filter.modulo(group_filters)];
            tap.extend_from_slice(taps);
            let zero = Element::constant(input.kind(), 0.0);
            Element::when(hit, input.padded_at(&source), zero) * weight.at(&tap)
        })
    });
    with_run(products, (input, weight), terms, run)
}

fn with_run(products: Tensor, (left, right): (Tensor, Tensor), terms: Dim, run: Option<Run>) -> Tensor {
    match run {
        Some(run) => products.with_kernel(Kernel { left, right, terms, run }),
        None => products,
    }
}

/// The geometry in numbers; `None` for symbolic sizes, elements that are no floats, and what does not fit.
fn sliding_geometry(input: Tensor, weight: Tensor, shape: Shape, windows: &[Window]) -> Option<ConvGeometry> {
    let (x, w, out) = float_sizes(input, weight, shape)?;
    let groups = x[1].checked_div(w[1])?;
    let geometry = ConvGeometry {
        batch: x[0],
        groups,
        channels: w[1],
        filters: w[0].checked_div(groups)?,
        input: x[2..].to_vec(),
        window: w[2..].to_vec(),
        strides: numbers(windows.iter().map(|window| window.stride))?,
        dilations: numbers(windows.iter().map(|window| window.dilation))?,
        before: numbers(windows.iter().map(|window| window.before))?,
        output: out[2..].to_vec(),
    };
    (groups * w[1] == x[1] && geometry.filters * groups == w[0] && out[1] == w[0]).then_some(geometry)
}

/// The convolution that this is the transpose of: its output is our input.
fn spread_geometry(input: Tensor, weight: Tensor, shape: Shape, spreads: &[Spread]) -> Option<ConvGeometry> {
    let (x, w, out) = float_sizes(input, weight, shape)?;
    let groups = out[1].checked_div(w[1])?;
    let geometry = ConvGeometry {
        batch: x[0],
        groups,
        channels: w[1],
        filters: x[1].checked_div(groups)?,
        input: out[2..].to_vec(),
        window: w[2..].to_vec(),
        strides: numbers(spreads.iter().map(|spread| spread.stride))?,
        dilations: numbers(spreads.iter().map(|spread| spread.dilation))?,
        before: numbers(spreads.iter().map(|spread| spread.before))?,
        output: x[2..].to_vec(),
    };
    (groups * w[1] == out[1] && geometry.filters * groups == x[1] && x[1] == w[0]).then_some(geometry)
}

type Sizes = Vec<usize>;

/// The sizes of two tensors of floats and of the result, of one rank.
fn float_sizes(x: Tensor, w: Tensor, shape: Shape) -> Option<(Sizes, Sizes, Sizes)> {
    if !x.dtype().known()?.is_float() {
        return None;
    }
    let (x, w, out) = (numbers(x.shape().sizes()?)?, numbers(w.shape().sizes()?)?, numbers(shape.sizes()?)?);
    (x.len() == w.len() && w.len() == out.len() && x.len() > 2).then_some((x, w, out))
}

fn numbers(sizes: impl IntoIterator<Item = Dim>) -> Option<Sizes> {
    sizes.into_iter().map(|size| size.known().and_then(|size| usize::try_from(size).ok())).collect()
}
