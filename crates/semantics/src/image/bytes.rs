//! Checked reads of numbers in either byte order.

/// The bytes of a file whose numbers have one byte order.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'f> {
    pub file: &'f [u8],
    pub big_endian: bool,
}

impl Bytes<'_> {
    pub fn u16(self, at: usize) -> Result<usize, String> {
        self.number(at, 2)
    }
    pub fn u32(self, at: usize) -> Result<usize, String> {
        self.number(at, 4)
    }
    pub fn i32(self, at: usize) -> Result<i64, String> {
        Ok(i64::from(self.number(at, 4)? as u32 as i32))
    }
    fn number(self, at: usize, length: usize) -> Result<usize, String> {
        let bytes = at.checked_add(length).and_then(|end| self.file.get(at..end));
        let bytes = bytes.ok_or("the image file is cut off")?;
        let join = |number: usize, &byte: &u8| number << 8 | usize::from(byte);
        Ok(if self.big_endian { bytes.iter().fold(0, join) } else { bytes.iter().rev().fold(0, join) })
    }
}

/// The `position`-th of the numbers of 1, 2, 4 or 8 bits that are packed in a row, high bits first.
pub(super) fn packed(row: &[u8], bits: usize, position: usize) -> Option<u8> {
    let at = position.checked_mul(bits)?;
    let shift = 8 - bits - at % 8;
    Some(row.get(at / 8)? >> shift & (0xff >> (8 - bits)) as u8)
}
