//! What layers of one family share.

pub mod activation;
pub mod attention;
pub mod augmentation;
pub mod categories;
pub mod cell;
pub mod conv_lstm;
pub mod convolution;
pub mod heads;
pub mod images;
pub mod locally;
pub mod merge;
pub mod normalization;
pub mod padding;
pub mod pooling;
pub mod random;
pub mod recurrent;
pub mod spatial;
pub mod table;
