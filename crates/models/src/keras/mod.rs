//! Keras models: architectures and weights read from files, and layers put together to programs.

mod arguments;
mod file;
mod graph;
mod handwritten;
mod stored;
mod weights;

pub use file::{Model, from_bytes, open};
pub use graph::call;
