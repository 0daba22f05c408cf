//! The meaning of operators, written once.
//!
//! An operator file gives a signature, labelled requirements over integers that may be unknown, output
//! shapes, and what one output element is. Everything else in the project is a reading of that.
//! No framework file, no solver and no IO live here.

pub mod arena;
pub mod array;
pub mod call;
pub mod compose;
pub mod dim;
pub mod dtype;
pub mod element;
pub mod example;
pub mod integer;
pub mod kernel;
pub mod number;
pub mod operator;
pub mod operators;
pub mod prop;
pub mod scalar;
pub mod shape;
pub mod spelling;
mod substitute;
pub mod tensor;
pub mod values;
