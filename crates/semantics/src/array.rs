//! Concrete tensors: what the reference evaluation reads and writes.

use crate::dtype::{Class, Kind};
use std::cmp::Ordering;
use std::fmt;

/// A tensor whose every element is known. Row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct Array {
    pub kind: Kind,
    pub shape: Vec<usize>,
    pub data: Data,
}

/// Elements by class. Floats are held as `f64` and integers as `i64`, whatever the element type;
/// `u64` is held as its bit pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Float(Vec<f64>),
    Complex(Vec<[f64; 2]>),
    /// Elements that are carried but never computed with (strings, float8, sub-byte types).
    Opaque(usize),
}

impl Data {
    pub fn len(&self) -> usize {
        match self {
            Data::Bool(v) => v.len(),
            Data::Int(v) => v.len(),
            Data::Float(v) => v.len(),
            Data::Complex(v) => v.len(),
            Data::Opaque(length) => *length,
        }
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// `length` zeros (false, 0, 0.0) of the class of `kind`.
    pub fn zeros(kind: Kind, length: usize) -> Data {
        match kind.class() {
            Class::Bool => Data::Bool(vec![false; length]),
            Class::Int => Data::Int(vec![0; length]),
            Class::Float => Data::Float(vec![0.0; length]),
            Class::Complex => Data::Complex(vec![[0.0; 2]; length]),
            Class::Opaque => Data::Opaque(length),
        }
    }
}

impl Array {
    /// Panics if the number of elements is not the product of the sizes: callers own that promise.
    pub fn new(kind: Kind, shape: Vec<usize>, data: Data) -> Array {
        assert_eq!(shape.iter().product::<usize>(), data.len(), "elements of {kind}{shape:?}");
        Array { kind, shape, data }
    }
    pub fn floats(kind: Kind, shape: &[usize], values: Vec<f64>) -> Array {
        Array::new(kind, shape.to_vec(), Data::Float(values))
    }
    pub fn ints(kind: Kind, shape: &[usize], values: Vec<i64>) -> Array {
        Array::new(kind, shape.to_vec(), Data::Int(values))
    }
    pub fn bools(shape: &[usize], values: Vec<bool>) -> Array {
        Array::new(Kind::Bool, shape.to_vec(), Data::Bool(values))
    }
    pub fn zeros(kind: Kind, shape: &[usize]) -> Array {
        Array::new(kind, shape.to_vec(), Data::zeros(kind, shape.iter().product()))
    }
    pub fn len(&self) -> usize {
        self.data.len()
    }
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
    pub fn as_floats(&self) -> Option<&[f64]> {
        if let Data::Float(v) = &self.data { Some(v) } else { None }
    }
    pub fn as_ints(&self) -> Option<&[i64]> {
        if let Data::Int(v) = &self.data { Some(v) } else { None }
    }
    pub fn as_bools(&self) -> Option<&[bool]> {
        if let Data::Bool(v) = &self.data { Some(v) } else { None }
    }
    pub fn as_complex(&self) -> Option<&[[f64; 2]]> {
        if let Data::Complex(v) = &self.data { Some(v) } else { None }
    }
    /// Which of two elements comes first when sorted: false before true, NaN after every number.
    /// Elements that are never computed with are all alike.
    pub fn compare(&self, a: usize, b: usize) -> Ordering {
        let floats = |x: f64, y: f64| x.partial_cmp(&y).unwrap_or_else(|| x.is_nan().cmp(&y.is_nan()));
        match &self.data {
            Data::Bool(v) => v[a].cmp(&v[b]),
            Data::Int(v) if self.kind == Kind::U64 => (v[a] as u64).cmp(&(v[b] as u64)),
            Data::Int(v) => v[a].cmp(&v[b]),
            Data::Float(v) => floats(v[a], v[b]),
            Data::Complex(v) => floats(v[a][0], v[b][0]).then(floats(v[a][1], v[b][1])),
            Data::Opaque(_) => Ordering::Equal,
        }
    }
    /// Whether an element is anything but zero or false.
    pub fn is_non_zero(&self, at: usize) -> bool {
        match &self.data {
            Data::Bool(v) => v[at],
            Data::Int(v) => v[at] != 0,
            Data::Float(v) => v[at] != 0.0,
            Data::Complex(v) => v[at] != [0.0; 2],
            Data::Opaque(_) => true,
        }
    }
    /// Sizes held by a vector of integers.
    pub fn as_sizes(&self) -> Option<Vec<usize>> {
        self.as_ints()?.iter().map(|&size| usize::try_from(size).ok()).collect()
    }
    /// The distance in elements between neighbours along each axis.
    pub fn strides(&self) -> Vec<usize> {
        strides(&self.shape)
    }
}

/// Row-major strides of a shape.
pub fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (0..shape.len().saturating_sub(1)).rev() {
        strides[axis] = strides[axis + 1] * shape[axis + 1];
    }
    strides
}

impl fmt::Display for Array {
    /// `f32[2,2]{1, 2, 3, 4}`, the notation of operator examples; long arrays are cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        let sizes: Vec<String> = self.shape.iter().map(ToString::to_string).collect();
        let values: Vec<String> = (0..self.len().min(SHOWN))
            .map(|k| match &self.data {
                Data::Bool(v) => v[k].to_string(),
                Data::Int(v) if self.kind == Kind::U64 => (v[k] as u64).to_string(),
                Data::Int(v) => v[k].to_string(),
                Data::Float(v) => v[k].to_string(),
                Data::Complex(v) => format!("{}{:+}i", v[k][0], v[k][1]),
                Data::Opaque(_) => "?".to_string(),
            })
            .collect();
        let more = if self.len() > SHOWN { ", …" } else { "" };
        write!(f, "{}[{}]{{{}{more}}}", self.kind, sizes.join(","), values.join(", "))
    }
}
