//! Files as memory: the only unsafe code of the crate.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use memmap2::Mmap;

use crate::error::ReadError;

/// The whole file as memory that the system pages in on demand.
pub fn map_file(path: &Path) -> Result<Bytes, ReadError> {
    read_mapped(path, Ok)
}

/// Gives the content of a file to a reader that goes through all of it once. What it keeps of the content stays good,
/// but the pages it went through are given back and come again on demand.
pub fn read_mapped<T>(path: &Path, read: impl FnOnce(Bytes) -> Result<T, ReadError>) -> Result<T, ReadError> {
    if regular_file_size(path)? == 0 {
        return read(Bytes::new());
    }
    let cannot = |error| ReadError::new(path, format!("cannot read the file: {error}"));
    let file = File::open(path).map_err(cannot)?;
    let map = Arc::new(map_readonly(&file).map_err(cannot)?);
    let result = read(Bytes::from_owner(Shared(map.clone())));
    give_back(&map);
    result
}

struct Shared(Arc<Mmap>);

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
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

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "pages that hold what no file does would be lost")]
fn give_back(map: &Mmap) {
    // SAFETY: the map is of a file and read-only, so its pages hold nothing that the file does not. A system that
    // does not take the advice keeps them, which is as well.
    let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
}

#[cfg(not(target_os = "linux"))]
fn give_back(_: &Mmap) {}
