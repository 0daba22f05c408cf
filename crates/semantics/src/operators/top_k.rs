//! The largest elements along an axis.

use super::gather_elements::gather_elements;
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "top_k",
    summary: "The `k` largest (or smallest) elements along an axis and their positions; of equal ones the first.",
    inputs: &[tensor("input", NUMERIC)],
    parameters: &[int("k"), int("axis").or(-1), flag("largest").or_flag(true), flag("sorted").or_flag(true)],
    outputs: &["values", "indices"],
    spellings: &[
        onnx(1, "TopK(input; axis, k)"),
        onnx(10, "TopK(input, k:list; axis)"),
        onnx(11, "TopK(input, k:list; axis, largest:one, sorted:one)"),
        tensorflow("TopKV2(input, k:scalar; sorted, index_type=i32 as result 1)"),
    ],
    define,
    examples: &[
        "top_k(f32[N,10], k=3) -> f32[N,3], i64[N,3]",
        "top_k(f32[4]{1,3,2,3}, k=2) -> f32[2]{3,3}, i64[2]{1,3}",
        "top_k(i64[2,2]{1,2,4,3}, k=1, axis=0, largest=false) -> i64[1,2]{1,2}, i64[1,2]{0,0}",
        "top_k(f32[4], k=0) -> f32[0], i64[0]",
        "top_k(f32[4], k=2, sorted=false) -> f32[2], i64[2]",
        "top_k(f32[...], k=5) -> f32[...], i64[...]",
        "top_k(f32[4], k=5) fails: `k` is at most the size of `axis`",
        "top_k(f32[4], k=-1) fails: `k` is not negative",
        "top_k(f32[], k=1) fails: `axis` is within the rank",
        "top_k(bool[4], k=1) fails: `input` is a real number type",
        "top_k(f32[4]) fails: `k` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let (largest, sorted) = (call.flag("largest")?, call.flag("sorted")?);
    let k = call.int_or_symbol("k", 0, LARGEST_SIZE);
    call.require_value("`k` is not negative", k.ge(0));
    call.require_shape("`k` is at most the size of `axis`", k.le(input.shape().size(axis)));

    let shape = input.shape().with_size(axis, k);
    if !sorted {
        call.lost.push("the order of the elements is not defined".into());
        let unordered = |dtype: DType| unknown_elements(dtype, shape);
        return Ok([unordered(input.dtype()), unordered(Kind::I64.into())].into_iter().collect());
    }
    let number = Tensor::of_dim(Kind::I64, k);
    let indices = Tensor::opaque(&[input, number], [(Kind::I64.into(), shape)], move |arrays| {
        let k = arrays[1].as_ints().map_or(0, |k| k[0].max(0)) as usize;
        Ok(vec![choose(&arrays[0], position(axis, arrays[0].shape.len()), k, largest).into()])
    })[0];
    Ok([gather_elements(input, indices, axis), indices].into_iter().collect())
}

/// The positions of the `k` first elements of each row in descending (or ascending) order.
fn choose(input: &Array, axis: usize, k: usize, largest: bool) -> Array {
    let (size, step) = (input.shape[axis], input.strides()[axis]);
    let k = k.min(size);
    let mut shape = input.shape.clone();
    shape[axis] = k;
    let mut chosen = vec![0; shape.iter().product()];
    let outer: usize = input.shape[..axis].iter().product();
    for row in 0..outer * step {
        let (block, inner) = (row / step, row % step);
        let at = |k: usize| (block * size + k) * step + inner;
        let mut order: Vec<usize> = (0..size).collect();
        // Sorting is stable, so equal elements keep their order.
        order.sort_by(
            |&a, &b| if largest { input.compare(at(b), at(a)) } else { input.compare(at(a), at(b)) },
        );
        for (rank, &index) in order.iter().take(k).enumerate() {
            chosen[(block * k + rank) * step + inner] = index as i64;
        }
    }
    Array::ints(Kind::I64, &shape, chosen)
}
