//! Why a file could not be read at all, as opposed to a readable model that has problems.

use std::fmt;
use std::path::{Path, PathBuf};

/// A file that is missing, broken or not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    pub path: PathBuf,
    pub place: Place,
    pub message: String,
}

/// Where in the file the trouble is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    WholeFile,
    /// One-based line and column; columns count characters.
    Text {
        line: usize,
        column: usize,
    },
    /// Something with a name, such as "tensor `weight`".
    Named(String),
    /// A part of a model that was read and fits together with nothing: the trouble is the model, not its file.
    Broken(String),
}

impl ReadError {
    pub fn new(path: &Path, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), place: Place::WholeFile, message: message.into() }
    }

    /// The same error, telling which item of the file it is about.
    pub fn about(mut self, item: impl Into<String>) -> Self {
        self.place = Place::Named(item.into());
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.place {
            Place::WholeFile | Place::Broken(_) => write!(f, "{path}: {}", self.message),
            Place::Text { line, column } => write!(f, "{path}:{line}:{column}: {}", self.message),
            Place::Named(item) => write!(f, "{path}: {item}: {}", self.message),
        }
    }
}

impl std::error::Error for ReadError {}
