//! Python programs: reading, and executing what could be read.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|content: &[u8]| fuzz::python::execute(content));
