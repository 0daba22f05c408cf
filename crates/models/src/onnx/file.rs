//! Opening model files: tells binary from text by the content, and says clearly when a file is neither.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use prost::{DecodeError, Message};

use super::external::ExternalFiles;
use super::model::Model;
use super::proto::{ModelProto, TensorProto};
use super::stream;
use super::tensor::{TensorError, TensorView};
use super::text;
use arrays::error::ReadError;
use arrays::mapped::{map_file, read_mapped};

/// Opens a binary (`.onnx`) or text (`.onnxtxt`) model. Weights stay in the mapped file until they are read.
pub fn open(path: &Path) -> Result<Model, ReadError> {
    read_mapped(path, |content| from_bytes(content, path))
}

/// As [`open`], for content that is in memory; `path` says where external data and messages belong.
pub fn from_bytes(content: Bytes, path: &Path) -> Result<Model, ReadError> {
    let files = Arc::new(ExternalFiles::beside(path));
    match format(&content, path)? {
        Format::Text => Ok(Model::from_proto(text_model(&content, path)?, files)),
        Format::Binary => match stream::read(content, files) {
            Ok(Some(model)) => Ok(model),
            Ok(None) => Err(no_graph(path)),
            Err(error) => Err(unreadable(error, path)),
        },
    }
}

/// The wire format of a model, from binary or text.
pub fn decode(content: Bytes, path: &Path) -> Result<ModelProto, ReadError> {
    match format(&content, path)? {
        Format::Text => text_model(&content, path),
        Format::Binary => {
            let proto = ModelProto::decode(content).map_err(|error| unreadable(error, path))?;
            if proto.graph.is_some() { Ok(proto) } else { Err(no_graph(path)) }
        }
    }
}

enum Format {
    Binary,
    Text,
}

fn format(content: &[u8], path: &Path) -> Result<Format, ReadError> {
    if content.is_empty() {
        return Err(ReadError::new(path, "the file is empty"));
    }
    if let Some(other) = known_other_format(content) {
        return Err(ReadError::new(path, format!("not an ONNX model: {other}")));
    }
    Ok(if looks_like_text(content) { Format::Text } else { Format::Binary })
}

fn text_model(content: &Bytes, path: &Path) -> Result<ModelProto, ReadError> {
    text::parse_model(content, path).map_err(|error| match has_arrow(content) {
        true => error,
        false => ReadError {
            message: format!("neither a binary nor a text ONNX model: {}", error.message),
            ..error
        },
    })
}

fn unreadable(error: DecodeError, path: &Path) -> ReadError {
    ReadError::new(path, format!("not a readable ONNX model: {error}"))
}

fn no_graph(path: &Path) -> ReadError {
    ReadError::new(path, "not an ONNX model: it has no graph")
}

/// Reads a file that holds one tensor, as test data sets do.
pub fn open_tensor(path: &Path) -> Result<TensorView, ReadError> {
    let proto = TensorProto::decode(map_file(path)?)
        .map_err(|error| ReadError::new(path, format!("not a readable ONNX tensor: {error}")))?;
    Ok(TensorView::from_proto(proto, Arc::new(ExternalFiles::beside(path))))
}

impl Model {
    /// Looks whether every external file of the graph's initialisers is there and long enough, without reading it.
    pub fn find_external_data(&self) -> Result<(), TensorError> {
        let external = self.graph.initializers.iter().filter(|tensor| !tensor.is_internal());
        external.into_iter().try_for_each(|tensor| tensor.validate_with_files())
    }
}

/// Text has no control characters and starts with a header, a name or a quote; protobuf starts with a field tag,
/// and its lengths and numbers show up as control characters.
fn looks_like_text(content: &[u8]) -> bool {
    let head = &content[..content.len().min(512)];
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let starts_well = head
        .iter()
        .find(|byte| !is_space(byte))
        .is_some_and(|first| matches!(first, b'<' | b'"' | b'#' | b'_') || first.is_ascii_alphabetic());
    starts_well && head.iter().all(|byte| !byte.is_ascii_control() || is_space(byte))
}

/// Every graph of the text format says `=> (outputs)`.
fn has_arrow(content: &[u8]) -> bool {
    content.windows(2).any(|pair| pair == b"=>")
}

fn known_other_format(content: &[u8]) -> Option<&'static str> {
    let signatures: [(&[u8], &str); 5] = [
        (b"version https://git-lfs", "it is a Git LFS pointer; fetch the real file with `git lfs pull`"),
        (b"PK\x03\x04", "it is a zip archive"),
        (b"\x89HDF\r\n", "it is an HDF5 file"),
        (b"\x80\x02", "it is a Python pickle"),
        (b"\x93NUMPY", "it is a NumPy array"),
    ];
    signatures.iter().find(|(signature, _)| content.starts_with(signature)).map(|&(_, what)| what)
}
