//! A description that can be read and makes no model.

use crate::onnx::ReadError;
use arrays::error::Place;
use std::path::Path;

/// What is wrong with a model before any layer of it has a meaning.
pub(super) struct Broken {
    /// The layer that is at fault, with the models around it, or the model itself; none where what was read is no
    /// model at all.
    pub place: Option<String>,
    pub message: String,
}

/// Where a fault lies that no layer has.
const MODEL: &str = "model";

impl Broken {
    /// What cannot be read as a model.
    pub fn unread(message: String) -> Broken {
        Broken { place: None, message }
    }
    pub fn at(layer: &str, message: String) -> Broken {
        Broken { place: Some(layer.to_string()), message }
    }
    pub fn model(message: String) -> Broken {
        Broken::at(MODEL, message)
    }
    /// The same, said of the model around the one that was looked at, which calls that one by this name.
    pub fn inside(self, called: &str) -> Broken {
        let place = match self.place.as_deref() {
            None | Some(MODEL) => called.to_string(),
            Some(layer) => format!("{called}/{layer}"),
        };
        Broken { place: Some(place), ..self }
    }
    /// As what is wrong with a file.
    pub fn of(self, path: &Path) -> ReadError {
        let error = ReadError::new(path, self.message);
        match self.place {
            Some(layer) => ReadError { place: Place::Broken(layer), ..error },
            None => error,
        }
    }
}
