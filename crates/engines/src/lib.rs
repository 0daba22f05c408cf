//! What is done with programs: each engine reads the same operator definitions in its own way.

pub mod evaluate;
pub mod finding;

pub mod ranges;
pub mod run;

pub mod validity;
