//! NumPy's `.npy` and `.npz` files: arrays of numbers, read without trusting their headers, and written.

mod array;
mod header;
mod npz;
mod observed;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io;
use std::path::Path;

use bytes::Bytes;
use semantics::dtype::Kind;

pub use self::array::form;
use self::header::Header;
pub use self::npz::{NpzFile, write_npz};
pub use self::observed::Observed;
use crate::error::ReadError;
use crate::mapped::map_file;

/// An array in memory: little-endian elements in C order, whatever the file had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NpyArray {
    pub kind: NpyKind,
    /// Width of one element; a complex one counts both parts.
    pub bits: u32,
    pub shape: Vec<usize>,
    pub bytes: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NpyKind {
    Bool,
    Int,
    UInt,
    Float,
    Complex,
    /// Bytes without a NumPy meaning; bfloat16 and float8 arrays are saved so.
    Void,
}

impl NpyArray {
    /// An array of the given elements, if their number fits the shape.
    pub fn new(kind: NpyKind, bits: u32, shape: Vec<usize>, bytes: Bytes) -> Result<Self, String> {
        let needed = byte_count(&shape, bits)?;
        if needed != bytes.len() {
            return Err(format!("the array {shape:?} needs {needed} bytes, but there are {}", bytes.len()));
        }
        Ok(Self { kind, bits, shape, bytes })
    }

    /// Reads a file; elements stay in the mapped file unless they have to be reordered.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        Self::from_bytes(map_file(path)?).map_err(|message| ReadError::new(path, message))
    }

    /// As [`Self::read`], for content in memory. The error tells what is wrong.
    pub fn from_bytes(content: Bytes) -> Result<Self, String> {
        let header = Header::parse(&content)?;
        let needed = byte_count(&header.shape, header.bits)?;
        let data = content.slice(header.data_start..);
        if data.len() < needed {
            return Err(format!(
                "the file is too short: {needed} bytes of data are needed, {} are there",
                data.len()
            ));
        }
        let mut bytes = data.slice(..needed);
        let width = header.bits as usize / 8;
        if header.fortran_order && header.shape.len() > 1 && needed > 0 {
            bytes = to_c_order(&bytes, &header.shape, width).into();
        }
        if header.big_endian {
            let part = if header.kind == NpyKind::Complex { width / 2 } else { width };
            let mut swapped = bytes.to_vec();
            swapped.chunks_exact_mut(part.max(1)).for_each(<[u8]>::reverse);
            bytes = swapped.into();
        }
        Ok(Self { kind: header.kind, bits: header.bits, shape: header.shape, bytes })
    }

    /// The content of a `.npy` file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut content = header::render(self);
        content.extend_from_slice(&self.bytes);
        content
    }

    pub fn write(&self, path: &Path) -> io::Result<()> {
        std::fs::write(path, self.to_bytes())
    }
}

/// What a header says of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    /// The element type, where tensors have it.
    pub kind: Option<Kind>,
    pub shape: Vec<usize>,
}

impl Described {
    /// Reads the header of a file, and looks whether the elements are all there.
    pub fn read(path: &Path) -> Result<Described, ReadError> {
        let content = map_file(path)?;
        let size = content.len() as u64;
        Self::from_start(&content, size).map_err(|message| ReadError::new(path, message))
    }
    /// As [`Self::read`], for the first bytes of a file and the size of all of it.
    pub(crate) fn from_start(start: &[u8], size: u64) -> Result<Described, String> {
        let header = Header::parse(start)?;
        let needed = byte_count(&header.shape, header.bits)? as u64;
        if size.saturating_sub(header.data_start as u64) < needed {
            return Err(format!("the file is cut short: {needed} bytes of data are missing in part"));
        }
        Ok(Described { kind: array::kind(header.kind, header.bits, None), shape: header.shape })
    }
}

impl fmt::Display for NpyArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            NpyKind::Bool => "bool",
            NpyKind::Int => "int",
            NpyKind::UInt => "uint",
            NpyKind::Float => "float",
            NpyKind::Complex => "complex",
            NpyKind::Void => "void",
        };
        let bits = if self.kind == NpyKind::Bool { String::new() } else { self.bits.to_string() };
        write!(f, "{name}{bits}{:?}", self.shape)
    }
}

fn byte_count(shape: &[usize], bits: u32) -> Result<usize, String> {
    if shape.contains(&0) {
        return Ok(0);
    }
    let count = shape.iter().try_fold(bits as usize / 8, |count, &size| count.checked_mul(size));
    count.ok_or_else(|| format!("the number of elements of {shape:?} overflows"))
}

/// Column-major to row-major; the data has been checked to fill the shape, so nothing here is empty.
fn to_c_order(data: &[u8], shape: &[usize], width: usize) -> Vec<u8> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = width;
    for &size in shape {
        strides.push(stride);
        stride *= size;
    }
    let mut ordered = Vec::with_capacity(data.len());
    let mut index = vec![0; shape.len()];
    let mut offset = 0;
    loop {
        ordered.extend_from_slice(&data[offset..offset + width]);
        // Count up the row-major index, moving the offset along.
        let mut axis = shape.len();
        loop {
            if axis == 0 {
                return ordered;
            }
            axis -= 1;
            index[axis] += 1;
            offset += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            offset -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
}
