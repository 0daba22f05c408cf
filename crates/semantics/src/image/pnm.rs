//! Portable bitmaps, graymaps and pixmaps (`P1` to `P6`), as text or bytes.

use super::{Image, count};

pub(super) fn decode(file: &[u8]) -> Result<Image, String> {
    let form = file.get(1).copied().unwrap_or_default();
    let mut cursor = Cursor { file, at: 2 };
    let (width, height) = (cursor.number()?, cursor.number()?);
    count(height, width)?;
    let bitmap = matches!(form, b'1' | b'4');
    let largest = if bitmap { 1 } else { cursor.number()? };
    if !bitmap && largest != 255 {
        return Err(format!("images whose brightest value is {largest} are not decoded"));
    }
    let channels = if matches!(form, b'3' | b'6') { 3 } else { 1 };
    // One white space character ends the header.
    let body = file.get(cursor.at.saturating_add(1)..).unwrap_or_default();
    if form >= b'4' {
        return Image::read(height, width, |y, x| match form {
            // A set bit is black, and every row starts with a new byte.
            b'4' => {
                let byte = body.get(y * width.div_ceil(8) + x / 8)?;
                Some([if byte >> (7 - x % 8) & 1 == 1 { 0 } else { 255 }; 3])
            }
            b'5' => Some([*body.get(y * width + x)?; 3]),
            _ => body.get(3 * (y * width + x)..)?.first_chunk().copied(),
        });
    }
    let mut next = || match form {
        b'1' => cursor.bit().map(|bit| if bit { 0 } else { 255 }),
        _ => cursor.number().ok().and_then(|value| u8::try_from(value).ok()),
    };
    Image::read(height, width, |_, _| match channels {
        1 => next().map(|value| [value; 3]),
        _ => Some([next()?, next()?, next()?]),
    })
}

/// Reads words between white space and comments.
struct Cursor<'f> {
    file: &'f [u8],
    at: usize,
}

impl Cursor<'_> {
    fn skip_space(&mut self) {
        while let Some(&byte) = self.file.get(self.at) {
            match byte {
                b'#' => {
                    while self.file.get(self.at).is_some_and(|&byte| byte != b'\n') {
                        self.at += 1;
                    }
                }
                _ if byte.is_ascii_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }
    fn number(&mut self) -> Result<usize, String> {
        self.skip_space();
        let digits = self.file.get(self.at..).unwrap_or_default();
        let digits = &digits[..digits.iter().take_while(|byte| byte.is_ascii_digit()).count()];
        self.at += digits.len();
        let text = std::str::from_utf8(digits).unwrap_or_default();
        text.parse().map_err(|_| "a number of the image file is missing or too large".into())
    }
    /// Bits need no space between them.
    fn bit(&mut self) -> Option<bool> {
        self.skip_space();
        let bit = *self.file.get(self.at)?;
        self.at += 1;
        matches!(bit, b'0' | b'1').then_some(bit == b'1')
    }
}
