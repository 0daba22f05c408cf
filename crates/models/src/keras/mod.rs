//! Keras models: layers put together to programs.

mod network;

pub use network::{Network, Wired};
