//! Constant tensors of a model: a cheap view over however the file stores them, checked before it is read.

use std::fmt;

use bytes::Bytes;

use super::element::{Element, ElementKind, Field};
use super::external::{ExternalData, plain};
use super::model::Name;
use arrays::error::ReadError;

/// A tensor constant. Nothing is decoded until one of the readers asks for values.
#[derive(Debug, Clone)]
pub struct TensorView {
    pub name: Name,
    /// An ONNX `DataType` code; see [`Element::from_code`].
    pub elem_type: i32,
    pub dims: Vec<i64>,
    pub source: TensorSource,
}

/// Where the values of a tensor are.
#[derive(Debug, Clone)]
pub enum TensorSource {
    /// No values are given, which is right for tensors without elements only.
    Nothing,
    /// Little-endian elements, densely packed.
    Raw(Bytes),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    UInt64(Vec<u64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Strings(Vec<Bytes>),
    External(ExternalData),
    /// The file contradicts itself; the text says how.
    Invalid(String),
}

/// Why the values of a tensor cannot be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TensorError {
    /// The model is wrong.
    Invalid(String),
    /// A file beside the model cannot be read.
    Unreadable(ReadError),
}

impl TensorView {
    /// The number of elements, if the dimensions are legal and their product fits.
    pub fn element_count(&self) -> Result<u64, TensorError> {
        let mut count: u64 = 1;
        for &dim in &self.dims {
            let dim = u64::try_from(dim).map_err(|_| {
                TensorError::Invalid(format!("dimension {dim} of {} is negative", self.shape()))
            })?;
            // A zero anywhere makes the tensor empty, however large the other sizes are.
            count = match count.checked_mul(dim) {
                Some(product) => product,
                None if self.dims.contains(&0) => 0,
                None => {
                    return Err(TensorError::Invalid(format!(
                        "the number of elements of {} overflows",
                        self.shape()
                    )));
                }
            };
        }
        Ok(count)
    }

    /// The element type, if ONNX defines it.
    pub fn element(&self) -> Result<&'static Element, TensorError> {
        Element::from_code(self.elem_type)
            .ok_or_else(|| TensorError::Invalid(format!("undefined element type {}", self.elem_type)))
    }

    /// Whether the values that are there fit the declared type and dimensions.
    /// Looks at external data through its declared length only, so it reads no file.
    pub fn validate(&self) -> Result<(), TensorError> {
        if let TensorSource::External(external) = &self.source {
            plain(&external.location).map_err(TensorError::Invalid)?;
            return match external.length {
                Some(length) => self.expect_bytes(length),
                None => self.element_count().map(drop),
            };
        }
        self.checked().map(drop)
    }

    /// As [`Self::validate`], and looks whether the external file exists and is long enough.
    pub fn validate_with_files(&self) -> Result<(), TensorError> {
        self.validate()?;
        match &self.source {
            TensorSource::External(external) => {
                let present = external.byte_count().map_err(|error| self.unreadable(error))?;
                self.expect_bytes(present)
            }
            _ => Ok(()),
        }
    }

    /// The values of an integer tensor; those of an unsigned one must fit.
    pub fn ints(&self) -> Result<Vec<i64>, TensorError> {
        let narrow = |value: i128| {
            i64::try_from(value).map_err(|_| {
                TensorError::Invalid(format!("the value {value} does not fit a signed 64-bit integer"))
            })
        };
        match (self.element()?.kind, self.checked()?) {
            (ElementKind::Signed, Values::I64(values)) => Ok(values.to_vec()),
            (ElementKind::Signed | ElementKind::Unsigned, _) => {
                self.wide_ints()?.into_iter().map(narrow).collect()
            }
            _ => Err(self.not_a("an integer")),
        }
    }

    /// The values of an integer tensor, whatever its width and sign.
    pub fn wide_ints(&self) -> Result<Vec<i128>, TensorError> {
        let element = self.element()?;
        let signed = match element.kind {
            ElementKind::Signed => true,
            ElementKind::Unsigned => false,
            _ => return Err(self.not_a("an integer")),
        };
        let extend = |bits: u64| sign_or_zero_extend(bits, element.bits, signed);
        Ok(match self.checked()? {
            Values::Raw(bytes) => words(&bytes, element.bits).map(extend).collect(),
            // A typed entry may be wider than the element; the file format stores the low bits.
            Values::I32(values) => values.iter().map(|&v| extend(v as u32 as u64)).collect(),
            Values::I64(values) => values.iter().map(|&v| i128::from(v)).collect(),
            Values::U64(values) => values.iter().map(|&v| extend(v)).collect(),
            _ => Vec::new(),
        })
    }

    /// The values of a float16, bfloat16, float or double tensor, exactly.
    pub fn floats(&self) -> Result<Vec<f64>, TensorError> {
        let element = self.element()?;
        if !matches!(element.kind, ElementKind::Float | ElementKind::BFloat16) {
            return Err(self.not_a("a float"));
        }
        Ok(match self.checked()? {
            Values::Raw(bytes) => {
                words(&bytes, element.bits).map(|bits| float_from_bits(bits, element)).collect()
            }
            Values::I32(values) => {
                values.iter().map(|&v| float_from_bits(v as u16 as u64, element)).collect()
            }
            Values::F32(values) => values.iter().map(|&v| f64::from(v)).collect(),
            Values::F64(values) => values.to_vec(),
            _ => Vec::new(),
        })
    }

    /// The values of a bool tensor; any non-zero byte is true.
    pub fn bools(&self) -> Result<Vec<bool>, TensorError> {
        if self.element()?.kind != ElementKind::Bool {
            return Err(self.not_a("a bool"));
        }
        Ok(match self.checked()? {
            Values::Raw(bytes) => bytes.iter().map(|&byte| byte != 0).collect(),
            Values::I32(values) => values.iter().map(|&v| v != 0).collect(),
            _ => Vec::new(),
        })
    }

    /// The values of a complex tensor as (real, imaginary) pairs.
    pub fn complex(&self) -> Result<Vec<(f64, f64)>, TensorError> {
        let element = self.element()?;
        if element.kind != ElementKind::Complex {
            return Err(self.not_a("a complex"));
        }
        let parts: Vec<f64> = match self.checked()? {
            Values::Raw(bytes) if element.bits == 64 => {
                words(&bytes, 32).map(|bits| f64::from(f32::from_bits(bits as u32))).collect()
            }
            Values::Raw(bytes) => words(&bytes, 64).map(f64::from_bits).collect(),
            Values::F32(values) => values.iter().map(|&v| f64::from(v)).collect(),
            Values::F64(values) => values.to_vec(),
            _ => Vec::new(),
        };
        Ok(parts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
    }

    /// The values of a string tensor, which need not be UTF-8.
    pub fn strings(&self) -> Result<Vec<Bytes>, TensorError> {
        if self.element()?.kind != ElementKind::String {
            return Err(self.not_a("a string"));
        }
        Ok(match self.checked()? {
            Values::Strings(values) => values.to_vec(),
            _ => Vec::new(),
        })
    }

    /// The stored values, after checking that they are as many as the dimensions say.
    fn checked(&self) -> Result<Values<'_>, TensorError> {
        let element = self.element()?;
        let values = match &self.source {
            TensorSource::Nothing => Values::None,
            TensorSource::Raw(bytes) => Values::Raw(bytes.clone()),
            TensorSource::Int32(values) => Values::I32(values),
            TensorSource::Int64(values) => Values::I64(values),
            TensorSource::UInt64(values) => Values::U64(values),
            TensorSource::Float(values) => Values::F32(values),
            TensorSource::Double(values) => Values::F64(values),
            TensorSource::Strings(values) => Values::Strings(values),
            TensorSource::External(external) => {
                Values::Raw(external.bytes().map_err(|error| self.unreadable(error))?)
            }
            TensorSource::Invalid(reason) => return Err(TensorError::Invalid(reason.clone())),
        };
        let (field, entries) = match &values {
            Values::None => (element.field, 0),
            Values::Raw(bytes) => {
                self.expect_bytes(bytes.len() as u64)?;
                return Ok(values);
            }
            Values::I32(values) => (Field::Int32, values.len()),
            Values::I64(values) => (Field::Int64, values.len()),
            Values::U64(values) => (Field::UInt64, values.len()),
            Values::F32(values) => (Field::Float, values.len()),
            Values::F64(values) => (Field::Double, values.len()),
            Values::Strings(values) => (Field::Strings, values.len()),
        };
        self.expect_entries(element, field, entries as u64)?;
        Ok(values)
    }

    fn expect_entries(&self, element: &Element, field: Field, entries: u64) -> Result<(), TensorError> {
        if field != element.field {
            let message = format!("{} tensors cannot be stored in {}", element.name, field.name());
            return Err(TensorError::Invalid(message));
        }
        let count = self.element_count()?;
        let wanted = count.checked_mul(element.entries_per_element() as u64);
        let matches = wanted == Some(entries)
            // Sub-byte elements appear both one per entry and packed into bytes.
            || element.bits < 8 && element.kind == ElementKind::Opaque && bytes_for(count, element.bits) == Some(entries);
        if matches {
            return Ok(());
        }
        let parts =
            if element.kind == ElementKind::Complex { ", each a real and an imaginary part" } else { "" };
        let message = format!(
            "the shape {} needs {count} elements{parts}, but {} has {entries} entries",
            self.shape(),
            field.name()
        );
        Err(TensorError::Invalid(message))
    }

    fn expect_bytes(&self, present: u64) -> Result<(), TensorError> {
        let element = self.element()?;
        if element.kind == ElementKind::String {
            return Err(TensorError::Invalid("string tensors cannot be stored as raw data".to_owned()));
        }
        let count = self.element_count()?;
        if bytes_for(count, element.bits) == Some(present) {
            return Ok(());
        }
        let needed = match bytes_for(count, element.bits) {
            Some(bytes) => format!("{bytes} bytes"),
            None => "more bytes than can be counted".to_owned(),
        };
        let message = format!("{} {} needs {needed}, but the data has {present}", element.name, self.shape());
        Err(TensorError::Invalid(message))
    }

    fn shape(&self) -> String {
        shape_text(&self.dims)
    }

    fn not_a(&self, wanted: &str) -> TensorError {
        TensorError::Invalid(format!(
            "not {wanted} tensor: its elements are {}",
            Element::describe(self.elem_type)
        ))
    }

    fn unreadable(&self, error: ReadError) -> TensorError {
        TensorError::Unreadable(error.about(format!("tensor `{}`", self.name)))
    }
}

/// The stored values whatever their source, with as many entries as the tensor needs.
enum Values<'a> {
    None,
    Raw(Bytes),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    Strings(&'a [Bytes]),
}

/// "[2,3]"; sizes come from the file, which may list any number of them.
pub(super) fn shape_text(dims: &[i64]) -> String {
    const SHOWN: usize = 16;
    let mut sizes: Vec<String> = dims.iter().take(SHOWN).map(i64::to_string).collect();
    if dims.len() > SHOWN {
        sizes.push("…".to_owned());
    }
    format!("[{}]", sizes.join(","))
}

fn bytes_for(count: u64, bits: u32) -> Option<u64> {
    Some(count.checked_mul(u64::from(bits))?.div_ceil(8))
}

/// Little-endian words of a whole number of bytes, at most eight.
fn words(bytes: &[u8], bits: u32) -> impl Iterator<Item = u64> {
    bytes.chunks_exact((bits as usize / 8).clamp(1, 8)).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    })
}

fn sign_or_zero_extend(bits: u64, width: u32, signed: bool) -> i128 {
    let unused = 64 - width.clamp(1, 64);
    if signed {
        i128::from((bits << unused) as i64 >> unused)
    } else {
        i128::from((bits << unused) >> unused)
    }
}

fn float_from_bits(bits: u64, element: &Element) -> f64 {
    match (element.kind, element.bits) {
        (ElementKind::BFloat16, _) => half::bf16::from_bits(bits as u16).to_f64(),
        (_, 16) => half::f16::from_bits(bits as u16).to_f64(),
        (_, 32) => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

impl fmt::Display for TensorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(message) => f.write_str(message),
            Self::Unreadable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TensorError {}
