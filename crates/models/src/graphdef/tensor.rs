//! Element types and stored tensors of graphs.

use super::proto::{TensorProto, TensorShapeProto};
use half::{bf16, f16};
use program::ir::{Constant, Declared, Size};
use semantics::array::{Array, Data};
use semantics::dtype::{Class, Kind};
use std::rc::Rc;

/// Tensors that are written with fewer numbers than they have elements are not read beyond this many.
const MOST_REPEATED: usize = 1 << 26;

/// The element type of a code; that of a variable's reference is its value's.
pub fn kind(code: i32) -> Option<Kind> {
    use Kind::*;
    Some(match if code > 100 { code - 100 } else { code } {
        1 => F32,
        2 => F64,
        3 => I32,
        4 | 12 => U8,
        5 | 15 => I16,
        6 | 11 => I8,
        7 => String,
        8 => C64,
        9 => I64,
        10 => Bool,
        13 => I32,
        14 => BF16,
        16 | 17 => U16,
        18 => C128,
        19 => F16,
        22 => U32,
        23 => U64,
        24 => F8E5M2,
        25 => F8E4M3FN,
        26 => F8E4M3FNUZ,
        28 => F8E5M2FNUZ,
        29 => I4,
        30 => U4,
        _ => return None,
    })
}

/// A shape as declared; `None` for an unknown rank. A size below zero is not known.
pub fn sizes(shape: &TensorShapeProto) -> Option<Vec<Size>> {
    let size = |size: i64| if size < 0 { Size::Unknown } else { Size::Known(size) };
    (!shape.unknown_rank).then(|| shape.dim.iter().map(|dim| size(dim.size)).collect())
}

pub fn declared(kind: Option<Kind>, shape: Option<&TensorShapeProto>) -> Declared {
    Declared::Tensor { kind, sizes: shape.and_then(sizes) }
}

/// A stored tensor, or why it is none.
pub fn constant(proto: &TensorProto) -> Result<Constant, String> {
    let Some(kind) = kind(proto.dtype) else {
        return Err(format!("its element type has the code {}", proto.dtype));
    };
    let shape = proto.tensor_shape.clone().unwrap_or_default();
    if shape.unknown_rank || shape.dim.iter().any(|dim| dim.size < 0) {
        return Err("its shape is not known".into());
    }
    let sizes: Vec<i64> = shape.dim.iter().map(|dim| dim.size).collect();
    let count = sizes.iter().try_fold(1i64, |count, &size| count.checked_mul(size));
    let Some(count) = count.and_then(|count| usize::try_from(count).ok()) else {
        return Err("its sizes multiply to more than there can be".into());
    };
    if !proto.tensor_content.is_empty()
        && Some(proto.tensor_content.len()) != kind_bytes(kind).map(|bytes| bytes.saturating_mul(count))
    {
        return Err(format!("it has {count} elements of {kind}, and {} bytes", proto.tensor_content.len()));
    }
    let proto = Rc::new(proto.clone());
    let shape: Vec<usize> = sizes.iter().map(|&size| size as usize).collect();
    Ok(Constant { kind, sizes, load: Rc::new(move || array(&proto, kind, &shape, count)) })
}

fn kind_bytes(kind: Kind) -> Option<usize> {
    Some(match kind {
        Kind::Bool | Kind::I8 | Kind::U8 => 1,
        Kind::I16 | Kind::U16 | Kind::F16 | Kind::BF16 => 2,
        Kind::I32 | Kind::U32 | Kind::F32 => 4,
        Kind::I64 | Kind::U64 | Kind::F64 | Kind::C64 => 8,
        Kind::C128 => 16,
        _ => return None,
    })
}

/// The elements; `None` where the file does not hold as many as it declares.
fn array(proto: &TensorProto, kind: Kind, shape: &[usize], count: usize) -> Option<Array> {
    if kind.class() == Class::Opaque {
        return Some(Array::new(kind, shape.to_vec(), Data::Opaque(count)));
    }
    let data = match proto.tensor_content.is_empty() {
        false => content(kind, &proto.tensor_content),
        true => listed(proto, kind, count)?,
    };
    (data.len() == count).then(|| Array::new(kind, shape.to_vec(), data))
}

fn content(kind: Kind, bytes: &[u8]) -> Data {
    fn each<const SIZE: usize, T>(bytes: &[u8], read: impl Fn([u8; SIZE]) -> T) -> Vec<T> {
        bytes.as_chunks::<SIZE>().0.iter().map(|chunk| read(*chunk)).collect()
    }
    match kind {
        Kind::Bool => Data::Bool(bytes.iter().map(|&byte| byte != 0).collect()),
        Kind::I8 => Data::Int(bytes.iter().map(|&byte| i64::from(byte as i8)).collect()),
        Kind::U8 => Data::Int(bytes.iter().map(|&byte| i64::from(byte)).collect()),
        Kind::I16 => Data::Int(each(bytes, |b| i64::from(i16::from_le_bytes(b)))),
        Kind::U16 => Data::Int(each(bytes, |b| i64::from(u16::from_le_bytes(b)))),
        Kind::I32 => Data::Int(each(bytes, |b| i64::from(i32::from_le_bytes(b)))),
        Kind::U32 => Data::Int(each(bytes, |b| i64::from(u32::from_le_bytes(b)))),
        Kind::I64 | Kind::U64 => Data::Int(each(bytes, i64::from_le_bytes)),
        Kind::F16 => Data::Float(each(bytes, |b| f64::from(f16::from_le_bytes(b)))),
        Kind::BF16 => Data::Float(each(bytes, |b| f64::from(bf16::from_le_bytes(b)))),
        Kind::F32 => Data::Float(each(bytes, |b| f64::from(f32::from_le_bytes(b)))),
        Kind::F64 => Data::Float(each(bytes, f64::from_le_bytes)),
        Kind::C64 => Data::Complex(pairs(each(bytes, |b| f64::from(f32::from_le_bytes(b))))),
        Kind::C128 => Data::Complex(pairs(each(bytes, f64::from_le_bytes))),
        _ => Data::Opaque(0),
    }
}

fn pairs(numbers: Vec<f64>) -> Vec<[f64; 2]> {
    numbers.as_chunks::<2>().0.to_vec()
}

fn listed(proto: &TensorProto, kind: Kind, count: usize) -> Option<Data> {
    let wide = |numbers: &[i32]| numbers.iter().map(|&number| i64::from(number)).collect::<Vec<_>>();
    let half =
        |read: fn(u16) -> f64| proto.half_val.iter().map(|&bits| read(bits as u16)).collect::<Vec<_>>();
    Some(match kind {
        Kind::Bool => Data::Bool(filled(proto.bool_val.clone(), count, false)?),
        Kind::I64 => Data::Int(filled(proto.int64_val.clone(), count, 0)?),
        Kind::U64 => Data::Int(filled(proto.uint64_val.iter().map(|&n| n as i64).collect(), count, 0)?),
        Kind::U32 => Data::Int(filled(proto.uint32_val.iter().map(|&n| i64::from(n)).collect(), count, 0)?),
        Kind::I32 | Kind::I16 | Kind::I8 | Kind::U8 | Kind::U16 => {
            Data::Int(filled(wide(&proto.int_val), count, 0)?)
        }
        Kind::F16 => Data::Float(filled(half(|bits| f64::from(f16::from_bits(bits))), count, 0.0)?),
        Kind::BF16 => Data::Float(filled(half(|bits| f64::from(bf16::from_bits(bits))), count, 0.0)?),
        Kind::F32 => {
            Data::Float(filled(proto.float_val.iter().map(|&n| f64::from(n)).collect(), count, 0.0)?)
        }
        Kind::F64 => Data::Float(filled(proto.double_val.clone(), count, 0.0)?),
        Kind::C64 => {
            let numbers = proto.scomplex_val.iter().map(|&n| f64::from(n)).collect();
            Data::Complex(filled(pairs(numbers), count, [0.0; 2])?)
        }
        Kind::C128 => Data::Complex(filled(pairs(proto.dcomplex_val.clone()), count, [0.0; 2])?),
        _ => return None,
    })
}

/// The list, going on with its last number; zeros if it has none.
fn filled<T: Clone>(mut numbers: Vec<T>, count: usize, zero: T) -> Option<Vec<T>> {
    if numbers.len() < count {
        if count > MOST_REPEATED {
            return None;
        }
        let last = numbers.last().cloned().unwrap_or(zero);
        numbers.resize(count, last);
    }
    numbers.truncate(count);
    Some(numbers)
}
