//! What the fuzz targets share: the whole of a check, and a mutator that knows what a model is made of.

pub mod check;
pub mod mutate;
pub mod python;
pub mod random;
