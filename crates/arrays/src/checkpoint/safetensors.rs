//! Safetensors files: the length of a header, a header in JSON, and the elements, one tensor after the other.

use semantics::dtype::Kind;
use serde_json::{Map, Value};

use super::{Checkpoint, Node, Stored, Trouble};

/// Longer headers are refused by the library itself.
const LONGEST: u64 = 100_000_000;

/// Whether a file looks like one.
pub(super) fn is_one(content: &[u8]) -> bool {
    length(content).is_some_and(|length| length < LONGEST) && content.get(8) == Some(&b'{')
}

pub(super) fn read(content: &[u8]) -> Result<Checkpoint, Trouble> {
    if content.starts_with(b"PK\x03\x04") || content.starts_with(b"\x80") {
        return Trouble::broken("it is no safetensors file; `torch.load` may read it");
    }
    if content.starts_with(b"version https://git-lfs") {
        return Trouble::broken("it is a pointer of Git LFS, in place of the file itself");
    }
    let Some(length) = length(content) else { return Trouble::broken("the file ends before its header") };
    if length > LONGEST {
        return Trouble::broken(format!("its header claims {length} bytes, which is too large"));
    }
    let header = usize::try_from(length).ok().and_then(|length| content.get(8..8 + length));
    let Some(header) = header else { return Trouble::broken("the file ends inside its header") };
    let header: Map<String, Value> = match serde_json::from_slice(header) {
        Ok(header) => header,
        Err(error) => return Trouble::broken(format!("its header is no JSON object: {error}")),
    };
    let elements = content.len() as u64 - 8 - length;
    let mut parts = Vec::new();
    for (name, told) in header.iter().filter(|(name, _)| *name != "__metadata__") {
        let Some((stored, from, to)) = entry(told) else {
            return Trouble::broken(format!("the entry of `{name}` in its header is not understood"));
        };
        let spanned = to.checked_sub(from);
        if spanned.is_none() || needed(&stored).is_some_and(|needed| Some(needed) != spanned) {
            return Trouble::broken(format!("`{name}` does not have the bytes that its shape needs"));
        }
        if to > elements {
            return Trouble::broken(format!("it is cut short: the elements of `{name}` are not all there"));
        }
        parts.push((from, name, stored));
    }
    // The library gives tensors in the order of the file.
    parts.sort_by_key(|(from, _, _)| *from);
    let mut nodes = Vec::new();
    let mut pairs = Vec::new();
    for (_, name, stored) in parts {
        pairs.push((nodes.len(), nodes.len() + 1));
        nodes.push(Node::Text(name.clone()));
        nodes.push(Node::Tensor(stored));
    }
    nodes.push(Node::Dict(pairs));
    Ok(Checkpoint { root: nodes.len() - 1, nodes })
}

fn length(content: &[u8]) -> Option<u64> {
    let bytes: [u8; 8] = content.get(..8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// `{"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}`.
fn entry(told: &Value) -> Option<(Stored, u64, u64)> {
    let sizes: Option<Vec<u64>> = told.get("shape")?.as_array()?.iter().map(Value::as_u64).collect();
    let kind = kind(told.get("dtype")?.as_str()?);
    let offsets = told.get("data_offsets")?.as_array()?;
    let [from, to] = offsets.as_slice() else { return None };
    let stored = Stored { kind, sizes: sizes?, strides: None, needs_grad: false };
    Some((stored, from.as_u64()?, to.as_u64()?))
}
fn needed(stored: &Stored) -> Option<u64> {
    let bits = u64::from(stored.kind?.bits()?);
    let bits = stored.sizes.iter().try_fold(bits, |bits, &size| bits.checked_mul(size));
    // What overflows fits nowhere.
    Some(bits.map_or(u64::MAX, |bits| bits / 8))
}

fn kind(name: &str) -> Option<Kind> {
    Some(match name {
        "BOOL" => Kind::Bool,
        "F8_E4M3" => Kind::F8E4M3FN,
        "F8_E5M2" => Kind::F8E5M2,
        "F8_E8M0" => Kind::F8E8M0,
        name => Kind::parse(&name.to_ascii_lowercase())?,
    })
}
