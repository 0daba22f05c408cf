//! What Keras does to the tensors that a layer is called on, and to its weights, before the layer sees them.

use semantics::call::{Call, Outcome, one};
use semantics::dtype::ANY;
use semantics::operator::{Operator, Parameter, ParameterKind, Preset, tensor};
use semantics::tensor::Tensor;

/// Floats become those of the type in which the layer computes; everything else stays as it is.
pub static AUTOCAST: Operator = Operator {
    name: "Autocast",
    summary: "Floats become those of the type in which a layer computes; everything else stays as it is.",
    inputs: &[tensor("inputs", ANY)],
    parameters: &[Parameter { name: "to", kind: ParameterKind::Type, default: Preset::Required }],
    outputs: &["output"],
    spellings: &[],
    define,
    examples: &[
        "Autocast(f32[2]{1,2.5}, to=f16) -> f16[2]{1,2.5}",
        "Autocast(i32[2], to=f16) -> i32[2]",
        "Autocast(f32[2]) fails: `to` is given",
    ],
};

fn define(call: &mut Call) -> Outcome {
    let input = call.tensor("inputs")?;
    let (from, to) = (call.kind(input)?, call.optional_type("to")?);
    match to {
        Some(to) if from.is_float() && from != to => {
            one(Tensor::from_elements(to, input.shape(), move |index| input.at(index).cast(to)))
        }
        _ => one(input),
    }
}
