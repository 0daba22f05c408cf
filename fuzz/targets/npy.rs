//! NumPy files: what is read must be written and read again as the same array.

#![no_main]

use arrays::npy::{NpyArray, NpzFile};
use bytes::Bytes;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|content: &[u8]| {
    let content = Bytes::copy_from_slice(content);
    if let Ok(array) = NpyArray::from_bytes(content.clone()) {
        let again = NpyArray::from_bytes(array.to_bytes().into());
        assert_eq!(again.as_ref(), Ok(&array));
    }
    if let Ok(mut archive) = NpzFile::from_bytes(content, Path::new("fuzzed.npz")) {
        for name in archive.names() {
            let _ = archive.read(&name);
        }
    }
});
