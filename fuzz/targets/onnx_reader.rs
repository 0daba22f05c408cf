//! Bytes to the reader and the structural check. Plain mutation: the wire format itself is what is attacked.

#![no_main]

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use models::onnx;
use std::path::Path;

fuzz_target!(|content: &[u8]| {
    if let Ok(model) = onnx::from_bytes(Bytes::copy_from_slice(content), Path::new("fuzzed.onnx")) {
        for problem in onnx::check(&model) {
            drop(problem.to_string());
        }
        for tensor in &model.graph.initializers {
            let _ = onnx::array(tensor);
        }
    }
});
