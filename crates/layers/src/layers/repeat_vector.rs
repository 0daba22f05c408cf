//! Each example so many times, one after the other.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "RepeatVector",
        summary: "Each example so many times, one after the other.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[int("n")],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "RepeatVector(f32[1,2]{1,2}, n=2) -> f32[1,2,2]{1,2,1,2}",
            "RepeatVector(f32[2,3,4], n=2) fails: `inputs` has 2 axes: a batch and features",
            "RepeatVector(f32[2,3], n=0) fails: `n` is positive",
            "RepeatVector(f32[2,3]) fails: `n` is given",
            "RepeatVector(i32[2,3], n=2) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Drops,
};

fn define(call: &mut Call) -> Outcome {
    let (input, n) = (call.tensor("inputs")?, call.int("n")?);
    require_promised_type(call)?;
    call.demand(IllegalValue, "`n` is positive", n.ge(1))?;
    let [batch, features] = call.dims("`inputs` has 2 axes: a batch and features", input)?;
    one(Tensor::from_elements(input.dtype(), Shape::new([batch, n, features]), move |index| {
        input.at(&[index[0], index[2]])
    }))
}
