//! What models are grown of: the layers of Keras, or the operators of ONNX at a version of its standard.

use layers::layer::{Layer, Mask, no_weights};
use semantics::operator::{Operator, Parameter, ParameterKind, Preset};
use semantics::operators::ALL;
use semantics::spelling;

pub type Vocabulary = &'static [&'static Layer];

/// The layers of Keras.
pub fn keras() -> Vocabulary {
    layers::layers::ALL
}

/// Every operator that a version of ONNX has, as a layer without weights, with the meaning and the defaults of that
/// version. They live as long as the process does: make them once.
pub fn onnx(version: u32) -> Vocabulary {
    let each = ALL.iter().filter_map(|operator| {
        let newest = operator.onnx.iter().rev().find(|spelling| spelling.since <= version)?;
        let resolved = spelling::onnx(newest.name(), version)?;
        let mut parameters = operator.parameters.to_vec();
        for (at, preset) in &resolved.mapping().presets {
            parameters[*at].default = default(&parameters[*at], preset)?;
        }
        let takes: Vec<&'static str> = operator.inputs.iter().map(|input| input.name).collect();
        let operator = Operator {
            name: operator.name,
            summary: operator.summary,
            inputs: operator.inputs,
            parameters: parameters.leak(),
            outputs: operator.outputs,
            onnx: operator.onnx,
            define: resolved.spelling.define.unwrap_or(operator.define),
            examples: operator.examples,
        };
        // What takes no tensor cannot go on from one.
        if operator.inputs.is_empty() {
            return None;
        }
        let layer = Layer { operator, takes: takes.leak(), weights: no_weights, mask: Mask::Drops };
        Some(&*Box::leak(Box::new(layer)))
    });
    each.collect::<Vec<_>>().leak()
}

/// The default of a parameter as a spelling writes it.
fn default(parameter: &Parameter, text: &'static str) -> Option<Preset> {
    Some(match parameter.kind {
        ParameterKind::Int => Preset::Int(text.parse().ok()?),
        ParameterKind::Float => Preset::Float(text.parse().ok()?),
        ParameterKind::Flag => Preset::Flag(text == "1"),
        ParameterKind::Word(_) => Preset::Word(text),
        _ => return None,
    })
}
