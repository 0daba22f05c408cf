//! `tensorvet ops`: the catalogue, rendered from the definitions.

use crate::print::print;
use anyhow::{Result, bail};
use clap::Args;
use layers::layers;
use semantics::arena;
use semantics::example::{self, Expected};
use semantics::operator::{Arity, Operator, ParameterKind, Preset};
use semantics::operators;
use semantics::tensor::Tensor;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(Args)]
pub struct OpsArgs {
    /// An operator, by our name or by ONNX's, or a Keras layer by its class; the whole catalogue if left out.
    name: Option<String>,
}

pub fn run(arguments: &OpsArgs) -> Result<ExitCode> {
    let Some(wanted) = &arguments.name else {
        print(
            &all().map(|operator| format!("{:28} {}\n", operator.name, operator.summary)).collect::<String>(),
        )?;
        return Ok(ExitCode::SUCCESS);
    };
    let spelled = |operator: &&'static Operator| {
        operator.name == wanted.as_str()
            || operator.onnx.iter().any(|spelling| spelling.name() == wanted.as_str())
    };
    // A name that both have is the layer's: whoever means the operator can write it small.
    let named = layers::by_name(wanted).map(|layer| &layer.operator);
    let Some(operator) = named.or_else(|| all().find(spelled)) else {
        bail!("no operator and no layer is called `{wanted}`; `tensorvet ops` lists them");
    };
    print(&arena::scope(|| page(operator)))?;
    Ok(ExitCode::SUCCESS)
}

/// The operators, then the layers.
fn all() -> impl Iterator<Item = &'static Operator> {
    operators::ALL.iter().copied().chain(layers::ALL.iter().map(|layer| &layer.operator))
}

fn page(operator: &'static Operator) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n    {}\n", signature(operator), operator.summary);
    if !operator.onnx.is_empty() {
        let _ = writeln!(text, "ONNX");
        for spelling in operator.onnx {
            let _ = writeln!(text, "    from opset {:2}  {}", spelling.since, spelling.text);
        }
        text.push('\n');
    }
    let mut labels = BTreeSet::new();
    let mut formula = None;
    for source in operator.examples {
        let Ok(mut example) = example::parse_call(source, operator) else { continue };
        let outcome = example.call.run(operator.define);
        labels.extend(
            example
                .call
                .requirements
                .iter()
                .map(|r| (r.label, r.category.name()))
                .filter(|(l, _)| !l.is_empty()),
        );
        if let (Ok(outputs), Expected::Outputs(_), None) = (outcome, &example.expected, &formula) {
            formula = outputs.first().and_then(|output| written(*output)).map(|formula| (*source, formula));
        }
    }
    if !labels.is_empty() {
        let _ = writeln!(text, "Requirements");
        for (label, category) in labels {
            let _ = writeln!(text, "    {label}  [{category}]");
        }
        text.push('\n');
    }
    if let Some((example, formula)) = formula {
        let _ = writeln!(text, "One element, for {example}\n    {formula}\n");
    }
    let _ = writeln!(text, "Examples");
    for example in operator.examples {
        let _ = writeln!(text, "    {example}");
    }
    text
}

/// The formula of a tensor as text: `output[i0, i1] = …`.
fn written(output: Tensor) -> Option<String> {
    let formula = output.formula()?;
    let index: Vec<String> = formula.index.iter().map(ToString::to_string).collect();
    Some(format!("output[{}] = {}", index.join(", "), formula.element))
}

fn signature(operator: &Operator) -> String {
    let inputs = operator.inputs.iter().map(|input| match input.arity {
        Arity::One => format!("{}: {}", input.name, input.types.name),
        Arity::Optional => format!("{}?: {}", input.name, input.types.name),
        Arity::Variadic | Arity::Any => format!("{}…: {}", input.name, input.types.name),
    });
    let parameters = operator.parameters.iter().map(|parameter| {
        let kind = match parameter.kind {
            ParameterKind::Int => "integer".to_string(),
            ParameterKind::Ints => "integers".to_string(),
            ParameterKind::Float => "number".to_string(),
            ParameterKind::Floats => "numbers".to_string(),
            ParameterKind::Flag => "yes or no".to_string(),
            ParameterKind::Type => "element type".to_string(),
            ParameterKind::Text => "text".to_string(),
            ParameterKind::Operators(_) => "layers".to_string(),
            ParameterKind::Word(choices) | ParameterKind::Words(choices) => choices.join(" | "),
        };
        match parameter.default {
            Preset::Required => format!("{}: {kind}", parameter.name),
            Preset::Absent => format!("{}?: {kind}", parameter.name),
            Preset::Int(value) => format!("{}: {kind} = {value}", parameter.name),
            Preset::Float(value) => format!("{}: {kind} = {value}", parameter.name),
            Preset::Flag(value) => format!("{}: {kind} = {value}", parameter.name),
            Preset::Word(value) => format!("{}: {kind} = {value}", parameter.name),
        }
    });
    let arguments: Vec<String> = inputs.chain(parameters).collect();
    format!("{}({}) -> {}", operator.name, arguments.join(", "), operator.outputs.join(", "))
}
