//! Graphs and nodes: `name (inputs) => (outputs) <constants> { nodes }`.

use bytes::Bytes;

use super::{Parsed, Parser};
use crate::onnx::proto::{GraphProto, NodeProto, TensorProto, ValueInfoProto};

impl Parser<'_> {
    pub(super) fn graph(&mut self) -> Parsed<GraphProto> {
        let name = self.cursor.name("a graph name")?;
        let mut initializer = Vec::new();
        let mut input = Vec::new();
        if self.cursor.peek() == Some(b'(') {
            self.list(b'(', b')', |parser| {
                let info = parser.value_info()?;
                initializer.extend(parser.default_value(&info)?);
                input.push(info);
                Ok(())
            })?;
        }
        self.cursor.expect_arrow()?;
        let output = self.list(b'(', b')', Self::value_info)?;
        let mut value_info = Vec::new();
        if self.cursor.peek() == Some(b'<') {
            self.list(b'<', b'>', |parser| {
                let info = parser.value_info()?;
                match parser.default_value(&info)? {
                    Some(tensor) => initializer.push(tensor),
                    None => value_info.push(info),
                }
                Ok(())
            })?;
        }
        let node = self.nodes()?;
        Ok(GraphProto { name, node, input, output, value_info, initializer, ..GraphProto::default() })
    }

    pub(super) fn nodes(&mut self) -> Parsed<Vec<NodeProto>> {
        self.cursor.expect(b'{')?;
        let mut nodes = Vec::new();
        while !self.cursor.take(b'}') {
            nodes.push(self.node()?);
        }
        Ok(nodes)
    }

    /// `= constant` after a declaration.
    fn default_value(&mut self, info: &ValueInfoProto) -> Parsed<Option<TensorProto>> {
        if !self.cursor.take(b'=') {
            return Ok(None);
        }
        match &info.r#type {
            Some(value_type) => self.tensor(info.name.clone(), value_type).map(Some),
            None => Err(self
                .cursor
                .error(format!("the constant `{}` needs a type", String::from_utf8_lossy(&info.name)))),
        }
    }

    /// `[name] outputs = domain.Operator:overload <attributes> (inputs)`; attributes may also come last.
    fn node(&mut self) -> Parsed<NodeProto> {
        let mut node = NodeProto::default();
        if self.cursor.take(b'[') {
            if self.cursor.peek() != Some(b']') {
                node.name = self.cursor.name("a node name")?.into();
            }
            self.cursor.expect(b']')?;
        }
        node.output = self.value_names()?;
        self.cursor.expect(b'=')?;
        let mut path = self.cursor.identifier("an operator")?.to_owned();
        while self.cursor.take(b'.') {
            path = format!("{path}.{}", self.cursor.identifier("an operator")?);
        }
        let (domain, op_type) = path.rsplit_once('.').unwrap_or(("", &path));
        (node.domain, node.op_type) = (domain.to_owned().into(), op_type.to_owned().into());
        if self.cursor.take(b':') {
            node.overload = self.cursor.identifier("an overload name")?.to_owned().into();
        }
        node.attribute = self.optional_attributes()?;
        self.cursor.expect(b'(')?;
        node.input = self.value_names()?;
        self.cursor.expect(b')')?;
        if node.attribute.is_empty() {
            node.attribute = self.optional_attributes()?;
        }
        Ok(node)
    }

    /// Names with commas between them. A name may be empty, written as `""` or as nothing before a comma.
    fn value_names(&mut self) -> Parsed<Vec<Bytes>> {
        let mut names = Vec::new();
        loop {
            let is_quoted = self.cursor.peek() == Some(b'"');
            let name =
                if is_quoted { self.cursor.string()? } else { self.cursor.optional_identifier().to_owned() };
            let has_comma = self.cursor.take(b',');
            if is_quoted || has_comma || !name.is_empty() {
                names.push(name.into());
            }
            if !has_comma {
                return Ok(names);
            }
        }
    }
}
