//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
pub mod affine_grid;
pub mod and;
pub mod arg_max;
pub mod arg_min;
pub mod asin;
pub mod asinh;
pub mod atan;
pub mod atanh;
pub mod attention;
pub mod average_pool;
pub mod batch_normalization;
pub mod bernoulli;
pub mod bit_cast;
pub mod bit_shift;
pub mod bitwise_and;
pub mod bitwise_not;
pub mod bitwise_or;
pub mod bitwise_xor;
pub mod blackman_window;
pub mod cast;
pub mod cast_like;
pub mod causal_conv_with_state;
pub mod ceil;
pub mod celu;
pub mod center_crop_pad;
pub mod clip;
pub mod col2im;
pub mod compress;
pub mod concat;
pub mod constant_of_shape;
pub mod conv;
pub mod conv_integer;
pub mod conv_transpose;
pub mod cos;
pub mod cosh;
pub mod cum_prod;
pub mod cum_sum;
pub mod deform_conv;
pub mod depth_to_space;
pub mod dequantize_linear;
pub mod det;
pub mod dft;
pub mod div;
pub mod dropout;
pub mod dynamic_quantize_linear;
pub mod einsum;
pub mod elu;
pub mod equal;
pub mod erf;
pub mod exp;
pub mod expand;
pub mod eye_like;
pub mod flatten;
pub mod floor;
pub mod gather;
pub mod gather_elements;
pub mod gather_nd;
pub mod gelu;
pub mod gemm;
pub mod global_average_pool;
pub mod global_lp_pool;
pub mod global_max_pool;
pub mod greater;
pub mod greater_or_equal;
pub mod grid_sample;
pub mod group_normalization;
pub mod gru;
pub mod hamming_window;
pub mod hann_window;
pub mod hard_sigmoid;
pub mod hard_swish;
pub mod hardmax;
pub mod identity;
pub mod image_decoder;
pub mod instance_normalization;
pub mod is_inf;
pub mod is_nan;
pub mod layer_normalization;
pub mod leaky_relu;
pub mod less;
pub mod less_or_equal;
pub mod linear_attention;
pub mod log;
pub mod log_softmax;
pub mod lp_normalization;
pub mod lp_pool;
pub mod lrn;
pub mod lstm;
pub mod matmul;
pub mod matmul_integer;
pub mod max;
pub mod max_pool;
pub mod max_roi_pool;
pub mod max_unpool;
pub mod mean;
pub mod mean_variance_normalization;
pub mod mel_weight_matrix;
pub mod min;
pub mod mish;
pub mod mod_;
pub mod mul;
pub mod multinomial;
pub mod neg;
pub mod negative_log_likelihood_loss;
pub mod non_max_suppression;
pub mod non_zero;
pub mod not;
pub mod one_hot;
pub mod or;
pub mod pad;
pub mod pow;
pub mod prelu;
pub mod qlinear_conv;
pub mod qlinear_matmul;
pub mod quantize_linear;
pub mod random_normal;
pub mod random_normal_like;
pub mod random_uniform;
pub mod random_uniform_like;
pub mod range;
pub mod reciprocal;
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
pub mod relu;
pub mod reshape;
pub mod resize;
pub mod reverse_sequence;
pub mod rms_normalization;
pub mod rnn;
pub mod roi_align;
pub mod rotary_embedding;
pub mod round;
pub mod scatter_elements;
pub mod scatter_nd;
pub mod selu;
pub mod shape;
pub mod shrink;
pub mod sigmoid;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod size;
pub mod slice;
pub mod softmax;
pub mod softmax_cross_entropy_loss;
pub mod softplus;
pub mod softsign;
pub mod space_to_depth;
pub mod split;
pub mod sqrt;
pub mod squeeze;
pub mod stft;
pub mod sub;
pub mod sum;
pub mod swiglu;
pub mod swish;
pub mod tan;
pub mod tanh;
pub mod tensor_scatter;
pub mod thresholded_relu;
pub mod tile;
pub mod top_k;
pub mod transpose;
pub mod trilu;
pub mod unique;
pub mod unsqueeze;
pub mod where_;
pub mod xor;

use crate::operator::Operator;

/// All operators by name.
#[rustfmt::skip]
pub static ALL: &[&Operator] = &[
    &abs::OPERATOR,
    &acos::OPERATOR,
    &acosh::OPERATOR,
    &add::OPERATOR,
    &affine_grid::OPERATOR,
    &and::OPERATOR,
    &arg_max::OPERATOR,
    &arg_min::OPERATOR,
    &asin::OPERATOR,
    &asinh::OPERATOR,
    &atan::OPERATOR,
    &atanh::OPERATOR,
    &attention::OPERATOR,
    &average_pool::OPERATOR,
    &batch_normalization::OPERATOR,
    &bernoulli::OPERATOR,
    &bit_cast::OPERATOR,
    &bit_shift::OPERATOR,
    &bitwise_and::OPERATOR,
    &bitwise_not::OPERATOR,
    &bitwise_or::OPERATOR,
    &bitwise_xor::OPERATOR,
    &blackman_window::OPERATOR,
    &cast::OPERATOR,
    &cast_like::OPERATOR,
    &causal_conv_with_state::OPERATOR,
    &ceil::OPERATOR,
    &celu::OPERATOR,
    &center_crop_pad::OPERATOR,
    &clip::OPERATOR,
    &col2im::OPERATOR,
    &compress::OPERATOR,
    &concat::OPERATOR,
    &constant_of_shape::OPERATOR,
    &conv::OPERATOR,
    &conv_integer::OPERATOR,
    &conv_transpose::OPERATOR,
    &cos::OPERATOR,
    &cosh::OPERATOR,
    &cum_prod::OPERATOR,
    &cum_sum::OPERATOR,
    &deform_conv::OPERATOR,
    &depth_to_space::OPERATOR,
    &dequantize_linear::OPERATOR,
    &det::OPERATOR,
    &dft::OPERATOR,
    &div::OPERATOR,
    &dropout::OPERATOR,
    &dynamic_quantize_linear::OPERATOR,
    &einsum::OPERATOR,
    &elu::OPERATOR,
    &equal::OPERATOR,
    &erf::OPERATOR,
    &exp::OPERATOR,
    &expand::OPERATOR,
    &eye_like::OPERATOR,
    &flatten::OPERATOR,
    &floor::OPERATOR,
    &gather::OPERATOR,
    &gather_elements::OPERATOR,
    &gather_nd::OPERATOR,
    &gelu::OPERATOR,
    &gemm::OPERATOR,
    &global_average_pool::OPERATOR,
    &global_lp_pool::OPERATOR,
    &global_max_pool::OPERATOR,
    &greater::OPERATOR,
    &greater_or_equal::OPERATOR,
    &grid_sample::OPERATOR,
    &group_normalization::OPERATOR,
    &gru::OPERATOR,
    &hamming_window::OPERATOR,
    &hann_window::OPERATOR,
    &hard_sigmoid::OPERATOR,
    &hard_swish::OPERATOR,
    &hardmax::OPERATOR,
    &identity::OPERATOR,
    &image_decoder::OPERATOR,
    &instance_normalization::OPERATOR,
    &is_inf::OPERATOR,
    &is_nan::OPERATOR,
    &layer_normalization::OPERATOR,
    &leaky_relu::OPERATOR,
    &less::OPERATOR,
    &less_or_equal::OPERATOR,
    &linear_attention::OPERATOR,
    &log::OPERATOR,
    &log_softmax::OPERATOR,
    &lp_normalization::OPERATOR,
    &lp_pool::OPERATOR,
    &lrn::OPERATOR,
    &lstm::OPERATOR,
    &matmul::OPERATOR,
    &matmul_integer::OPERATOR,
    &max::OPERATOR,
    &max_pool::OPERATOR,
    &max_roi_pool::OPERATOR,
    &max_unpool::OPERATOR,
    &mean::OPERATOR,
    &mean_variance_normalization::OPERATOR,
    &mel_weight_matrix::OPERATOR,
    &min::OPERATOR,
    &mish::OPERATOR,
    &mod_::OPERATOR,
    &mul::OPERATOR,
    &multinomial::OPERATOR,
    &neg::OPERATOR,
    &negative_log_likelihood_loss::OPERATOR,
    &non_max_suppression::OPERATOR,
    &non_zero::OPERATOR,
    &not::OPERATOR,
    &one_hot::OPERATOR,
    &or::OPERATOR,
    &pad::OPERATOR,
    &pow::OPERATOR,
    &prelu::OPERATOR,
    &qlinear_conv::OPERATOR,
    &qlinear_matmul::OPERATOR,
    &quantize_linear::OPERATOR,
    &random_normal::OPERATOR,
    &random_normal_like::OPERATOR,
    &random_uniform::OPERATOR,
    &random_uniform_like::OPERATOR,
    &range::OPERATOR,
    &reciprocal::OPERATOR,
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
    &relu::OPERATOR,
    &reshape::OPERATOR,
    &resize::OPERATOR,
    &reverse_sequence::OPERATOR,
    &rms_normalization::OPERATOR,
    &rnn::OPERATOR,
    &roi_align::OPERATOR,
    &rotary_embedding::OPERATOR,
    &round::OPERATOR,
    &scatter_elements::OPERATOR,
    &scatter_nd::OPERATOR,
    &selu::OPERATOR,
    &shape::OPERATOR,
    &shrink::OPERATOR,
    &sigmoid::OPERATOR,
    &sign::OPERATOR,
    &sin::OPERATOR,
    &sinh::OPERATOR,
    &size::OPERATOR,
    &slice::OPERATOR,
    &softmax::OPERATOR,
    &softmax_cross_entropy_loss::OPERATOR,
    &softplus::OPERATOR,
    &softsign::OPERATOR,
    &space_to_depth::OPERATOR,
    &split::OPERATOR,
    &sqrt::OPERATOR,
    &squeeze::OPERATOR,
    &stft::OPERATOR,
    &sub::OPERATOR,
    &sum::OPERATOR,
    &swiglu::OPERATOR,
    &swish::OPERATOR,
    &tan::OPERATOR,
    &tanh::OPERATOR,
    &tensor_scatter::OPERATOR,
    &thresholded_relu::OPERATOR,
    &tile::OPERATOR,
    &top_k::OPERATOR,
    &transpose::OPERATOR,
    &trilu::OPERATOR,
    &unique::OPERATOR,
    &unsqueeze::OPERATOR,
    &where_::OPERATOR,
    &xor::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
