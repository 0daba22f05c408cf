//! Opening Keras files: `.keras` archives, `.h5` files, and the JSON of an architecture. Nothing in them is executed.

use super::stored::Stored;
use super::stubs::Stubs;
use super::{backends, graph, handwritten, sequence};
use crate::onnx::ReadError;
use arrays::hdf5::{self, Hdf5};
use arrays::mapped::map_file;
use arrays::zipped::Zipped;
use bytes::Bytes;
use program::ir::{Place, Program, Spot};
use semantics::operator::Backend;
use serde_json::Value;
use std::path::Path;
use std::rc::Rc;

/// An architecture is text of a few hundred kilobytes at most; a longer one is not read.
const LONGEST: usize = 256 << 20;
/// Nobody writes more than this by hand.
const LONGEST_BY_HAND: usize = 8 << 20;

/// A model as its file describes it.
pub struct Model {
    pub program: Program,
    /// Whether the file holds weights.
    pub has_weights: bool,
    /// What is odd about the file without being wrong.
    pub remarks: Vec<Remark>,
    /// Why no backend but TensorFlow loads the file, if that is so.
    of_tensorflow: Option<ReadError>,
    /// The text of a model that was written by hand, which findings point into.
    pub source: Option<String>,
    /// Whether Keras calls each layer before it makes the next one.
    pub is_made_in_turn: bool,
}

impl Model {
    /// The program as a backend computes it, if that loads the file.
    pub fn computed_by(self, backend: Backend) -> Result<Model, ReadError> {
        match self.of_tensorflow {
            Some(why) if backend != Backend::TensorFlow => Err(why),
            of_tensorflow => Ok(Model { program: self.program.computed_by(backend), of_tensorflow, ..self }),
        }
    }
}

/// Something odd about a file.
pub struct Remark {
    /// What of the file it is about: its stored weights, or a layer.
    pub place: String,
    pub message: String,
}

impl Remark {
    fn of_weights(message: String) -> Remark {
        Remark { place: "stored weights".into(), message }
    }
}

/// Reads a `.keras` archive, an `.h5` file with an architecture, the JSON of a model (`model.to_json()`, the
/// `config.json` of an archive), or one that was written by hand.
pub fn open(path: &Path) -> Result<Model, ReadError> {
    open_with(path, &Stubs::default())
}

/// As [`open`], with stubs for classes that are not defined here.
pub fn open_with(path: &Path, stubs: &Stubs) -> Result<Model, ReadError> {
    read(map_file(path)?, path, stubs)
}

/// As [`open`], for content in memory; `path` is for messages.
pub fn from_bytes(content: Bytes, path: &Path) -> Result<Model, ReadError> {
    read(content, path, &Stubs::default())
}

fn read(content: Bytes, path: &Path, stubs: &Stubs) -> Result<Model, ReadError> {
    let mut remarks = Vec::new();
    let is_by_names = hdf5::is_one(&content);
    let (text, mut stored) = if is_by_names {
        let file = Hdf5::from_bytes(content, path)?;
        let config = file.texts("", "model_config")?.and_then(|texts| texts.into_iter().next());
        let config = config.ok_or_else(|| {
            ReadError::new(path, "it holds weights and no architecture: there is no `model_config` in it")
        })?;
        (Bytes::from(config), Some(Stored::by_names(&file)?))
    } else if content.starts_with(b"PK") || is_archive(path) {
        archived(content, path, &mut remarks)?
    } else if is_hdf5(path) {
        return Err(ReadError::new(
            path,
            "not a Keras model: an `.h5` file is an HDF5 file, and this is none",
        ));
    } else {
        if let Some(model) = by_hand(&content, path, stubs) {
            return model;
        }
        (content, None)
    };
    if text.len() > LONGEST {
        return Err(ReadError::new(path, format!("the architecture is too long: {} bytes", text.len())));
    }
    let document: Value = serde_json::from_slice(&text)
        .map_err(|error| ReadError::new(path, format!("the architecture is not readable JSON: {error}")))?;
    if is_by_names {
        remarks.extend(of_operations(&graph::unfound_operations(&document)));
    }
    let program = graph::program(&document, stored.as_mut(), stubs, &path.display().to_string())
        .map_err(|broken| broken.of(path))?;
    let left_over = stored.iter().flat_map(Stored::left_over);
    let of_nobody = |place| format!("weights are stored at `{place}`, and no layer has them");
    remarks.extend(left_over.map(|place| Remark::of_weights(of_nobody(place))));
    let of_tensorflow = backends::of_tensorflow(&document).map(|broken| broken.of(path));
    let is_made_in_turn = sequence::is_made_in_turn(&document);
    Ok(Model {
        program,
        has_weights: stored.is_some(),
        remarks,
        of_tensorflow,
        source: None,
        is_made_in_turn,
    })
}

/// Keras looks for layers alone in a file of the older format.
fn of_operations(unfound: &[(String, String)]) -> Option<Remark> {
    let (layer, class) = unfound.first()?;
    let others = match unfound.len() - 1 {
        0 => String::new(),
        more => format!("; so are {more} more"),
    };
    let message =
        format!("`{layer}` is the operation `{class}`, and Keras finds only layers in a `.h5` file{others}");
    Some(Remark { place: layer.clone(), message })
}

/// A model that was written by hand; `None` if the text is something else.
fn by_hand(content: &[u8], path: &Path, stubs: &Stubs) -> Option<Result<Model, ReadError>> {
    let text = std::str::from_utf8(content.get(..LONGEST_BY_HAND).unwrap_or(content)).ok()?;
    if text.len() < content.len() {
        return None;
    }
    let handwritten = match handwritten::read(text, path)? {
        Ok(handwritten) => handwritten,
        Err(error) => return Some(Err(error)),
    };
    let program = graph::program(&handwritten.document, None, stubs, &path.display().to_string());
    Some(program.map_err(|broken| broken.of(path)).map(|mut program| {
        for node in &mut program.graph.nodes {
            // What is called again is written where it was called, not where it was made.
            let mut place = node.place.node.as_str();
            let mut spot = handwritten.spots.get(place);
            while let (None, Some((around, _))) = (spot, place.rsplit_once('/')) {
                place = around;
                spot = handwritten.spots.get(place);
            }
            let spot = spot.map(|here| Rc::new(Spot { here: here.clone(), stack: Vec::new() }));
            node.place = Rc::new(Place { spot, ..(*node.place).clone() });
        }
        let of_tensorflow = backends::of_tensorflow(&handwritten.document).map(|broken| broken.of(path));
        let is_made_in_turn = sequence::is_made_in_turn(&handwritten.document);
        let (remarks, source) = (Vec::new(), Some(text.to_string()));
        Model { program, has_weights: false, remarks, of_tensorflow, source, is_made_in_turn }
    }))
}

fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("keras"))
}

fn is_hdf5(path: &Path) -> bool {
    let is_one = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    is_one("h5") || is_one("hdf5")
}

/// The architecture and the weights of an archive.
fn archived(
    content: Bytes,
    path: &Path,
    remarks: &mut Vec<Remark>,
) -> Result<(Bytes, Option<Stored>), ReadError> {
    const WEIGHTS: &str = "model.weights.h5";
    const OTHER_WEIGHTS: &str = "model.weights.npz";
    let mut archive = Zipped::new(content).map_err(|error| {
        ReadError::new(path, format!("not a Keras model: a `.keras` file is a zip archive ({error})"))
    })?;
    let mut entry = |name: &str| {
        let place = archive.place(name)?;
        Some(
            archive
                .sound_entry(place)
                .map_err(|why| ReadError::new(path, why).about(format!("entry `{name}`"))),
        )
    };
    let config = entry("config.json")
        .ok_or_else(|| ReadError::new(path, "not a Keras model: the archive has no `config.json`"))??;
    let Some(weights) = entry(WEIGHTS) else {
        if archive.place(OTHER_WEIGHTS).is_none() {
            return Err(ReadError::new(
                path,
                format!("the archive has no `{WEIGHTS}`: Keras would not load it"),
            ));
        }
        remarks.push(Remark::of_weights(format!("the weights in `{OTHER_WEIGHTS}` are not read")));
        return Ok((config, None));
    };
    let file = Hdf5::from_bytes(weights?, path).map_err(|error| error.about(format!("entry `{WEIGHTS}`")))?;
    let mut stored = Stored::by_places(&file)?;
    for name in archive.names().collect::<Vec<_>>() {
        let folder = name.strip_prefix("assets/").and_then(|rest| rest.strip_suffix("/vocabulary.txt"));
        if let (Some(folder), Some(place)) = (folder, archive.place(&name)) {
            let text = archive.sound_entry(place);
            let text = text.map_err(|why| ReadError::new(path, why).about(format!("entry `{name}`")))?;
            stored.keep_vocabulary(folder, &text);
        }
    }
    Ok((config, Some(stored)))
}
