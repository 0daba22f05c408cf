//! Attributes of nodes and functions: `axis = 1`, `pads: ints = [0, 1]`, `body = g (…) => (…) {…}`, `alpha: float = @a`.

use bytes::Bytes;

use super::cursor::{FloatLiteral, Literal, is_float_word};
use super::{Parsed, Parser, SyntaxError};
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::{AttributeProto, GraphProto, TensorProto, TypeProto};

/// One value, before it becomes an attribute of its own or an item of a list.
enum Single {
    Int(i64),
    Float(f32),
    String(Bytes),
    Tensor(TensorProto),
    Graph(GraphProto),
    Type(TypeProto),
    Reference(String),
}

impl Parser<'_> {
    /// `< attribute, … >`, if there is one.
    pub(super) fn optional_attributes(&mut self) -> Parsed<Vec<AttributeProto>> {
        if self.cursor.peek() != Some(b'<') {
            return Ok(Vec::new());
        }
        self.list(b'<', b'>', |parser| {
            let name = parser.cursor.name("an attribute name")?;
            parser.attribute(name)
        })
    }

    /// What follows the name of an attribute.
    pub(super) fn attribute(&mut self, name: String) -> Parsed<AttributeProto> {
        let mut attribute = AttributeProto { name: name.into(), ..AttributeProto::default() };
        let declared = if self.cursor.take(b':') { Some(self.attribute_type()?) } else { None };
        self.cursor.expect(b'=')?;
        if self.cursor.peek() == Some(b'[') {
            self.list_value(&mut attribute, declared)?;
        } else {
            let start = self.cursor.position();
            let value = self.single(declared)?;
            let attribute_type = put_single(&mut attribute, value);
            if let (Some(declared), Some(found)) = (declared, attribute_type)
                && declared != found
            {
                return Err(mismatch(start, declared, found));
            }
            attribute.set_type(attribute_type.or(declared).unwrap_or(AttributeType::Undefined));
        }
        Ok(attribute)
    }

    fn attribute_type(&mut self) -> Parsed<AttributeType> {
        let word = self.cursor.peek_identifier();
        // The names of the types in the file format are the words of the text format in capitals.
        match AttributeType::from_str_name(&word.to_ascii_uppercase()) {
            Some(found) if found != AttributeType::Undefined => {
                self.cursor.optional_identifier();
                Ok(found)
            }
            _ => Err(self.cursor.expected("an attribute type")),
        }
    }

    fn list_value(&mut self, attribute: &mut AttributeProto, declared: Option<AttributeType>) -> Parsed<()> {
        let start = self.cursor.position();
        let item_type = match declared.map(|declared| (declared, singleton(declared))) {
            Some((declared, None)) => {
                let message = format!("{} is one value, not a list", text_name(declared));
                return Err(SyntaxError { offset: start, message });
            }
            Some((_, Some(item))) => Some(item),
            None => None,
        };
        let items = self.list(b'[', b']', |parser| {
            let item_start = parser.cursor.position();
            Ok((item_start, parser.single(item_type)?))
        })?;
        if items.is_empty() && declared.is_none() {
            return Err(SyntaxError {
                offset: start,
                message: "an empty list needs a type, such as `: ints`".to_owned(),
            });
        }
        let mut list_type = declared;
        for (offset, item) in items {
            let Some(found) = push_item(attribute, item) else {
                return Err(SyntaxError { offset, message: "a reference cannot stand in a list".to_owned() });
            };
            let expected = *list_type.get_or_insert(found);
            if expected != found {
                return Err(mismatch(offset, expected, found));
            }
        }
        attribute.set_type(list_type.unwrap_or(AttributeType::Undefined));
        Ok(())
    }

    fn single(&mut self, expected: Option<AttributeType>) -> Parsed<Single> {
        if self.cursor.take(b'@') {
            return Ok(Single::Reference(self.cursor.name("an attribute name")?));
        }
        if expected == Some(AttributeType::Graph) {
            return self.nested(Self::graph).map(Single::Graph);
        }
        if self.next_is_type() {
            return self.type_or_tensor();
        }
        let word = self.cursor.peek_identifier();
        if !word.is_empty() && !is_float_word(word) {
            return self.nested(Self::graph).map(Single::Graph);
        }
        let start = self.cursor.position();
        let out_of_range = |text: &str| SyntaxError {
            offset: start,
            message: format!("the number {text} is malformed or out of range"),
        };
        match self.cursor.literal()? {
            Literal::Int(text) if expected != Some(AttributeType::Float) => {
                text.parse().map(Single::Int).map_err(|_| out_of_range(text))
            }
            Literal::Int(text) | Literal::Float(text) => {
                f32::from_text(text).map(Single::Float).ok_or_else(|| out_of_range(text))
            }
            // A graph whose name needs quotes.
            Literal::String(_) if expected.is_none() && self.cursor.peek() == Some(b'(') => {
                self.cursor.rewind(start);
                self.nested(Self::graph).map(Single::Graph)
            }
            Literal::String(bytes) => Ok(Single::String(bytes.into())),
        }
    }

    fn type_or_tensor(&mut self) -> Parsed<Single> {
        let value_type = self.value_type()?;
        let is_named = self.cursor.peek() == Some(b'"') || !self.cursor.peek_identifier().is_empty();
        if !is_named && !matches!(self.cursor.peek(), Some(b'{' | b'=' | b'[')) {
            return Ok(Single::Type(value_type));
        }
        let name = if is_named { self.cursor.name("a tensor name")? } else { String::new() };
        self.cursor.take(b'=');
        self.tensor(name.into(), &value_type).map(Single::Tensor)
    }
}

/// Stores the value and tells its type; a reference has none of its own.
fn put_single(attribute: &mut AttributeProto, value: Single) -> Option<AttributeType> {
    Some(match value {
        Single::Int(value) => {
            attribute.i = Some(value);
            AttributeType::Int
        }
        Single::Float(value) => {
            attribute.f = Some(value);
            AttributeType::Float
        }
        Single::String(value) => {
            attribute.s = Some(value);
            AttributeType::String
        }
        Single::Tensor(value) => {
            attribute.t = Some(Box::new(value));
            AttributeType::Tensor
        }
        Single::Graph(value) => {
            attribute.g = Some(Box::new(value));
            AttributeType::Graph
        }
        Single::Type(value) => {
            attribute.tp = Some(Box::new(value));
            AttributeType::TypeProto
        }
        Single::Reference(name) => {
            attribute.ref_attr_name = name.into();
            return None;
        }
    })
}

/// Appends the value to its list and tells the type of the list.
fn push_item(attribute: &mut AttributeProto, item: Single) -> Option<AttributeType> {
    Some(match item {
        Single::Int(value) => {
            attribute.ints.push(value);
            AttributeType::Ints
        }
        Single::Float(value) => {
            attribute.floats.push(value);
            AttributeType::Floats
        }
        Single::String(value) => {
            attribute.strings.push(value);
            AttributeType::Strings
        }
        Single::Tensor(value) => {
            attribute.tensors.push(value);
            AttributeType::Tensors
        }
        Single::Graph(value) => {
            attribute.graphs.push(value);
            AttributeType::Graphs
        }
        Single::Type(value) => {
            attribute.type_protos.push(value);
            AttributeType::TypeProtos
        }
        Single::Reference(_) => return None,
    })
}

/// The type of the items of a list type.
fn singleton(list: AttributeType) -> Option<AttributeType> {
    Some(match list {
        AttributeType::Floats => AttributeType::Float,
        AttributeType::Ints => AttributeType::Int,
        AttributeType::Strings => AttributeType::String,
        AttributeType::Tensors => AttributeType::Tensor,
        AttributeType::Graphs => AttributeType::Graph,
        AttributeType::TypeProtos => AttributeType::TypeProto,
        AttributeType::SparseTensors => AttributeType::SparseTensor,
        _ => return None,
    })
}

fn mismatch(offset: usize, expected: AttributeType, found: AttributeType) -> SyntaxError {
    let message = format!("expected {}, found {}", text_name(expected), text_name(found));
    SyntaxError { offset, message }
}

fn text_name(attribute_type: AttributeType) -> String {
    attribute_type.as_str_name().to_ascii_lowercase()
}
