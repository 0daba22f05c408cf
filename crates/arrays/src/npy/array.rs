//! From NumPy's arrays to those of the semantics and back.

use super::{NpyArray, NpyKind};
use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};

/// The element type of a NumPy array. What NumPy has no name for is only known to those who `expect` it.
pub(super) fn kind(kind: NpyKind, bits: u32, expected: Option<Kind>) -> Option<Kind> {
    Some(match (kind, bits) {
        (NpyKind::Bool, _) => Kind::Bool,
        (NpyKind::Int, 8) => Kind::I8,
        (NpyKind::Int, 16) => Kind::I16,
        (NpyKind::Int, 32) => Kind::I32,
        (NpyKind::Int, 64) => Kind::I64,
        (NpyKind::UInt, 8) => Kind::U8,
        // bfloat16 is often saved as the integer of its bits.
        (NpyKind::UInt, 16) if expected == Some(Kind::BF16) => Kind::BF16,
        // No other type of two bytes is without a name.
        (NpyKind::Void, 16) if expected.is_none_or(|kind| kind == Kind::BF16) => Kind::BF16,
        (NpyKind::UInt, 16) => Kind::U16,
        (NpyKind::UInt, 32) => Kind::U32,
        (NpyKind::UInt, 64) => Kind::U64,
        (NpyKind::Float, 16) => Kind::F16,
        (NpyKind::Float, 32) => Kind::F32,
        (NpyKind::Float, 64) => Kind::F64,
        (NpyKind::Complex, 64) => Kind::C64,
        (NpyKind::Complex, 128) => Kind::C128,
        _ => return None,
    })
}

/// How NumPy holds an element type: as what, and in how many bits.
pub fn form(kind: Kind) -> Option<(NpyKind, u32)> {
    Some(match kind {
        Kind::Bool => (NpyKind::Bool, 8),
        Kind::I8 => (NpyKind::Int, 8),
        Kind::I16 => (NpyKind::Int, 16),
        Kind::I32 => (NpyKind::Int, 32),
        Kind::I64 => (NpyKind::Int, 64),
        Kind::U8 => (NpyKind::UInt, 8),
        Kind::U16 => (NpyKind::UInt, 16),
        Kind::U32 => (NpyKind::UInt, 32),
        Kind::U64 => (NpyKind::UInt, 64),
        Kind::F16 => (NpyKind::Float, 16),
        Kind::BF16 => (NpyKind::Void, 16),
        Kind::F32 => (NpyKind::Float, 32),
        Kind::F64 => (NpyKind::Float, 64),
        Kind::C64 => (NpyKind::Complex, 64),
        Kind::C128 => (NpyKind::Complex, 128),
        _ => return None,
    })
}

impl NpyArray {
    /// The elements as numbers; `expected` is the type that the model declares, if it does.
    pub fn to_array(&self, expected: Option<Kind>) -> Result<Array, String> {
        let kind = kind(self.kind, self.bits, expected)
            .ok_or_else(|| format!("{self} has no element type that is read"))?;
        let width = self.bits as usize / 8;
        let cells = || self.bytes.chunks_exact(width.max(1));
        let data = match kind.class() {
            Class::Bool => Data::Bool(self.bytes.iter().map(|&byte| byte != 0).collect()),
            Class::Int => Data::Int(cells().map(|cell| int(kind, cell)).collect()),
            Class::Float => Data::Float(cells().map(|cell| float(kind, cell)).collect()),
            Class::Complex => {
                let part = if kind == Kind::C64 { Kind::F32 } else { Kind::F64 };
                let pair = |cell: &[u8]| {
                    let (re, im) = cell.split_at(cell.len() / 2);
                    [float(part, re), float(part, im)]
                };
                Data::Complex(cells().map(pair).collect())
            }
            Class::Opaque => return Err(format!("{kind} is carried, not computed with")),
        };
        let count = self.shape.iter().try_fold(1usize, |count, &size| count.checked_mul(size));
        if count != Some(data.len()) {
            return Err(format!("{self} does not have {} elements", data.len()));
        }
        Ok(Array::new(kind, self.shape.clone(), data))
    }

    /// The array in its element type, each float rounded to it.
    pub fn from_array(array: &Array) -> Result<NpyArray, String> {
        let (kind, bits) =
            form(array.kind).ok_or_else(|| format!("{} has no form in .npy files", array.kind))?;
        let width = bits as usize / 8;
        let mut bytes = Vec::with_capacity(array.len().saturating_mul(width));
        match &array.data {
            Data::Bool(values) => bytes.extend(values.iter().map(|&value| u8::from(value))),
            Data::Int(values) => {
                values.iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()[..width]));
            }
            Data::Float(values) => values.iter().for_each(|&value| put_float(array.kind, value, &mut bytes)),
            Data::Complex(values) => {
                let part = if array.kind == Kind::C64 { Kind::F32 } else { Kind::F64 };
                values.iter().flatten().for_each(|&value| put_float(part, value, &mut bytes));
            }
            Data::Opaque(_) => {
                return Err(format!("the elements of {}{:?} are not known", array.kind, array.shape));
            }
        }
        NpyArray::new(kind, bits, array.shape.clone(), bytes.into())
    }
}

/// A little-endian integer, sign-extended if the type has a sign.
fn int(kind: Kind, cell: &[u8]) -> i64 {
    let signed = matches!(kind, Kind::I8 | Kind::I16 | Kind::I32 | Kind::I64);
    let negative = signed && cell.last().is_some_and(|&byte| byte >= 128);
    let mut wide = [if negative { 0xff } else { 0 }; 8];
    wide[..cell.len()].copy_from_slice(cell);
    i64::from_le_bytes(wide)
}

fn float(kind: Kind, cell: &[u8]) -> f64 {
    match (kind, cell) {
        (Kind::F16, &[a, b]) => half::f16::from_le_bytes([a, b]).to_f64(),
        (Kind::BF16, &[a, b]) => half::bf16::from_le_bytes([a, b]).to_f64(),
        (_, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
        (_, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => f64::NAN,
    }
}

fn put_float(kind: Kind, value: f64, bytes: &mut Vec<u8>) {
    match kind {
        Kind::F16 => bytes.extend(half::f16::from_f64(value).to_le_bytes()),
        Kind::BF16 => bytes.extend(half::bf16::from_f64(value).to_le_bytes()),
        Kind::F32 => bytes.extend((value as f32).to_le_bytes()),
        _ => bytes.extend(value.to_le_bytes()),
    }
}
