//! The meaning of operators, written once.
//!
//! An operator file gives a signature, labelled requirements over integers that may be unknown, output
//! shapes, and what one output element is. Everything else in the project is a reading of that.
//! No framework file, no solver and no IO live here.

pub mod arena;
pub mod array;
pub mod between;
pub mod call;
pub mod compose;
pub mod derivative;
pub mod dim;
pub mod dtype;
pub mod element;
pub mod elementwise;
pub mod example;
pub mod hostile;
pub mod image;
pub mod integer;
pub mod kernel;
pub mod laid_out;
pub mod layout;
pub mod normalization;
pub mod number;
pub mod operator;
pub mod operators;
pub mod pooling;
pub mod prop;
pub mod quantization;
pub mod quantized;
pub mod recognised;
pub mod recurrence;
pub mod reduction;
pub mod resampling;
pub mod scalar;
pub mod scatter;
pub mod shape;
pub mod sliding;
pub mod spelling;
mod substitute;
pub mod tapering;
pub mod tensor;
pub mod values;
pub mod window;
