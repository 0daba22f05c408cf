//! The wire format of ONNX files, generated from `onnx.proto`.

#![allow(
    clippy::all,
    clippy::allow_attributes_without_reason,
    unused_qualifications,
    reason = "generated code"
)]

include!(concat!(env!("OUT_DIR"), "/onnx.rs"));
