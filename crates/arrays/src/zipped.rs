//! Zip archives whose entries are read without trusting what they claim of themselves.

use std::io::{Cursor, Read};

use bytes::Bytes;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

/// An open archive; entries are read when asked for.
pub struct Zipped {
    content: Bytes,
    archive: ZipArchive<Cursor<Bytes>>,
}

/// Deflate cannot shrink data more than this, so an entry that claims to is lying.
const BEST_COMPRESSION: u64 = 1032;

impl Zipped {
    pub fn new(content: Bytes) -> Result<Zipped, ZipError> {
        Ok(Zipped { archive: ZipArchive::new(Cursor::new(content.clone()))?, content })
    }

    /// The names of the entries, in the order of the archive.
    pub fn names(&self) -> impl Iterator<Item = String> {
        (0..self.archive.len())
            .filter_map(|place| Some(self.archive.name_for_index(place)?.ok()?.into_owned()))
    }
    /// Where an entry stands.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.archive.index_for_name(name)
    }

    /// What an entry holds, straight from the archive if it is stored uncompressed.
    pub fn entry(&mut self, place: usize) -> Result<Bytes, String> {
        let mut entry = self.archive.by_index(place).map_err(|error| error.to_string())?;
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
        // The sum over the data is compared where it ends.
        match entry.read(&mut [0]).map_err(|error| error.to_string())? {
            0 => Ok(bytes.into()),
            _ => Err(format!("it holds more than the {size} bytes that it claims")),
        }
    }

    /// As [`Zipped::entry`], if the data is what was put there: its CRC-32 is that of the archive.
    pub fn sound_entry(&mut self, place: usize) -> Result<Bytes, String> {
        let mut entry = self.archive.by_index(place).map_err(|error| error.to_string())?;
        if entry.compression() == CompressionMethod::Stored {
            let damaged = |error| format!("the data is damaged ({error})");
            std::io::copy(&mut entry, &mut std::io::sink()).map_err(damaged)?;
        }
        drop(entry);
        self.entry(place)
    }

    /// The first bytes of an entry, and the size of all of it.
    pub fn start(&mut self, place: usize, length: u64) -> Result<(Vec<u8>, u64), String> {
        let mut entry = self.archive.by_index(place).map_err(|error| error.to_string())?;
        let size = entry.size();
        let mut start = Vec::new();
        entry.by_ref().take(length).read_to_end(&mut start).map_err(|error| error.to_string())?;
        Ok((start, size))
    }
}
