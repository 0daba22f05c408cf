//! The entries of a model: inputs, layers, further calls of both layers and models, and models inside it.

use super::super::arguments;
use super::super::stored::in_small_letters;
use super::sources::Source;
use super::{Mistake, Outcome, find, key, position, quoted, word};
use crate::similar::Hints;
use jsonc_parser::ast::{Object, ObjectProp, Value as Written};
use jsonc_parser::common::{Range, Ranged};
use layers::layer::Layer;
use program::ir::SpotFrame;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value, json};
use std::path::Path;

pub(super) struct Reader<'t> {
    text: &'t str,
    file: String,
    pub hints: Hints,
    /// Where the calls of layers stand, by their names in the program.
    pub spots: FxHashMap<String, SpotFrame>,
    /// What the names of layers in the model that is read begin with.
    prefix: String,
    depth: usize,
}

/// What an entry calls.
#[derive(Clone)]
pub(super) enum Callee {
    Input,
    Layer(&'static Layer),
    Model { inputs: Vec<String>, outputs: u64 },
}

/// Something that others are made from: an input, or a call of a layer or a model.
pub(super) struct Entry {
    pub name: String,
    pub callee: Callee,
    /// Where its layer stands among `layers`, and which call of it this is.
    pub layer: usize,
    pub call: u64,
    pub is_used: bool,
}

/// One model as far as it is read.
#[derive(Default)]
pub(super) struct Scope {
    /// The layers in Keras's form, each once.
    pub layers: Vec<Value>,
    pub entries: Vec<Entry>,
    by_name: FxHashMap<String, usize>,
}

/// A model in Keras's form, with the names of its inputs and the number of its outputs.
struct Read {
    config: Value,
    inputs: Vec<String>,
    outputs: u64,
}

const KEYS: [&str; 4] = ["input", "layers", "outputs", "name"];
const NOTHING_BEFORE: &str =
    "nothing stands before this layer: begin with `{\"input\": [null, 8]}`, null for the batch";
/// Models inside models; the checker follows no more.
const DEEPEST: usize = 32;

impl Scope {
    /// The entry of that name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }
    fn add(&mut self, entry: Entry) {
        self.by_name.insert(entry.name.clone(), self.entries.len());
        self.entries.push(entry);
    }
    fn inputs(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| matches!(entry.callee, Callee::Input))
    }
    /// A name that nothing has yet.
    fn named(&self, property: &ObjectProp<'_>) -> Outcome<String> {
        let name = word(property)?;
        let wrong = |message: String| Err(Mistake(property.range(), message));
        match () {
            () if self.by_name.contains_key(&name) => {
                wrong(format!("`{name}` is the name of another entry already"))
            }
            () if name.contains('/') => wrong(format!("`{name}` is no name: Keras takes none with `/`")),
            () => Ok(name),
        }
    }
    fn fresh(&self, stem: &str) -> String {
        let numbered =
            |number: usize| if number == 0 { stem.to_string() } else { format!("{stem}_{number}") };
        (0..).map(numbered).find(|name| !self.by_name.contains_key(name)).unwrap_or_default()
    }
}

impl<'t> Reader<'t> {
    pub fn of(text: &'t str, path: &Path) -> Reader<'t> {
        Reader {
            text,
            file: path.display().to_string(),
            hints: Hints::default(),
            spots: FxHashMap::default(),
            prefix: String::new(),
            depth: 0,
        }
    }

    pub fn outermost(&mut self, written: &Written<'_>) -> Outcome<Value> {
        Ok(json!({"class_name": "Functional", "config": self.model(written)?.config}))
    }

    fn model(&mut self, written: &Written<'_>) -> Outcome<Read> {
        let mut scope = Scope::default();
        let mut wanted = None;
        match written {
            Written::Array(_) => self.entries(&mut scope, written)?,
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
                    input(&mut scope, &shape.value, "input".into(), "float32".into())?;
                }
                let layers = find(object, "layers");
                let layers =
                    layers.ok_or_else(|| Mistake(object.range(), "a model has `layers`, a list".into()))?;
                self.entries(&mut scope, &layers.value)?;
                wanted = find(object, "outputs");
            }
            other => return Err(Mistake(other.range(), "a model is a list of layers".into())),
        }
        let inputs: Vec<String> = scope.inputs().map(|entry| entry.name.clone()).collect();
        if inputs.is_empty() {
            let message =
                "nothing says what the model takes: begin with `{\"input\": [null, 8]}`, null for the batch";
            return Err(Mistake(Range::new(written.start(), written.start()), message.into()));
        }
        let outputs = match wanted {
            Some(outputs) => self.sources(&mut scope, &outputs.value)?,
            // What nothing is made from.
            None => {
                let unused = (0..scope.entries.len()).filter(|&entry| !scope.entries[entry].is_used);
                unused.flat_map(|entry| scope.all_of(entry)).collect()
            }
        };
        let ends: Vec<Value> = outputs.iter().map(|source| scope.end(*source)).collect();
        let config = json!({
            "layers": scope.layers,
            "input_layers": inputs.iter().map(|name| json!([name, 0, 0])).collect::<Vec<_>>(),
            "output_layers": ends,
        });
        Ok(Read { config, inputs, outputs: outputs.len() as u64 })
    }

    fn entries(&mut self, scope: &mut Scope, written: &Written<'_>) -> Outcome<()> {
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
            let [layer, shape, model, again] =
                ["layer", "input", "model", "again"].map(|name| find(entry, name));
            match (layer, shape, model, again) {
                (Some(class), None, None, None) => self.layer(scope, entry, class)?,
                (None, Some(shape), None, None) => declared(scope, entry, shape)?,
                (None, None, Some(model), None) => self.inner(scope, entry, model)?,
                (None, None, None, Some(again)) => self.again(scope, entry, again)?,
                (None, None, None, None) => {
                    let message =
                        "an entry has a `layer`, or is an `input`, a `model`, or a call of one `again`";
                    return Err(Mistake(entry.range(), message.into()));
                }
                (Some(_), Some(input), ..) => {
                    return Err(Mistake(
                        input.range(),
                        "an input is an entry of its own, before the layer".into(),
                    ));
                }
                (_, _, second, third) => {
                    let range = third.or(second).map_or(entry.range(), Ranged::range);
                    let message = "an entry is one thing: a `layer`, an `input`, a `model`, or one `again`";
                    return Err(Mistake(range, message.into()));
                }
            }
        }
        Ok(())
    }

    fn layer(&mut self, scope: &mut Scope, entry: &Object<'_>, class: &ObjectProp<'_>) -> Outcome<()> {
        let (mut name, mut from) = (None, None);
        let mut own = Vec::new();
        for property in &entry.properties {
            match key(property) {
                "name" => name = Some(scope.named(property)?),
                "from" => from = Some(property),
                _ => own.push(property),
            }
        }
        let stem = in_small_letters(&word(class)?);
        let name = name.unwrap_or_else(|| scope.fresh(&stem));
        let (definition, described) = self.described(&own, &name)?;
        self.added(scope, entry, class, (name, described, Callee::Layer(definition)), from)
    }

    /// A model that is called as a layer.
    fn inner(&mut self, scope: &mut Scope, entry: &Object<'_>, model: &ObjectProp<'_>) -> Outcome<()> {
        let (mut name, mut from) = (None, None);
        for property in &entry.properties {
            match key(property) {
                "model" => {}
                "name" => name = Some(scope.named(property)?),
                "from" => from = Some(property),
                other => {
                    let message =
                        format!("`{other}` means nothing of a model: it may have `name` and `from`");
                    return Err(Mistake(property.range(), message));
                }
            }
        }
        let name = name.unwrap_or_else(|| scope.fresh("model"));
        let read = self.model_in(&name, &model.value)?;
        let described = json!({"class_name": "Functional", "config": read.config});
        let callee = Callee::Model { inputs: read.inputs, outputs: read.outputs };
        self.added(scope, entry, model, (name, described, callee), from)
    }

    /// A model inside the one that is read, under the name of its layer.
    fn model_in(&mut self, name: &str, written: &Written<'_>) -> Outcome<Read> {
        if self.depth >= DEEPEST {
            return Err(Mistake(written.range(), "the models are nested too deeply".into()));
        }
        let inner = format!("{}{name}/", self.prefix);
        let prefix = std::mem::replace(&mut self.prefix, inner);
        self.depth += 1;
        let read = self.model(written);
        self.depth -= 1;
        self.prefix = prefix;
        read
    }

    /// Adds a layer with its first call.
    fn added(
        &mut self,
        scope: &mut Scope,
        entry: &Object<'_>,
        class: &ObjectProp<'_>,
        (name, mut layer, callee): (String, Value, Callee),
        from: Option<&ObjectProp<'_>>,
    ) -> Outcome<()> {
        let spelled = layer["class_name"].as_str().filter(|class| *class != "Functional");
        let spelled = spelled.unwrap_or(&name).to_string();
        let call = self.call(scope, (&spelled, &callee), from, entry.range())?;
        layer["name"] = name.clone().into();
        layer["inbound_nodes"] = json!([call]);
        self.mark(&name, entry, class);
        scope.layers.push(layer);
        let layer = scope.layers.len() - 1;
        scope.add(Entry { name, callee, layer, call: 0, is_used: false });
        Ok(())
    }

    /// `{"again": "dense", "from": "b"}`: the layer with its weights, called once more.
    fn again(&mut self, scope: &mut Scope, entry: &Object<'_>, again: &ObjectProp<'_>) -> Outcome<()> {
        let mut from = None;
        for property in &entry.properties {
            match key(property) {
                "again" => {}
                "from" => from = Some(property),
                other => {
                    let message = format!(
                        "`{other}` means nothing of a further call: the layer is the same, and may have `from`"
                    );
                    return Err(Mistake(property.range(), message));
                }
            }
        }
        let Source { entry: first, .. } = self.source(scope, &again.value)?;
        let (callee, layer) = (scope.entries[first].callee.clone(), scope.entries[first].layer);
        if matches!(callee, Callee::Input) {
            return Err(Mistake(again.value.range(), "an input is not called".into()));
        }
        let own = scope.layers[layer]["name"].as_str().unwrap_or_default().to_string();
        let class = scope.layers[layer]["class_name"].as_str().filter(|class| *class != "Functional");
        let class = class.unwrap_or(&own).to_string();
        let made = self.call(scope, (&class, &callee), from, entry.range())?;
        let calls = scope.layers[layer]["inbound_nodes"].as_array_mut();
        let count = calls.map_or(0, |calls| {
            calls.push(made);
            calls.len()
        });
        // As the checker names it.
        let name = format!("{own}@{count}");
        if scope.find(&name).is_some() {
            return Err(Mistake(entry.range(), format!("`{name}` is the name of another entry already")));
        }
        self.mark(&name, entry, again);
        if matches!(callee, Callee::Model { .. }) {
            let (before, now) = (format!("{}{own}/", self.prefix), format!("{}{name}/", self.prefix));
            let inside = |(place, spot): (&String, &SpotFrame)| {
                Some((format!("{now}{}", place.strip_prefix(&before)?), spot.clone()))
            };
            let copies: Vec<_> = self.spots.iter().filter_map(inside).collect();
            self.spots.extend(copies);
        }
        let call = count.saturating_sub(1) as u64;
        scope.add(Entry { name, callee, layer, call, is_used: false });
        Ok(())
    }

    /// The class and the arguments of a layer, or of one inside another; `own` is the name of the outermost one.
    fn described(&mut self, properties: &[&ObjectProp<'_>], own: &str) -> Outcome<(&'static Layer, Value)> {
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
            let value = self.value(&property.value, own)?;
            if config.insert(name.to_string(), value).is_some() {
                return Err(Mistake(property.range(), format!("`{name}` is given twice")));
            }
        }
        Ok((definition, json!({"class_name": class, "config": config})))
    }

    /// The value of an argument; layers and models in it are written as those outside.
    fn value(&mut self, written: &Written<'_>, own: &str) -> Outcome<Value> {
        match written {
            Written::Object(object) if find(object, "layer").is_some() => {
                let properties: Vec<_> = object.properties.iter().collect();
                Ok(self.described(&properties, own)?.1)
            }
            Written::Object(object) if object.properties.len() == 1 && find(object, "model").is_some() => {
                let config = self.model_in(own, &object.properties[0].value)?.config;
                Ok(json!({"class_name": "Functional", "config": config}))
            }
            Written::Array(array) => array
                .elements
                .iter()
                .map(|element| self.value(element, own))
                .collect::<Outcome<Vec<_>>>()
                .map(Value::from),
            plain => Ok(plain.clone().into()),
        }
    }

    /// A layer that is written over several lines is pointed at by its class.
    fn mark(&mut self, name: &str, entry: &Object<'_>, class: &ObjectProp<'_>) {
        let range = entry.range();
        let in_one_line = !self.text[range.start..range.end].contains('\n');
        let range = match (in_one_line, &class.value) {
            (true, _) => range,
            // A model's own lines are those of its layers.
            (false, Written::Array(_) | Written::Object(_)) => class.name.range(),
            (false, _) => class.value.range(),
        };
        let spot = self.spot(range);
        self.spots.insert(format!("{}{name}", self.prefix), spot);
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

    /// What a layer that does not say it is called on: all that the entry before it gives.
    pub fn before(&self, scope: &Scope, range: Range) -> Outcome<Vec<Source>> {
        match scope.entries.len().checked_sub(1) {
            Some(last) => Ok(scope.all_of(last)),
            None => Err(Mistake(range, NOTHING_BEFORE.into())),
        }
    }
}

/// `{"input": [null, 8], "name": "x", "dtype": "int32"}`.
fn declared(scope: &mut Scope, entry: &Object<'_>, shape: &ObjectProp<'_>) -> Outcome<()> {
    let (mut name, mut dtype) = (None, "float32".to_string());
    for property in &entry.properties {
        match key(property) {
            "input" => {}
            "name" => name = Some(scope.named(property)?),
            "dtype" => dtype = word(property)?,
            other => {
                let message = format!("`{other}` means nothing of an input: it may have `name` and `dtype`");
                return Err(Mistake(property.range(), message));
            }
        }
    }
    let name = name.unwrap_or_else(|| scope.fresh("input"));
    input(scope, &shape.value, name, dtype)
}

fn input(scope: &mut Scope, shape: &Written<'_>, name: String, dtype: String) -> Outcome<()> {
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
    scope.layers.push(json!({
        "class_name": "InputLayer",
        "name": name,
        "config": {"name": name, "batch_shape": sizes, "dtype": dtype},
        "inbound_nodes": [],
    }));
    let layer = scope.layers.len() - 1;
    scope.add(Entry { name, callee: Callee::Input, layer, call: 0, is_used: false });
    Ok(())
}
