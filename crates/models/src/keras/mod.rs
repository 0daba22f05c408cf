//! Keras models: architectures read from files, and layers put together to programs.

mod arguments;
mod file;
mod graph;

pub use file::open;
pub use graph::call;
