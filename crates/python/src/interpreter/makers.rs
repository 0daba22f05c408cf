//! Which piece of the user's code had a tensor made: messages say where both sides of a clash come from.

use super::Interpreter;
use crate::syntax::{Source, Span};
use rustc_hash::FxHashMap;
use semantics::tensor::Tensor;
use std::rc::Rc;

/// The longest piece of source that a message repeats.
const LONGEST: usize = 60;

#[derive(Default)]
pub struct Makers(FxHashMap<Tensor, (Rc<Source>, Span)>);

impl Interpreter {
    /// Remembers where the user's code stands while a tensor is made.
    pub(super) fn note_maker(&mut self, tensor: Tensor) {
        let own = self.frames.iter().rev().find(|frame| frame.is_own());
        if let Some(frame) = own {
            self.makers.0.entry(tensor).or_insert_with(|| (frame.source.clone(), frame.at));
        }
    }
}

impl Makers {
    /// ``line 31: `nn.Linear(84, 10)` ``, with the file where it is not `file`.
    pub fn origin(&self, tensor: Tensor, file: &str) -> Option<String> {
        let (source, span) = self.0.get(&tensor)?;
        let line = source.position(span.start).line;
        let place =
            if source.path == file { format!("line {line}") } else { format!("{}:{line}", source.path) };
        let text = source.text.get(span.start as usize..span.end as usize)?;
        let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if words.chars().count() > LONGEST {
            words = words.chars().take(LONGEST).chain(['…']).collect();
        }
        Some(format!("from {place}: `{words}`"))
    }
}
