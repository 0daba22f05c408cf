//! Reads TensorFlow graphs (GraphDef, text and binary; the graphs of SavedModels and meta graphs) into programs.

mod body;
mod contexts;
mod file;
mod idioms;
mod lower;
mod proto;
mod tensor;
mod text;

pub use file::{Model, Signature, from_bytes, is_graph, open};
pub use lower::{Lowered, Problem, lower};
