//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod add;
pub mod cast;
pub mod concat;
pub mod conv;
pub mod gather;
pub mod matmul;
pub mod mod_;
pub mod reduce_sum;
pub mod reshape;
pub mod shape;
pub mod slice;
pub mod softmax;
pub mod transpose;
pub mod where_;

use crate::operator::Operator;

/// All operators by name.
#[rustfmt::skip]
pub static ALL: &[&Operator] = &[
    &add::OPERATOR,
    &cast::OPERATOR,
    &concat::OPERATOR,
    &conv::OPERATOR,
    &gather::OPERATOR,
    &matmul::OPERATOR,
    &mod_::OPERATOR,
    &reduce_sum::OPERATOR,
    &reshape::OPERATOR,
    &shape::OPERATOR,
    &slice::OPERATOR,
    &softmax::OPERATOR,
    &transpose::OPERATOR,
    &where_::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
