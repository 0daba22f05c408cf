//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

mod concat;
mod matmul;
mod softmax;

use crate::operator::Operator;

/// All operators by name.
pub static ALL: &[&Operator] = &[&concat::OPERATOR, &matmul::OPERATOR, &softmax::OPERATOR];

pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
