//! Comparing a framework with the definitions, case by case: judging, shrinking and grouping what disagrees.
//!
//! A [`Case`] is a program with known inputs. A [`Backend`] runs it and tells what it saw of every value, each way
//! that the framework can be called. Every node is then evaluated on the values that were seen before it, so the
//! bounds are those of one layer, and a node that disagrees is itself to blame.
//!
//! What counts as agreement has no tolerance that was chosen by hand:
//! - a number lies within the bound on what rounding in its element type may change (`evaluate`);
//! - NaN agrees with NaN, an infinity with the same infinity, the zeros with each other;
//! - a number that is too small to be normal may have been flushed to zero;
//! - an empty tensor agrees in type and shape, there being no elements;
//! - where rounding can flip a decision, each admissible result agrees; a bound that is infinite decides nothing, and
//!   is counted as not compared.

mod case;
mod example;
mod fit;
mod group;
mod judge;
mod narrow;
mod seen;
mod shrink;
mod source;
mod values;

pub use case::Case;
pub use example::{Example, Tensor};
pub use group::{Group, Groups, signature};
pub use judge::{Agreement, Disagreement, Judgement, Kind, expected, judge, kinds, template};
pub use seen::{Backend, Refusal, Seen, Sight, Way};
pub use shrink::{Shrunk, asked, shrink};
pub use source::Source;
