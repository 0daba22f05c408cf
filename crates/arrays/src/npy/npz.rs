//! `.npz` archives: several named arrays in one zip file.

use std::fs::File;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{Described, NpyArray};
use crate::error::ReadError;
use crate::mapped::map_file;

/// An open archive; arrays are read when asked for.
pub struct NpzFile {
    path: PathBuf,
    content: Bytes,
    archive: ZipArchive<Cursor<Bytes>>,
}

/// Deflate cannot shrink data more than this, so an entry that claims to is lying.
const BEST_COMPRESSION: u64 = 1032;

/// Headers are far shorter.
const LARGEST_HEADER: u64 = 1 << 16;

impl NpzFile {
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Self::from_bytes(map_file(path)?, path)
    }

    /// As [`Self::open`], for content in memory; `path` is for messages.
    pub fn from_bytes(content: Bytes, path: &Path) -> Result<Self, ReadError> {
        let archive = ZipArchive::new(Cursor::new(content.clone()))
            .map_err(|error| ReadError::new(path, format!("not a readable .npz archive: {error}")))?;
        Ok(Self { path: path.to_owned(), content, archive })
    }

    /// The names of the arrays, in the order of the archive.
    pub fn names(&self) -> Vec<String> {
        let stem = |name: &str| name.strip_suffix(".npy").unwrap_or(name).to_owned();
        (0..self.archive.len())
            .filter_map(|index| self.archive.name_for_index(index)?.ok())
            .map(|name| stem(&name))
            .collect()
    }

    /// One array, straight from the mapped file if it is stored uncompressed.
    pub fn read(&mut self, name: &str) -> Result<NpyArray, ReadError> {
        let array = self.entry_bytes(name).and_then(NpyArray::from_bytes);
        array.map_err(|message| ReadError::new(&self.path, message).about(format!("array `{name}`")))
    }

    /// What the header of one array says, of which no more than that is unpacked.
    pub fn describe(&mut self, name: &str) -> Result<Described, ReadError> {
        let found = self.entry_start(name).and_then(|(start, size)| Described::from_start(&start, size));
        found.map_err(|message| ReadError::new(&self.path, message).about(format!("array `{name}`")))
    }

    /// The first bytes of an entry, and the size of all of it.
    fn entry_start(&mut self, name: &str) -> Result<(Vec<u8>, u64), String> {
        let mut entry = self.archive.by_index(self.place(name)?).map_err(|error| error.to_string())?;
        let size = entry.size();
        let mut start = Vec::new();
        entry.by_ref().take(LARGEST_HEADER).read_to_end(&mut start).map_err(|error| error.to_string())?;
        Ok((start, size))
    }

    fn place(&self, name: &str) -> Result<usize, String> {
        let spelled = [format!("{name}.npy"), name.to_owned()];
        let place = spelled.iter().find_map(|name| self.archive.index_for_name(name));
        place.ok_or_else(|| "the archive has no such array".to_owned())
    }

    fn entry_bytes(&mut self, name: &str) -> Result<Bytes, String> {
        let index = self.place(name)?;
        let mut entry = self.archive.by_index(index).map_err(|error| error.to_string())?;
        let (size, compressed) = (entry.size(), entry.compressed_size());
        if entry.compression() == CompressionMethod::Stored {
            let start = entry.data_start().ok_or("the entry has no data")?;
            let end = start.checked_add(size).filter(|&end| end <= self.content.len() as u64);
            let end = end.ok_or("the entry reaches beyond the end of the archive")?;
            // Both lie inside the content, whose length is a usize.
            return Ok(self.content.slice(start as usize..end as usize));
        }
        if size / BEST_COMPRESSION > compressed {
            return Err(format!("{compressed} bytes cannot hold {size} bytes of data"));
        }
        let mut bytes = Vec::new();
        entry.by_ref().take(size).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes.into())
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
