//! Where a tensor is not zero.

use super::prelude::*;
use crate::array::strides;

pub static OPERATOR: Operator = Operator {
    name: "non_zero",
    summary: "The indices of the elements that are not zero, in row-major order, one column each.",
    inputs: &[tensor("input", COMMON)],
    parameters: &[],
    outputs: &["output"],
    spellings: &[onnx(9, "NonZero(input)")],
    define,
    examples: &[
        "non_zero(bool[2,2]{true,false,true,true}) -> i64[2,3]{0,1,1,0,0,1}",
        "non_zero(i64[3]{0,0,0}) -> i64[1,0]",
        "non_zero(f32[2]{0,nan}) -> i64[1,1]{1}",
        "non_zero(f8e4m3fn[2,2]) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("input")?;
    let extent = input.shape().count();
    let found = count_of_true(input, extent, "the number of non-zero elements");
    let shape = Shape::new([input.shape().rank(), found]);
    Ok(Tensor::opaque(&[input], [(Kind::I64.into(), shape)], |arrays| {
        let input = &arrays[0];
        let found: Vec<usize> = (0..input.len()).filter(|&k| input.is_non_zero(k)).collect();
        let strides = strides(&input.shape);
        let rows = strides.iter().zip(&input.shape);
        let data = rows.flat_map(|(stride, size)| found.iter().map(move |k| (k / stride % size) as i64));
        let shape = [input.shape.len(), found.len()];
        Ok(vec![Array::ints(Kind::I64, &shape, data.collect()).into()])
    }))
}

/// How many of the first `extent` elements are true or not zero; a symbol if only the run will tell.
pub fn count_of_true(tensor: Tensor, extent: Dim, name: &str) -> Dim {
    let values =
        tensor.values().and_then(|values| values.iter().map(|v| v.prop()).collect::<Option<Vec<_>>>());
    match values {
        Some(values) => {
            let counted = values.into_iter().enumerate();
            Dim::sum(counted.map(|(k, holds)| Dim::select(holds & extent.gt(k), 1, 0)))
        }
        None => Dim::symbol(name, 0, LARGEST_SIZE),
    }
}

/// The positions of the true elements of a vector, as far as they are below `extent`.
pub fn places_of_true(condition: Tensor, extent: Dim, count: Dim) -> Tensor {
    let extent = Tensor::of_dim(Kind::I64, extent);
    let outputs = [(Kind::I64.into(), Shape::new([count]))];
    Tensor::opaque(&[condition, extent], outputs, |arrays| {
        let extent = arrays[1].as_ints().map_or(0, |extent| extent[0].max(0)) as usize;
        let last = arrays[0].len().min(extent);
        let places: Vec<i64> = (0..last).filter(|&k| arrays[0].is_non_zero(k)).map(|k| k as i64).collect();
        Ok(vec![Array::ints(Kind::I64, &[places.len()], places).into()])
    })[0]
}
