//! Files as memory: the only unsafe code of the crate.

use std::fs::{self, File};
use std::path::Path;

use bytes::Bytes;
use memmap2::Mmap;

use crate::error::ReadError;

/// The whole file as memory that the system pages in on demand.
pub fn map_file(path: &Path) -> Result<Bytes, ReadError> {
    if regular_file_size(path)? == 0 {
        return Ok(Bytes::new());
    }
    let cannot = |error| ReadError::new(path, format!("cannot read the file: {error}"));
    let file = File::open(path).map_err(cannot)?;
    Ok(Bytes::from_owner(map_readonly(&file).map_err(cannot)?))
}

/// Refuses pipes and devices, which could block for ever.
pub fn regular_file_size(path: &Path) -> Result<u64, ReadError> {
    let metadata =
        fs::metadata(path).map_err(|error| ReadError::new(path, format!("cannot open the file: {error}")))?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "a folder, not a file" } else { "not a regular file" };
        return Err(ReadError::new(path, what));
    }
    Ok(metadata.len())
}

#[expect(unsafe_code, reason = "mapping a file is unsafe because another process may change it")]
fn map_readonly(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is read-only and only ever read as plain bytes, for which every value is valid.
    // A file that another process shortens meanwhile can end this process, as with any memory-mapped reader.
    unsafe { Mmap::map(file) }
}
