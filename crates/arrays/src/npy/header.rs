//! The header of a `.npy` file: a Python dictionary such as `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.

use super::{NpyArray, NpyKind};

#[derive(Debug)]
pub(super) struct Header {
    pub(super) kind: NpyKind,
    pub(super) bits: u32,
    pub(super) big_endian: bool,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<usize>,
    pub(super) data_start: usize,
}

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy has no more axes than this.
const MAX_RANK: usize = 64;

impl Header {
    pub(super) fn parse(content: &[u8]) -> Result<Self, String> {
        let (text, data_start) = header_text(content)?;
        let mut reader = Reader { text };
        let (mut descr, mut fortran_order, mut shape) = (None, None, None);
        reader.expect("{")?;
        while !reader.take("}") {
            let key = reader.string()?;
            reader.expect(":")?;
            match key {
                "descr" => descr = Some(reader.string().map_err(|_| "structured arrays are not supported")?),
                "fortran_order" => fortran_order = Some(reader.boolean()?),
                "shape" => shape = Some(reader.shape()?),
                _ => return Err(format!("unknown key {key:?} in the header")),
            }
            if !reader.take(",") {
                reader.expect("}")?;
                break;
            }
        }
        let (kind, bits, big_endian) = element(descr.ok_or("the header has no element type")?)?;
        Ok(Self {
            kind,
            bits,
            big_endian,
            fortran_order: fortran_order.ok_or("the header does not tell the order of the elements")?,
            shape: shape.ok_or("the header has no shape")?,
            data_start,
        })
    }
}

/// Header and padding for an array, so that its data starts at a multiple of 64.
pub(super) fn render(array: &NpyArray) -> Vec<u8> {
    let (letter, order) = match array.kind {
        NpyKind::Bool => ('b', '|'),
        NpyKind::Int => ('i', '<'),
        NpyKind::UInt => ('u', '<'),
        NpyKind::Float => ('f', '<'),
        NpyKind::Complex => ('c', '<'),
        NpyKind::Void => ('V', '|'),
    };
    let order = if array.bits == 8 { '|' } else { order };
    let sizes: Vec<String> = array.shape.iter().map(usize::to_string).collect();
    // A tuple of one needs its comma.
    let comma = if sizes.len() == 1 { "," } else { "" };
    let mut text = format!(
        "{{'descr': '{order}{letter}{}', 'fortran_order': False, 'shape': ({}{comma}), }}",
        array.bits / 8,
        sizes.join(", ")
    );
    let prefix = MAGIC.len() + 4;
    let padding = 63 - (prefix + text.len()) % 64;
    text.extend(std::iter::repeat_n(' ', padding));
    text.push('\n');
    let mut bytes = MAGIC.to_vec();
    bytes.extend_from_slice(&[1, 0]);
    // At most 64 axes of 20 digits: far below the limit of this format version.
    bytes.extend_from_slice(&(text.len() as u16).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
    bytes
}

fn header_text(content: &[u8]) -> Result<(&str, usize), String> {
    let rest = content.strip_prefix(MAGIC).ok_or("not a NumPy array file")?;
    let (length, start) = match rest {
        [1, _, a, b, ..] => (usize::from(u16::from_le_bytes([*a, *b])), MAGIC.len() + 4),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, MAGIC.len() + 6),
        [1..=3, ..] | [] => return Err("the file ends inside its header".to_owned()),
        [version, ..] => return Err(format!("unknown format version {version}")),
    };
    let text = content.get(start..start.saturating_add(length)).ok_or("the file ends inside its header")?;
    let text = std::str::from_utf8(text).map_err(|_| "the header is not text")?;
    Ok((text, start + length))
}

/// "<f4" to float, 32 bits, little-endian.
fn element(descr: &str) -> Result<(NpyKind, u32, bool), String> {
    let unsupported = || format!("arrays of type {descr:?} are not supported");
    let mut letters = descr.chars();
    let order = letters.next().ok_or_else(unsupported)?;
    let kind = letters.next().ok_or_else(unsupported)?;
    let width: u32 = letters.as_str().parse().map_err(|_| unsupported())?;
    let kind = match (kind, width) {
        ('b', 1) => NpyKind::Bool,
        ('i', 1 | 2 | 4 | 8) => NpyKind::Int,
        ('u', 1 | 2 | 4 | 8) => NpyKind::UInt,
        ('f', 2 | 4 | 8) => NpyKind::Float,
        ('c', 8 | 16) => NpyKind::Complex,
        ('V', 1 | 2) => NpyKind::Void,
        _ => return Err(unsupported()),
    };
    let big_endian = match order {
        '<' | '|' | '=' => false,
        '>' => width > 1 && kind != NpyKind::Void,
        _ => return Err(unsupported()),
    };
    Ok((kind, width * 8, big_endian))
}

/// Reads the few Python literals that headers consist of.
struct Reader<'a> {
    text: &'a str,
}

impl<'a> Reader<'a> {
    fn take(&mut self, wanted: &str) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(wanted) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: &str) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(format!("malformed header: {wanted:?} is missing")) }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.take("'") {
            '\''
        } else if self.take("\"") {
            '"'
        } else {
            return Err("malformed header: a string is missing".to_owned());
        };
        let (string, rest) = self.text.split_once(quote).ok_or("malformed header: unfinished string")?;
        self.text = rest;
        Ok(string)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        if self.take("True") {
            Ok(true)
        } else if self.take("False") {
            Ok(false)
        } else {
            Err("malformed header: True or False is missing".to_owned())
        }
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.take(")") {
            self.text = self.text.trim_start();
            let end = self.text.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.text.len());
            let (digits, rest) = self.text.split_at(end);
            shape.push(
                digits.parse().map_err(|_| format!("the size {digits:?} in the header is not a number"))?,
            );
            self.text = rest;
            // Python 2 wrote long integers with a letter.
            self.take("L");
            if shape.len() > MAX_RANK {
                return Err(format!("the array has more than {MAX_RANK} axes"));
            }
            if !self.take(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}
