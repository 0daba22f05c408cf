//! Reading the binary format piece by piece: each node and initialiser becomes part of the model as soon as it is
//! decoded, so that the wire format of a large graph is never held as a whole.

use std::rc::Rc;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint};
use prost::{DecodeError, Message};

use super::convert::Converter;
use super::external::ExternalFiles;
use super::model::{Graph, Model};
use super::proto::{GraphProto, ModelProto, NodeProto, TensorProto};

/// The numbers of the fields that are read piece by piece; `onnx.proto` has them too.
mod field {
    pub(super) const GRAPH_OF_MODEL: u32 = 7;
    pub(super) const NODE: u32 = 1;
    pub(super) const INITIALIZER: u32 = 5;
}

/// Room for more names than this is made when they come.
const MOST_EXPECTED: usize = 2048;

/// The model of a binary file; `None` if it has no graph.
pub(super) fn read(content: Bytes, files: Arc<ExternalFiles>) -> Result<Option<Model>, DecodeError> {
    let (mut rest, mut graphs) = (ModelProto::default(), Vec::new());
    each_field(content, &mut rest, &[field::GRAPH_OF_MODEL], |_, graph| {
        graphs.push(graph);
        Ok(())
    })?;
    if graphs.is_empty() {
        return Ok(None);
    }
    let mut converter = Converter::new(files);
    // A node and its two or three names take about a kilobyte, in models without weights; weights say nothing.
    converter.expect_names((graphs[0].len() >> 10).min(MOST_EXPECTED));
    let graph = graph(graphs, &mut converter)?;
    Ok(Some(converter.model(rest, graph)))
}

/// The graph whose fields are in `contents`: mostly one, but a message that is given twice is the sum of both.
fn graph(contents: Vec<Bytes>, converter: &mut Converter) -> Result<Graph, DecodeError> {
    let (mut rest, mut nodes, mut initializers) = (GraphProto::default(), Vec::new(), Vec::new());
    for content in contents {
        each_field(content, &mut rest, &[field::NODE, field::INITIALIZER], |tag, piece| {
            match tag {
                field::NODE => nodes.push(converter.node(NodeProto::decode(piece)?)),
                _ => initializers.push(Rc::new(converter.tensor(TensorProto::decode(piece)?))),
            }
            Ok(())
        })?;
    }
    Ok(Graph { nodes, initializers, ..converter.graph(rest) })
}

/// Gives the content of each field with one of these `tags` to `take`; the others become part of `rest`.
fn each_field(
    mut content: Bytes,
    rest: &mut impl Message,
    tags: &[u32],
    mut take: impl FnMut(u32, Bytes) -> Result<(), DecodeError>,
) -> Result<(), DecodeError> {
    while content.has_remaining() {
        let (tag, wire_type) = decode_key(&mut content)?;
        let is_piece = wire_type == WireType::LengthDelimited && tags.contains(&tag);
        match is_piece.then(|| split_piece(&mut content)).flatten() {
            Some(piece) => take(tag, piece)?,
            // Also a piece that is longer than the file: the decoder knows what to say about it.
            None => rest.merge_field(tag, wire_type, &mut content, DecodeContext::default())?,
        }
    }
    Ok(())
}

/// Splits off what the length at the front covers; leaves `content` as it is if that is more than there is.
fn split_piece(content: &mut Bytes) -> Option<Bytes> {
    let mut after = content.clone();
    let length = usize::try_from(decode_varint(&mut after).ok()?).ok()?;
    let piece = (length <= after.len()).then(|| after.split_to(length))?;
    *content = after;
    Some(piece)
}
