//! Decides statements in a context of facts: own decision procedures first, an SMT solver for the rest.
//!
//! Never a wrong *holds* or *fails*: every rule only draws consequences, checked arithmetic gives up
//! instead of wrapping, and every model is checked by evaluation. What cannot be settled within the
//! limits is *unknown*, with the reason.

mod bounds;
mod compiled;
mod context;
mod core;
mod enumerate;
mod facts;
mod form;
mod interval;
mod limits;
mod mentions;
mod problem;
mod ranks;
mod refute;
mod residue;
mod rewrite;
mod search;
mod settle;
mod shapes;
mod smt;
mod theory;
mod verdict;

pub use context::Context;
pub use limits::{Limits, Stats};
pub use smt::{Smt, SmtPlaces};
pub use verdict::{Consistency, Model, Verdict};
