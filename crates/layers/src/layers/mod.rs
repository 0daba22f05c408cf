//! Every layer, one file each. The list is generated: `cargo test` refreshes it.

pub mod prelude;

pub mod activation;
pub mod activity_regularization;
pub mod add;
pub mod alpha_dropout;
pub mod average;
pub mod average_pooling1d;
pub mod average_pooling2d;
pub mod average_pooling3d;
pub mod batch_normalization;
pub mod concatenate;
pub mod conv1d;
pub mod conv1d_transpose;
pub mod conv2d;
pub mod conv2d_transpose;
pub mod conv3d;
pub mod conv3d_transpose;
pub mod cropping1d;
pub mod cropping2d;
pub mod cropping3d;
pub mod dense;
pub mod depthwise_conv1d;
pub mod depthwise_conv2d;
pub mod dot;
pub mod dropout;
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
pub mod gru;
pub mod identity;
pub mod layer_normalization;
pub mod leaky_relu;
pub mod locally_connected1d;
pub mod locally_connected2d;
pub mod lstm;
pub mod masking;
pub mod max_pooling1d;
pub mod max_pooling2d;
pub mod max_pooling3d;
pub mod maximum;
pub mod minimum;
pub mod multiply;
pub mod permute;
pub mod prelu;
pub mod relu;
pub mod repeat_vector;
pub mod rescaling;
pub mod reshape;
pub mod rms_normalization;
pub mod separable_conv1d;
pub mod separable_conv2d;
pub mod simple_rnn;
pub mod softmax;
pub mod spatial_dropout1d;
pub mod spatial_dropout2d;
pub mod spatial_dropout3d;
pub mod subtract;
pub mod thresholded_relu;
pub mod unit_normalization;
pub mod up_sampling1d;
pub mod up_sampling2d;
pub mod up_sampling3d;
pub mod zero_padding1d;
pub mod zero_padding2d;
pub mod zero_padding3d;

use crate::layer::Layer;

/// All layers by name.
#[rustfmt::skip]
pub static ALL: &[&Layer] = &[
    &activation::LAYER,
    &activity_regularization::LAYER,
    &add::LAYER,
    &alpha_dropout::LAYER,
    &average::LAYER,
    &average_pooling1d::LAYER,
    &average_pooling2d::LAYER,
    &average_pooling3d::LAYER,
    &batch_normalization::LAYER,
    &concatenate::LAYER,
    &conv1d::LAYER,
    &conv1d_transpose::LAYER,
    &conv2d::LAYER,
    &conv2d_transpose::LAYER,
    &conv3d::LAYER,
    &conv3d_transpose::LAYER,
    &cropping1d::LAYER,
    &cropping2d::LAYER,
    &cropping3d::LAYER,
    &dense::LAYER,
    &depthwise_conv1d::LAYER,
    &depthwise_conv2d::LAYER,
    &dot::LAYER,
    &dropout::LAYER,
    &elu::LAYER,
    &embedding::LAYER,
    &flatten::LAYER,
    &gru::LAYER,
    &gaussian_dropout::LAYER,
    &gaussian_noise::LAYER,
    &global_average_pooling1d::LAYER,
    &global_average_pooling2d::LAYER,
    &global_average_pooling3d::LAYER,
    &global_max_pooling1d::LAYER,
    &global_max_pooling2d::LAYER,
    &global_max_pooling3d::LAYER,
    &group_normalization::LAYER,
    &identity::LAYER,
    &lstm::LAYER,
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
    &multiply::LAYER,
    &prelu::LAYER,
    &permute::LAYER,
    &rms_normalization::LAYER,
    &relu::LAYER,
    &repeat_vector::LAYER,
    &rescaling::LAYER,
    &reshape::LAYER,
    &separable_conv1d::LAYER,
    &separable_conv2d::LAYER,
    &simple_rnn::LAYER,
    &softmax::LAYER,
    &spatial_dropout1d::LAYER,
    &spatial_dropout2d::LAYER,
    &spatial_dropout3d::LAYER,
    &subtract::LAYER,
    &thresholded_relu::LAYER,
    &unit_normalization::LAYER,
    &up_sampling1d::LAYER,
    &up_sampling2d::LAYER,
    &up_sampling3d::LAYER,
    &zero_padding1d::LAYER,
    &zero_padding2d::LAYER,
    &zero_padding3d::LAYER,
];

/// The layer of a class name.
pub fn by_name(name: &str) -> Option<&'static Layer> {
    ALL.binary_search_by_key(&name, |layer| layer.operator.name).ok().map(|position| ALL[position])
}
