//! Models that people write by hand: a list of layers, each with its arguments, as JSON with comments. What is
//! written becomes the description that Keras would have saved; mistakes are told with their line and column.
//! The format is told in `docs/keras.md`.

use super::arguments;
use super::stored::in_small_letters;
use crate::similar::Hints;
use arrays::error::{Place, ReadError};
use jsonc_parser::ast::{Object, ObjectProp, Value as Written};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use program::ir::SpotFrame;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Map, Value, json};
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
    let mut model = Model { text, file: path.display().to_string(), ..Model::default() };
    let document = model.model(&written).map_err(|Mistake(range, message)| at(range, message));
    Some(document.map(|document| Handwritten { document, spots: model.spots }))
}

#[derive(Default)]
struct Model<'t> {
    text: &'t str,
    file: String,
    hints: Hints,
    /// The entries, in Keras's form.
    layers: Vec<Value>,
    inputs: Vec<String>,
    /// The names so far, in their order, and which of them something is made from.
    names: Vec<String>,
    used: FxHashSet<String>,
    spots: FxHashMap<String, SpotFrame>,
}

const KEYS: [&str; 4] = ["input", "layers", "outputs", "name"];

impl Model<'_> {
    fn model(&mut self, written: &Written<'_>) -> Outcome<Value> {
        let mut wanted = None;
        match written {
            Written::Array(_) => self.entries(written)?,
            Written::Object(object) => {
                if let Some(unknown) =
                    object.properties.iter().find(|property| !KEYS.contains(&key(property)))
                {
                    let message = format!(
                        "a model has `layers`, and may have {}",
                        quoted(&["input", "outputs", "name"])
                    );
                    return Err(Mistake(
                        unknown.range(),
                        format!("`{}` means nothing here: {message}", key(unknown)),
                    ));
                }
                if let Some(shape) = find(object, "input") {
                    self.input(&shape.value, "input".into(), "float32".into())?;
                }
                let layers = find(object, "layers");
                let layers =
                    layers.ok_or_else(|| Mistake(object.range(), "a model has `layers`, a list".into()))?;
                self.entries(&layers.value)?;
                wanted = find(object, "outputs");
            }
            other => return Err(Mistake(other.range(), "a model is a list of layers".into())),
        }
        if self.inputs.is_empty() {
            let message =
                "nothing says what the model takes: begin with `{\"input\": [null, 8]}`, null for the batch";
            return Err(Mistake(Range::new(written.start(), written.start()), message.into()));
        }
        let outputs = match wanted {
            Some(outputs) => self.sources(&outputs.value)?,
            // What nothing is made from.
            None => self.names.iter().filter(|name| !self.used.contains(*name)).cloned().collect(),
        };
        let ends = |names: &[String]| names.iter().map(|name| json!([name, 0, 0])).collect::<Vec<_>>();
        Ok(json!({
            "class_name": "Functional",
            "config": {
                "layers": std::mem::take(&mut self.layers),
                "input_layers": ends(&self.inputs),
                "output_layers": ends(&outputs),
            },
        }))
    }

    fn entries(&mut self, written: &Written<'_>) -> Outcome<()> {
        let Written::Array(entries) = written else {
            return Err(Mistake(written.range(), "`layers` is a list".into()));
        };
        for entry in &entries.elements {
            let Written::Object(entry) = entry else {
                return Err(Mistake(
                    entry.range(),
                    "a layer is written `{\"layer\": \"Dense\", \"units\": 4}`".into(),
                ));
            };
            match (find(entry, "layer"), find(entry, "input")) {
                (Some(class), None) => self.layer(entry, class)?,
                (None, Some(shape)) => self.declared(entry, shape)?,
                (Some(_), Some(input)) => {
                    return Err(Mistake(
                        input.range(),
                        "an input is an entry of its own, before the layer".into(),
                    ));
                }
                (None, None) => {
                    return Err(Mistake(entry.range(), "an entry has a `layer`, or is an `input`".into()));
                }
            }
        }
        Ok(())
    }

    /// `{"input": [null, 8], "name": "x", "dtype": "int32"}`.
    fn declared(&mut self, entry: &Object<'_>, shape: &ObjectProp<'_>) -> Outcome<()> {
        let (mut name, mut dtype) = (None, "float32".to_string());
        for property in &entry.properties {
            match key(property) {
                "input" => {}
                "name" => name = Some(self.named(property)?),
                "dtype" => dtype = word(property)?,
                other => {
                    let message =
                        format!("`{other}` means nothing of an input: it may have `name` and `dtype`");
                    return Err(Mistake(property.range(), message));
                }
            }
        }
        let name = name.unwrap_or_else(|| self.fresh("input"));
        self.input(&shape.value, name, dtype)
    }

    fn input(&mut self, shape: &Written<'_>, name: String, dtype: String) -> Outcome<()> {
        let wanted = "a shape is a list of sizes: whole numbers, null for any, or a name such as \"N\"";
        let Written::Array(sizes) = shape else { return Err(Mistake(shape.range(), wanted.into())) };
        for size in &sizes.elements {
            let fits = match size {
                Written::NullKeyword(_) | Written::StringLit(_) => true,
                Written::NumberLit(number) => number.value.parse::<u32>().is_ok(),
                _ => false,
            };
            if !fits {
                return Err(Mistake(size.range(), wanted.into()));
            }
        }
        let sizes = Value::from(shape.clone());
        self.layers.push(json!({
            "class_name": "InputLayer",
            "name": name,
            "config": {"name": name, "batch_shape": sizes, "dtype": dtype},
            "inbound_nodes": [],
        }));
        self.inputs.push(name.clone());
        self.names.push(name);
        Ok(())
    }

    fn layer(&mut self, entry: &Object<'_>, class: &ObjectProp<'_>) -> Outcome<()> {
        let (mut name, mut sources) = (None, None);
        let mut own = Vec::new();
        for property in &entry.properties {
            match key(property) {
                "name" => name = Some(self.named(property)?),
                "from" => sources = Some(self.sources(&property.value)?),
                _ => own.push(property),
            }
        }
        let described = self.described(&own)?;
        let class_name = described["class_name"].as_str().unwrap_or_default().to_string();
        let name = name.unwrap_or_else(|| self.fresh(&in_small_letters(&class_name)));
        let sources = match (sources, self.names.last()) {
            (Some(sources), _) => sources,
            (None, Some(before)) => vec![before.clone()],
            (None, None) => {
                let message = "nothing stands before this layer: begin with `{\"input\": [null, 8]}`, null for the batch";
                return Err(Mistake(entry.range(), message.into()));
            }
        };
        self.used.extend(sources.iter().cloned());
        let tensors: Vec<Value> = sources
            .iter()
            .map(|source| json!({"class_name": "__keras_tensor__", "config": {"keras_history": [source, 0, 0]}}))
            .collect();
        let argument = if let [only] = tensors.as_slice() { only.clone() } else { Value::from(tensors) };
        let mut layer = described;
        layer["name"] = name.clone().into();
        layer["inbound_nodes"] = json!([{"args": [argument], "kwargs": {}}]);
        self.layers.push(layer);
        // A layer that is written over several lines is pointed at by its class.
        let range = entry.range();
        let in_one_line = !self.text[range.start..range.end].contains('\n');
        let spot = self.spot(if in_one_line { range } else { class.value.range() });
        self.spots.insert(name.clone(), spot);
        self.names.push(name);
        Ok(())
    }

    /// The class and the arguments of a layer, or of one inside another.
    fn described(&mut self, properties: &[&ObjectProp<'_>]) -> Outcome<Value> {
        let mut class = String::new();
        let mut place = Range::new(0, 0);
        if let Some(property) = properties.iter().find(|property| key(property) == "layer") {
            (class, place) = (word(property)?, property.value.range());
        }
        let Some(definition) = layers::layers::by_name(&class) else {
            let known = layers::layers::ALL.iter().map(|layer| layer.operator.name);
            let hint = self.hints.nearest(&class, known);
            let hint = hint.map(|hint| format!("; did you mean `{hint}`?")).unwrap_or_default();
            return Err(Mistake(place, format!("there is no layer `{class}` here{hint}")));
        };
        let mut config = Map::new();
        for property in properties.iter().filter(|property| key(property) != "layer") {
            let name = if key(property) == "wraps" { "layer" } else { key(property) };
            if !arguments::takes(definition, name) {
                let known = definition.operator.parameters.iter().map(|parameter| parameter.name);
                let hint = match self.hints.nearest(name, known.clone()) {
                    Some(hint) => format!("did you mean `{hint}`?"),
                    None => format!("it takes {}", quoted(&known.collect::<Vec<_>>())),
                };
                return Err(Mistake(property.range(), format!("`{class}` has no argument `{name}`: {hint}")));
            }
            let value = self.value(&property.value)?;
            if config.insert(name.to_string(), value).is_some() {
                return Err(Mistake(property.range(), format!("`{name}` is given twice")));
            }
        }
        Ok(json!({"class_name": class, "config": config}))
    }

    /// The value of an argument; layers in it are written as those outside.
    fn value(&mut self, written: &Written<'_>) -> Outcome<Value> {
        match written {
            Written::Object(object) if find(object, "layer").is_some() => {
                self.described(&object.properties.iter().collect::<Vec<_>>())
            }
            Written::Array(array) => array
                .elements
                .iter()
                .map(|element| self.value(element))
                .collect::<Outcome<Vec<_>>>()
                .map(Value::from),
            plain => Ok(plain.clone().into()),
        }
    }

    /// What a layer is called on: a name, or a list of them.
    fn sources(&mut self, written: &Written<'_>) -> Outcome<Vec<String>> {
        match written {
            Written::StringLit(name) => {
                if let Some(known) = self.names.iter().find(|known| **known == *name.value) {
                    return Ok(vec![known.clone()]);
                }
                let hint = self.hints.nearest(&name.value, self.names.iter().map(String::as_str));
                let hint = hint.map(|hint| format!("; did you mean `{hint}`?")).unwrap_or_default();
                Err(Mistake(written.range(), format!("nothing before has the name `{}`{hint}", name.value)))
            }
            Written::Array(names) if !names.elements.is_empty() => {
                let mut all = Vec::new();
                for name in &names.elements {
                    all.extend(self.sources(name)?);
                }
                Ok(all)
            }
            other => Err(Mistake(other.range(), "the name of a layer is wanted, or a list of names".into())),
        }
    }

    /// A name that nothing has yet.
    fn named(&self, property: &ObjectProp<'_>) -> Outcome<String> {
        let name = word(property)?;
        match self.names.contains(&name) {
            true => Err(Mistake(property.range(), format!("`{name}` is the name of another entry already"))),
            false => Ok(name),
        }
    }
    fn fresh(&self, stem: &str) -> String {
        let numbered =
            |number: usize| if number == 0 { stem.to_string() } else { format!("{stem}_{number}") };
        (0..).map(numbered).find(|name| !self.names.contains(name)).unwrap_or_default()
    }

    fn spot(&self, range: Range) -> SpotFrame {
        let ((line, column), (end_line, end_column)) =
            (position(self.text, range.start), position(self.text, range.end));
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        SpotFrame {
            file: self.file.clone(),
            line: number(line),
            column: number(column),
            end_line: number(end_line),
            end_column: number(end_column),
            function: String::new(),
        }
    }
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
