//! `tensorvet ops`: the catalogue, rendered from the definitions.

use anyhow::{Result, bail};
use clap::Args;
use semantics::arena;
use semantics::example::{self, Expected};
use semantics::operator::{Arity, Operator, ParameterKind, Preset};
use semantics::operators;
use semantics::tensor::Tensor;
use std::collections::BTreeSet;
use std::process::ExitCode;

#[derive(Args)]
pub struct OpsArgs {
    /// An operator, by our name or by ONNX's; the whole catalogue if left out.
    name: Option<String>,
}

pub fn run(arguments: &OpsArgs) -> Result<ExitCode> {
    let Some(wanted) = &arguments.name else {
        for operator in operators::ALL {
            println!("{:28} {}", operator.name, operator.summary);
        }
        return Ok(ExitCode::SUCCESS);
    };
    let spelled = |operator: &&&Operator| {
        operator.name == wanted.as_str()
            || operator.onnx.iter().any(|spelling| spelling.name() == wanted.as_str())
    };
    let Some(operator) = operators::ALL.iter().find(spelled) else {
        bail!("no operator is called `{wanted}`; `tensorvet ops` lists them");
    };
    arena::scope(|| show(operator));
    Ok(ExitCode::SUCCESS)
}

fn show(operator: &Operator) {
    println!("{}\n    {}\n", signature(operator), operator.summary);
    if !operator.onnx.is_empty() {
        println!("ONNX");
        for spelling in operator.onnx {
            println!("    from opset {:2}  {}", spelling.since, spelling.text);
        }
        println!();
    }
    let mut labels = BTreeSet::new();
    let mut formula = None;
    for text in operator.examples {
        let Ok(mut example) = example::parse(text) else { continue };
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
            formula = outputs.first().and_then(|output| written(*output)).map(|formula| (*text, formula));
        }
    }
    if !labels.is_empty() {
        println!("Requirements");
        for (label, category) in labels {
            println!("    {label}  [{category}]");
        }
        println!();
    }
    if let Some((text, formula)) = formula {
        println!("One element, for {text}\n    {formula}\n");
    }
    println!("Examples");
    for text in operator.examples {
        println!("    {text}");
    }
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
        Arity::Variadic => format!("{}…: {}", input.name, input.types.name),
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
