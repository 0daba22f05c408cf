//! Gives what it is given; training pays for its size.

use super::prelude::*;

pub static LAYER: Layer = Layer {
    operator: Operator {
        name: "ActivityRegularization",
        summary: "Gives what it is given; training pays for its size.",
        inputs: &[tensor("inputs", REAL_OR_BOOL)],
        parameters: &[float("l1").or_float(0.0), float("l2").or_float(0.0)],
        outputs: &["output"],
        spellings: &[],
        define,
        examples: &[
            "ActivityRegularization(f32[N,3]) -> f32[N,3]",
            "ActivityRegularization(f32[N,3], l1=-1) fails: `l1` and `l2` are not negative",
            "ActivityRegularization(i32[2,3]) fails: `inputs` are floats, as a symbolic build supposes",
        ],
    },
    takes: &["inputs"],
    weights: no_weights,
    mask: Mask::Passes,
};

fn define(call: &mut Call) -> Outcome {
    let (l1, l2) = (call.float("l1")?, call.float("l2")?);
    call.require_value("`l1` and `l2` are not negative", (l1 >= 0.0 && l2 >= 0.0).into());
    require_promised_type(call)?;
    one(call.tensor("inputs")?)
}
