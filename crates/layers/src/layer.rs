//! What a layer definition consists of.

use semantics::call::{Call, Stop};
use semantics::dtype::Kind;
use semantics::operator::{Category, Operator};
use semantics::shape::Shape;
use semantics::tensor::Tensor;

/// The one definition of a layer.
pub struct Layer {
    /// Named as the class; the inputs are those of the layer and then its weights; the parameters are the arguments
    /// of the constructor that matter for what is computed.
    pub operator: Operator,
    /// The weights that the layer makes for the inputs of a call, in the order of the signature.
    pub weights: fn(&mut Call) -> Result<Vec<Weight>, Stop>,
    pub mask: Mask,
}

/// What becomes of the mask that comes with an input. A layer that heeds it has an input `mask`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mask {
    /// The output has none.
    Drops,
    /// The output has that of the input.
    Passes,
    /// As [`Mask::Passes`], where `return_sequences` is set.
    PassesSequences,
    /// The output has what all masks of the inputs have in common.
    Joins,
    /// The layer's second output is the mask of its first.
    Makes,
    /// The output has another one, which is not modelled.
    Changes,
    /// The layer heeds it in a way that is not modelled: with a mask, what it computes is unknown.
    Open,
}

/// A weight of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    pub name: &'static str,
    pub shape: Shape,
}

pub fn weight(name: &'static str, shape: Shape) -> Weight {
    Weight { name, shape }
}

/// For layers that learn nothing.
pub fn no_weights(_: &mut Call) -> Result<Vec<Weight>, Stop> {
    Ok(Vec::new())
}

/// States that the weights given are those that the layer makes; makes those that are not given, as tensors of
/// which no more than the shape is known.
pub fn require_weights(call: &mut Call, weights: &[Weight]) -> Result<(), Stop> {
    let dtype = call.tensors[0].first().map_or(Kind::F32.into(), |input| input.dtype());
    let dtype = if dtype.known().is_some_and(|kind| !kind.is_float()) { Kind::F32.into() } else { dtype };
    for weight in weights {
        let Some(given) = call.optional(weight.name) else {
            let place = call.operator.inputs.iter().position(|input| input.name == weight.name);
            let made = Tensor::given(weight.name, dtype, weight.shape);
            call.tensors[place.unwrap_or_else(|| panic!("no input `{}`", weight.name))].push(made);
            continue;
        };
        let label = "a weight has as many axes as the layer gives it";
        call.demand(Category::IncompatibleShape, label, given.shape().rank().eq(weight.shape.rank()))?;
        call.require_shape(
            "a weight has the shape that the layer gives it",
            given.shape().same(weight.shape),
        );
    }
    Ok(())
}
