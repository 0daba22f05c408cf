//! Checkpoints as PyTorch wrote them before 1.6: pickles one after the other, then the elements.

use super::pickle::Unpickler;
use super::{Checkpoint, Node, Trouble};

/// The number that such a file begins with, `0x1950a86a20f9469cfc6c`, as a pickle has it.
const MAGIC: &[u8] = b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

pub(super) fn read(content: &[u8]) -> Result<Checkpoint, Trouble> {
    let start = content.get(..content.len().min(64)).unwrap_or_default();
    if !start.windows(MAGIC.len()).any(|window| window == MAGIC) {
        if start.starts_with(b"\x80") {
            return Trouble::not_read("it is a pickle that `torch.save` did not write");
        }
        return Trouble::broken("`torch.save` did not write it");
    }
    let mut run = Unpickler::default();
    // The magic number, the version of the format, and facts of the machine.
    let (_, rest) = run.read(content)?;
    let (_, rest) = run.read(rest)?;
    let (_, rest) = run.read(rest)?;
    let (root, rest) = run.read(rest)?;
    let (keys, elements) = run.read(rest)?;
    let keys = run.items(keys).len() as u64;
    let mut needed = keys.saturating_mul(8);
    let mut seen = std::collections::BTreeSet::new();
    for node in &run.nodes {
        if let Node::Storage { kind: Some(kind), key, count } = node
            && seen.insert(key)
        {
            let width = u64::from(kind.bits().unwrap_or(0) / 8);
            needed = needed.saturating_add(count.saturating_mul(width));
        }
    }
    if (elements.len() as u64) < needed {
        let there = elements.len();
        return Trouble::broken(format!("it is cut short: {there} of {needed} bytes of elements are there"));
    }
    Ok(Checkpoint { nodes: run.nodes, root })
}
