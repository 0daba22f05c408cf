//! PNG images of at most 8 bits per channel, neither interlaced nor transparent.

use super::bytes::{Bytes, packed};
use super::{Image, count};
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

pub(super) fn decode(file: &[u8]) -> Result<Image, String> {
    let parts = parts(file)?;
    let header = Bytes { file: parts.header, big_endian: true };
    let (width, height) = (header.u32(0)?, header.u32(4)?);
    count(height, width)?;
    let [depth, colour, _, _, interlaced] = *parts
        .header
        .get(8..13)
        .and_then(<[u8]>::first_chunk)
        .ok_or("the header of the PNG image is cut off")?;
    let channels = match colour {
        0 | 3 => 1,
        2 => 3,
        4 | 6 => return Err("PNG images with transparency are not decoded".into()),
        _ => return Err(format!("PNG images have no colour type {colour}")),
    };
    match depth {
        1 | 2 | 4 if channels == 1 => {}
        8 => {}
        _ => return Err(format!("PNG images of {depth} bits per channel are not decoded")),
    }
    if parts.transparent {
        return Err("PNG images with transparency are not decoded".into());
    }
    if interlaced != 0 {
        return Err("interlaced PNG images are not decoded".into());
    }
    let depth = usize::from(depth);
    let stride = (width * channels * depth).div_ceil(8);
    let mut rows = decompress_to_vec_zlib_with_limit(&parts.data, height * (stride + 1))
        .map_err(|_| "the data of the PNG image are damaged, or more than its size says")?;
    if rows.len() != height * (stride + 1) {
        return Err("the image file is cut off".into());
    }
    unfilter(&mut rows, stride, (channels * depth).div_ceil(8))?;
    Image::read(height, width, |y, x| {
        let row = &rows[y * (stride + 1) + 1..(y + 1) * (stride + 1)];
        match colour {
            2 => row.get(3 * x..)?.first_chunk().copied(),
            3 => parts.palette.get(3 * usize::from(packed(row, depth, x)?)..)?.first_chunk().copied(),
            // Fewer bits are spread over the whole range.
            _ => Some([packed(row, depth, x)? * (255 / (0xff >> (8 - depth)) as u8); 3]),
        }
    })
}

/// The chunks that matter.
#[derive(Default)]
struct Parts<'f> {
    header: &'f [u8],
    palette: &'f [u8],
    data: Vec<u8>,
    transparent: bool,
}

fn parts(file: &[u8]) -> Result<Parts<'_>, String> {
    let bytes = Bytes { file, big_endian: true };
    let mut parts = Parts::default();
    let mut at = 8;
    loop {
        let length = bytes.u32(at)?;
        let name = file.get(at + 4..at + 8).ok_or("the image file is cut off")?;
        let content =
            file.get(at + 8..).and_then(|rest| rest.get(..length)).ok_or("the image file is cut off")?;
        match name {
            b"IHDR" => parts.header = content,
            b"PLTE" => parts.palette = content,
            b"IDAT" => parts.data.extend_from_slice(content),
            b"tRNS" => parts.transparent = true,
            b"IEND" => return Ok(parts),
            _ => {}
        }
        // Name, length and checksum.
        at += length + 12;
    }
}

/// Undoes the prediction that each row names in its first byte.
fn unfilter(rows: &mut [u8], stride: usize, step: usize) -> Result<(), String> {
    let mut above = vec![0; stride];
    for row in rows.chunks_exact_mut(stride + 1) {
        let Some((filter, row)) = row.split_first_mut() else { continue };
        for k in 0..stride {
            let (left, corner) = if k < step { (0, 0) } else { (row[k - step], above[k - step]) };
            let predicted = match filter {
                0 => 0,
                1 => left,
                2 => above[k],
                3 => ((u16::from(left) + u16::from(above[k])) / 2) as u8,
                4 => nearest(left, above[k], corner),
                _ => return Err(format!("PNG rows have no filter {filter}")),
            };
            row[k] = row[k].wrapping_add(predicted);
        }
        above.copy_from_slice(row);
    }
    Ok(())
}

/// Paeth's predictor: the neighbour that is nearest to left + above - corner, in this order.
fn nearest(left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    let away = [(b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs()];
    if away[0] <= away[1] && away[0] <= away[2] {
        left
    } else if away[1] <= away[2] {
        above
    } else {
        corner
    }
}
