//! Running sum along an axis.

use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "cum_sum",
    summary: "The sum of all elements up to each position along an axis, without its own if `exclusive`; from the end \
              if `reverse`.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[int("axis"), flag("exclusive").or_flag(false), flag("reverse").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        onnx(11, "CumSum(input, axis:index; exclusive:strict, reverse:strict)"),
        tensorflow("Cumsum(input, axis:scalar; exclusive, reverse)"),
    ],
    define: |call| running(call, Fold::Sum),
    examples: &[
        "cum_sum(f32[N,3], axis=-1) -> f32[N,3]",
        "cum_sum(f64[4]{1,2,3,4}, axis=0) -> f64[4]{1,3,6,10}",
        "cum_sum(i32[4]{1,2,3,4}, axis=0, exclusive=true) -> i32[4]{0,1,3,6}",
        "cum_sum(f32[4]{1,2,3,4}, axis=0, reverse=true) -> f32[4]{10,9,7,4}",
        "cum_sum(f32[4]{1,2,3,4}, axis=0, reverse=true, exclusive=true) -> f32[4]{9,7,4,0}",
        "cum_sum(f32[...], axis=0) -> f32[...]",
        "cum_sum(f32[2,3], axis=2) fails: `axis` is within the rank",
        "cum_sum(f32[], axis=0) fails: `axis` is within the rank",
        "cum_sum(i8[2], axis=0) fails: `input` is a number type of at least 32 bits or half precision",
        "cum_sum(f32[2]) fails: `axis` is given",
    ],
};

/// Folds what lies before (or, reversed, behind) each position along `axis`.
pub fn running(call: &mut Call, with: Fold) -> Outcome {
    let input = call.tensor("input")?;
    call.promise(input.dtype(), Promised::Shape(input.shape()));
    let axis = call.axis("axis", "`axis` is within the rank", input.shape())?;
    let (exclusive, reverse) = (call.flag("exclusive")?, call.flag("reverse")?);
    one(fold_up_to(with, input, axis, exclusive, reverse))
}

/// The fold of what lies up to each position along an axis; exclusive without the position itself, in reverse of what
/// lies from it on.
pub fn fold_up_to(with: Fold, input: Tensor, axis: Slot, exclusive: bool, reverse: bool) -> Tensor {
    let size = input.shape().size(axis);
    Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let axis = position(axis, index.len());
        let (at, own) = (index[axis], if exclusive { 0 } else { 1 });
        let (start, count) = if reverse { (at + 1 - own, size - at - 1 + own) } else { (0.into(), at + own) };
        Element::fold(with, count, |k| {
            let mut source = index.to_vec();
            source[axis] = start + k;
            input.at(&source)
        })
    })
}
