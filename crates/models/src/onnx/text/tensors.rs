//! Constants: `{1, 2, 3}` after their type, or `["location": "weights.bin"]` for values in another file.

use bytes::Bytes;

use super::{Parsed, Parser};
use crate::onnx::element::{Element, Field};
use crate::onnx::proto::tensor_proto::DataLocation;
use crate::onnx::proto::tensor_shape_proto::dimension;
use crate::onnx::proto::type_proto::Value;
use crate::onnx::proto::{StringStringEntryProto, TensorProto, TypeProto};

impl Parser<'_> {
    /// The values of a constant whose type has been read.
    pub(super) fn tensor(&mut self, name: Bytes, value_type: &TypeProto) -> Parsed<TensorProto> {
        let Some(Value::TensorType(tensor_type)) = &value_type.value else {
            return Err(self.cursor.error("a constant needs a tensor type"));
        };
        let Some(shape) = &tensor_type.shape else {
            return Err(self.cursor.error("a constant needs a shape of known rank"));
        };
        let mut tensor = TensorProto { name, data_type: tensor_type.elem_type, ..TensorProto::default() };
        for dim in &shape.dim {
            match dim.value {
                Some(dimension::Value::DimValue(size)) => tensor.dims.push(size),
                _ => return Err(self.cursor.error("the sizes of a constant must be numbers")),
            }
        }
        match self.cursor.peek() {
            Some(b'{') => self.values(&mut tensor)?,
            Some(b'[') => {
                tensor.data_location = DataLocation::External as i32;
                tensor.external_data = self.list(b'[', b']', Self::entry)?;
            }
            _ => return Err(self.cursor.expected("`{` with values or `[` with the place of external data")),
        }
        Ok(tensor)
    }

    /// `"key": "value"`
    pub(super) fn entry(&mut self) -> Parsed<StringStringEntryProto> {
        let key = self.cursor.string()?;
        self.cursor.expect(b':')?;
        Ok(StringStringEntryProto { key, value: self.cursor.string()? })
    }

    fn values(&mut self, tensor: &mut TensorProto) -> Parsed<()> {
        let Some(element) = Element::from_code(tensor.data_type) else {
            return Err(self.cursor.error("constants of this type cannot be written out"));
        };
        match element.field {
            Field::Int32 => tensor.int32_data = self.list(b'{', b'}', |parser| parser.cursor.integer())?,
            Field::Int64 => tensor.int64_data = self.list(b'{', b'}', |parser| parser.cursor.integer())?,
            Field::UInt64 => tensor.uint64_data = self.list(b'{', b'}', |parser| parser.cursor.integer())?,
            Field::Float => tensor.float_data = self.list(b'{', b'}', |parser| parser.cursor.float())?,
            Field::Double => tensor.double_data = self.list(b'{', b'}', |parser| parser.cursor.float())?,
            Field::Strings => {
                tensor.string_data =
                    self.list(b'{', b'}', |parser| parser.cursor.string_bytes().map(Into::into))?;
            }
        }
        Ok(())
    }
}
