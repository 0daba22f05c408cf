//! Every operator, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod abs;
pub mod acos;
pub mod acosh;
pub mod add;
pub mod affine_grid;
pub mod and;
pub mod apply_adagrad;
pub mod apply_adam;
pub mod apply_gradient_descent;
pub mod apply_momentum;
pub mod apply_rms_prop;
pub mod arg_max;
pub mod arg_min;
pub mod asin;
pub mod asinh;
pub mod assign;
pub mod assign_add;
pub mod assign_sub;
pub mod atan;
pub mod atan2;
pub mod atanh;
pub mod attention;
pub mod average_pool;
pub mod batch_matmul;
pub mod batch_normalization;
pub mod bernoulli;
pub mod bias_add;
pub mod bias_add_grad;
pub mod bit_cast;
pub mod bit_shift;
pub mod bitwise_and;
pub mod bitwise_not;
pub mod bitwise_or;
pub mod bitwise_xor;
pub mod blackman_window;
pub mod broadcast_gradient_axes;
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
pub mod convolution;
pub mod convolution_filter_gradient;
pub mod convolution_input_gradient;
pub mod cos;
pub mod cosh;
pub mod cum_prod;
pub mod cum_sum;
pub mod deform_conv;
pub mod depth_to_space;
pub mod depthwise_convolution;
pub mod dequantize_linear;
pub mod det;
pub mod dft;
pub mod div;
pub mod div_no_nan;
pub mod dropout;
pub mod dynamic_quantize_linear;
pub mod dynamic_stitch;
pub mod einsum;
pub mod elu;
pub mod elu_grad;
pub mod equal;
pub mod erf;
pub mod erfc;
pub mod exp;
pub mod expand;
pub mod expm1;
pub mod eye_like;
pub mod fill;
pub mod flatten;
pub mod floor;
pub mod floor_div;
pub mod floor_mod;
pub mod fused_batch_norm;
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
pub mod invert_permutation;
pub mod is_finite;
pub mod is_inf;
pub mod is_nan;
pub mod l2_loss;
pub mod layer_normalization;
pub mod leaky_relu;
pub mod leaky_relu_grad;
pub mod less;
pub mod less_or_equal;
pub mod lin_space;
pub mod linear_attention;
pub mod log;
pub mod log1p;
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
pub mod mul_no_nan;
pub mod multinomial;
pub mod neg;
pub mod negative_log_likelihood_loss;
pub mod non_max_suppression;
pub mod non_zero;
pub mod not;
pub mod not_equal;
pub mod one_hot;
pub mod one_hot_between;
pub mod ones_like;
pub mod or;
pub mod pad;
pub mod pad_pairs;
pub mod pow;
pub mod prelu;
pub mod qlinear_conv;
pub mod qlinear_matmul;
pub mod quantize_linear;
pub mod random_normal;
pub mod random_normal_like;
pub mod random_uniform;
pub mod random_uniform_int;
pub mod random_uniform_like;
pub mod range;
pub mod rank;
pub mod reciprocal;
pub mod reciprocal_grad;
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
pub mod relu6_grad;
pub mod relu_grad;
pub mod reshape;
pub mod resize;
pub mod reverse;
pub mod reverse_sequence;
pub mod rms_normalization;
pub mod rnn;
pub mod roi_align;
pub mod rotary_embedding;
pub mod round;
pub mod rsqrt;
pub mod rsqrt_grad;
pub mod scatter_elements;
pub mod scatter_nd;
pub mod select_rows;
pub mod selu;
pub mod selu_grad;
pub mod shape;
pub mod shrink;
pub mod sigmoid;
pub mod sigmoid_grad;
pub mod sign;
pub mod sin;
pub mod sinh;
pub mod size;
pub mod slice;
pub mod slice_sizes;
pub mod softmax;
pub mod softmax_cross_entropy;
pub mod softmax_cross_entropy_loss;
pub mod softplus;
pub mod softplus_grad;
pub mod softsign;
pub mod softsign_grad;
pub mod space_to_depth;
pub mod sparse_softmax_cross_entropy;
pub mod split;
pub mod split_sizes;
pub mod sqrt;
pub mod sqrt_grad;
pub mod square;
pub mod squared_difference;
pub mod squeeze;
pub mod stack;
pub mod stft;
pub mod strided_slice;
pub mod strided_slice_grad;
pub mod sub;
pub mod sum;
pub mod sum_to_shape;
pub mod swiglu;
pub mod swish;
pub mod tan;
pub mod tanh;
pub mod tanh_grad;
pub mod tensor_scatter;
pub mod thresholded_relu;
pub mod tile;
pub mod top_k;
pub mod transpose;
pub mod trilu;
pub mod truncated_normal;
pub mod unique;
pub mod unsqueeze;
pub mod unstack;
pub mod where_;
pub mod where_true;
pub mod windowed_max;
pub mod windowed_max_gradient;
pub mod windowed_mean;
pub mod xdivy;
pub mod xlog1py;
pub mod xlogy;
pub mod xor;
pub mod zeros_like;

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
    &apply_adagrad::OPERATOR,
    &apply_adam::OPERATOR,
    &apply_gradient_descent::OPERATOR,
    &apply_momentum::OPERATOR,
    &apply_rms_prop::OPERATOR,
    &arg_max::OPERATOR,
    &arg_min::OPERATOR,
    &asin::OPERATOR,
    &asinh::OPERATOR,
    &assign::OPERATOR,
    &assign_add::OPERATOR,
    &assign_sub::OPERATOR,
    &atan::OPERATOR,
    &atan2::OPERATOR,
    &atanh::OPERATOR,
    &attention::OPERATOR,
    &average_pool::OPERATOR,
    &batch_matmul::OPERATOR,
    &batch_normalization::OPERATOR,
    &bernoulli::OPERATOR,
    &bias_add::OPERATOR,
    &bias_add_grad::OPERATOR,
    &bit_cast::OPERATOR,
    &bit_shift::OPERATOR,
    &bitwise_and::OPERATOR,
    &bitwise_not::OPERATOR,
    &bitwise_or::OPERATOR,
    &bitwise_xor::OPERATOR,
    &blackman_window::OPERATOR,
    &broadcast_gradient_axes::OPERATOR,
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
    &convolution::OPERATOR,
    &convolution_filter_gradient::OPERATOR,
    &convolution_input_gradient::OPERATOR,
    &cos::OPERATOR,
    &cosh::OPERATOR,
    &cum_prod::OPERATOR,
    &cum_sum::OPERATOR,
    &deform_conv::OPERATOR,
    &depth_to_space::OPERATOR,
    &depthwise_convolution::OPERATOR,
    &dequantize_linear::OPERATOR,
    &det::OPERATOR,
    &dft::OPERATOR,
    &div::OPERATOR,
    &div_no_nan::OPERATOR,
    &dropout::OPERATOR,
    &dynamic_quantize_linear::OPERATOR,
    &dynamic_stitch::OPERATOR,
    &einsum::OPERATOR,
    &elu::OPERATOR,
    &elu_grad::OPERATOR,
    &equal::OPERATOR,
    &erf::OPERATOR,
    &erfc::OPERATOR,
    &exp::OPERATOR,
    &expand::OPERATOR,
    &expm1::OPERATOR,
    &eye_like::OPERATOR,
    &fill::OPERATOR,
    &flatten::OPERATOR,
    &floor::OPERATOR,
    &floor_div::OPERATOR,
    &floor_mod::OPERATOR,
    &fused_batch_norm::OPERATOR,
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
    &invert_permutation::OPERATOR,
    &is_finite::OPERATOR,
    &is_inf::OPERATOR,
    &is_nan::OPERATOR,
    &l2_loss::OPERATOR,
    &layer_normalization::OPERATOR,
    &leaky_relu::OPERATOR,
    &leaky_relu_grad::OPERATOR,
    &less::OPERATOR,
    &less_or_equal::OPERATOR,
    &lin_space::OPERATOR,
    &linear_attention::OPERATOR,
    &log::OPERATOR,
    &log1p::OPERATOR,
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
    &mul_no_nan::OPERATOR,
    &multinomial::OPERATOR,
    &neg::OPERATOR,
    &negative_log_likelihood_loss::OPERATOR,
    &non_max_suppression::OPERATOR,
    &non_zero::OPERATOR,
    &not::OPERATOR,
    &not_equal::OPERATOR,
    &one_hot::OPERATOR,
    &one_hot_between::OPERATOR,
    &ones_like::OPERATOR,
    &or::OPERATOR,
    &pad::OPERATOR,
    &pad_pairs::OPERATOR,
    &pow::OPERATOR,
    &prelu::OPERATOR,
    &qlinear_conv::OPERATOR,
    &qlinear_matmul::OPERATOR,
    &quantize_linear::OPERATOR,
    &random_normal::OPERATOR,
    &random_normal_like::OPERATOR,
    &random_uniform::OPERATOR,
    &random_uniform_int::OPERATOR,
    &random_uniform_like::OPERATOR,
    &range::OPERATOR,
    &rank::OPERATOR,
    &reciprocal::OPERATOR,
    &reciprocal_grad::OPERATOR,
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
    &relu6_grad::OPERATOR,
    &relu_grad::OPERATOR,
    &reshape::OPERATOR,
    &resize::OPERATOR,
    &reverse::OPERATOR,
    &reverse_sequence::OPERATOR,
    &rms_normalization::OPERATOR,
    &rnn::OPERATOR,
    &roi_align::OPERATOR,
    &rotary_embedding::OPERATOR,
    &round::OPERATOR,
    &rsqrt::OPERATOR,
    &rsqrt_grad::OPERATOR,
    &scatter_elements::OPERATOR,
    &scatter_nd::OPERATOR,
    &select_rows::OPERATOR,
    &selu::OPERATOR,
    &selu_grad::OPERATOR,
    &shape::OPERATOR,
    &shrink::OPERATOR,
    &sigmoid::OPERATOR,
    &sigmoid_grad::OPERATOR,
    &sign::OPERATOR,
    &sin::OPERATOR,
    &sinh::OPERATOR,
    &size::OPERATOR,
    &slice::OPERATOR,
    &slice_sizes::OPERATOR,
    &softmax::OPERATOR,
    &softmax_cross_entropy::OPERATOR,
    &softmax_cross_entropy_loss::OPERATOR,
    &softplus::OPERATOR,
    &softplus_grad::OPERATOR,
    &softsign::OPERATOR,
    &softsign_grad::OPERATOR,
    &space_to_depth::OPERATOR,
    &sparse_softmax_cross_entropy::OPERATOR,
    &split::OPERATOR,
    &split_sizes::OPERATOR,
    &sqrt::OPERATOR,
    &sqrt_grad::OPERATOR,
    &square::OPERATOR,
    &squared_difference::OPERATOR,
    &squeeze::OPERATOR,
    &stack::OPERATOR,
    &stft::OPERATOR,
    &strided_slice::OPERATOR,
    &strided_slice_grad::OPERATOR,
    &sub::OPERATOR,
    &sum::OPERATOR,
    &sum_to_shape::OPERATOR,
    &swiglu::OPERATOR,
    &swish::OPERATOR,
    &tan::OPERATOR,
    &tanh::OPERATOR,
    &tanh_grad::OPERATOR,
    &tensor_scatter::OPERATOR,
    &thresholded_relu::OPERATOR,
    &tile::OPERATOR,
    &top_k::OPERATOR,
    &transpose::OPERATOR,
    &trilu::OPERATOR,
    &truncated_normal::OPERATOR,
    &unique::OPERATOR,
    &unsqueeze::OPERATOR,
    &unstack::OPERATOR,
    &where_::OPERATOR,
    &where_true::OPERATOR,
    &windowed_max::OPERATOR,
    &windowed_max_gradient::OPERATOR,
    &windowed_mean::OPERATOR,
    &xdivy::OPERATOR,
    &xlog1py::OPERATOR,
    &xlogy::OPERATOR,
    &xor::OPERATOR,
    &zeros_like::OPERATOR,
];

/// The operator of a name.
pub fn by_name(name: &str) -> Option<&'static Operator> {
    ALL.binary_search_by_key(&name, |operator| operator.name).ok().map(|position| ALL[position])
}
