//! Text to the reader of `.onnxtxt`; what it accepts must survive the wire format.

#![no_main]

use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use models::onnx;
use prost::Message;
use std::path::Path;

fuzz_target!(|content: &str| {
    let decoded = onnx::decode(Bytes::copy_from_slice(content.as_bytes()), Path::new("fuzzed.onnxtxt"));
    match decoded {
        Ok(model) => {
            let bytes = model.encode_to_vec();
            // Text may nest deeper than protobuf allows; what it does allow must come back the same.
            if let Ok(again) = onnx::proto::ModelProto::decode(bytes.as_slice()) {
                assert_eq!(again.encode_to_vec(), bytes);
            }
        }
        Err(error) => drop(error.to_string()),
    }
});
