//! The product of the tensors.

use super::prelude::*;
use crate::shared::merge;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Multiply",
        summary: "The product of the tensors.",
        inputs: merge::NUMBERS,
        parameters: &[],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Multiply(f32[1,2,1]{2,3}, f32[1,2,1]{10,10}, mask=bool[1,2]{1,0}, mask=bool[]{1}) -> f32[1,2,1]{20,10}",
            "Multiply(f32[1,2]{1,2}, f32[1,2]{10,20}) -> f32[1,2]{10,40}",
            "Multiply(f32[N,3,4], f32[N,1,4]) -> f32[N,3,4]",
            "Multiply(f32[2,3,4], f32[2,4]) -> f32[2,3,4]",
            "Multiply(f32[2,3], f32[]) fails: every tensor has a batch",
            "Multiply(f32[2,3], f32[3,3]) fails: the tensors have one batch",
            "Multiply(f32[2,3], f32[2,4]) fails: the tensors broadcast",
            "Multiply(i32[2,3], i32[2,3]) fails: `inputs` are floats, as a symbolic build supposes",
            "Multiply(f32[2,3], f32[2,3], mask=bool[3], mask=bool[2]) fails: a mask broadcasts to the rows of its tensor",
            "Multiply(i32[2,3], f32[2,3]) -> f32[2,3]",
            "Multiply(f32[2,3,4], f32[2,4], mask=bool[2,3], mask=bool[5]) fails: the masks broadcast",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: merge::MASK,
};

/// What a mask leaves out counts as 1, and as 0 where every mask leaves it out.
fn define(call: &mut Call) -> Outcome {
    let (tensors, shape) = merge::read_numbers(call)?;
    let masks = merge::masks_of_rows(call);
    one(Tensor::from_elements(tensors[0].dtype(), shape, move |index| {
        let passes = |k: usize| masks[k].map(|mask| merge::passes(mask, index));
        let factor = |k: usize| {
            let x = tensors[k].broadcast_at(index);
            passes(k).map_or(x, |passed| passed.select(x, Element::constant(x.kind(), 1.0)))
        };
        let product = (1..tensors.len()).fold(factor(0), |product, k| product * factor(k));
        let passed: Option<Vec<Element>> = (0..tensors.len()).map(passes).collect();
        match passed.and_then(|passed| passed.into_iter().reduce(|any, passed| any.max(passed))) {
            Some(any) => any.select(product, Element::constant(product.kind(), 0.0)),
            None => product,
        }
    }))
}
