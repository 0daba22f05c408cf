//! `.npz` archives: several named arrays in one zip file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Described, NpyArray};
use crate::error::ReadError;
use crate::mapped::map_file;
use crate::zipped::Zipped;

/// An open archive; arrays are read when asked for.
pub struct NpzFile {
    path: PathBuf,
    archive: Zipped,
}

/// Headers are far shorter.
const LARGEST_HEADER: u64 = 1 << 16;

impl NpzFile {
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::from_bytes(map_file(path)?, path)
    }

    /// As [`Self::open`], for content in memory; `path` is for messages.
    pub fn from_bytes(content: Bytes, path: &Path) -> Result<Self, ReadError> {
        let archive = Zipped::new(content)
            .map_err(|error| ReadError::new(path, format!("not a readable .npz archive: {error}")))?;
        Ok(Self { path: path.to_owned(), archive })
    }

    /// The names of the arrays, in the order of the archive.
    pub fn names(&self) -> Vec<String> {
        let stem = |name: String| name.strip_suffix(".npy").map_or(name.clone(), str::to_owned);
        self.archive.names().map(stem).collect()
    }

    /// One array, straight from the mapped file if it is stored uncompressed.
    pub fn read(&mut self, name: &str) -> Result<NpyArray, ReadError> {
        let entry = self.place(name).and_then(|place| self.archive.entry(place));
        let array = entry.and_then(NpyArray::from_bytes);
        array.map_err(|message| ReadError::new(&self.path, message).about(format!("array `{name}`")))
    }

    /// What the header of one array says, of which no more than that is unpacked.
    pub fn describe(&mut self, name: &str) -> Result<Described, ReadError> {
        let start = self.place(name).and_then(|place| self.archive.start(place, LARGEST_HEADER));
        let found = start.and_then(|(start, size)| Described::from_start(&start, size));
        found.map_err(|message| ReadError::new(&self.path, message).about(format!("array `{name}`")))
    }

    fn place(&self, name: &str) -> Result<usize, String> {
        let spelled = [format!("{name}.npy"), name.to_owned()];
        let place = spelled.iter().find_map(|name| self.archive.place(name));
        place.ok_or_else(|| "the archive has no such array".to_owned())
    }
}

/// Writes arrays uncompressed, as `numpy.savez` does.
pub fn write_npz<'a>(
    path: &Path,
    arrays: impl IntoIterator<Item = (&'a str, &'a NpyArray)>,
) -> io::Result<()> {
    let mut writer = ZipWriter::new(File::create(path)?);
    for (name, array) in arrays {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .large_file(array.bytes.len() > u32::MAX as usize / 2);
        writer.start_file(format!("{name}.npy"), options)?;
        writer.write_all(&super::header::render(array))?;
        writer.write_all(&array.bytes)?;
    }
    writer.finish()?;
    Ok(())
}
