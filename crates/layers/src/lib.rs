//! The meaning of Keras layers, written once, as compositions of what `semantics` defines.
//!
//! A layer is an operator whose inputs are tensors and weights and whose parameters are the arguments of the
//! constructor, by Keras's own names. So every engine reads layers as it reads operators: shapes, values with
//! bounds, open requirements, growing. What is added is how a layer makes its weights.

pub mod applications;
pub mod autocast;
pub mod entry;
pub mod layer;
pub mod layers;
pub mod names;
pub mod operations;
pub mod pairs;
pub mod preparing;
pub mod shared;
pub mod types;
pub mod unmodelled;
