//! Sparse tensors as constants: zeros but for the values that are stored.

use super::super::model::SparseTensor;
use super::tensors::{array, kind};
use program::ir::Constant;
use semantics::array::{Array, Data, strides};
use semantics::dtype::Kind;
use std::rc::Rc;

/// Tensors with more elements are not filled: a few stored values may claim any shape.
const MOST_ELEMENTS: usize = 1 << 24;

pub(super) fn constant(sparse: &Rc<SparseTensor>) -> Constant {
    let view = sparse.clone();
    Constant {
        kind: kind(sparse.values.elem_type).unwrap_or(Kind::F32),
        sizes: sparse.dims.clone(),
        load: Rc::new(move || dense(&view)),
    }
}

/// All elements; `None` if the file does not hold what it declares, or too many of them.
fn dense(sparse: &SparseTensor) -> Option<Array> {
    let shape: Vec<usize> =
        sparse.dims.iter().map(|&size| usize::try_from(size).ok()).collect::<Option<_>>()?;
    let count = shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size))?;
    let (values, indices) = (array(&sparse.values)?, array(&sparse.indices)?);
    let places = places(indices.as_ints()?, indices.shape.len() == 2, &shape)?;
    if count > MOST_ELEMENTS || places.len() != values.len() || places.iter().any(|&at| at >= count) {
        return None;
    }
    let mut data = Data::zeros(values.kind, count);
    for (stored, at) in places.into_iter().enumerate() {
        match (&mut data, &values.data) {
            (Data::Bool(all), Data::Bool(some)) => all[at] = some[stored],
            (Data::Int(all), Data::Int(some)) => all[at] = some[stored],
            (Data::Float(all), Data::Float(some)) => all[at] = some[stored],
            (Data::Complex(all), Data::Complex(some)) => all[at] = some[stored],
            _ => {}
        }
    }
    Some(Array::new(values.kind, shape, data))
}

/// Where the values lie in the flattened tensor, which is what single indices say; rows of them name each axis.
fn places(indices: &[i64], rows: bool, shape: &[usize]) -> Option<Vec<usize>> {
    if !rows {
        return indices.iter().map(|&at| usize::try_from(at).ok()).collect();
    }
    let steps = strides(shape);
    let place = |row: &[i64]| {
        row.iter().zip(shape).zip(&steps).try_fold(0, |place, ((&at, &size), &step)| {
            let at = usize::try_from(at).ok().filter(|&at| at < size)?;
            Some(place + at * step)
        })
    };
    indices.chunks_exact(shape.len().max(1)).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::onnx::proto::TensorProto;
    use crate::onnx::{Element, ExternalFiles, TensorView};
    use std::path::Path;
    use std::sync::Arc;

    fn view(type_name: &str, dims: &[i64], floats: &[f32], ints: &[i64]) -> TensorView {
        let data_type = Element::from_name(type_name).expect("an element type").code;
        let (float_data, int64_data) = (floats.to_vec(), ints.to_vec());
        let proto =
            TensorProto { dims: dims.to_vec(), data_type, float_data, int64_data, ..TensorProto::default() };
        TensorView::from_proto(proto, Arc::new(ExternalFiles::beside(Path::new("m.onnx"))))
    }

    fn filled(dims: &[i64], indices: &[i64], rows: &[i64]) -> Option<Vec<f64>> {
        let values = view("float", &[2], &[5.0, 7.0], &[]);
        let indices = view("int64", rows, &[], indices);
        let constant = constant(&Rc::new(SparseTensor { values, indices, dims: dims.to_vec() }));
        assert_eq!(constant.sizes, dims);
        (constant.load)().map(|array| array.as_floats().expect("floats").to_vec())
    }

    #[test]
    fn values_lie_where_their_indices_say() {
        let both = Some(vec![0.0, 5.0, 0.0, 0.0, 0.0, 7.0]);
        assert_eq!(filled(&[2, 3], &[1, 5], &[2]), both);
        assert_eq!(filled(&[2, 3], &[0, 1, 1, 2], &[2, 2]), both);
        for (indices, rows) in [(&[1, 6][..], &[2][..]), (&[-1, 5], &[2]), (&[0, 3, 1, 2], &[2, 2])] {
            assert_eq!(filled(&[2, 3], indices, rows), None, "{indices:?}");
        }
        // A few stored values may claim any shape.
        assert_eq!(filled(&[1 << 40, 1 << 20], &[1, 5], &[2]), None);
        assert_eq!(filled(&[1 << 62, 1 << 62], &[1, 5], &[2]), None);
    }
}
