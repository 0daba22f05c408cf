//! The distinct elements.

use super::prelude::*;
use std::cmp::Ordering;

pub static OPERATOR: Operator = Operator {
    name: "unique",
    summary: "The distinct slices along `axis` (without one: the distinct elements), sorted or in order of appearance; \
              where each appears first, which of them each slice is, and how often each occurs.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[int("axis").optional(), flag("sorted").or_flag(true)],
    outputs: &["output", "indices?", "inverse_indices?", "counts?"],
    spellings: &[onnx(11, "Unique(input; axis, sorted:one)")],
    define,
    examples: &[
        "unique(f32[6]{2,1,1,3,4,3}) -> f32[4]{1,2,3,4}, i64[4]{1,0,3,4}, i64[6]{1,0,0,2,3,2}, i64[4]{2,1,2,1}",
        "unique(f32[6]{2,1,1,3,4,3}, sorted=false) -> f32[4]{2,1,3,4}, i64[4]{0,1,3,4}, i64[6]{0,1,1,2,3,2}, i64[4]{1,2,2,1}",
        "unique(i64[3,2]{2,1,0,1,2,1}, axis=0) -> i64[2,2]{0,1,2,1}, i64[2]{1,0}, i64[3]{1,0,1}, i64[2]{1,2}",
        "unique(f32[]{2}) -> f32[1]{2}, i64[1]{0}, i64[1]{0}, i64[1]{1}",
        "unique(f32[2,2], axis=2) fails: `axis` is within the rank",
        "unique(f8e4m3fn[6]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = match call.optional_int("axis")? {
        Some(axis) => Some(call.axis_at(axis, "`axis` is within the rank", input.shape())?),
        None => None,
    };
    let sorted = call.flag("sorted")?;
    let total = axis.map_or(input.shape().count(), |axis| input.shape().size(axis));
    let group = move |arrays: &[Array]| {
        let axis = axis.map(|axis| position(axis, arrays[0].shape.len()));
        group(&arrays[0], axis, sorted)
    };
    let number = Tensor::opaque(&[input], [(Kind::I64.into(), Shape::scalar())], move |arrays| {
        Ok(vec![Array::ints(Kind::I64, &[], vec![group(arrays)[0].array.len() as i64]).into()])
    })[0];
    let distinct = call.integer(number);
    let distinct =
        distinct.unwrap_or_else(|| Dim::symbol("the number of distinct elements", 0, LARGEST_SIZE));
    let vector = |length: Dim| (DType::from(Kind::I64), Shape::new([length]));
    let shape = axis.map_or(Shape::new([distinct]), |axis| input.shape().with_size(axis, distinct));
    let outputs = [vector(distinct), vector(total), vector(distinct)];
    let found = Tensor::opaque(&[input], outputs, move |arrays| Ok(group(arrays)));
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
        Some(axis) => (0..input.len())
            .filter(|&flat| (flat / strides[axis]).is_multiple_of(input.shape[axis]))
            .collect(),
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
