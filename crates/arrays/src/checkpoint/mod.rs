//! Checkpoints: what was saved, with tensors as headers. No pickle is executed and no weight is read; the answer is a
//! graph of plain data in which everything that is not data is opaque.

mod archive;
mod legacy;
mod meaning;
mod pickle;
mod safetensors;

use std::path::Path;

use bytes::Bytes;
use semantics::dtype::Kind;

use crate::error::ReadError;
use crate::mapped::map_file;

/// What a file holds: nodes that name each other by their place, so that what is shared stays shared and circles are
/// harmless.
#[derive(Debug)]
pub struct Checkpoint {
    pub nodes: Vec<Node>,
    pub root: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// Bytes, which nobody asks for.
    Bytes,
    List(Vec<usize>),
    Tuple(Vec<usize>),
    Set(Vec<usize>),
    Dict(Vec<(usize, usize)>),
    /// A tensor of PyTorch.
    Tensor(Stored),
    /// An array of NumPy.
    Array(Stored),
    /// The elements of tensors, `count` of them, under the name they have in the archive.
    Storage {
        kind: Option<Kind>,
        key: String,
        count: u64,
    },
    /// Something of a module by its full name: a class, a function, an element type.
    Global(String),
    /// An instance of a class, or what a function would give.
    Opaque(String),
}

/// The header of a tensor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    pub kind: Option<Kind>,
    pub sizes: Vec<u64>,
    /// Where they are not those of rows.
    pub strides: Option<Vec<u64>>,
    /// It was saved as a parameter, or as something that needs gradients.
    pub needs_grad: bool,
}

/// Why nothing is known of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// No reader gets anything out of it.
    Broken(String),
    /// It asks for more than is granted, or has a form that is not read.
    NotRead(String),
}

impl Trouble {
    fn broken<T>(why: impl Into<String>) -> Result<T, Trouble> {
        Err(Trouble::Broken(why.into()))
    }
    fn not_read<T>(why: impl Into<String>) -> Result<T, Trouble> {
        Err(Trouble::NotRead(why.into()))
    }
}

/// Reads what `torch.save` wrote, in its form of today or in that of before 1.6.
pub fn read_torch(path: &Path) -> Result<Checkpoint, Trouble> {
    torch_from(mapped(path)?)
}
/// As [`read_torch`], for content in memory.
pub fn torch_from(content: Bytes) -> Result<Checkpoint, Trouble> {
    if content.starts_with(b"PK\x03\x04") {
        return archive::read(content);
    }
    if content.is_empty() {
        return Trouble::broken("the file is empty");
    }
    if content.starts_with(b"version https://git-lfs") {
        return Trouble::broken("it is a pointer of Git LFS, in place of the file itself");
    }
    if safetensors::is_one(&content) {
        return Trouble::broken("it is a safetensors file, which `safetensors.torch.load_file` reads");
    }
    legacy::read(&content)
}

/// Reads a safetensors file: a dictionary of tensors by name.
pub fn read_safetensors(path: &Path) -> Result<Checkpoint, Trouble> {
    safetensors_from(&mapped(path)?)
}
/// As [`read_safetensors`], for content in memory.
pub fn safetensors_from(content: &[u8]) -> Result<Checkpoint, Trouble> {
    safetensors::read(content)
}

fn mapped(path: &Path) -> Result<Bytes, Trouble> {
    map_file(path).map_err(|ReadError { message, .. }| Trouble::Broken(message))
}
