//! Types and value declarations: `float[N,3] x`, `seq(int64[])`, `optional(float)`.

use super::{Parsed, Parser};
use crate::onnx::element::Element;
use crate::onnx::proto::tensor_shape_proto::{Dimension, dimension};
use crate::onnx::proto::type_proto::{self, Value};
use crate::onnx::proto::{TensorShapeProto, TypeProto, ValueInfoProto};

impl Parser<'_> {
    pub(super) fn next_is_type(&mut self) -> bool {
        let word = self.cursor.peek_identifier();
        Element::from_name(word).is_some()
            || matches!(word, "seq" | "map" | "optional" | "sparse_tensor" | "opaque")
    }

    pub(super) fn value_type(&mut self) -> Parsed<TypeProto> {
        self.nested(Self::one_type)
    }

    /// A name that may have its type before it.
    pub(super) fn value_info(&mut self) -> Parsed<ValueInfoProto> {
        let r#type = if self.next_is_type() { Some(self.value_type()?) } else { None };
        Ok(ValueInfoProto { name: self.cursor.name("a value name")?.into(), r#type })
    }

    fn one_type(&mut self) -> Parsed<TypeProto> {
        let value = match self.cursor.peek_identifier() {
            "seq" => {
                let elem_type = self.type_argument()?;
                Value::SequenceType(Box::new(type_proto::Sequence { elem_type: Some(Box::new(elem_type)) }))
            }
            "optional" => {
                let elem_type = self.type_argument()?;
                Value::OptionalType(Box::new(type_proto::Optional { elem_type: Some(Box::new(elem_type)) }))
            }
            "map" => {
                self.cursor.optional_identifier();
                self.cursor.expect(b'(')?;
                let key_type = self.element_code()?;
                self.cursor.expect(b',')?;
                let value_type = Some(Box::new(self.value_type()?));
                self.cursor.expect(b')')?;
                Value::MapType(Box::new(type_proto::Map { key_type, value_type }))
            }
            "sparse_tensor" => {
                self.cursor.optional_identifier();
                self.cursor.expect(b'(')?;
                let elem_type = self.element_code()?;
                let shape = self.optional_shape()?;
                self.cursor.expect(b')')?;
                Value::SparseTensorType(type_proto::SparseTensor { elem_type, shape })
            }
            "opaque" => Value::OpaqueType(self.opaque()?),
            _ => {
                let elem_type = self.element_code()?;
                Value::TensorType(type_proto::Tensor { elem_type, shape: self.optional_shape()? })
            }
        };
        Ok(TypeProto { value: Some(value), ..TypeProto::default() })
    }

    /// The argument of `seq(…)` or `optional(…)`.
    fn type_argument(&mut self) -> Parsed<TypeProto> {
        self.cursor.optional_identifier();
        self.cursor.expect(b'(')?;
        let argument = self.value_type()?;
        self.cursor.expect(b')')?;
        Ok(argument)
    }

    fn opaque(&mut self) -> Parsed<type_proto::Opaque> {
        self.cursor.optional_identifier();
        self.cursor.expect(b'(')?;
        let mut opaque = type_proto::Opaque::default();
        if !self.cursor.take(b')') {
            let mut name = self.cursor.identifier("a name")?.to_owned();
            while self.cursor.take(b'.') {
                name = format!("{name}.{}", self.cursor.identifier("a name")?);
            }
            if self.cursor.take(b',') {
                opaque.domain = std::mem::replace(&mut name, self.cursor.identifier("a name")?.to_owned());
            }
            opaque.name = name;
            self.cursor.expect(b')')?;
        }
        Ok(opaque)
    }

    fn element_code(&mut self) -> Parsed<i32> {
        match Element::from_name(self.cursor.peek_identifier()) {
            Some(element) => {
                self.cursor.optional_identifier();
                Ok(element.code)
            }
            None => Err(self.cursor.expected("a type")),
        }
    }

    /// Nothing is a scalar, `[]` an unknown rank.
    fn optional_shape(&mut self) -> Parsed<Option<TensorShapeProto>> {
        if self.cursor.peek() != Some(b'[') {
            return Ok(Some(TensorShapeProto::default()));
        }
        let dim = self.list(b'[', b']', Self::dimension)?;
        Ok(if dim.is_empty() { None } else { Some(TensorShapeProto { dim }) })
    }

    fn dimension(&mut self) -> Parsed<Dimension> {
        let value = if self.cursor.take(b'?') {
            None
        } else if self.cursor.peek() == Some(b'"') || !self.cursor.peek_identifier().is_empty() {
            Some(dimension::Value::DimParam(self.cursor.name("a dimension")?.into()))
        } else {
            Some(dimension::Value::DimValue(self.cursor.integer()?))
        };
        Ok(Dimension { value })
    }
}
