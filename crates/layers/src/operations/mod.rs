//! Operations of `keras.ops` that stand in the graph of a saved model: what Python's operators, slices and functions
//! on tensors become, and what `compute_mask` of layers leaves there. Each is an operator, as a layer is, whose inputs
//! have the names that Keras gives them; a number in place of the input `x2` is the input `x2_number`.

mod arranging;
mod elementwise;
mod moving;
mod reductions;

use crate::layer::{Layer, Mask, no_weights};
use semantics::call::{Call, Outcome};
use semantics::operator::{Input, Operator, Parameter};

/// All of them, in tables of one kind each.
pub fn all() -> impl Iterator<Item = &'static Layer> {
    let of_elements = [
        elementwise::PAIRS,
        elementwise::CHOICES,
        elementwise::SINGLE,
        elementwise::OF_NUMBERS,
        elementwise::OF_FLOATS,
    ];
    of_elements
        .into_iter()
        .chain([moving::ALL, arranging::ALL, reductions::ALL, reductions::ALONG_ONE])
        .flatten()
}

/// The operation of a class.
pub fn by_name(name: &str) -> Option<&'static Layer> {
    all().find(|operation| operation.operator.name == name)
}

/// What ends the name of an input that is a number of Python, and no tensor.
pub const NUMBER: &str = "_number";

/// What the tables are made of.
const fn operation(
    name: &'static str,
    summary: &'static str,
    inputs: &'static [Input],
    parameters: &'static [Parameter],
    takes: &'static [&'static str],
    define: fn(&mut Call) -> Outcome,
    examples: &'static [&'static str],
) -> Layer {
    let operator = Operator {
        name,
        summary,
        inputs,
        parameters,
        outputs: &["output"],
        spellings: &[],
        define,
        examples,
    };
    Layer { operator, takes, weights: no_weights, mask: Mask::Drops }
}

/// The same with any number of outputs.
const fn several(mut operation: Layer) -> Layer {
    operation.operator.outputs = &["outputs..."];
    operation
}
