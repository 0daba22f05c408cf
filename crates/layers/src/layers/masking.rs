//! Marks the times at which every feature has one value, and sets them to zero.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Masking",
        summary: "Marks the times at which every feature has one value, and sets them to zero.",
        inputs: &[tensor("inputs", NUMERIC)],
        parameters: &[float("mask_value").or_float(0.0)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "Masking(f32[1,2,2]{5,5,5,1}, mask_value=5) -> f32[1,2,2]{0,0,5,1}",
            "Masking(f32[]) fails: `inputs` has features",
            "Masking(f32[2]) fails: `inputs` has a batch and features",
            "Masking(i32[2,3,4]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Made(When::Always, |call| one(mask(call)?)),
};

/// Whether a feature has another value, at each time.
fn mask(call: &mut Call) -> Result<Tensor, Stop> {
    let (input, value) = (call.tensor("inputs")?, call.float("mask_value")?);
    let rank = call.known_sizes(input)?.len();
    call.insist(IncompatibleShape, "`inputs` has features", rank > 0)?;
    // Of the batch itself all or nothing would be masked.
    call.require(ToleratedValue, "`inputs` has a batch and features", (rank > 1).into());
    Ok(reduce_map(Fold::Max, input, Kind::Bool, &[rank - 1], false, move |x| x.ne(value)))
}

fn define(call: &mut Call) -> Outcome {
    require_promised_type(call)?;
    let (mask, input) = (mask(call)?, call.tensor("inputs")?);
    one(Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let x = input.at(index);
        mask.at(&index[..index.len() - 1]).select(x, Element::constant(x.kind(), 0.0))
    }))
}
