//! The distinct elements.

use super::prelude::*;
use std::cmp::Ordering;

pub static OPERATOR: Operator = Operator {
    name: "unique",
    summary: "The distinct slices along `axis` (without one: the distinct elements), sorted or in order of appearance; \
              where each appears first, which of them each slice is, and how often each occurs.",
    inputs: &[tensor("input", ANY)],
    parameters: &[int("axis").optional(), flag("sorted").or_flag(true)],
    outputs: &["output", "indices", "inverse_indices", "counts"],
    onnx: &[onnx(11, "Unique(input; axis, sorted)")],
    define,
    examples: &["unique(f32[2,2], axis=2) fails: `axis` is within the rank"],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = match call.optional_int("axis")? {
        Some(axis) => Some(call.axis_at(axis, "`axis` is within the rank", input.shape())?),
        None => None,
    };
    let sorted = call.flag("sorted")?;
    let total = axis.map_or(input.shape().count(), |axis| input.shape().size(axis));
    let distinct = Dim::symbol("the number of distinct elements", 0, LARGEST_SIZE);
    let vector = |length: Dim| (DType::from(Kind::I64), Shape::new([length]));
    let shape = axis.map_or(Shape::new([distinct]), |axis| input.shape().with_size(axis, distinct));
    let found =
        Tensor::opaque(&[input], [vector(distinct), vector(total), vector(distinct)], move |arrays| {
            let axis = axis.map(|axis| position(axis, arrays[0].shape.len()));
            Ok(group(&arrays[0], axis, sorted))
        });
    let [first, inverse, counts] = [found[0], found[1], found[2]];
    let output = Tensor::from_elements(input.dtype(), shape, move |index| match axis {
        Some(axis) => {
            let axis = position(axis, index.len());
            let mut source = index.to_vec();
            source[axis] = first.at(&[index[axis]]).as_index();
            input.at(&source)
        }
        None => {
            let sizes = input.shape().sizes().unwrap_or_default();
            input.at(&unflatten(first.at(index).as_index(), &sizes))
        }
    });
    Ok([output, first, inverse, counts].into_iter().collect())
}

/// First appearances, the group of each slice, and the sizes of the groups.
fn group(input: &Array, axis: Option<usize>, sorted: bool) -> Vec<Computed> {
    let strides = input.strides();
    let (number, step) = axis.map_or((input.len(), 1), |axis| (input.shape[axis], strides[axis]));
    // The elements of slice 0; those of slice k are `k * step` further.
    let slice: Vec<usize> = match axis {
        Some(axis) => {
            (0..input.len()).filter(|&flat| flat / strides[axis] % input.shape[axis] == 0).collect()
        }
        None => vec![0],
    };
    let compare = |a: usize, b: usize| {
        let differences = slice.iter().map(|&at| input.compare(at + a * step, at + b * step));
        differences.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    };
    let mut order: Vec<usize> = (0..number).collect();
    order.sort_by(|&a, &b| compare(a, b));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in order {
        match groups.last_mut() {
            Some(group) if compare(group[0], at).is_eq() => group.push(at),
            _ => groups.push(vec![at]),
        }
    }
    if !sorted {
        groups.sort_by_key(|group| group[0]);
    }
    let mut inverse = vec![0; number];
    for (k, group) in groups.iter().enumerate() {
        for &at in group {
            inverse[at] = k as i64;
        }
    }
    let vector = |values: Vec<i64>| Computed::from(Array::ints(Kind::I64, &[values.len()], values));
    vec![
        vector(groups.iter().map(|group| group[0] as i64).collect()),
        vector(inverse),
        vector(groups.iter().map(|group| group.len() as i64).collect()),
    ]
}
