//! Keeps the slices that a condition marks.

use super::non_zero::{count_of_true, places_of_true};
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "compress",
    summary: "Keeps the slices along `axis` (without one: the elements in row-major order) where `condition` is true. \
              What lies beyond the condition is dropped.",
    inputs: &[tensor("input", COMMON), tensor("condition", BOOL)],
    parameters: &[int("axis").optional()],
    outputs: &["output"],
    spellings: &[onnx(9, "Compress(input, condition; axis)")],
    define,
    examples: &[
        "compress(f32[3,2]{1,2,3,4,5,6}, bool[3]{false,true,true}, axis=0) -> f32[2,2]{3,4,5,6}",
        "compress(f32[3,2]{1,2,3,4,5,6}, bool[2]{false,true}, axis=-1) -> f32[3,1]{2,4,6}",
        "compress(f32[3,2]{1,2,3,4,5,6}, bool[5]{false,true,false,false,true}) -> f32[2]{2,5}",
        "compress(i64[2]{7,8}, bool[4]{true,false,true,true}) -> i64[1]{7}",
        "compress(f32[], bool[1]) fails: `input` has at least one axis",
        "compress(f32[3,2], bool[2], axis=2) fails: `axis` is within the rank",
        "compress(f32[3,2], bool[2,1]) fails: `condition` is a vector",
        "compress(f32[3,2], i64[2]) fails: `condition` is bool",
        "compress(f8e4m3fn[3,2], bool[3], axis=0) fails: `input` is any type but float8 and those below a byte",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let (input, condition) = (call.tensor("input")?, call.tensor("condition")?);
    call.demand(IncompatibleShape, "`input` has at least one axis", input.shape().rank().ge(1))?;
    call.dims::<1>("`condition` is a vector", condition)?;
    let axis = match call.optional_int("axis")? {
        Some(axis) => Some(call.axis_at(axis, "`axis` is within the rank", input.shape())?),
        None => None,
    };
    let extent = axis.map_or(input.shape().count(), |axis| input.shape().size(axis));
    let kept = count_of_true(condition, extent, "the number of slices kept");
    let places = places_of_true(condition, extent, kept);
    let shape = axis.map_or(Shape::new([kept]), |axis| input.shape().with_size(axis, kept));
    one(Tensor::from_elements(input.dtype(), shape, move |index| match axis {
        Some(axis) => {
            let axis = position(axis, index.len());
            let mut source = index.to_vec();
            source[axis] = places.at(&[index[axis]]).as_index();
            input.at(&source)
        }
        None => {
            let sizes = input.shape().sizes().unwrap_or_default();
            input.at(&unflatten(places.at(index).as_index(), &sizes))
        }
    }))
}
