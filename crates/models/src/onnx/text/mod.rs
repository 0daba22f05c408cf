//! The ONNX text format, as `onnx.parser` reads it and `onnx.printer` writes it, into the same structures as the
//! binary format. Unlike the original it also reads lists of graphs, tensors and types, and quoted graph names.

mod attributes;
mod cursor;
mod graphs;
mod model;
mod tensors;
#[cfg(test)]
mod tests;
mod types;

use std::path::Path;

use self::cursor::Cursor;
use super::proto::ModelProto;
use arrays::error::{Place, ReadError};

/// Parses a whole model file; `path` is for messages.
pub fn parse_model(content: &[u8], path: &Path) -> Result<ModelProto, ReadError> {
    let mut parser = Parser { cursor: Cursor::new(content), depth: 0 };
    parser.model().map_err(|error| {
        let (line, column) = line_and_column(content, error.offset);
        ReadError { path: path.to_owned(), place: Place::Text { line, column }, message: error.message }
    })
}

/// A recursive-descent parser; each method reads one construct and leaves the cursor behind it.
struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
}

/// Graphs and types that contain each other deeper than this are refused, to bound the stack.
const MAX_DEPTH: usize = 64;

#[derive(Debug)]
struct SyntaxError {
    offset: usize,
    message: String,
}

type Parsed<T> = Result<T, SyntaxError>;

impl Parser<'_> {
    /// Runs a parser for something that may contain its own kind.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return Err(self.cursor.error(format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// One or more items with commas between them.
    fn comma_separated<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.cursor.take(b',') {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A possibly empty list between brackets.
    fn list<T>(&mut self, open: u8, close: u8, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.cursor.expect(open)?;
        if self.cursor.take(close) {
            return Ok(Vec::new());
        }
        let items = self.comma_separated(item)?;
        self.cursor.expect(close)?;
        Ok(items)
    }
}

fn line_and_column(content: &[u8], offset: usize) -> (usize, usize) {
    let before = &content[..offset.min(content.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let is_char_start = |byte: &&u8| **byte & 0xC0 != 0x80;
    (line, before[line_start..].iter().filter(is_char_start).count() + 1)
}
