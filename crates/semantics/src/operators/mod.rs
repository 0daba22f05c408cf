//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod add;
pub mod cast;
pub mod concat;
pub mod conv;
pub mod conv_integer;
pub mod gather;
pub mod gemm;
pub mod matmul;
pub mod matmul_integer;
pub mod mod_;
pub mod qlinear_conv;
pub mod qlinear_matmul;
pub mod reduce_l1;
pub mod reduce_l2;
pub mod reduce_log_sum;
pub mod reduce_log_sum_exp;
pub mod reduce_max;
pub mod reduce_mean;
pub mod reduce_min;
pub mod reduce_prod;
pub mod reduce_sum;
pub mod reduce_sum_square;
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
    &conv_integer::OPERATOR,
    &gather::OPERATOR,
    &gemm::OPERATOR,
    &matmul::OPERATOR,
    &matmul_integer::OPERATOR,
    &mod_::OPERATOR,
    &qlinear_conv::OPERATOR,
    &qlinear_matmul::OPERATOR,
    &reduce_l1::OPERATOR,
    &reduce_l2::OPERATOR,
    &reduce_log_sum::OPERATOR,
    &reduce_log_sum_exp::OPERATOR,
    &reduce_max::OPERATOR,
    &reduce_mean::OPERATOR,
    &reduce_min::OPERATOR,
    &reduce_prod::OPERATOR,
    &reduce_sum::OPERATOR,
    &reduce_sum_square::OPERATOR,
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
