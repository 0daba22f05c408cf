//! `tensorvet ops`: the catalogue, rendered from the definitions.

mod formula;
mod shapes;

use crate::print::print;
use ::layers::{layers, preparing};
use anyhow::{Result, bail};
use clap::Args;
use semantics::arena;
use semantics::example::{self, Expected};
use semantics::operator::{Arity, Framework, Operator, ParameterKind, Preset};
use semantics::operators;
use semantics::recognised;
use semantics::tensor::Tensor;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::ExitCode;

#[derive(Args)]
pub struct OpsArgs {
    /// An operator, by our name, ONNX's or that of TensorFlow graphs, or a Keras layer by its class; the whole catalogue if left out.
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
            || operator.spellings.iter().any(|spelling| spelling.name() == wanted.as_str())
    };
    // A name may be that of an operator and of a layer.
    let pages: Vec<String> = all().filter(spelled).map(|operator| arena::scope(|| page(operator))).collect();
    if !pages.is_empty() {
        print(&pages.join("\n"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(text) = without_definition(wanted) {
        print(&text)?;
        return Ok(ExitCode::SUCCESS);
    }
    bail!("no operator and no layer is called `{wanted}`; `tensorvet ops` lists them");
}

/// What to say of an operator of ONNX that is no definition of ours.
fn without_definition(name: &str) -> Option<String> {
    if let Some((_, meaning)) = STRUCTURE.iter().find(|(known, _)| *known == name) {
        return Some(format!("{name}\n    {meaning}\n"));
    }
    let known = recognised::OPERATORS.iter().find(|known| known.name == name)?;
    Some(format!("{name}\n    It is recognised and not followed: {}.\n", known.reason))
}

/// Operators of ONNX that are part of how a graph is read.
const STRUCTURE: [(&str, &str); 4] = [
    ("Constant", "A tensor that is written in the graph."),
    (
        "If",
        "One of two graphs. Both are checked, each where the condition holds or does not; they give as many outputs, \
         of one type each.",
    ),
    (
        "Loop",
        "A graph, over and over. What it hands on from round to round keeps its type; outputs that are collected are \
         of one shape in each round.",
    ),
    (
        "Scan",
        "A graph for each part of its inputs, in turn. The inputs that are walked through are equally long.",
    ),
];

/// The operators, then the layers.
fn all() -> impl Iterator<Item = &'static Operator> {
    let layers = layers::ALL.iter().chain(preparing::ALL);
    operators::ALL.iter().copied().chain(layers.map(|layer| &layer.operator))
}

/// One element of a tensor as text, and of each on the way to it that has no name.
pub fn formula(output: Tensor) -> Option<Vec<String>> {
    formula::written(output)
}

fn page(operator: &'static Operator) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}\n    {}\n", signature(operator), operator.summary);
    let mut onnx = operator.spelled_by(Framework::Onnx).peekable();
    if onnx.peek().is_some() {
        let _ = writeln!(text, "ONNX");
        for spelling in onnx {
            let _ = writeln!(text, "    from opset {:2}  {}", spelling.since, spelling.text);
        }
        text.push('\n');
    }
    let mut tensorflow = operator.spelled_by(Framework::TensorFlow).peekable();
    if tensorflow.peek().is_some() {
        let _ = writeln!(text, "TensorFlow graphs");
        for spelling in tensorflow {
            let _ = writeln!(text, "    {}", spelling.text);
        }
        text.push('\n');
    }
    let mut labels = BTreeSet::new();
    let (mut formula, mut shapes) = (None, None);
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
        if let (Ok(_), Expected::Outputs(_)) = (outcome, &example.expected) {
            shapes = shapes.or_else(|| shapes::rule(&example.call).map(|rule| (*source, rule)));
            formula = formula.or_else(|| {
                let mut call = shapes::roomy(&example.call)?;
                let outputs = call.run(operator.define).ok()?;
                let lost = || call.lost.iter().map(|why| format!("not known: {why}")).collect::<Vec<_>>();
                let written = formula::written(*outputs.first()?).or_else(|| Some(lost()))?;
                (!written.is_empty()).then_some((*source, written))
            });
        }
    }
    if !labels.is_empty() {
        let _ = writeln!(text, "Requirements");
        for (label, category) in labels {
            let _ = writeln!(text, "    {label}  [{category}]");
        }
        text.push('\n');
    }
    if let Some((example, rule)) = shapes {
        let _ = writeln!(text, "Shapes, with the arguments of {example}\n    {rule}\n");
    }
    if let Some((example, formula)) = formula {
        let _ = writeln!(text, "One element, for {example}\n    {}\n", formula.join("\n    "));
    }
    let _ = writeln!(text, "Examples");
    for example in operator.examples {
        let _ = writeln!(text, "    {example}");
    }
    text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_tells_shapes_and_one_element() {
        for operator in all() {
            let page = arena::scope(|| page(operator));
            assert!(page.contains("\nShapes, "), "{page}");
            assert!(page.contains("\nOne element, "), "{page}");
        }
    }

    #[test]
    fn sums_inside_sums_run_over_letters_of_their_own() {
        let conv = operators::by_name("conv").expect("conv is an operator");
        let page = arena::scope(|| page(conv));
        assert!(page.contains("[A, E, C - G + 1, D - H + 1]"), "{page}");
        assert!(page.contains("weight[i1, k, l, m]"), "{page}");
    }
}
