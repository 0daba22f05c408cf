//! Compares our definitions with ONNX's own schemas: every operator of the default domain, every version.

use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use semantics::dtype::Kind;
use semantics::operator::{Arity, Framework, ParameterKind, Preset};
use semantics::spelling::{self, Mapping, Odd, Resolved, Target};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

#[derive(Deserialize)]
struct Schemas {
    onnx: String,
    opset: u32,
    schemas: Vec<Schema>,
}

#[derive(Deserialize)]
struct Schema {
    name: String,
    since: u32,
    deprecated: bool,
    inputs: Vec<Input>,
    outputs: Vec<String>,
    attributes: Vec<Attribute>,
}

#[derive(Deserialize)]
struct Input {
    name: String,
    option: String,
    types: Vec<String>,
    /// Sequences and optionals are allowed too.
    others: bool,
}

#[derive(Deserialize)]
struct Attribute {
    name: String,
    kind: String,
    required: bool,
    default: Option<Value>,
}

/// Operators that the reader of ONNX files handles itself, because they hold graphs or tensors of any kind.
const READ_BY_THE_READER: &[&str] = &["Constant", "If", "Loop", "Scan"];
/// Attributes of versions before 6 that were never given a meaning.
const NEVER_MEANT: &[&str] = &["consumed_inputs"];

#[derive(Default)]
struct Differences {
    defined: usize,
    recognised: BTreeMap<&'static str, Vec<String>>,
    versions: usize,
    found: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Differences {
    fn add(&mut self, what: &'static str, detail: String) {
        self.found.entry(what).or_default().insert(detail);
    }
}

pub fn run() -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let text = frameworks::truth(&python, "schemas.py", &[])?;
    let truth: Schemas = serde_json::from_str(&text).context("reading the output of schemas.py")?;
    let mut differences = Differences::default();
    let mut newest: BTreeMap<&str, u32> = BTreeMap::new();
    for schema in &truth.schemas {
        newest.insert(&schema.name, schema.since);
    }
    for name in newest.keys() {
        match semantics::recognised::reason("", name) {
            Some(reason) => differences.recognised.entry(reason).or_default().push((*name).to_string()),
            None => differences.defined += 1,
        }
    }
    for schema in &truth.schemas {
        compare(schema, newest[schema.name.as_str()] == schema.since, &mut differences);
    }
    for operator in semantics::operators::ALL {
        for spelling in operator.spelled_by(Framework::Onnx) {
            let known = |schema: &Schema| schema.name == spelling.name() && schema.since == spelling.since;
            if !truth.schemas.iter().any(known) {
                let detail = format!("{} {}", spelling.name(), spelling.since);
                differences.add("our versions at which nothing changed", detail);
            }
        }
    }
    let table = data::root().join("crates/models/src/onnx/lower/element_types.in");
    std::fs::write(&table, older_types(&truth.schemas))
        .with_context(|| format!("writing {}", table.display()))?;
    let text = summary(&truth, &differences);
    println!("{text}");
    document::section("conformance.md", "operators", &text)
}

fn compare(schema: &Schema, newest: bool, differences: &mut Differences) {
    let name = schema.name.as_str();
    if READ_BY_THE_READER.contains(&name) || semantics::recognised::reason("", name).is_some() {
        return;
    }
    let place = format!("{name} {}", schema.since);
    let resolved = spelling::onnx(name, schema.since);
    if schema.deprecated {
        if resolved.is_some() {
            differences.add("taken although deprecated", place);
        }
        return;
    }
    let Some(resolved) = resolved else {
        differences.add("versions that are not defined", place);
        return;
    };
    differences.versions += 1;
    let mapping = resolved.mapping();
    inputs(schema, newest, &place, resolved, mapping, differences);
    attributes(schema, &place, resolved, mapping, differences);
    let (ours, theirs) = (resolved.operator.outputs, &schema.outputs);
    let variadic = theirs.last().is_some_and(|option| option == "Variadic");
    let given = ours.len() + resolved.spelling.further;
    if resolved.operator.gives_any_number() != variadic || (!variadic && given < theirs.len()) {
        differences.add("outputs", format!("{place}: {given} instead of {}", theirs.len()));
    }
    let required: Vec<usize> = resolved.operator.required_outputs().map(|(position, _)| position).collect();
    let single = |position: &usize| theirs[*position] == "Single";
    let expected: Vec<usize> = (0..theirs.len()).filter(single).collect();
    if required != expected {
        differences.add("outputs", format!("{place}: {required:?} are required instead of {expected:?}"));
    }
}

/// An input for which versions take fewer types than our definition.
struct Row<'s> {
    name: &'s str,
    position: usize,
    since: u32,
    until: u32,
    kinds: Vec<Kind>,
}

/// The table of such inputs, one row for versions that agree.
fn older_types(schemas: &[Schema]) -> String {
    let mut rows: Vec<Row<'_>> = Vec::new();
    for (number, schema) in schemas.iter().enumerate() {
        let next = schemas.get(number + 1).filter(|next| next.name == schema.name);
        let until = next.map_or(u32::MAX, |next| next.since);
        let Some(resolved) = spelling::onnx(&schema.name, schema.since).filter(|_| !schema.deprecated) else {
            continue;
        };
        for (position, (target, input)) in resolved.mapping().inputs.iter().zip(&schema.inputs).enumerate() {
            let (Target::Tensor(slot) | Target::Tensors(slot)) = *target else { continue };
            let theirs: BTreeSet<Kind> = input.types.iter().filter_map(|name| kind(name)).collect();
            let ours = resolved.operator.inputs[slot].types.kinds;
            let kinds: Vec<Kind> = ours.iter().copied().filter(|kind| theirs.contains(kind)).collect();
            if input.others || kinds.is_empty() || kinds.len() == ours.len() {
                continue;
            }
            let (name, since) = (schema.name.as_str(), schema.since);
            let continued = rows.iter_mut().find(|row| {
                (row.name, row.position, row.until) == (name, position, since) && row.kinds == kinds
            });
            match continued {
                Some(row) => row.until = until,
                None => rows.push(Row { name, position, since, until, kinds }),
            }
        }
    }
    let mut text = String::from("static ROWS: &[Narrower] = &[\n");
    for Row { name, position, since, until, kinds } in rows {
        let kinds: Vec<String> = kinds.iter().map(|kind| format!("{kind:?}")).collect();
        let until = if until == u32::MAX { "u32::MAX".to_string() } else { until.to_string() };
        let _ = writeln!(text, "    row({name:?}, {position}, {since}, {until}, &[{}]),", kinds.join(", "));
    }
    text + "];\n"
}

fn inputs(
    schema: &Schema,
    newest: bool,
    place: &str,
    resolved: &Resolved,
    mapping: &Mapping,
    differences: &mut Differences,
) {
    let (ours, theirs) = (&mapping.inputs, &schema.inputs);
    if ours.len() != theirs.len() {
        differences.add("numbers of inputs", format!("{place}: {} instead of {}", ours.len(), theirs.len()));
    }
    for (target, input) in ours.iter().zip(theirs) {
        let place = format!("{place} `{}`", input.name);
        let (types, optional, variadic) = match *target {
            Target::Tensor(slot) | Target::Tensors(slot) => {
                let own = resolved.operator.inputs[slot];
                (own.types.kinds, own.arity == Arity::Optional, own.arity == Arity::Variadic)
            }
            Target::Read(slot, types) => {
                let required = matches!(resolved.operator.parameters[slot].default, Preset::Required);
                (types.kinds, !required, false)
            }
            Target::Parameter(_) | Target::Ignored => continue,
        };
        if variadic != (input.option == "Variadic") {
            differences.add("inputs that are variadic on one side", place.clone());
        } else if input.option == "Single" && optional {
            differences.add("inputs that we take as optional", place.clone());
        } else if input.option == "Optional" && !optional {
            differences.add("inputs that we require", place.clone());
        }
        if !newest || input.others {
            continue;
        }
        let ours: BTreeSet<Kind> = types.iter().copied().collect();
        let theirs: BTreeSet<Kind> = input.types.iter().filter_map(|name| kind(name)).collect();
        let list = |kinds: Vec<&Kind>| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" ");
        let more = list(ours.difference(&theirs).collect());
        let fewer = list(theirs.difference(&ours).collect());
        if !more.is_empty() {
            differences.add("types that only we allow", format!("{place}: {more}"));
        }
        if !fewer.is_empty() {
            differences.add("types that only ONNX allows", format!("{place}: {fewer}"));
        }
    }
}

fn attributes(
    schema: &Schema,
    place: &str,
    resolved: &Resolved,
    mapping: &Mapping,
    differences: &mut Differences,
) {
    for (name, _) in &mapping.attributes {
        if !schema.attributes.iter().any(|attribute| attribute.name == *name) {
            differences.add("attributes that only we know", format!("{place} `{name}`"));
        }
    }
    for attribute in &schema.attributes {
        let place = format!("{place} `{}`", attribute.name);
        let target = mapping.attributes.iter().find(|(name, _)| *name == attribute.name);
        let slot = match target {
            None if NEVER_MEANT.contains(&attribute.name.as_str()) => continue,
            None => {
                differences.add("attributes that only ONNX knows", place);
                continue;
            }
            Some((_, Target::Parameter(slot))) => *slot,
            Some(_) => continue,
        };
        let parameter = &resolved.operator.parameters[slot];
        let fits = match parameter.kind {
            ParameterKind::Type if mapping.odd(slot) == Some(Odd::Named) => attribute.kind == "STRING",
            ParameterKind::Int | ParameterKind::Flag | ParameterKind::Type => attribute.kind == "INT",
            ParameterKind::Ints => attribute.kind == "INTS",
            ParameterKind::Float => attribute.kind == "FLOAT",
            ParameterKind::Floats => attribute.kind == "FLOATS",
            ParameterKind::Word(_) | ParameterKind::Text => attribute.kind == "STRING",
            ParameterKind::Words(_) => attribute.kind == "STRINGS",
            ParameterKind::Operators(_) => false,
        };
        if !fits {
            differences.add("attributes of another kind", format!("{place} is {}", attribute.kind));
            continue;
        }
        let preset = mapping.presets.iter().find(|(position, _)| *position == slot);
        let single = mapping.singles.iter().find(|(position, _)| *position == slot);
        let preset =
            preset.map(|(_, text)| text.to_string()).or(single.map(|(_, number)| number.to_string()));
        if attribute.required {
            if preset.is_some() || !matches!(parameter.default, Preset::Required) {
                differences.add("attributes that we do not require", place);
            }
        } else if let Some(theirs) = &attribute.default {
            let ours = preset.unwrap_or_else(|| written(parameter.default));
            if !same(&ours, theirs, parameter.kind) {
                differences.add("other defaults", format!("{place}: {ours} instead of {theirs}"));
            }
        } else if preset.is_none() && matches!(parameter.default, Preset::Required) {
            differences.add("attributes that we require", place);
        }
    }
}

fn written(preset: Preset) -> String {
    match preset {
        Preset::Required => "required".into(),
        Preset::Absent => "absent".into(),
        Preset::Int(value) => value.to_string(),
        Preset::Float(value) => value.to_string(),
        Preset::Flag(value) => i64::from(value).to_string(),
        Preset::Word(word) => word.to_string(),
    }
}

/// Whether a default that we write is one that ONNX stores. One of a few may also be said by the definition:
/// `absent`, which tells a list that is left out from one that is given.
fn same(ours: &str, theirs: &Value, kind: ParameterKind) -> bool {
    if ours == "absent" {
        return !matches!(kind, ParameterKind::Flag);
    }
    match (theirs, kind) {
        (Value::String(theirs), _) => ours == theirs,
        (Value::Number(code), ParameterKind::Type) => {
            let code = code.as_i64().and_then(|code| i32::try_from(code).ok());
            code.and_then(models::onnx::kind) == Kind::parse(ours)
        }
        (Value::Number(theirs), _) => {
            let ours = match ours {
                "true" => Some(1.0),
                "false" => Some(0.0),
                _ => ours.parse::<f64>().ok(),
            };
            // Schemas hold floats of single precision.
            ours.zip(theirs.as_f64()).is_some_and(|(ours, theirs)| ours as f32 == theirs as f32)
        }
        (Value::Array(theirs), _) => theirs.len() == 1 && same(ours, &theirs[0], kind),
        _ => false,
    }
}

fn kind(name: &str) -> Option<Kind> {
    Kind::parse(match name {
        "uint2" => "u2",
        "int2" => "i2",
        "uint4" => "u4",
        "int4" => "i4",
        "float4e2m1" => "f4e2m1",
        "float8e4m3fn" => "f8e4m3fn",
        "float8e4m3fnuz" => "f8e4m3fnuz",
        "float8e5m2" => "f8e5m2",
        "float8e5m2fnuz" => "f8e5m2fnuz",
        "float8e8m0" => "f8e8m0",
        name => name,
    })
}

fn summary(truth: &Schemas, differences: &Differences) -> String {
    let mut text = format!(
        "## ONNX operators\n\n`cargo xtask operators`: our definitions against the schemas of onnx {}, default domain, \
         opset 1 to {}.\n\n\
         - {} operators are defined, {} of their versions compared\n",
        truth.onnx, truth.opset, differences.defined, differences.versions,
    );
    for (reason, names) in &differences.recognised {
        let _ =
            writeln!(text, "- {} are recognised only, because {reason}: {}", names.len(), names.join(", "));
    }
    if differences.found.is_empty() {
        text.push_str("\nNo differences.\n");
    }
    for (what, list) in &differences.found {
        let _ = writeln!(text, "\nDifferences, {what} ({}):", list.len());
        list.iter().for_each(|item| {
            let _ = writeln!(text, "- {item}");
        });
    }
    text
}
