//! Element types and what is known about each: its class, width, range and unit roundoff.

use crate::dim::Dim;
use crate::prop::Prop;
use std::fmt;

/// The type of a tensor's elements. `Unknown` stands for a type that only the run will tell;
/// its code is a symbol, so that requirements about it are ordinary propositions.
#[derive(Clone, Copy)]
pub enum DType {
    Known(Kind),
    Unknown(Dim),
}

/// A concrete element type. The order is the code used in propositions, so new kinds go to the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    C64,
    C128,
    String,
    I2,
    I4,
    U2,
    U4,
    F4E2M1,
    F8E4M3FN,
    F8E4M3FNUZ,
    F8E5M2,
    F8E5M2FNUZ,
    F8E8M0,
}

use Kind::*;

/// A set of element types, as used by signatures.
#[derive(Clone, Copy)]
pub struct TypeSet {
    pub name: &'static str,
    pub kinds: &'static [Kind],
}

macro_rules! type_sets { ($($id:ident $name:literal [$($kind:ident)*];)*) => {
    $(pub const $id: TypeSet = TypeSet { name: $name, kinds: &[$($kind),*] };)*
}; }
type_sets! {
    FLOAT "floating point" [F16 BF16 F32 F64];
    INTEGER "an integer type" [I8 I16 I32 I64 U8 U16 U32 U64];
    SIGNED "a signed number type" [I8 I16 I32 I64 F16 BF16 F32 F64];
    UNSIGNED "an unsigned integer type" [U8 U16 U32 U64];
    NUMERIC "a real number type" [I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64];
    REAL_OR_BOOL "a real number type or bool" [Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64];
    FLOAT_OR_COMPLEX "floating point or complex" [F16 BF16 F32 F64 C64 C128];
    NUMBER "a number type" [I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64 C64 C128];
    FLOAT_OR_FLOAT8 "floating point or float8" [F16 BF16 F32 F64 F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ];
    FLOAT32 "float32" [F32];
    SHORT_FLOAT "float16, bfloat16 or float32" [F16 BF16 F32];
    SHORT_FLOAT_OR_INT32 "float16, bfloat16, float32 or int32" [F16 BF16 F32 I32];
    NUMERIC_BUT_BF16 "a real number type other than bfloat16" [I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64];
    COMPARABLE "a real number type, bool or string" [Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64 String];
    QUANTIZED "an integer of at most 16 bits, float8 or float4" [I8 U8 I16 U16 I4 U4 I2 U2
        F4E2M1 F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ];
    QUANTIZED_OR_INT32 "an integer of at most 32 bits, float8 or float4" [I8 U8 I16 U16 I32 I4 U4 I2 U2
        F4E2M1 F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ];
    BOOL "bool" [Bool];
    INDEX "int32 or int64" [I32 I64];
    INT64 "int64" [I64];
    INT32 "int32" [I32];
    UINT8 "uint8" [U8];
    BYTE "int8 or uint8" [I8 U8];
    WIDE "a number type of at least 32 bits or half precision" [I32 I64 U32 U64 F16 BF16 F32 F64];
    COMMON "any type but float8 and those below a byte" [Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64
        C64 C128 String];
    FIXED_WIDTH "any type but string" [Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64 C64 C128 I2 I4 U2 U4
        F4E2M1 F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0];
    ANY "any type" [Bool I8 I16 I32 I64 U8 U16 U32 U64 F16 BF16 F32 F64 C64 C128 String I2 I4 U2 U4
        F4E2M1 F8E4M3FN F8E4M3FNUZ F8E5M2 F8E5M2FNUZ F8E8M0];
}

/// What the elements of a type are, as values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Bool,
    Int,
    Float,
    Complex,
    /// Strings, float8 and sub-byte types: carried, never computed with.
    Opaque,
}

impl Kind {
    pub const ALL: [Kind; 26] = [
        Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, C64, C128, String, I2, I4, U2, U4,
        F4E2M1, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
            C64 => "c64",
            C128 => "c128",
            String => "string",
            I2 => "i2",
            I4 => "i4",
            U2 => "u2",
            U4 => "u4",
            F4E2M1 => "f4e2m1",
            F8E4M3FN => "f8e4m3fn",
            F8E4M3FNUZ => "f8e4m3fnuz",
            F8E5M2 => "f8e5m2",
            F8E5M2FNUZ => "f8e5m2fnuz",
            F8E8M0 => "f8e8m0",
        }
    }
    /// Reads our own names and the long ones (`float32`, `int64`).
    pub fn parse(text: &str) -> Option<Kind> {
        let long = match text {
            "float16" | "half" => Some(F16),
            "bfloat16" => Some(BF16),
            "float32" | "float" => Some(F32),
            "float64" | "double" => Some(F64),
            "float8e4m3fn" | "float8_e4m3fn" => Some(F8E4M3FN),
            "float8e4m3fnuz" | "float8_e4m3fnuz" => Some(F8E4M3FNUZ),
            "float8e5m2" | "float8_e5m2" => Some(F8E5M2),
            "float8e5m2fnuz" | "float8_e5m2fnuz" => Some(F8E5M2FNUZ),
            "int2" => Some(I2),
            "int4" => Some(I4),
            "uint2" => Some(U2),
            "uint4" => Some(U4),
            "int8" => Some(I8),
            "int16" => Some(I16),
            "int32" => Some(I32),
            "int64" => Some(I64),
            "uint8" => Some(U8),
            "uint16" => Some(U16),
            "uint32" => Some(U32),
            "uint64" => Some(U64),
            "complex64" => Some(C64),
            "complex128" => Some(C128),
            _ => None,
        };
        long.or_else(|| Kind::ALL.into_iter().find(|kind| kind.name() == text))
    }
    pub fn class(self) -> Class {
        match self {
            Bool => Class::Bool,
            I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64 => Class::Int,
            F16 | BF16 | F32 | F64 => Class::Float,
            C64 | C128 => Class::Complex,
            _ => Class::Opaque,
        }
    }
    pub fn is_float(self) -> bool {
        self.class() == Class::Float
    }
    pub fn is_int(self) -> bool {
        self.class() == Class::Int
    }
    /// Bits of one stored element; `None` for strings.
    pub fn bits(self) -> Option<u32> {
        Some(match self {
            I2 | U2 => 2,
            I4 | U4 | F4E2M1 => 4,
            Bool | I8 | U8 | F8E4M3FN | F8E4M3FNUZ | F8E5M2 | F8E5M2FNUZ | F8E8M0 => 8,
            I16 | U16 | F16 | BF16 => 16,
            I32 | U32 | F32 => 32,
            I64 | U64 | F64 | C64 => 64,
            C128 => 128,
            String => return None,
        })
    }
    pub fn is_signed(self) -> bool {
        !matches!(self, Bool | U8 | U16 | U32 | U64 | U2 | U4)
    }
    /// The part of a complex number, and the type itself otherwise.
    pub fn real(self) -> Kind {
        match self {
            C64 => F32,
            C128 => F64,
            other => other,
        }
    }
    /// Half the distance between 1 and the next number: the relative error of one rounding.
    /// Zero for exact types.
    pub fn unit_roundoff(self) -> f64 {
        match self.real() {
            F16 => f64::powi(2.0, -11),
            BF16 => f64::powi(2.0, -8),
            F32 => f64::powi(2.0, -24),
            F64 => f64::powi(2.0, -53),
            _ => 0.0,
        }
    }
    /// Half the smallest positive number of a float type: the absolute error of rounding near zero.
    pub fn smallest_error(self) -> f64 {
        match self.real() {
            F16 => f64::powi(2.0, -25),
            BF16 => f64::powi(2.0, -134),
            F32 => f64::powi(2.0, -150),
            F64 => f64::from_bits(1),
            _ => 0.0,
        }
    }
    /// The largest finite number of a float type, or the largest integer, as a float.
    pub fn largest(self) -> f64 {
        match self.real() {
            Bool => 1.0,
            F16 => 65504.0,
            BF16 => f64::from(half::bf16::MAX),
            F32 => f64::from(f32::MAX),
            F64 => f64::MAX,
            kind => kind.int_range().map_or(f64::INFINITY, |(_, high)| high as f64),
        }
    }
    /// Smallest and largest value of an integer type.
    pub fn int_range(self) -> Option<(i128, i128)> {
        if !matches!(self.class(), Class::Int) && !matches!(self, I2 | I4 | U2 | U4) {
            return None;
        }
        let bits = self.bits()?;
        Some(if self.is_signed() {
            (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
        } else {
            (0, (1i128 << bits) - 1)
        })
    }
    /// The float nearest to `value` that the type can hold.
    pub fn round(self, value: f64) -> f64 {
        match self.real() {
            F16 => half::f16::from_f64(value).to_f64(),
            BF16 => half::bf16::from_f64(value).to_f64(),
            F32 => f64::from(value as f32),
            _ => value,
        }
    }
    /// Keeps the low bits of an integer, as two's complement hardware does. `u64` is held as its bit pattern.
    pub fn wrap(self, value: i64) -> i64 {
        match self {
            I8 => i64::from(value as i8),
            I16 => i64::from(value as i16),
            I32 => i64::from(value as i32),
            U8 => i64::from(value as u8),
            U16 => i64::from(value as u16),
            U32 => i64::from(value as u32),
            _ => value,
        }
    }
}

impl DType {
    pub fn unknown() -> DType {
        DType::Unknown(Dim::symbol("element type", 0, Kind::ALL.len() as i64 - 1))
    }
    pub fn known(self) -> Option<Kind> {
        match self {
            DType::Known(kind) => Some(kind),
            DType::Unknown(_) => None,
        }
    }
    fn code(self) -> Dim {
        match self {
            DType::Known(kind) => Dim::from(kind as i64),
            DType::Unknown(code) => code,
        }
    }
    /// The largest number below 1 of this type; 1 where the type is unknown.
    pub fn before_one(self) -> f64 {
        self.known().map_or(1.0, |kind| 1.0 - kind.unit_roundoff())
    }
    pub fn same(self, other: DType) -> Prop {
        self.code().eq(other.code())
    }
    pub fn is(self, kind: Kind) -> Prop {
        self.same(kind.into())
    }
    pub fn is_in(self, set: TypeSet) -> Prop {
        match self {
            DType::Known(kind) => Prop::from(set.kinds.contains(&kind)),
            DType::Unknown(_) if set.kinds.len() == Kind::ALL.len() => Prop::from(true),
            DType::Unknown(_) => set.kinds.iter().fold(Prop::from(false), |any, &kind| any | self.is(kind)),
        }
    }
}

impl From<Kind> for DType {
    fn from(kind: Kind) -> DType {
        DType::Known(kind)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DType::Known(kind) => kind.fmt(f),
            DType::Unknown(_) => f.write_str("?"),
        }
    }
}
