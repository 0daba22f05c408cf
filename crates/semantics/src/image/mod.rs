//! Decoding image files: the formats whose pixels follow from the bytes alone, without a transform that decoders
//! round differently. One format, one file. The bytes come from outside, so every read is checked.

mod bmp;
mod bytes;
mod png;
mod pnm;
mod tiff;

/// More pixels than this are refused rather than held in memory.
const MOST_PIXELS: usize = 1 << 23;

/// A decoded image: row-major pixels, red first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    pub height: usize,
    pub width: usize,
    pub pixels: Vec<[u8; 3]>,
}

/// The order of the channels of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelFormat {
    Rgb,
    Bgr,
    Grayscale,
}

/// Decodes a file by its first bytes, or says why not.
pub fn decode(file: &[u8]) -> Result<Image, String> {
    let starts = |mark: &[u8]| file.starts_with(mark);
    match () {
        () if starts(b"BM") => bmp::decode(file),
        () if starts(b"\x89PNG\r\n\x1a\n") => png::decode(file),
        () if starts(b"II*\0") || starts(b"MM\0*") => tiff::decode(file),
        () if starts(b"\xff\xd8\xff") => Err(lossy("JPEG")),
        () if starts(b"\0\0\0\x0cjP  ") || starts(b"\xff\x4f\xff\x51") => Err(lossy("JPEG 2000")),
        () if starts(b"RIFF") && file.get(8..12) == Some(b"WEBP") => Err(lossy("WebP")),
        () if starts(b"P") && file.get(1).is_some_and(|kind| (b'1'..=b'6').contains(kind)) => {
            pnm::decode(file)
        }
        () => Err("the bytes are no image of a known format".into()),
    }
}

fn lossy(format: &str) -> String {
    format!("{format} images are not decoded: decoders may round their transforms differently")
}

impl Image {
    /// An image of `height * width` pixels, read one by one.
    fn read(
        height: usize,
        width: usize,
        mut pixel: impl FnMut(usize, usize) -> Option<[u8; 3]>,
    ) -> Result<Image, String> {
        count(height, width)?;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (y, x)));
        let pixels: Option<Vec<[u8; 3]>> = places.map(|(y, x)| pixel(y, x)).collect();
        Ok(Image { height, width, pixels: pixels.ok_or("the image file is cut off")? })
    }

    pub fn channels(&self, format: PixelFormat) -> Vec<i64> {
        let pixels = self.pixels.iter();
        match format {
            PixelFormat::Rgb => pixels.flatten().map(|&value| value.into()).collect(),
            PixelFormat::Bgr => pixels.flat_map(|[r, g, b]| [b, g, r]).map(|&value| value.into()).collect(),
            PixelFormat::Grayscale => pixels.map(|&pixel| luma(pixel)).collect(),
        }
    }
}

/// The brightness by ITU-R 601, rounded to the nearest.
fn luma([r, g, b]: [u8; 3]) -> i64 {
    // The weights 0.299, 0.587 and 0.114 in 1/65536.
    (i64::from(r) * 19595 + i64::from(g) * 38470 + i64::from(b) * 7471 + 32768) >> 16
}

/// The number of pixels, if there are some and not too many.
fn count(height: usize, width: usize) -> Result<usize, String> {
    match height.checked_mul(width) {
        None => Err(format!("an image of {height} by {width} pixels is not decoded: it is too large")),
        Some(0) => Err("the image has no pixels".into()),
        Some(count) if count > MOST_PIXELS => {
            Err(format!("an image of {height} by {width} pixels is not decoded: it is too large"))
        }
        Some(count) => Ok(count),
    }
}

#[cfg(test)]
mod tests;
