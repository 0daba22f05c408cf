//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod add;
pub mod attention;
pub mod blackman_window;
pub mod cast;
pub mod concat;
pub mod conv;
pub mod conv_integer;
pub mod det;
pub mod dft;
pub mod einsum;
pub mod gather;
pub mod gemm;
pub mod hamming_window;
pub mod hann_window;
pub mod linear_attention;
pub mod matmul;
pub mod matmul_integer;
pub mod mel_weight_matrix;
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
pub mod rotary_embedding;
pub mod shape;
pub mod slice;
pub mod softmax;
pub mod stft;
pub mod transpose;
pub mod where_;

use crate::operator::Operator;

/// All operators by name.
#[rustfmt::skip]
pub static ALL: &[&Operator] = &[
    &add::OPERATOR,
    &attention::OPERATOR,
    &blackman_window::OPERATOR,
    &cast::OPERATOR,
    &concat::OPERATOR,
    &conv::OPERATOR,
    &conv_integer::OPERATOR,
    &det::OPERATOR,
    &dft::OPERATOR,
    &einsum::OPERATOR,
    &gather::OPERATOR,
    &gemm::OPERATOR,
    &hamming_window::OPERATOR,
    &hann_window::OPERATOR,
    &linear_attention::OPERATOR,
    &matmul::OPERATOR,
    &matmul_integer::OPERATOR,
    &mel_weight_matrix::OPERATOR,
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
    &rotary_embedding::OPERATOR,
    &shape::OPERATOR,
    &slice::OPERATOR,
    &softmax::OPERATOR,
    &stft::OPERATOR,
    &transpose::OPERATOR,
    &where_::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
