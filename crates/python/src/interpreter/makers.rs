//! Which piece of the user's code had a tensor made: messages say where both sides of a clash come from.

use super::Interpreter;
use crate::heap::Id;
use crate::syntax::{Source, Span};
use rustc_hash::FxHashMap;
use semantics::tensor::Tensor;
use std::rc::Rc;

/// The longest piece of source that a message repeats.
const LONGEST: usize = 60;

/// A piece of the user's code.
type Piece = (Rc<Source>, Span);

#[derive(Default)]
pub struct Makers {
    tensors: FxHashMap<Tensor, Piece>,
    /// Layers and other objects of libraries that the user's code makes.
    layers: FxHashMap<Id, Piece>,
}

impl Interpreter {
    /// Remembers where the user's code stands while a tensor is made.
    pub(super) fn note_maker(&mut self, tensor: Tensor) {
        let own = self.frames.iter().rev().find(|frame| frame.is_own());
        if let Some(frame) = own {
            self.makers.tensors.entry(tensor).or_insert_with(|| (frame.source.clone(), frame.at));
        }
    }
    /// Remembers where the user's code makes an object of a library.
    pub(super) fn note_layer(&mut self, layer: Id) {
        let frame = self.frame();
        if frame.is_own() {
            let piece = (frame.source.clone(), frame.at);
            self.makers.layers.insert(layer, piece);
        }
    }
}

impl Makers {
    /// ``line 31: `nn.Linear(84, 10)` ``, with the file where it is not `file`.
    pub fn origin(&self, tensor: Tensor, file: &str) -> Option<String> {
        words(self.tensors.get(&tensor)?, file)
    }
    /// The same of a layer.
    pub(super) fn origin_of_layer(&self, layer: Id, file: &str) -> Option<String> {
        words(self.layers.get(&layer)?, file)
    }
    pub(super) fn layer_at(&self, layer: Id) -> Option<Piece> {
        self.layers.get(&layer).cloned()
    }
    /// The piece that makes a tensor, if it is a part of another piece.
    pub(super) fn inside(&self, tensor: Tensor, source: &Rc<Source>, around: Span) -> Option<String> {
        let (held, span) = self.tensors.get(&tensor)?;
        let is_inside = around.start <= span.start && span.end <= around.end && *span != around;
        // What a layer was made with is not what the layer's weights are called.
        let makes_layer = || self.layers.values().any(|(of, at)| Rc::ptr_eq(of, held) && at == span);
        if !is_inside || !Rc::ptr_eq(held, source) || makes_layer() {
            return None;
        }
        let text = held.text.get(span.start as usize..span.end as usize)?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

fn words((source, span): &Piece, file: &str) -> Option<String> {
    let line = source.position(span.start).line;
    let place = if source.path == file { format!("line {line}") } else { format!("{}:{line}", source.path) };
    let text = source.text.get(span.start as usize..span.end as usize)?;
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if words.chars().count() > LONGEST {
        words = words.chars().take(LONGEST).chain(['…']).collect();
    }
    Some(format!("from {place}: `{words}`"))
}
