//! What models are grown of: the layers of Keras, or operators, as they are or as a version of ONNX has them.

use layers::layer::{Layer, Mask, no_weights};
use semantics::call::{Call, Outcome};
use semantics::operator::{Framework, Operator, Parameter, ParameterKind, Preset};
use semantics::operators::ALL;
use semantics::spelling;

pub type Vocabulary = &'static [&'static Layer];

/// The layers of Keras.
pub fn keras() -> Vocabulary {
    layers::layers::ALL
}

/// Every operator, by its own definition. They live as long as the process does: make them once.
pub fn operators() -> Vocabulary {
    let each = ALL.iter().filter_map(|operator| layer(operator, operator.parameters, operator.define));
    each.collect::<Vec<_>>().leak()
}

/// Every operator that a version of ONNX has, with the meaning and the defaults of that version. They live as long
/// as the process does: make them once.
pub fn onnx(version: u32) -> Vocabulary {
    let each = ALL.iter().filter_map(|operator| {
        let newest = operator.spelled_by(Framework::Onnx).rev().find(|spelling| spelling.since <= version)?;
        let resolved = spelling::onnx(newest.name(), version)?;
        let mut parameters = operator.parameters.to_vec();
        for (at, preset) in &resolved.mapping().presets {
            parameters[*at].default = default(&parameters[*at], preset)?;
        }
        for (at, number) in &resolved.mapping().singles {
            parameters[*at].default = Preset::Float(*number);
        }
        layer(operator, parameters.leak(), resolved.spelling.define.unwrap_or(operator.define))
    });
    each.collect::<Vec<_>>().leak()
}

/// An operator as a layer without weights. What takes no tensor cannot go on from one.
fn layer(
    operator: &'static Operator,
    parameters: &'static [Parameter],
    define: fn(&mut Call) -> Outcome,
) -> Option<&'static Layer> {
    if operator.inputs.is_empty() {
        return None;
    }
    let Operator { name, summary, inputs, outputs, spellings, examples, .. } = *operator;
    let takes: Vec<&'static str> = inputs.iter().map(|input| input.name).collect();
    let operator = Operator { name, summary, inputs, parameters, outputs, spellings, define, examples };
    let layer = Layer { operator, takes: takes.leak(), weights: no_weights, mask: Mask::Drops };
    Some(Box::leak(Box::new(layer)))
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
