//! Keras models: architectures and weights read from files, and programs as Keras code.

mod arguments;
mod file;
mod graph;
mod handwritten;
pub mod literal;
mod policy;
mod script;
mod stored;
mod weights;

pub use file::{Model, from_bytes, open};
pub use graph::call;
pub use script::{Called, Made, Script, script};
