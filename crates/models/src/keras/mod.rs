//! Keras models: architectures and weights read from files, and programs as Keras code.

mod arguments;
mod backends;
mod broken;
mod call;
mod declared;
mod file;
mod graph;
mod handwritten;
pub mod literal;
mod low_rank;
mod masks;
mod meant;
mod origins;
mod policy;
mod recorded;
mod script;
mod sequence;
mod stored;
mod stubs;
mod timed;
mod unheeded;
mod weights;

pub use call::{Operands, Passed, call};
pub use file::{Model, Remark, from_bytes, open, open_with};
pub use policy::cast;
pub use script::{Called, Made, Script, script};
pub use stubs::Stubs;
