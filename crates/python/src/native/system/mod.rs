//! The module `_system`: what the models of Python's own library ask that Python cannot say.

mod checkpoints;
mod data;
mod files;
mod mathematics;
mod objects;
mod patterns;
mod yaml;

use super::Native;

pub static FUNCTIONS: &[&[Native]] = &[
    mathematics::FUNCTIONS,
    files::FUNCTIONS,
    patterns::FUNCTIONS,
    data::FUNCTIONS,
    objects::FUNCTIONS,
    checkpoints::FUNCTIONS,
];
