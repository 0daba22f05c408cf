//! What is done with programs: each engine reads the same operator definitions in its own way.

pub mod badness;
mod brief;
pub mod draw;
pub mod evaluate;
pub mod finding;
pub mod fuzz;
pub mod grow;
pub mod numerics;
pub mod ranges;
pub mod repair;
pub mod run;
pub mod sweep;
pub mod validity;
pub mod walk;
