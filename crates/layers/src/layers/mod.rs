//! Every layer that models are made of, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod activation;
pub mod activity_regularization;
pub mod adaptive_average_pooling1d;
pub mod adaptive_average_pooling2d;
pub mod adaptive_average_pooling3d;
pub mod adaptive_max_pooling1d;
pub mod adaptive_max_pooling2d;
pub mod adaptive_max_pooling3d;
pub mod add;
pub mod additive_attention;
pub mod alpha_dropout;
pub mod attention;
pub mod average;
pub mod average_pooling1d;
pub mod average_pooling2d;
pub mod average_pooling3d;
pub mod batch_normalization;
pub mod bidirectional;
pub mod concatenate;
pub mod conv1d;
pub mod conv1d_transpose;
pub mod conv2d;
pub mod conv2d_transpose;
pub mod conv3d;
pub mod conv3d_transpose;
pub mod conv_lstm1d;
pub mod conv_lstm2d;
pub mod conv_lstm3d;
pub mod cropping1d;
pub mod cropping2d;
pub mod cropping3d;
pub mod dense;
pub mod depthwise_conv1d;
pub mod depthwise_conv2d;
pub mod dot;
pub mod dropout;
pub mod einsum_dense;
pub mod elu;
pub mod embedding;
pub mod flatten;
pub mod gaussian_dropout;
pub mod gaussian_noise;
pub mod global_average_pooling1d;
pub mod global_average_pooling2d;
pub mod global_average_pooling3d;
pub mod global_max_pooling1d;
pub mod global_max_pooling2d;
pub mod global_max_pooling3d;
pub mod group_normalization;
pub mod group_query_attention;
pub mod gru;
pub mod gru_cell;
pub mod identity;
pub mod layer_normalization;
pub mod leaky_relu;
pub mod locally_connected1d;
pub mod locally_connected2d;
pub mod lstm;
pub mod lstm_cell;
pub mod masking;
pub mod max_pooling1d;
pub mod max_pooling2d;
pub mod max_pooling3d;
pub mod maximum;
pub mod minimum;
pub mod multi_head_attention;
pub mod multiply;
pub mod permute;
pub mod prelu;
pub mod relu;
pub mod repeat_vector;
pub mod rescaling;
pub mod reshape;
pub mod reversible_embedding;
pub mod rms_normalization;
pub mod rnn;
pub mod separable_conv1d;
pub mod separable_conv2d;
pub mod simple_rnn;
pub mod simple_rnn_cell;
pub mod softmax;
pub mod spatial_dropout1d;
pub mod spatial_dropout2d;
pub mod spatial_dropout3d;
pub mod spectral_normalization;
pub mod stacked_rnn_cells;
pub mod subtract;
pub mod thresholded_relu;
pub mod time_distributed;
pub mod unit_normalization;
pub mod up_sampling1d;
pub mod up_sampling2d;
pub mod up_sampling3d;
pub mod zero_padding1d;
pub mod zero_padding2d;
pub mod zero_padding3d;

use crate::layer::Layer;

/// All of them by name.
#[rustfmt::skip]
pub static ALL: &[&Layer] = &[
    &activation::LAYER,
    &activity_regularization::LAYER,
    &adaptive_average_pooling1d::LAYER,
    &adaptive_average_pooling2d::LAYER,
    &adaptive_average_pooling3d::LAYER,
    &adaptive_max_pooling1d::LAYER,
    &adaptive_max_pooling2d::LAYER,
    &adaptive_max_pooling3d::LAYER,
    &add::LAYER,
    &additive_attention::LAYER,
    &alpha_dropout::LAYER,
    &attention::LAYER,
    &average::LAYER,
    &average_pooling1d::LAYER,
    &average_pooling2d::LAYER,
    &average_pooling3d::LAYER,
    &batch_normalization::LAYER,
    &bidirectional::LAYER,
    &concatenate::LAYER,
    &conv1d::LAYER,
    &conv1d_transpose::LAYER,
    &conv2d::LAYER,
    &conv2d_transpose::LAYER,
    &conv3d::LAYER,
    &conv3d_transpose::LAYER,
    &conv_lstm1d::LAYER,
    &conv_lstm2d::LAYER,
    &conv_lstm3d::LAYER,
    &cropping1d::LAYER,
    &cropping2d::LAYER,
    &cropping3d::LAYER,
    &dense::LAYER,
    &depthwise_conv1d::LAYER,
    &depthwise_conv2d::LAYER,
    &dot::LAYER,
    &dropout::LAYER,
    &elu::LAYER,
    &einsum_dense::LAYER,
    &embedding::LAYER,
    &flatten::LAYER,
    &gru::LAYER,
    &gru_cell::LAYER,
    &gaussian_dropout::LAYER,
    &gaussian_noise::LAYER,
    &global_average_pooling1d::LAYER,
    &global_average_pooling2d::LAYER,
    &global_average_pooling3d::LAYER,
    &global_max_pooling1d::LAYER,
    &global_max_pooling2d::LAYER,
    &global_max_pooling3d::LAYER,
    &group_normalization::LAYER,
    &group_query_attention::LAYER,
    &identity::LAYER,
    &lstm::LAYER,
    &lstm_cell::LAYER,
    &layer_normalization::LAYER,
    &leaky_relu::LAYER,
    &locally_connected1d::LAYER,
    &locally_connected2d::LAYER,
    &masking::LAYER,
    &max_pooling1d::LAYER,
    &max_pooling2d::LAYER,
    &max_pooling3d::LAYER,
    &maximum::LAYER,
    &minimum::LAYER,
    &multi_head_attention::LAYER,
    &multiply::LAYER,
    &prelu::LAYER,
    &permute::LAYER,
    &rms_normalization::LAYER,
    &rnn::LAYER,
    &relu::LAYER,
    &repeat_vector::LAYER,
    &rescaling::LAYER,
    &reshape::LAYER,
    &reversible_embedding::LAYER,
    &separable_conv1d::LAYER,
    &separable_conv2d::LAYER,
    &simple_rnn::LAYER,
    &simple_rnn_cell::LAYER,
    &softmax::LAYER,
    &spatial_dropout1d::LAYER,
    &spatial_dropout2d::LAYER,
    &spatial_dropout3d::LAYER,
    &spectral_normalization::LAYER,
    &stacked_rnn_cells::LAYER,
    &subtract::LAYER,
    &thresholded_relu::LAYER,
    &time_distributed::LAYER,
    &unit_normalization::LAYER,
    &up_sampling1d::LAYER,
    &up_sampling2d::LAYER,
    &up_sampling3d::LAYER,
    &zero_padding1d::LAYER,
    &zero_padding2d::LAYER,
    &zero_padding3d::LAYER,
];

/// The layer of a class, or of another name that Keras has for it.
pub fn by_name(name: &str) -> Option<&'static Layer> {
    let name = crate::names::class(name);
    let found = |all: &[&'static Layer]| all.binary_search_by_key(&name, |layer| layer.operator.name).ok();
    let prepares = crate::preparing::ALL;
    found(ALL).map(|at| ALL[at]).or_else(|| found(prepares).map(|at| prepares[at]))
}
