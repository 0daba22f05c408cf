//! Decides statements in a context of facts: own decision procedures first, an SMT solver for the rest.
//!
//! Never a wrong *holds* or *fails*: every rule only draws consequences, checked arithmetic gives up
//! instead of wrapping, and every model is checked by evaluation. What cannot be settled within the
//! limits is *unknown*, with the reason.
//!
//! ```
//! use semantics::{arena, dim::{Dim, UNBOUNDED}};
//! use solver::{Context, Limits, Verdict};
//!
//! arena::scope(|| {
//!     let height = Dim::symbol("H", 1, UNBOUNDED);
//!     let back = height.div_floor(2) * 2; // down and up again, as in a U-Net
//!     let mut context = Context::new(Limits::default());
//!     let Verdict::Depends { witness, .. } = context.decide(back.eq(height)) else { panic!() };
//!     assert_eq!(witness.to_string(), "H = 1");
//!
//!     context.assume(Dim::from(2).divides(height));
//!     assert_eq!(context.decide(back.eq(height)), Verdict::Holds);
//! });
//! ```
//!
//! From cheap to dear, a question is settled by folding (in `semantics`), by rewriting with equations and
//! ranks (`rewrite`, `facts`), by bounds of single unknowns (`bounds`), by refuting it or its negation
//! (`theory`, `refute`), by models (`search`, `enumerate`, `ranks`), by Z3 (`smt`).
//! `settle` is the order of all that.

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

pub use compiled::{Compiled, Node, Point};
pub use context::Context;
pub use interval::{floor_div, floor_mod};
pub use limits::{Limits, Stats};
pub use smt::{Smt, SmtPlaces};
pub use verdict::{Consistency, Model, Verdict};
