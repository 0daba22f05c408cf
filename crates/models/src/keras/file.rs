//! Opening Keras files: `.keras` archives and the JSON of an architecture. Nothing in them is executed.

use super::graph;
use crate::onnx::ReadError;
use program::ir::Program;
use serde_json::Value;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

/// An architecture is text of a few hundred kilobytes at most; a longer one is not read.
const LONGEST: u64 = 256 << 20;

/// Reads a `.keras` archive, or the JSON of a model (`model.to_json()`, the `config.json` of an archive).
pub fn open(path: &Path) -> Result<Program, ReadError> {
    arrays::mapped::regular_file_size(path)?;
    let file = File::open(path).map_err(|error| ReadError::new(path, error.to_string()))?;
    let text = match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("keras")) {
        true => archived(file, path)?,
        false => whole(file, path)?,
    };
    let document: Value = serde_json::from_str(&text)
        .map_err(|error| ReadError::new(path, format!("the architecture is not readable JSON: {error}")))?;
    graph::program(&document, &path.display().to_string()).map_err(|message| ReadError::new(path, message))
}

fn archived(file: File, path: &Path) -> Result<String, ReadError> {
    let unreadable = |error: zip::result::ZipError| {
        ReadError::new(path, format!("not a Keras model: a `.keras` file is a zip archive ({error})"))
    };
    let mut archive = zip::ZipArchive::new(BufReader::new(file)).map_err(unreadable)?;
    let entry = archive
        .by_name("config.json")
        .map_err(|_| ReadError::new(path, "not a Keras model: the archive has no `config.json`"))?;
    whole(entry, path)
}

fn whole(content: impl Read, path: &Path) -> Result<String, ReadError> {
    let mut text = String::new();
    let read = content.take(LONGEST).read_to_string(&mut text);
    read.map_err(|error| ReadError::new(path, format!("the architecture is not readable text: {error}")))?;
    Ok(text)
}
