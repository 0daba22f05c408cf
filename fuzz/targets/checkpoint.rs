//! Checkpoints: whatever the bytes are, the reader answers, and every place that a node names is there.

#![no_main]

use arrays::checkpoint::{Checkpoint, Node, safetensors_from, torch_from};
use bytes::Bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|content: &[u8]| {
    if let Ok(read) = safetensors_from(content) {
        is_sound(&read);
    }
    if let Ok(read) = torch_from(Bytes::copy_from_slice(content)) {
        is_sound(&read);
    }
});

fn is_sound(read: &Checkpoint) {
    let count = read.nodes.len();
    assert!(read.root < count);
    for node in &read.nodes {
        match node {
            Node::List(items) | Node::Tuple(items) | Node::Set(items) => {
                assert!(items.iter().all(|&item| item < count));
            }
            Node::Dict(pairs) => assert!(pairs.iter().all(|&(key, value)| key < count && value < count)),
            _ => {}
        }
    }
}
