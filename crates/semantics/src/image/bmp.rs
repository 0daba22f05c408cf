//! Windows bitmaps without compression: 24 and 32 bits per pixel, or a palette.

use super::bytes::{Bytes, packed};
use super::{Image, count};

pub(super) fn decode(file: &[u8]) -> Result<Image, String> {
    let bytes = Bytes { file, big_endian: false };
    let (start, header) = (bytes.u32(10)?, bytes.u32(14)?);
    if header < 40 {
        return Err("bitmaps of the oldest form are not decoded".into());
    }
    let (width, height) = (bytes.i32(18)?, bytes.i32(22)?);
    let (bits, compression) = (bytes.u16(28)?, bytes.u32(30)?);
    if compression != 0 {
        return Err("compressed bitmaps are not decoded".into());
    }
    if ![1, 4, 8, 24, 32].contains(&bits) {
        return Err(format!("bitmaps of {bits} bits per pixel are not decoded"));
    }
    let wide = usize::try_from(width).map_err(|_| "the width of the bitmap is negative")?;
    // A negative height says that the first row comes first.
    let (high, top_down) = (height.unsigned_abs() as usize, height < 0);
    count(high, wide)?;
    let stride = (wide * bits).div_ceil(32) * 4;
    let palette = header + 14;
    Image::read(high, wide, |y, x| {
        let row = start.checked_add(if top_down { y } else { high - 1 - y } * stride)?;
        let row = file.get(row..row.checked_add(stride)?)?;
        let colour = |bytes: &[u8]| Some([*bytes.get(2)?, *bytes.get(1)?, *bytes.first()?]);
        match bits {
            24 | 32 => colour(row.get(x * bits / 8..)?),
            _ => colour(file.get(palette.checked_add(4 * usize::from(packed(row, bits, x)?))?..start)?),
        }
    })
}
