//! Positive numbers that sum to 1 along an axis.

use super::prelude::*;
use semantics::operators::softmax::softmax;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Softmax",
        summary: "Positive numbers that sum to 1 along an axis.",
        inputs: &[tensor("inputs", FLOAT), tensor("mask", BOOL).optional()],
        parameters: &[ints("axis").or(-1)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Softmax(f32[1,2]{3,3}) -> f32[1,2]{0.5,0.5}",
            "Softmax(f32[2,3,4], axis=[1,2]) -> f32[2,3,4]",
            "Softmax(f32[1,3]{3,3,9}, bool[1,3]{1,1,0}) -> f32[1,3]{0.5,0.5,0}",
            "Softmax(f32[]{3}) on torch -> f32[]{1}",
            "Softmax(f32[]) fails: `axis` is within the rank",
            "Softmax(f32[2,3], bool[2,2]) fails: the mask broadcasts to `inputs`",
            "Softmax(f32[2,3], axis=2) fails: `axis` is within the rank",
            "Softmax(f32[2,3], axis=[]) fails: `axis` names an axis",
            "Softmax(f32[2,3], axis=[1,1]) fails: no axis is named twice",
        ],
    },
    takes: &["inputs", "mask"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let axes = call.optional_ints("axis")?.unwrap_or_else(|| vec![Dim::from(-1)]);
    let alone = input.shape().known_rank() == Some(0) && call.optional("mask").is_none();
    if call.backend == Backend::Torch && alone && !call.is_list("axis") {
        // To PyTorch a number is one of a row.
        let within = Prop::all(axes.iter().map(|axis| axis.within(-1, 1)));
        call.demand(IllegalValue, "`axis` is within the rank", within)?;
        return one(map(input, input.dtype(), |x| x * 0.0 + 1.0));
    }
    let axes = call.axes_at(&axes, "`axis` is within the rank", "no axis is named twice", input.shape())?;
    call.insist(IllegalValue, "`axis` names an axis", !axes.is_empty())?;
    let Some(mask) = call.optional("mask") else { return one(softmax(input, &axes)) };
    call.require_broadcast_to("the mask broadcasts to `inputs`", mask, input.shape());
    one(masked_softmax(input, mask, &axes))
}

/// What the mask leaves out has no weight; where it leaves out everything, nothing has one.
pub fn masked_softmax(input: Tensor, mask: Tensor, axes: &[usize]) -> Tensor {
    let shape = input.shape();
    let lowest = if input.dtype().known() == Some(Kind::F16) { -3e4 } else { -1e9 };
    let chosen = zip(input, mask, input.dtype(), shape, move |x, passed| {
        passed.select(x, Element::constant(x.kind(), lowest))
    });
    let weights = softmax(chosen, axes);
    zip(weights, mask, input.dtype(), shape, |x, passed| passed.select(x, Element::constant(x.kind(), 0.0)))
}
