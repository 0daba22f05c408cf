//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod add;
pub mod average_pool;
pub mod batch_normalization;
pub mod cast;
pub mod causal_conv_with_state;
pub mod concat;
pub mod conv;
pub mod conv_transpose;
pub mod deform_conv;
pub mod gather;
pub mod global_average_pool;
pub mod global_lp_pool;
pub mod global_max_pool;
pub mod group_normalization;
pub mod gru;
pub mod instance_normalization;
pub mod layer_normalization;
pub mod lp_normalization;
pub mod lp_pool;
pub mod lrn;
pub mod lstm;
pub mod matmul;
pub mod max_pool;
pub mod max_roi_pool;
pub mod mean_variance_normalization;
pub mod mod_;
pub mod negative_log_likelihood_loss;
pub mod reduce_sum;
pub mod reshape;
pub mod rms_normalization;
pub mod rnn;
pub mod shape;
pub mod slice;
pub mod softmax;
pub mod softmax_cross_entropy_loss;
pub mod transpose;
pub mod where_;

use crate::operator::Operator;

/// All operators by name.
#[rustfmt::skip]
pub static ALL: &[&Operator] = &[
    &add::OPERATOR,
    &average_pool::OPERATOR,
    &batch_normalization::OPERATOR,
    &cast::OPERATOR,
    &causal_conv_with_state::OPERATOR,
    &concat::OPERATOR,
    &conv::OPERATOR,
    &conv_transpose::OPERATOR,
    &deform_conv::OPERATOR,
    &gather::OPERATOR,
    &global_average_pool::OPERATOR,
    &global_lp_pool::OPERATOR,
    &global_max_pool::OPERATOR,
    &group_normalization::OPERATOR,
    &gru::OPERATOR,
    &instance_normalization::OPERATOR,
    &layer_normalization::OPERATOR,
    &lp_normalization::OPERATOR,
    &lp_pool::OPERATOR,
    &lrn::OPERATOR,
    &lstm::OPERATOR,
    &matmul::OPERATOR,
    &max_pool::OPERATOR,
    &max_roi_pool::OPERATOR,
    &mean_variance_normalization::OPERATOR,
    &mod_::OPERATOR,
    &negative_log_likelihood_loss::OPERATOR,
    &reduce_sum::OPERATOR,
    &reshape::OPERATOR,
    &rms_normalization::OPERATOR,
    &rnn::OPERATOR,
    &shape::OPERATOR,
    &slice::OPERATOR,
    &softmax::OPERATOR,
    &softmax_cross_entropy_loss::OPERATOR,
    &transpose::OPERATOR,
    &where_::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
