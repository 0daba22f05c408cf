//! Python source as a tree of our own: names are numbers, bodies are shared, and scopes are known.
//!
//! Only [`read`] sees the parser, so that a new release of it touches one file.

mod coding;
mod lazy;
mod names;
mod outline;
mod read;
mod scopes;
mod tree;

pub use coding::decoded;
pub use names::Name;
pub(crate) use outline::LeftOut;
pub(crate) use read::read_outlined;
pub use read::{SyntaxError, read, read_package};
pub use tree::*;
