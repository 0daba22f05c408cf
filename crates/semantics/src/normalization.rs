//! Means, variances and the rules that normalizing operators share.

use crate::call::{Call, Stop};
use crate::compose::{map, reduce, reduce_map, zip};
use crate::dim::Dim;
use crate::dtype::Kind;
use crate::element::Element;
use crate::operator::Category;
use crate::scalar::Fold;
use crate::tensor::Tensor;

/// The mean over axes, which stay as size 1.
pub fn mean(tensor: Tensor, axes: &[usize]) -> Tensor {
    divided_by_count(reduce(Fold::Sum, tensor, axes, true), tensor, axes)
}

/// The mean of squares over axes, which stay as size 1.
pub fn mean_square(tensor: Tensor, axes: &[usize]) -> Tensor {
    let squares = reduce_map(Fold::Sum, tensor, tensor.dtype(), axes, true, |x| x * x);
    divided_by_count(squares, tensor, axes)
}

/// The mean and the population variance over axes, which stay as size 1.
pub fn moments(tensor: Tensor, axes: &[usize]) -> (Tensor, Tensor) {
    let mean = mean(tensor, axes);
    let distance = zip(tensor, mean, tensor.dtype(), tensor.shape(), |x, mean| x - mean);
    (mean, mean_square(distance, axes))
}

/// The same, the variance as the mean of the squares less the square of the mean. What cancels is lost to rounding,
/// all of it where the mean is large against the spread.
pub fn moments_of_squares(tensor: Tensor, axes: &[usize]) -> (Tensor, Tensor) {
    let (mean, squares) = (mean(tensor, axes), mean_square(tensor, axes));
    let variance =
        zip(squares, mean, squares.dtype(), squares.shape(), |squares, mean| squares - mean * mean);
    (mean, variance.within(0.0, f64::INFINITY))
}

fn divided_by_count(total: Tensor, tensor: Tensor, axes: &[usize]) -> Tensor {
    let sizes = tensor.shape().sizes().unwrap_or_default();
    let count = Dim::product(axes.iter().map(|&axis| sizes[axis]));
    map(total, total.dtype(), move |sum| sum / Element::index(sum.kind(), count))
}

/// `1 / sqrt(variance + epsilon)`.
pub fn inverse_deviation(variance: Tensor, epsilon: f64) -> Tensor {
    map(variance, variance.dtype(), move |variance| (variance + epsilon).sqrt().reciprocal())
}

/// The type in which halves are averaged.
pub fn at_least_single(kind: Kind) -> Kind {
    match kind {
        Kind::F16 | Kind::BF16 => Kind::F32,
        wide => wide,
    }
}

/// The narrowest float type that holds the numbers of both.
pub fn common_float(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        _ if a == b => a,
        (Kind::F64, _) | (_, Kind::F64) => Kind::F64,
        _ => Kind::F32,
    }
}

/// States that an input is a vector with one value per channel; its length is returned.
pub fn require_per_channel(
    call: &mut Call,
    tensor: Tensor,
    vector: &'static str,
    one_each: &'static str,
    channels: Dim,
) -> Result<(), Stop> {
    let [length] = call.dims(vector, tensor)?;
    call.require_shape(one_each, length.eq(channels));
    Ok(())
}

/// The type in which the first stage of a normalization is computed.
pub fn stash_type(call: &mut Call, label: &'static str, admitted: &[Kind]) -> Result<Kind, Stop> {
    let kind = call.optional_type("stash_type")?.unwrap_or(Kind::F32);
    // Frameworks pay no heed to a type that makes no sense.
    call.require(Category::ImproperValue, label, admitted.contains(&kind).into());
    Ok(if admitted.contains(&kind) { kind } else { Kind::F32 })
}

/// Scales and shifts each channel: `x * factor + offset`, with one of each per leading index `of(index)`.
pub fn rescaled(
    input: Tensor,
    kind: Kind,
    factor: Tensor,
    offset: Tensor,
    of: impl Fn(&[Dim]) -> Vec<Dim> + 'static,
) -> Tensor {
    Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let channel = of(index);
        (input.at(index).cast(kind) * factor.at(&channel) + offset.at(&channel)).cast(input.kind())
    })
}
