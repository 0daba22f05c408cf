//! Keras files, archives, HDF5 and JSON alike: whatever the bytes are, the reader answers, stored elements can be
//! asked for, and what was read can be checked.

#![no_main]

use bytes::Bytes;
use engines::validity::{self, Question};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|content: &[u8]| {
    if let Ok(model) = models::keras::from_bytes(Bytes::copy_from_slice(content), Path::new("fuzzed")) {
        for (_, constant) in &model.program.graph.constants {
            let _ = (constant.load)();
        }
        let _ = validity::check(&model.program, &Question::default());
    }
});
