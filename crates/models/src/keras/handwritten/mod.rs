//! Models that people write by hand: a list of layers, each with its arguments, as JSON with comments. What is
//! written becomes the description that Keras would have saved; mistakes are told with their line and column.
//! The format is told in `docs/keras.md`.

mod model;
mod sources;

use arrays::error::{Place, ReadError};
use jsonc_parser::ast::{Object, ObjectProp, Value as Written};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use model::Reader;
use program::ir::SpotFrame;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::path::Path;

/// What was written, as Keras would describe it, and where each layer stands.
pub(super) struct Handwritten {
    pub document: Value,
    pub spots: FxHashMap<String, SpotFrame>,
}

/// A mistake, and where it is.
struct Mistake(Range, String);

type Outcome<T> = Result<T, Mistake>;

/// Reads a text. `None` if it is nothing that somebody would write by hand: JSON that Keras made, or no JSON.
pub(super) fn read(text: &str, path: &Path) -> Option<Result<Handwritten, ReadError>> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let at = |range: Range, message: String| {
        let (line, column) = position(text, range.start);
        ReadError { path: path.to_owned(), place: Place::Text { line, column }, message }
    };
    let written = match parse_to_ast(text, &CollectOptions::default(), &options) {
        Ok(parsed) => parsed.value?,
        Err(error) => return Some(Err(at(error.range(), format!("not readable JSON: {}", error.kind())))),
    };
    if matches!(&written, Written::Object(object) if find(object, "class_name").is_some()) {
        return None;
    }
    let mut reader = Reader::of(text, path);
    let document = reader.outermost(&written).map_err(|Mistake(range, message)| at(range, message));
    Some(document.map(|document| Handwritten { document, spots: reader.spots }))
}

fn find<'o, 'a>(object: &'o Object<'a>, name: &str) -> Option<&'o ObjectProp<'a>> {
    object.properties.iter().find(|property| key(property) == name)
}

fn key<'p>(property: &'p ObjectProp<'_>) -> &'p str {
    property.name.as_str()
}

fn word(property: &ObjectProp<'_>) -> Outcome<String> {
    match &property.value {
        Written::StringLit(text) => Ok(text.value.to_string()),
        other => Err(Mistake(other.range(), format!("`{}` is a text", key(property)))),
    }
}

fn quoted(names: &[&str]) -> String {
    if names.is_empty() { "none".into() } else { format!("`{}`", names.join("`, `")) }
}

/// Line and column of an offset, counted from 1, the columns in characters.
fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}
