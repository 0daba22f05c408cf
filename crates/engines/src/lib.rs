//! Engines: each is a reading of programs and formulas.

pub mod evaluate;
