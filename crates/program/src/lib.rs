//! Programs between front ends and engines: the representation that files are read into, and paths that
//! carry facts through it.

pub mod arguments;
pub mod execute;
pub mod ir;
pub mod network;
pub mod path;
mod regions;
pub mod repair;
