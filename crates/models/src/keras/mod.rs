//! Keras models: architectures read from files, and layers put together to programs.

mod arguments;
mod file;
mod graph;
mod network;

pub use file::open;
pub use graph::call;
pub use network::{Network, Wired};
