//! Opening graph files: tells binary from text and a graph from a saved model by the content.

use super::proto::{GraphDef, MetaGraphDef, SavedModel, TensorInfo};
use super::text;
use arrays::error::ReadError;
use arrays::mapped::map_file;
use bytes::Bytes;
use prost::Message;
use std::path::{Path, PathBuf};

/// A graph with what a file says of its use.
pub struct Model {
    pub graph: GraphDef,
    pub signatures: Vec<Signature>,
}

/// How a saved model wants to be called.
pub struct Signature {
    pub name: String,
    /// What each argument and result is called, and the tensor of the graph that it is.
    pub inputs: Vec<(String, String)>,
    pub outputs: Vec<(String, String)>,
}

const SAVED: [&str; 2] = ["saved_model.pb", "saved_model.pbtxt"];

/// Whether a file is a TensorFlow graph by its name, or a folder that holds a saved model.
pub fn is_graph(path: &Path) -> bool {
    let endings = ["pb", "pbtxt", "meta"];
    path.extension().is_some_and(|ending| endings.iter().any(|own| ending.eq_ignore_ascii_case(own)))
        || saved_model(path).is_some()
}

/// The graph's file in the folder of a saved model.
fn saved_model(path: &Path) -> Option<PathBuf> {
    SAVED.iter().map(|name| path.join(name)).find(|file| file.is_file())
}

pub fn open(path: &Path) -> Result<Model, ReadError> {
    let file = saved_model(path).unwrap_or_else(|| path.to_owned());
    from_bytes(map_file(&file)?, &file)
}

/// What the top message of a file is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Top {
    Graph,
    Meta,
    Saved,
}

/// As [`open`], for content that is in memory.
pub fn from_bytes(content: Bytes, path: &Path) -> Result<Model, ReadError> {
    if content.is_empty() {
        return Err(ReadError::new(path, "the file is empty"));
    }
    if content.starts_with(b"version https://git-lfs") {
        let message = "it is a Git LFS pointer; fetch the real file with `git lfs pull`";
        return Err(ReadError::new(path, message));
    }
    let (top, wire) = match readable(&content) {
        Some(text) => {
            let top = text_top(text);
            let name = match top {
                Top::Graph => "GraphDef",
                Top::Meta => "MetaGraphDef",
                Top::Saved => "SavedModel",
            };
            (top, Bytes::from(text::encode(text, name, path)?))
        }
        None => (binary_top(&content, path), content),
    };
    let unreadable =
        |error: prost::DecodeError| ReadError::new(path, format!("not a readable TensorFlow graph: {error}"));
    let model = match top {
        Top::Graph => Model { graph: GraphDef::decode(wire).map_err(unreadable)?, signatures: Vec::new() },
        Top::Meta => meta_graph(MetaGraphDef::decode(wire).map_err(unreadable)?),
        Top::Saved => {
            let saved = SavedModel::decode(wire).map_err(unreadable)?;
            let first = saved.meta_graphs.into_iter().next();
            meta_graph(first.ok_or_else(|| ReadError::new(path, "the saved model has no graph"))?)
        }
    };
    if model.graph.node.is_empty() {
        return Err(ReadError::new(path, "not a TensorFlow graph: it has no nodes"));
    }
    Ok(model)
}

fn meta_graph(meta: MetaGraphDef) -> Model {
    let named = |tensors: std::collections::BTreeMap<String, TensorInfo>| {
        tensors.into_iter().map(|(name, tensor)| (name, tensor.name)).collect()
    };
    let signatures = meta.signature_def.into_iter().map(|(name, signature)| Signature {
        name,
        inputs: named(signature.inputs),
        outputs: named(signature.outputs),
    });
    Model { signatures: signatures.collect(), graph: meta.graph_def.unwrap_or_default() }
}

/// The content as text. A message in binary starts with the tag of a field and a length, which no text does.
fn readable(content: &[u8]) -> Option<&str> {
    let head = &content[..content.len().min(512)];
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let first = head.iter().find(|byte| !is_space(byte))?;
    let starts_well = first.is_ascii_alphabetic() || matches!(first, b'#' | b'_');
    let is_text = starts_well && head.iter().all(|byte| !byte.is_ascii_control() || is_space(byte));
    std::str::from_utf8(content).ok().filter(|_| is_text)
}

fn text_top(text: &str) -> Top {
    match text::first_field(text).as_deref() {
        Some("saved_model_schema_version" | "meta_graphs") => Top::Saved,
        Some("meta_info_def" | "graph_def" | "saver_def" | "collection_def" | "signature_def") => Top::Meta,
        _ => Top::Graph,
    }
}

fn binary_top(content: &[u8], path: &Path) -> Top {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    // Only a saved model starts with a number: its version.
    match content.first() {
        Some(0x08) => Top::Saved,
        _ if SAVED.contains(&name) => Top::Saved,
        _ if name.ends_with(".meta") => Top::Meta,
        _ => Top::Graph,
    }
}
