//! Building blocks for definitions that are composed of simpler tensors.
//!
//! They state no requirements: the definition that uses them has stated what they need.
//! A fold that does not depend on the outer index becomes a tensor of its own (`reduce`), never a nested fold.

use crate::array::Array;
use crate::dim::Dim;
use crate::dtype::{DType, Kind};
use crate::element::Element;
use crate::kernel::{self, Run};
use crate::scalar::Fold;
use crate::shape::{Shape, Sizes};
use crate::tensor::{Computed, Kernel, Tensor};
use std::rc::Rc;

/// Applies `f` to every element; the result has the type `dtype`.
pub fn map(tensor: Tensor, dtype: impl Into<DType>, f: impl Fn(Element) -> Element + 'static) -> Tensor {
    Tensor::from_elements(dtype, tensor.shape(), move |index| f(tensor.at(index)))
}

/// Applies `f` to the elements that broadcasting to `shape` aligns.
pub fn zip(
    a: Tensor,
    b: Tensor,
    dtype: impl Into<DType>,
    shape: Shape,
    f: impl Fn(Element, Element) -> Element + 'static,
) -> Tensor {
    Tensor::from_elements(dtype, shape, move |index| {
        f(a.broadcast_in(shape, index), b.broadcast_in(shape, index))
    })
}

/// Folds over the axes given (sorted, from the front), which stay as size 1 if `keep`.
pub fn reduce(with: Fold, tensor: Tensor, axes: &[usize], keep: bool) -> Tensor {
    reduce_map(with, tensor, tensor.dtype(), axes, keep, |x| x)
}

/// Folds `f` of every element.
pub fn reduce_map(
    with: Fold,
    tensor: Tensor,
    dtype: impl Into<DType>,
    axes: &[usize],
    keep: bool,
    f: impl Fn(Element) -> Element + 'static,
) -> Tensor {
    let sizes = tensor.shape().sizes().unwrap_or_default();
    let shape = reduced_shape(&sizes, axes, keep);
    let axes = axes.to_vec();
    Tensor::from_elements(dtype, shape, move |index| {
        let extents: Vec<Dim> = axes.iter().map(|&axis| sizes[axis]).collect();
        Element::fold_over(with, &extents, &|folded| {
            let mut kept =
                index.iter().enumerate().filter(|(k, _)| !keep || !axes.contains(k)).map(|(_, i)| *i);
            let full: Vec<Dim> = (0..sizes.len())
                .map(|k| match axes.iter().position(|&axis| axis == k) {
                    Some(at) => folded[at],
                    None => kept.next().unwrap_or(Dim::from(0)),
                })
                .collect();
            f(tensor.at(&full))
        })
    })
}

/// The shape left after folding over axes.
pub fn reduced_shape(sizes: &Sizes, axes: &[usize], keep: bool) -> Shape {
    Shape::new(sizes.iter().enumerate().filter_map(|(k, &size)| match axes.contains(&k) {
        false => Some(size),
        true => keep.then_some(1i64.into()),
    }))
}

/// Puts axis `order[k]` at position `k`.
pub fn transpose(tensor: Tensor, order: &[usize]) -> Tensor {
    let sizes = tensor.shape().sizes().filter(|sizes| sizes.len() == order.len());
    let shape = match sizes {
        Some(sizes) => Shape::new(order.iter().map(|&axis| sizes[axis])),
        None => Shape::of_rank(order.len(), "transposed"),
    };
    let layout = tensor.layout().map(|layout| Rc::new(layout.transposed(order)));
    let order = order.to_vec();
    let transposed = Tensor::from_elements(tensor.dtype(), shape, move |index| {
        let mut source = vec![Dim::from(0); order.len()];
        for (k, &axis) in order.iter().enumerate() {
            source[axis] = index[k];
        }
        tensor.at(&source)
    });
    match layout {
        Some(layout) => transposed.laid_out(layout),
        None => transposed,
    }
}

/// The same elements in row-major order under another shape of as many elements.
pub fn reshape(tensor: Tensor, shape: Shape) -> Tensor {
    let (from, to) = (tensor.shape(), shape);
    Tensor::from_elements(tensor.dtype(), shape, move |index| {
        let (Some(from), Some(to)) = (from.sizes(), to.sizes()) else { return tensor.at(index) };
        tensor.at(&unflatten(flatten(index, &to), &from))
    })
}

/// The row-major position of an index.
pub fn flatten(index: &[Dim], sizes: &[Dim]) -> Dim {
    index.iter().zip(sizes).fold(Dim::from(0), |flat, (&i, &size)| flat * size + i)
}

/// The index at a row-major position.
pub fn unflatten(flat: Dim, sizes: &[Dim]) -> Vec<Dim> {
    let mut index = vec![Dim::from(0); sizes.len()];
    let mut rest = flat;
    for axis in (0..sizes.len()).rev() {
        if axis == 0 {
            index[axis] = rest;
        } else {
            index[axis] = rest.modulo(sizes[axis]);
            rest = rest.div_floor(sizes[axis]);
        }
    }
    index
}

/// An integer element as a position along an axis, counted from the back when negative.
pub fn wrapped(index: Element, extent: Dim) -> Dim {
    let index = index.as_index();
    Dim::select(index.lt(0), index + extent, index)
}

/// The element of a tensor that has only one, whatever its rank.
pub fn only(tensor: Tensor) -> Element {
    tensor.at(&vec![Dim::from(0); tensor.shape().known_rank().unwrap_or(0)])
}

/// The sizes of a tensor as a tensor: how an algorithm on arrays learns a shape that it cannot see.
pub fn sizes_of(tensor: Tensor) -> Tensor {
    Tensor::of_dims(Kind::I64, tensor.shape().sizes().unwrap_or_default())
}

/// Repeats elements along axes of size 1 and new leading axes.
pub fn broadcast_to(tensor: Tensor, shape: Shape) -> Tensor {
    Tensor::from_elements(tensor.dtype(), shape, move |index| tensor.broadcast_in(shape, index))
}

/// The one element of a tensor that has no more, whatever its rank.
pub fn only_element(tensor: Tensor) -> Element {
    tensor.at(&vec![Dim::from(0); tensor.shape().known_rank().unwrap_or(0)])
}

/// The tensor as another element type.
pub fn cast(tensor: Tensor, kind: Kind) -> Tensor {
    map(tensor, kind, move |x| x.cast(kind))
}

/// A tensor of one repeated number.
pub fn full(kind: Kind, shape: Shape, value: f64) -> Tensor {
    Tensor::from_elements(kind, shape, move |_| Element::constant(kind, value))
}

/// Matrix product of the last two axes, the ones before them broadcast: `[..., n, k] x [..., k, m]`.
/// The batch shape is given by the caller, who has stated that it exists.
pub fn matmul(a: Tensor, b: Tensor, batch: Shape) -> Tensor {
    use crate::shape::Slot::Back;
    let (rows, inner, columns) = (a.shape().size(Back(1)), a.shape().size(Back(0)), b.shape().size(Back(0)));
    let shape = batch.followed_by([rows, columns]);
    let product = Tensor::from_elements(a.dtype(), shape, move |index| {
        let rank = index.len();
        Element::fold(Fold::Sum, inner, |k| {
            let mut left = index.to_vec();
            left[rank - 1] = k;
            let mut right = index.to_vec();
            right[rank - 2] = k;
            matrix_at(a, &left) * matrix_at(b, &right)
        })
    });
    match known_matmul(a, b, shape) {
        Some(run) => product.with_kernel(Kernel { left: a, right: b, terms: inner, run }),
        None => product,
    }
}

/// The element of a stack of matrices, whose leading axes broadcast but whose matrix axes do not.
fn matrix_at(tensor: Tensor, index: &[Dim]) -> Element {
    let Some(sizes) = tensor.shape().sizes() else { return tensor.at(index) };
    let skipped = index.len() - sizes.len();
    let aligned: Vec<Dim> = (0..sizes.len())
        .map(|k| {
            let position = index[skipped + k];
            if k + 2 >= sizes.len() { position } else { Dim::select(sizes[k].eq(1), 0, position) }
        })
        .collect();
    tensor.at(&aligned)
}

/// The fast loops, once all sizes are numbers and the elements floats.
fn known_matmul(a: Tensor, b: Tensor, shape: Shape) -> Option<Run> {
    let known = |shape: Shape| -> Option<Vec<usize>> {
        shape.sizes()?.iter().map(|size| size.known().and_then(|size| usize::try_from(size).ok())).collect()
    };
    if !a.dtype().known()?.is_float() {
        return None;
    }
    let (a, b, out) = (known(a.shape())?, known(b.shape())?, known(shape)?);
    let (rows, inner, columns) = (a[a.len() - 2], a[a.len() - 1], b[b.len() - 1]);
    let batch = out[..out.len() - 2].to_vec();
    Some(Rc::new(move |x, y| {
        let count: usize = batch.iter().product();
        let mut result = vec![0.0; count * rows * columns];
        if rows * columns == 0 {
            return result;
        }
        for (number, block) in result.chunks_mut(rows * columns).enumerate() {
            let left = &x[batch_offset(number, &batch, &a[..a.len() - 2]) * rows * inner..];
            let right = &y[batch_offset(number, &batch, &b[..b.len() - 2]) * inner * columns..];
            kernel::matmul(left, right, block, rows, inner, columns);
        }
        result
    }))
}

/// Which matrix of a broadcast stack belongs to number `number` of the result's stack.
fn batch_offset(number: usize, batch: &[usize], own: &[usize]) -> usize {
    let (mut rest, mut offset, mut stride) = (number, 0, 1);
    for k in (0..batch.len()).rev() {
        let position = rest % batch[k];
        rest /= batch[k];
        if let Some(at) = (k + own.len()).checked_sub(batch.len()) {
            offset += if own[at] == 1 { 0 } else { position } * stride;
            stride *= own[at];
        }
    }
    offset
}

/// The elements of `stated`, where those of `other` are admitted as well: for what a specification says in one
/// way and the results stored with it in another.
pub fn either(stated: Tensor, other: Tensor) -> Tensor {
    Tensor::opaque(&[stated, other], [(stated.dtype(), stated.shape())], |arrays| {
        let (Some(own), Some(others)) = (arrays[0].as_floats(), arrays[1].as_floats()) else {
            return Err("only floats are admitted in two ways".into());
        };
        let apart = own.iter().zip(others).map(|(x, y)| if x == y { 0.0 } else { (x - y).abs() });
        Ok(vec![Computed { array: arrays[0].clone(), error: Some(apart.collect()) }])
    })[0]
}

/// One number of which those who should know say different things: `value` or anything within `error` of it.
pub fn undetermined(kind: Kind, value: f64, error: f64) -> Tensor {
    Tensor::opaque(&[], [(kind.into(), Shape::scalar())], move |_| {
        Ok(vec![Computed { array: Array::floats(kind, &[], vec![value]), error: Some(vec![error]) }])
    })[0]
        .within(value - error, value + error)
}

/// A tensor of which no more than type and shape is known.
pub fn unknown_elements(dtype: DType, shape: Shape) -> Tensor {
    Tensor::new(dtype, shape, crate::tensor::Content::Given)
}
