//! The element types of ONNX tensors: their codes, names, widths and the field that stores them.

/// One element type, as the `DataType` table of the ONNX specification lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// The number that stands for the type in a file.
    pub code: i32,
    /// The name that the ONNX text format uses.
    pub name: &'static str,
    /// Width of one element in raw data; strings have none.
    pub bits: u32,
    pub kind: ElementKind,
    /// The typed field that holds the values when there is no raw data.
    pub field: Field,
}

/// How the bits of an element are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElementKind {
    Bool,
    Signed,
    Unsigned,
    Float,
    BFloat16,
    Complex,
    String,
    /// Float8 and sub-byte types: counted, never read.
    Opaque,
}

/// The typed value lists of a `TensorProto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Int32,
    Int64,
    UInt64,
    Float,
    Double,
    Strings,
}

impl Field {
    /// The name of the list in the file format.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int32 => "int32_data",
            Self::Int64 => "int64_data",
            Self::UInt64 => "uint64_data",
            Self::Float => "float_data",
            Self::Double => "double_data",
            Self::Strings => "string_data",
        }
    }
}

impl Element {
    /// The element type with this code, if ONNX defines one.
    pub fn from_code(code: i32) -> Option<&'static Self> {
        ELEMENTS.get(usize::try_from(code).ok()?.checked_sub(1)?)
    }

    /// The element type that the text format calls `name`.
    pub fn from_name(name: &str) -> Option<&'static Self> {
        ELEMENTS.iter().find(|element| element.name == name)
    }

    /// The name for `code`, or a description of an undefined code.
    pub fn describe(code: i32) -> String {
        match Self::from_code(code) {
            Some(element) => element.name.to_owned(),
            None => format!("undefined element type {code}"),
        }
    }

    /// How many entries of the typed field make one element.
    pub fn entries_per_element(&self) -> usize {
        if self.kind == ElementKind::Complex { 2 } else { 1 }
    }
}

/// In the order of their codes, which start at 1.
const ELEMENTS: &[Element] = {
    use ElementKind::{BFloat16, Bool, Complex, Float, Opaque, Signed, String, Unsigned};
    &[
        element(1, "float", 32, Float, Field::Float),
        element(2, "uint8", 8, Unsigned, Field::Int32),
        element(3, "int8", 8, Signed, Field::Int32),
        element(4, "uint16", 16, Unsigned, Field::Int32),
        element(5, "int16", 16, Signed, Field::Int32),
        element(6, "int32", 32, Signed, Field::Int32),
        element(7, "int64", 64, Signed, Field::Int64),
        element(8, "string", 0, String, Field::Strings),
        element(9, "bool", 8, Bool, Field::Int32),
        element(10, "float16", 16, Float, Field::Int32),
        element(11, "double", 64, Float, Field::Double),
        element(12, "uint32", 32, Unsigned, Field::UInt64),
        element(13, "uint64", 64, Unsigned, Field::UInt64),
        element(14, "complex64", 64, Complex, Field::Float),
        element(15, "complex128", 128, Complex, Field::Double),
        element(16, "bfloat16", 16, BFloat16, Field::Int32),
        element(17, "float8e4m3fn", 8, Opaque, Field::Int32),
        element(18, "float8e4m3fnuz", 8, Opaque, Field::Int32),
        element(19, "float8e5m2", 8, Opaque, Field::Int32),
        element(20, "float8e5m2fnuz", 8, Opaque, Field::Int32),
        element(21, "uint4", 4, Opaque, Field::Int32),
        element(22, "int4", 4, Opaque, Field::Int32),
        element(23, "float4e2m1", 4, Opaque, Field::Int32),
        element(24, "float8e8m0", 8, Opaque, Field::Int32),
        element(25, "uint2", 2, Opaque, Field::Int32),
        element(26, "int2", 2, Opaque, Field::Int32),
        element(27, "float6e2m3", 6, Opaque, Field::Int32),
        element(28, "float6e3m2", 6, Opaque, Field::Int32),
    ]
};

const fn element(code: i32, name: &'static str, bits: u32, kind: ElementKind, field: Field) -> Element {
    Element { code, name, bits, kind, field }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_code_order() {
        for (index, element) in ELEMENTS.iter().enumerate() {
            assert_eq!(element.code as usize, index + 1, "{}", element.name);
            assert_eq!(Element::from_name(element.name), Element::from_code(element.code));
        }
        assert_eq!(Element::from_code(0), None);
        assert_eq!(Element::from_code(-1), None);
        assert_eq!(Element::from_code(29), None);
    }
}
