//! Programs of operators as ONNX text: what a person reads, `onnx.parser` parses, and this crate reads again.

use super::element::Element;
use super::lower::narrower;
use program::ir::{Action, Declared, Given, Invocation, Program, Size, ValueId};
use rustc_hash::FxHashMap;
use semantics::dtype::{Kind, TypeSet};
use semantics::operator::{Framework, Operator, ParameterKind};
use semantics::spelling::{self, Form, Resolved, Target};
use std::fmt::Write as _;

/// A program as a model in ONNX's text format.
pub struct Written {
    pub text: String,
    /// The names of the inputs, and of what each node gives, in the order of both.
    pub inputs: Vec<(ValueId, String)>,
    pub outputs: Vec<Vec<(ValueId, String)>>,
}

/// What is known of a value.
pub struct Described {
    pub kind: Kind,
    pub shape: Vec<usize>,
}

/// How an operator is spelled in a version of the standard.
pub fn spelled(operator: &Operator, version: u32) -> Option<&'static Resolved> {
    let newest = operator.spelled_by(Framework::Onnx).rev().find(|spelling| spelling.since <= version)?;
    spelling::onnx(newest.name(), version)
}

/// The text of a program, for a version of the standard. The error says what has no form there.
pub fn write(
    program: &Program,
    version: u32,
    described: &dyn Fn(ValueId) -> Option<Described>,
) -> Result<Written, String> {
    let graph = &program.graph;
    let mut writer = Writer { names: FxHashMap::default(), stored: Vec::new() };
    let (mut inputs, mut declared) = (Vec::new(), Vec::new());
    for (k, &input) in graph.inputs.iter().enumerate() {
        let name = if graph.inputs.len() == 1 { "x".to_string() } else { format!("x{}", k + 1) };
        let Some(Declared::Tensor { kind: Some(kind), sizes: Some(sizes) }) =
            &program.values[input.0 as usize].declared
        else {
            return Err("an input is not described".into());
        };
        let sizes: Option<Vec<usize>> = sizes.iter().map(known).collect();
        declared.push(format!("{} {name}", typed(*kind, &sizes.ok_or("an input has an open size")?)?));
        writer.names.insert(input, name.clone());
        inputs.push((input, name));
    }
    if !graph.constants.is_empty() {
        return Err("stored tensors are not written".into());
    }
    let (mut lines, mut outputs) = (Vec::new(), Vec::new());
    for (k, node) in graph.nodes.iter().enumerate() {
        let Action::Call(call) = &node.action else {
            return Err(format!("`{}` is no operator", node.place.spelled));
        };
        takes_types(call, version, &|value| match &program.values[value.0 as usize].declared {
            Some(Declared::Tensor { kind: Some(kind), .. }) => Some(*kind),
            _ => described(value).map(|described| described.kind),
        })?;
        let mut given: Vec<(ValueId, String)> = Vec::new();
        for (place, output) in node.outputs.iter().enumerate() {
            let Some(output) = *output else { continue };
            let name = if place == 0 { format!("y{}", k + 1) } else { format!("y{}_{place}", k + 1) };
            given.push((output, name));
        }
        let line = writer.call(call, version)?;
        writer.names.extend(given.iter().cloned());
        let names: Vec<&str> = given.iter().map(|(_, name)| name.as_str()).collect();
        lines.push(format!("  {} = {line}", names.join(", ")));
        outputs.push(given);
    }
    let mut results = Vec::new();
    for output in &graph.outputs {
        let (Some(known), Some(name)) = (described(*output), writer.names.get(output)) else { continue };
        results.push(format!("{} {name}", typed(known.kind, &known.shape)?));
    }
    let mut text = format!("<ir_version: 10, opset_import: [\"\" : {version}]>\n");
    let _ = write!(text, "model ({}) => ({})", declared.join(", "), results.join(", "));
    if !writer.stored.is_empty() {
        let _ = write!(text, "\n<{}>", writer.stored.join(", "));
    }
    let _ = write!(text, " {{\n{}\n}}\n", lines.join("\n"));
    Ok(Written { text, inputs, outputs })
}

/// Whether a call with these arguments can be written.
pub fn can_write(operator: &Operator, version: u32, given: &[Option<Given>]) -> bool {
    spelled(operator, version).is_some_and(|resolved| lost(operator, resolved, given).is_none())
}

/// The argument that has no form in ONNX, if there is one.
fn lost(operator: &Operator, resolved: &Resolved, given: &[Option<Given>]) -> Option<String> {
    let mapping = resolved.mapping();
    for (at, (given, parameter)) in given.iter().zip(operator.parameters).enumerate() {
        let Some(given) = given else { continue };
        let read = mapping.inputs.iter().any(|target| matches!(target, Target::Read(own, _) if *own == at));
        let named = mapping
            .attributes
            .iter()
            .any(|(_, target)| matches!(target, Target::Parameter(own) if *own == at));
        let lists = matches!(parameter.kind, ParameterKind::Ints | ParameterKind::Floats);
        let fits = match given {
            // One number for all axes is a form of ours.
            Given::Int(_) | Given::Float(_) => !lists,
            Given::Ints(values) => read || !values.is_empty(),
            Given::Floats(values) => read || !values.is_empty(),
            Given::Operators(_) | Given::Value(..) => false,
            _ => true,
        };
        if !fits || !(read || named) {
            return Some(format!("`{}` of `{}` has no form in ONNX", parameter.name, operator.name));
        }
    }
    None
}

/// Whether a version takes the element types of a call.
fn takes_types(
    call: &Invocation,
    version: u32,
    kind: &dyn Fn(ValueId) -> Option<Kind>,
) -> Result<(), String> {
    let Some(resolved) = spelled(call.operator, version) else { return Ok(()) };
    let (name, inputs) = (resolved.spelling.name(), &resolved.mapping().inputs);
    for narrower in narrower(name, version) {
        let Some(Target::Tensor(slot) | Target::Tensors(slot)) = inputs.get(narrower.position) else {
            continue;
        };
        let kinds = call.tensors[*slot].iter().filter_map(|&value| kind(value));
        if let Some(other) = kinds.into_iter().find(|kind| !narrower.kinds.contains(kind)) {
            return Err(format!("`{name}` takes no {other} before opset {}", narrower.until));
        }
    }
    Ok(())
}

struct Writer {
    names: FxHashMap<ValueId, String>,
    /// Parameters that are tensors in ONNX.
    stored: Vec<String>,
}

impl Writer {
    /// `Conv<strides = [2, 2]>(x, y1)`
    fn call(&mut self, call: &Invocation, version: u32) -> Result<String, String> {
        let operator = call.operator;
        let resolved =
            spelled(operator, version).ok_or_else(|| format!("ONNX has no `{}`", operator.name))?;
        let mapping = resolved.mapping();
        lost(operator, resolved, &call.arguments).map_or(Ok(()), Err)?;
        let has_form = |slot: usize| {
            mapping
                .inputs
                .iter()
                .any(|target| matches!(target, Target::Tensor(at) | Target::Tensors(at) if *at == slot))
        };
        if (0..call.tensors.len()).any(|slot| !call.tensors[slot].is_empty() && !has_form(slot)) {
            return Err(format!("an input of `{}` is no input in ONNX", operator.name));
        }
        let mut inputs: Vec<String> = Vec::new();
        for target in &mapping.inputs {
            match target {
                Target::Tensor(slot) => {
                    let name = call.tensors[*slot].first().and_then(|value| self.names.get(value));
                    inputs.push(name.cloned().unwrap_or_default());
                }
                Target::Tensors(slot) => {
                    inputs.extend(
                        call.tensors[*slot].iter().filter_map(|value| self.names.get(value).cloned()),
                    );
                }
                Target::Read(parameter, types) => {
                    inputs.push(match &call.arguments[*parameter] {
                        Some(given) => {
                            self.tensor(operator, *parameter, *types, mapping.form(*parameter), given)?
                        }
                        None => String::new(),
                    });
                }
                Target::Parameter(_) | Target::Ignored => inputs.push(String::new()),
            }
        }
        while inputs.last().is_some_and(String::is_empty) {
            inputs.pop();
        }
        // A name that is left out in the middle.
        inputs.iter_mut().filter(|name| name.is_empty()).for_each(|name| name.push_str("\"\""));
        let mut attributes = Vec::new();
        for (theirs, target) in &mapping.attributes {
            let Target::Parameter(parameter) = target else { continue };
            if let Some(given) = &call.arguments[*parameter] {
                let kind = operator.parameters[*parameter].kind;
                attributes.push(format!("{theirs} = {}", literal(kind, given)?));
            }
        }
        let attributes =
            if attributes.is_empty() { String::new() } else { format!("<{}>", attributes.join(", ")) };
        Ok(format!("{}{attributes}({})", resolved.spelling.name(), inputs.join(", ")))
    }

    /// Stores a parameter as a tensor, and gives its name.
    fn tensor(
        &mut self,
        operator: &Operator,
        parameter: usize,
        types: TypeSet,
        form: Form,
        given: &Given,
    ) -> Result<String, String> {
        let prefers = [Kind::I64, Kind::F32, Kind::Bool];
        let kind = prefers.into_iter().find(|kind| types.kinds.contains(kind));
        let kind = kind.ok_or("a parameter is a tensor of a type that is not written")?;
        let items: Vec<String> = match given {
            Given::Int(value) => vec![value.to_string()],
            Given::Ints(values) => values.iter().map(i64::to_string).collect(),
            Given::Float(value) => vec![float(*value)?],
            Given::Floats(values) => values.iter().map(|value| float(*value)).collect::<Result<_, _>>()?,
            _ => return Err("a parameter is no number".into()),
        };
        let one = matches!(given, Given::Int(_) | Given::Float(_)) && form != Form::List;
        let shape = if one { Vec::new() } else { vec![items.len()] };
        let name = format!("{}{}", operator.parameters[parameter].name, self.stored.len() + 1);
        self.stored.push(format!("{} {name} = {{{}}}", typed(kind, &shape)?, items.join(", ")));
        Ok(name)
    }
}

fn known(size: &Size) -> Option<usize> {
    match size {
        Size::Known(size) => usize::try_from(*size).ok(),
        _ => None,
    }
}

/// `float[2, 3]`; a tensor without axes is a plain `float`.
fn typed(kind: Kind, shape: &[usize]) -> Result<String, String> {
    let element = element(kind).ok_or_else(|| format!("ONNX has no tensors of {kind}"))?;
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    Ok(if sizes.is_empty() { element.name.into() } else { format!("{}[{}]", element.name, sizes.join(", ")) })
}

fn literal(kind: ParameterKind, given: &Given) -> Result<String, String> {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    Ok(match given {
        Given::Int(value) if matches!(kind, ParameterKind::Float) => float(*value as f64)?,
        Given::Int(value) => value.to_string(),
        Given::Ints(values) => list(values.iter().map(i64::to_string).collect()),
        Given::Float(value) => float(*value)?,
        Given::Floats(values) => list(values.iter().map(|value| float(*value)).collect::<Result<_, _>>()?),
        Given::Text(text) => format!("\"{text}\""),
        Given::Texts(texts) => list(texts.iter().map(|text| format!("\"{text}\"")).collect()),
        Given::Type(kind) => element(*kind).ok_or("a type has no number in ONNX")?.code.to_string(),
        Given::Operators(_) | Given::Value(..) => return Err("an argument is no number and no word".into()),
    })
}

/// A float of the standard's attributes, which are float32.
fn float(value: f64) -> Result<String, String> {
    if !value.is_finite() || f64::from(value as f32) != value {
        return Err(format!("{value} is no finite float32"));
    }
    Ok(format!("{:?}", value as f32))
}

fn element(kind: Kind) -> Option<&'static Element> {
    (1..).map_while(Element::from_code).find(|element| super::kind(element.code) == Some(kind))
}
