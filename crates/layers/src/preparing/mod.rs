//! Layers that prepare data, one file each: a model that predicts may begin with them. The list is generated:
//! `cargo test` refreshes it.

pub mod aug_mix;
pub mod auto_contrast;
pub mod category_encoding;
pub mod center_crop;
pub mod contrast_limited_adaptive_histogram_equalization;
pub mod cut_mix;
pub mod discretization;
pub mod equalization;
pub mod hashed_crossing;
pub mod hashing;
pub mod integer_lookup;
pub mod max_num_bounding_boxes;
pub mod mel_spectrogram;
pub mod mix_up;
pub mod normalization;
pub mod pipeline;
pub mod rand_augment;
pub mod random_brightness;
pub mod random_color_degeneration;
pub mod random_color_jitter;
pub mod random_contrast;
pub mod random_crop;
pub mod random_elastic_transform;
pub mod random_erasing;
pub mod random_flip;
pub mod random_gaussian_blur;
pub mod random_grayscale;
pub mod random_hue;
pub mod random_invert;
pub mod random_perspective;
pub mod random_posterization;
pub mod random_rotation;
pub mod random_saturation;
pub mod random_sharpness;
pub mod random_shear;
pub mod random_translation;
pub mod random_zoom;
pub mod resizing;
pub mod solarization;
pub mod stft_spectrogram;

use crate::layer::Layer;

/// All of them by name.
#[rustfmt::skip]
pub static ALL: &[&Layer] = &[
    &aug_mix::LAYER,
    &auto_contrast::LAYER,
    &category_encoding::LAYER,
    &center_crop::LAYER,
    &contrast_limited_adaptive_histogram_equalization::LAYER,
    &cut_mix::LAYER,
    &discretization::LAYER,
    &equalization::LAYER,
    &hashed_crossing::LAYER,
    &hashing::LAYER,
    &integer_lookup::LAYER,
    &max_num_bounding_boxes::LAYER,
    &mel_spectrogram::LAYER,
    &mix_up::LAYER,
    &normalization::LAYER,
    &pipeline::LAYER,
    &rand_augment::LAYER,
    &random_brightness::LAYER,
    &random_color_degeneration::LAYER,
    &random_color_jitter::LAYER,
    &random_contrast::LAYER,
    &random_crop::LAYER,
    &random_elastic_transform::LAYER,
    &random_erasing::LAYER,
    &random_flip::LAYER,
    &random_gaussian_blur::LAYER,
    &random_grayscale::LAYER,
    &random_hue::LAYER,
    &random_invert::LAYER,
    &random_perspective::LAYER,
    &random_posterization::LAYER,
    &random_rotation::LAYER,
    &random_saturation::LAYER,
    &random_sharpness::LAYER,
    &random_shear::LAYER,
    &random_translation::LAYER,
    &random_zoom::LAYER,
    &resizing::LAYER,
    &stft_spectrogram::LAYER,
    &solarization::LAYER,
];
