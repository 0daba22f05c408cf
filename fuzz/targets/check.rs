//! A whole check, on models changed part by part so that most of them reach the meaning of their operators.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target};

fuzz_target!(|content: &[u8]| fuzz::check::check(content));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    match fuzz::mutate::model(&data[..size], max_size, seed) {
        Some(changed) => {
            data[..changed.len()].copy_from_slice(&changed);
            changed.len()
        }
        None => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});
