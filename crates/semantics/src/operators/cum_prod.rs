//! Running product along an axis.

use super::cum_sum::running;
use super::prelude::*;

pub static OPERATOR: Operator = Operator {
    name: "cum_prod",
    summary: "The product of all elements up to each position along an axis, without its own if `exclusive`; from the \
              end if `reverse`.",
    inputs: &[tensor("input", WIDE)],
    parameters: &[int("axis"), flag("exclusive").or_flag(false), flag("reverse").or_flag(false)],
    outputs: &["output"],
    spellings: &[
        onnx(26, "CumProd(input, axis:index; exclusive:strict, reverse:strict)"),
        tensorflow("Cumprod(input, axis:scalar; exclusive, reverse)"),
    ],
    define: |call| running(call, Fold::Product),
    examples: &[
        "cum_prod(f32[N,3], axis=-1) -> f32[N,3]",
        "cum_prod(f64[4]{1,2,3,4}, axis=0) -> f64[4]{1,2,6,24}",
        "cum_prod(i32[4]{1,2,3,4}, axis=0, exclusive=true) -> i32[4]{1,1,2,6}",
        "cum_prod(f32[4]{1,2,3,4}, axis=0, reverse=true, exclusive=true) -> f32[4]{24,12,4,1}",
        "cum_prod(f32[2,3], axis=2) fails: `axis` is within the rank",
        "cum_prod(i8[2], axis=0) fails: `input` is a number type of at least 32 bits or half precision",
        "cum_prod(f32[2]) fails: `axis` is given",
    ],
};
