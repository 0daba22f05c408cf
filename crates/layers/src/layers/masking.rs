//! Marks the times at which every feature has one value, and sets them to zero.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "Masking",
        summary: "Marks the times at which every feature has one value, and sets them to zero.",
        inputs: &[tensor("inputs", FLOAT)],
        parameters: &[float("mask_value").or_float(0.0)],
        outputs: &["output", "mask"],
        onnx: &[],
        define,
        examples: &[
            "Masking(f32[1,2,2]{5,5,5,1}, mask_value=5) -> f32[1,2,2]{0,0,5,1}, bool[1,2]{0,1}",
            "Masking(f32[]) fails: `inputs` has features",
        ],
    },
    weights: no_weights,
    mask: Mask::Makes,
};

fn define(call: &mut Call) -> Outcome {
    let (input, value) = (call.tensor("inputs")?, call.float("mask_value")?);
    let sizes = call.known_sizes(input)?;
    call.insist(IncompatibleShape, "`inputs` has features", !sizes.is_empty())?;
    let last = sizes.len() - 1;
    let mask = reduce_map(Fold::Max, input, Kind::Bool, &[last], false, move |x| x.ne(value));
    let output = Tensor::from_elements(input.dtype(), input.shape(), move |index| {
        let x = input.at(index);
        mask.at(&index[..last]).select(x, x * 0.0)
    });
    Ok([output, mask].into_iter().collect())
}
