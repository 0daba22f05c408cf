//! The module `_system`: what the models of Python's own library ask that Python cannot say.

mod checkpoints;
mod data;
mod files;
mod mathematics;
mod objects;
mod patterns;
mod written;
mod yaml;

use super::Native;
pub(crate) use files::FILE_IS_THERE;

pub static FUNCTIONS: &[&[Native]] = &[
    mathematics::FUNCTIONS,
    files::FUNCTIONS,
    patterns::FUNCTIONS,
    data::FUNCTIONS,
    objects::FUNCTIONS,
    checkpoints::FUNCTIONS,
    written::FUNCTIONS,
];
