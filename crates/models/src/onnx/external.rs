//! Weights that live in files beside the model: found only inside the model's folder, and mapped on demand.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use rustc_hash::FxHashMap;

use super::check::shortened;
use arrays::error::ReadError;
use arrays::mapped::{map_file, regular_file_size};

/// The files that the external tensors of one model may name.
#[derive(Debug)]
pub struct ExternalFiles {
    folder: PathBuf,
    mapped: Mutex<FxHashMap<String, Bytes>>,
}

/// A stretch of an external file, not yet read.
#[derive(Debug, Clone)]
pub struct ExternalData {
    pub files: Arc<ExternalFiles>,
    pub location: String,
    pub offset: u64,
    /// Up to the end of the file when absent.
    pub length: Option<u64>,
}

impl ExternalFiles {
    /// The files beside the model at `model_path`.
    pub fn beside(model_path: &Path) -> Self {
        let folder = match model_path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        Self { folder, mapped: Mutex::default() }
    }

    /// Where `location` is, after checking that it is a regular file inside the folder.
    fn resolve(&self, location: &str) -> Result<PathBuf, ReadError> {
        let shown = self.folder.join(location);
        if let Err(message) = plain(location) {
            return Err(ReadError::new(&self.folder, message));
        }
        let cannot = |error| ReadError::new(&shown, format!("cannot open the external data file: {error}"));
        let folder = fs::canonicalize(&self.folder).map_err(cannot)?;
        let target = fs::canonicalize(&shown).map_err(cannot)?;
        if !target.starts_with(&folder) {
            return Err(ReadError::new(&shown, "the external data file is a link out of the model's folder"));
        }
        Ok(target)
    }

    fn map(&self, location: &str) -> Result<Bytes, ReadError> {
        let mut mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = mapped.get(location) {
            return Ok(bytes.clone());
        }
        let bytes = map_file(&self.resolve(location)?)?;
        mapped.insert(location.to_owned(), bytes.clone());
        Ok(bytes)
    }
}

/// Refuses locations that could lead out of the model's folder, by their text alone.
pub(super) fn plain(location: &str) -> Result<(), String> {
    let stays_inside =
        Path::new(location).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if location.is_empty() || !stays_inside || location.contains(['\0', '\\']) {
        let shown = shortened(location);
        return Err(format!(
            "external data location {shown:?} is not a plain path inside the model's folder"
        ));
    }
    Ok(())
}

impl ExternalData {
    /// The bytes, straight from the mapped file.
    pub fn bytes(&self) -> Result<Bytes, ReadError> {
        let file = self.files.map(&self.location)?;
        let (start, end) = self.range_within(file.len() as u64)?;
        // Both ends lie inside the file, whose length is a usize.
        Ok(file.slice(start as usize..end as usize))
    }

    /// How many bytes there are, from the file's metadata alone.
    pub fn byte_count(&self) -> Result<u64, ReadError> {
        let path = self.files.resolve(&self.location)?;
        let size = regular_file_size(&path)?;
        let (start, end) = self.range_within(size)?;
        Ok(end - start)
    }

    fn range_within(&self, size: u64) -> Result<(u64, u64), ReadError> {
        let end = match self.length {
            Some(length) => self.offset.checked_add(length),
            None => Some(size.max(self.offset)),
        };
        match end {
            Some(end) if end <= size => Ok((self.offset, end)),
            _ => {
                let wanted = match self.length {
                    Some(length) => format!("{length} bytes at offset {}", self.offset),
                    None => format!("data at offset {}", self.offset),
                };
                let message = format!("the file is too short: it has {size} bytes, {wanted} are needed");
                Err(ReadError::new(&self.files.folder.join(&self.location), message))
            }
        }
    }
}
