//! TensorFlow graphs, text and binary: whatever the bytes are, the reader answers, stored elements can be asked for,
//! and what was read can be checked.

#![no_main]

use bytes::Bytes;
use engines::validity::{self, Question};
use libfuzzer_sys::fuzz_target;
use program::ir::Action;
use std::path::Path;

fuzz_target!(|content: &[u8]| {
    let Ok(model) = models::graphdef::from_bytes(Bytes::copy_from_slice(content), Path::new("fuzzed.pb")) else {
        return;
    };
    let lowered = models::graphdef::lower(&model, "fuzzed.pb");
    for node in &lowered.program.graph.nodes {
        if let Action::Constant(constant) = &node.action {
            let _ = (constant.load)();
        }
    }
    if lowered.problems.is_empty() {
        let _ = validity::check(&lowered.program, &Question::default());
    }
});
