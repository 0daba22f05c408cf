//! Reading the binary format piece by piece: each node and initialiser becomes part of the model as soon as it is
//! decoded, so that the wire format of a large graph is never held as a whole.

use std::rc::Rc;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};
use prost::{DecodeError, Message};
use smallvec::SmallVec;

use super::convert::{Converter, WireNode};
use super::external::ExternalFiles;
use super::model::{Attribute, Graph, Model, Node};
use super::proto::{AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto};

/// The numbers of the fields that are read piece by piece; `onnx.proto` has them too.
mod field {
    pub(super) const GRAPH_OF_MODEL: u32 = 7;
    pub(super) const NODE: u32 = 1;
    pub(super) const INITIALIZER: u32 = 5;

    pub(super) mod node {
        pub(in super::super) const INPUT: u32 = 1;
        pub(in super::super) const OUTPUT: u32 = 2;
        pub(in super::super) const NAME: u32 = 3;
        pub(in super::super) const OP_TYPE: u32 = 4;
        pub(in super::super) const ATTRIBUTE: u32 = 5;
        pub(in super::super) const DOMAIN: u32 = 7;
        pub(in super::super) const OVERLOAD: u32 = 8;
    }
}

/// The model of a binary file; `None` if it has no graph.
pub(super) fn read(content: Bytes, files: Arc<ExternalFiles>) -> Result<Option<Model>, DecodeError> {
    let file = File(content);
    let (mut rest, mut graphs) = (ModelProto::default(), Vec::new());
    file.each_field(&file.0, &mut rest, &[field::GRAPH_OF_MODEL], |_, graph| {
        graphs.push(graph);
        Ok(())
    })?;
    if graphs.is_empty() {
        return Ok(None);
    }
    let mut converter = Converter::new(files);
    let graph = file.graph(&graphs, &mut converter)?;
    Ok(Some(converter.model(rest, graph)))
}

/// The whole file, of which weights keep their part.
struct File(Bytes);

impl File {
    /// The graph whose fields are in `contents`: mostly one, but a message that is given twice is the sum of both.
    fn graph(&self, contents: &[&[u8]], converter: &mut Converter) -> Result<Graph, DecodeError> {
        let expected = |tag| contents.iter().map(|content| count(content, tag)).sum();
        let mut nodes = Vec::with_capacity(expected(field::NODE));
        let mut initializers = Vec::with_capacity(expected(field::INITIALIZER));
        converter.expect_names(nodes.capacity() + initializers.capacity());
        let mut rest = GraphProto::default();
        for content in contents {
            self.each_field(content, &mut rest, &[field::NODE, field::INITIALIZER], |tag, piece| {
                match tag {
                    field::NODE => nodes.push(self.node(piece, converter)?),
                    _ => {
                        let tensor = TensorProto::decode(self.0.slice_ref(piece))?;
                        initializers.push(Rc::new(converter.tensor(tensor)));
                    }
                }
                Ok(())
            })?;
        }
        Ok(Graph { nodes, initializers, ..converter.graph(rest) })
    }

    fn node(&self, content: &[u8], converter: &mut Converter) -> Result<Node, DecodeError> {
        use field::node::{ATTRIBUTE, DOMAIN, INPUT, NAME, OP_TYPE, OUTPUT, OVERLOAD};
        let tags = [INPUT, OUTPUT, NAME, OP_TYPE, ATTRIBUTE, DOMAIN, OVERLOAD];
        let (mut node, mut attributes) = (WireNode::default(), SmallVec::<[&[u8]; 4]>::new());
        self.each_field(content, &mut NodeProto::default(), &tags, |tag, piece| {
            match tag {
                INPUT => node.inputs.push(piece),
                OUTPUT => node.outputs.push(piece),
                NAME => node.name = piece,
                OP_TYPE => node.op_type = piece,
                DOMAIN => node.domain = piece,
                OVERLOAD => node.overload = piece,
                _ => attributes.push(piece),
            }
            Ok(())
        })?;
        let attributes = self.attributes(&attributes, converter)?;
        Ok(converter.node(&node, attributes))
    }

    fn attributes(&self, pieces: &[&[u8]], converter: &mut Converter) -> Result<Vec<Attribute>, DecodeError> {
        let mut attributes = Vec::with_capacity(pieces.len());
        for piece in pieces {
            attributes.push(converter.attribute(AttributeProto::decode(self.0.slice_ref(piece))?));
        }
        Ok(attributes)
    }

    /// Gives the content of each field with one of these `tags` to `take`; the others become part of `rest`.
    fn each_field<'w>(
        &self,
        mut content: &'w [u8],
        rest: &mut impl Message,
        tags: &[u32],
        mut take: impl FnMut(u32, &'w [u8]) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        while !content.is_empty() {
            let (tag, wire_type) = decode_key(&mut content)?;
            let is_piece = wire_type == WireType::LengthDelimited && tags.contains(&tag);
            match is_piece.then(|| split_piece(&mut content)).flatten() {
                Some(piece) => take(tag, piece)?,
                // Also a piece that is longer than the file: the decoder knows what to say about it.
                None => {
                    let mut shared = self.0.slice_ref(content);
                    rest.merge_field(tag, wire_type, &mut shared, DecodeContext::default())?;
                    content = &content[content.len() - shared.remaining()..];
                }
            }
        }
        Ok(())
    }
}

/// Splits off what the length at the front covers; leaves `content` as it is if that is more than there is.
fn split_piece<'w>(content: &mut &'w [u8]) -> Option<&'w [u8]> {
    let mut after = *content;
    let length = usize::try_from(decode_varint(&mut after).ok()?).ok()?;
    let (piece, after) = after.split_at_checked(length)?;
    *content = after;
    Some(piece)
}

/// How many fields with this tag there are, as far as the content is readable.
fn count(mut content: &[u8], wanted: u32) -> usize {
    let mut found = 0;
    while let Ok((tag, wire_type)) = decode_key(&mut content)
        && skip_field(wire_type, tag, &mut content, DecodeContext::default()).is_ok()
    {
        found += usize::from(tag == wanted);
    }
    found
}
