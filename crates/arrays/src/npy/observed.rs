//! Values that a framework was seen to compute: an `.npz` archive with one array per value.
//!
//! Archives name their arrays after the values. Names that are no good file names can be given in an array
//! `__names__` instead: the bytes of a JSON object from the array's name to the value's.

use super::{NpyArray, NpzFile};
use crate::error::ReadError;
use std::collections::BTreeMap;
use std::path::Path;

/// The array that holds the names of the others.
const NAMES: &str = "__names__";

/// An open archive; arrays are read when asked for.
pub struct Observed {
    file: NpzFile,
    /// From the name of a value to that of its array.
    keys: BTreeMap<String, String>,
}

impl Observed {
    pub fn open(path: &Path) -> Result<Observed, ReadError> {
        let mut file = NpzFile::open(path)?;
        let names = file.names();
        let keys = if names.iter().any(|name| name == NAMES) {
            let listed = file.read(NAMES)?;
            let listed: BTreeMap<String, String> =
                serde_json::from_slice(&listed.bytes).map_err(|error| {
                    ReadError::new(path, format!("`{NAMES}` is no JSON object of names: {error}"))
                })?;
            listed.into_iter().map(|(key, name)| (name, key)).collect()
        } else {
            names.into_iter().map(|name| (name.clone(), name)).collect()
        };
        Ok(Observed { file, keys })
    }

    /// The names of the values, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.keys.keys().map(String::as_str)
    }
    pub fn contains(&self, name: &str) -> bool {
        self.keys.contains_key(name)
    }
    /// The array of a value; `None` if it was not observed.
    pub fn read(&mut self, name: &str) -> Option<Result<NpyArray, ReadError>> {
        let key = self.keys.get(name)?;
        Some(self.file.read(key))
    }
}
