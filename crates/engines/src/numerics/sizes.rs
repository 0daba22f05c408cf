//! Sizes that a file leaves open, settled for a look at numbers.
//!
//! An open first size of an input is the number of examples in a batch: all inputs have as many, and there is at least
//! one. So labels and predictions go together element by element, and nothing divides by the size of an empty batch.

use crate::validity::{GivenInput, Question};
use program::ir::{Declared, Program, Size};

/// Inputs of which not even the number of axes is said. Most of them are numbers: a rate, a probability.
pub(super) fn shapeless(program: &Program) -> Vec<&str> {
    let is_open = |declared: &Declared| matches!(declared, Declared::Tensor { kind: Some(kind), sizes: None } if kind.is_float());
    let inputs = program.graph.inputs.iter().filter(|&&input| program.declared(input).is_some_and(is_open));
    inputs.map(|&input| program.name(input)).collect()
}

/// The question with sizes for inputs that the user says nothing of; `None` if there is nothing to settle.
pub(super) fn settled(program: &Program, about: &Question, scalars: &[&str]) -> Option<Question> {
    let mut given = Vec::new();
    for &input in &program.graph.inputs {
        let name = program.name(input);
        let is_told = about.inputs.iter().any(|told| told.name == name)
            || about.known.iter().any(|(told, _)| told == name)
            || program.variables.iter().any(|variable| variable.value == input);
        let Some(Declared::Tensor { kind: Some(kind), sizes }) = program.declared(input) else { continue };
        // A reader may have named an open size after the input itself.
        let own = |axis: usize| format!("{name}.{axis}");
        let is_open = |axis: usize, size: &Size| match size {
            Size::Known(_) => false,
            Size::Named(named) => {
                **named == own(axis) && !about.sizes.iter().any(|(told, ..)| **told == **named)
            }
            Size::Unknown => true,
        };
        let sizes = match sizes {
            _ if is_told => continue,
            Some(sizes) if sizes.iter().enumerate().any(|(axis, size)| is_open(axis, size)) => {
                sizes.as_slice()
            }
            None if scalars.contains(&name) => &[],
            _ => continue,
        };
        let settled = sizes.iter().enumerate().map(|(axis, size)| match size {
            Size::Known(size) => Ok(*size),
            size if axis == 0 && is_open(axis, size) => Err(BATCH.to_owned()),
            Size::Named(name) => Err(name.to_string()),
            Size::Unknown => Err(own(axis)),
        });
        given.push(GivenInput { name: name.to_owned(), kind: *kind, sizes: settled.collect(), layout: None });
    }
    if given.is_empty() {
        return None;
    }
    let mut question = about.clone();
    question.inputs.extend(given);
    Some(question)
}

const BATCH: &str = "batch";
