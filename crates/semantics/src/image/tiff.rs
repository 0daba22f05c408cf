//! The first page of a TIFF file without compression: strips of 8-bit gray or colour pixels.

use super::bytes::Bytes;
use super::{Image, count};

pub(super) fn decode(file: &[u8]) -> Result<Image, String> {
    let directory = Directory::read(Bytes { file, big_endian: file.starts_with(b"MM") })?;
    let one = |tag: usize, default: usize| directory.one(tag, default);
    let (width, height) = (one(256, 0)?, one(257, 0)?);
    count(height, width)?;
    let channels = one(277, 1)?;
    if one(259, 1)? != 1 {
        return Err("compressed TIFF images are not decoded".into());
    }
    if directory.all(258, channels.min(4))?.into_iter().any(|bits| bits != 8) {
        return Err("TIFF images of other than 8 bits per channel are not decoded".into());
    }
    if channels > 1 && one(284, 1)? != 1 {
        return Err("TIFF images whose channels are apart are not decoded".into());
    }
    let colour = one(262, 1)?;
    match (colour, channels) {
        (0 | 1, 1) | (2, 3) => {}
        _ => {
            return Err(format!(
                "TIFF images of {channels} channels in colour space {colour} are not decoded"
            ));
        }
    }
    let rows_per_strip = one(278, height)?.clamp(1, height);
    let strips = directory.all(273, height.div_ceil(rows_per_strip))?;
    if strips.is_empty() {
        return Err("TIFF images in tiles are not decoded".into());
    }
    Image::read(height, width, |y, x| {
        let inside = (y % rows_per_strip * width + x) * channels;
        let pixel = file.get(strips.get(y / rows_per_strip)?.checked_add(inside)?..)?;
        match colour {
            0 => Some([255 - *pixel.first()?; 3]),
            1 => Some([*pixel.first()?; 3]),
            _ => pixel.first_chunk().copied(),
        }
    })
}

/// A list of tagged numbers.
struct Directory<'f> {
    bytes: Bytes<'f>,
    /// Where each entry of 12 bytes is.
    entries: Vec<usize>,
}

impl<'f> Directory<'f> {
    fn read(bytes: Bytes<'f>) -> Result<Directory<'f>, String> {
        let start = bytes.u32(4)?;
        let entries = (0..bytes.u16(start)?).map(|k| start + 2 + 12 * k).collect();
        Ok(Directory { bytes, entries })
    }

    fn one(&self, tag: usize, default: usize) -> Result<usize, String> {
        Ok(self.all(tag, 1)?.first().copied().unwrap_or(default))
    }

    /// At most `most` of the numbers of a tag; none where the tag is not there.
    fn all(&self, tag: usize, most: usize) -> Result<Vec<usize>, String> {
        for &entry in &self.entries {
            if self.bytes.u16(entry)? != tag {
                continue;
            }
            let width = match self.bytes.u16(entry + 2)? {
                3 => 2,
                4 => 4,
                _ => return Err(format!("the TIFF tag {tag} is no whole number")),
            };
            let count = self.bytes.u32(entry + 4)?;
            // Short lists stand in the entry itself.
            let inside = count.checked_mul(width).is_some_and(|length| length <= 4);
            let at = if inside { entry + 8 } else { self.bytes.u32(entry + 8)? };
            let number = |k: usize| {
                if width == 2 { self.bytes.u16(at + 2 * k) } else { self.bytes.u32(at + 4 * k) }
            };
            return (0..count.min(most)).map(number).collect();
        }
        Ok(Vec::new())
    }
}
