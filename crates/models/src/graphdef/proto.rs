//! The wire format of TensorFlow's graph files, generated from `graphdef.proto`.

#![allow(
    clippy::all,
    clippy::allow_attributes_without_reason,
    unused_qualifications,
    reason = "generated code"
)]

include!(concat!(env!("OUT_DIR"), "/graphdef.rs"));
