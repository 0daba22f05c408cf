//! The top of a text file: the header, the main graph and the functions after it.

use bytes::Bytes;

use super::{Parsed, Parser, SyntaxError};
use crate::onnx::proto::{FunctionProto, ModelProto, OperatorSetIdProto, ValueInfoProto};

impl Parser<'_> {
    pub(super) fn model(&mut self) -> Parsed<ModelProto> {
        let mut model = ModelProto::default();
        if self.cursor.peek() == Some(b'<') {
            self.list(b'<', b'>', |parser| parser.model_field(&mut model))?;
        }
        model.graph = Some(self.graph()?);
        while !self.cursor.at_end() {
            model.functions.push(self.function()?);
        }
        Ok(model)
    }

    fn model_field(&mut self, model: &mut ModelProto) -> Parsed<()> {
        let (offset, key) = self.header_key()?;
        match key {
            "ir_version" => model.ir_version = self.cursor.integer()?,
            "opset_import" => model.opset_import = self.list(b'[', b']', Self::opset)?,
            "producer_name" => model.producer_name = self.cursor.string()?,
            "producer_version" => model.producer_version = self.cursor.string()?,
            "domain" => model.domain = self.cursor.string()?,
            "model_version" => model.model_version = self.cursor.integer()?,
            "doc_string" => drop(self.cursor.string()?),
            "metadata_props" => model.metadata_props = self.list(b'[', b']', Self::entry)?,
            _ => return Err(unknown_key(offset, key, "a model")),
        }
        Ok(())
    }

    /// `<header> name <attributes> (inputs) => (outputs) <declarations> { nodes }`
    fn function(&mut self) -> Parsed<FunctionProto> {
        let mut function = FunctionProto::default();
        if self.cursor.peek() == Some(b'<') {
            self.list(b'<', b'>', |parser| parser.function_field(&mut function))?;
        }
        function.name = self.cursor.name("a function name")?.into();
        if self.cursor.peek() == Some(b'<') {
            self.list(b'<', b'>', |parser| parser.function_attribute(&mut function))?;
        }
        function.input = self.parameters(&mut function.value_info)?;
        self.cursor.expect_arrow()?;
        function.output = self.parameters(&mut function.value_info)?;
        if self.cursor.peek() == Some(b'<') {
            let declared = self.list(b'<', b'>', Self::value_info)?;
            function.value_info.extend(declared);
        }
        function.node = self.nodes()?;
        Ok(function)
    }

    fn function_field(&mut self, function: &mut FunctionProto) -> Parsed<()> {
        let (offset, key) = self.header_key()?;
        match key {
            "opset_import" => function.opset_import = self.list(b'[', b']', Self::opset)?,
            "doc_string" => drop(self.cursor.string()?),
            "domain" => function.domain = self.cursor.string()?.into(),
            "overload" => function.overload = self.cursor.string()?.into(),
            _ => return Err(unknown_key(offset, key, "a function")),
        }
        Ok(())
    }

    /// An attribute's name, with a default if it has one.
    fn function_attribute(&mut self, function: &mut FunctionProto) -> Parsed<()> {
        let name = self.cursor.name("an attribute name")?;
        if matches!(self.cursor.peek(), Some(b':' | b'=')) {
            function.attribute_proto.push(self.attribute(name)?);
        } else {
            function.attribute.push(name.into());
        }
        Ok(())
    }

    /// Names, each with or without a type; the typed ones are declared too.
    fn parameters(&mut self, declared: &mut Vec<ValueInfoProto>) -> Parsed<Vec<Bytes>> {
        self.list(b'(', b')', |parser| {
            let info = parser.value_info()?;
            let name = info.name.clone();
            if info.r#type.is_some() {
                declared.push(info);
            }
            Ok(name)
        })
    }

    fn header_key(&mut self) -> Parsed<(usize, &str)> {
        let offset = self.cursor.position();
        let key = self.cursor.identifier("a header field")?;
        self.cursor.expect(b':')?;
        Ok((offset, key))
    }

    fn opset(&mut self) -> Parsed<OperatorSetIdProto> {
        let domain = self.cursor.string()?;
        self.cursor.expect(b':')?;
        Ok(OperatorSetIdProto { domain, version: self.cursor.integer()? })
    }
}

fn unknown_key(offset: usize, key: &str, owner: &str) -> SyntaxError {
    SyntaxError { offset, message: format!("`{key}` is not a header field of {owner}") }
}
