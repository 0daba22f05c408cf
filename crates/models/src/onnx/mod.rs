//! Reads ONNX models.

pub mod proto;
