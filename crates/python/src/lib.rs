//! Python source to paths of operator calls: a symbolic interpreter, and the libraries it knows.
//!
//! Libraries are modelled by Python files (`library/`), which give the signatures and call the operators.

pub mod analyse;
pub mod asked;
mod attributes;
mod changes;
mod deadline;
pub mod entry;
pub mod gradient;
pub mod heap;
pub mod held;
pub mod interpreter;
mod kept;
pub mod library;
mod native;
pub mod neighbours;
mod references;
pub mod snippets;
pub mod syntax;
mod tape;
pub mod uses;
pub mod value;
mod views;
pub mod written;
