//! What is said of a broken requirement besides its label: the condition with the numbers of this call, the arguments
//! it speaks of, what the user's code calls the tensors, and where the layer that runs was made.
//!
//! All of this is looked at once a requirement is broken, on a copy of the state.

use super::mend::{Piece, piece};
use super::{Flow, Frame, Interpreter, Outcome};
use crate::syntax::{Expr, ExprKind, Name};
use crate::value::Value;
use program::path::{Entry, Judged, Spoken};
use semantics::operator::Category;
use semantics::tensor::Tensor;
use solver::Verdict;

/// The longest piece of the user's code that stands for a tensor in a sentence.
const LONGEST_NAME: usize = 40;

/// A program that goes on after so many broken requirements catches them all.
const MOST_EXPLAINED: usize = 64;

/// A size that is not the usual one, and why.
pub(super) struct Circumstance {
    number: i64,
    usual: i64,
    text: std::rc::Rc<str>,
    is_over: bool,
}

impl Interpreter {
    /// Adds to the entry that was recorded last what helps to understand it.
    pub(crate) fn explain(&mut self) {
        // What is tried on a copy is run again where it counts.
        if self.is_trying() || self.explained == MOST_EXPLAINED {
            return;
        }
        self.explained += 1;
        let condition = self.quietly(Interpreter::broken_condition).unwrap_or_default();
        let inputs = self.path.record.last().map(|entry| entry.inputs.clone()).unwrap_or_default();
        let given = if inputs.is_empty() { self.tensors_of_function() } else { Vec::new() };
        let tensors: Vec<Tensor> = inputs.iter().chain(&given).map(|(_, tensor)| *tensor).collect();
        let names = self.quietly(|run| Some(run.names_in_source(&tensors))).unwrap_or_default();
        let file = self.frames.iter().rfind(|frame| frame.is_own()).map(|frame| frame.source.path.clone());
        let layer = self.running_layer().and_then(|layer| {
            let origin = self.makers.origin_of_layer(layer, file.as_deref().unwrap_or_default())?;
            Some((self.type_name(&Value::Object(layer)), origin))
        });
        let because = self.because();
        // What only the last batch does needs no other layer.
        let help = if because.is_some() { Vec::new() } else { self.mends(&names) };
        let Some(entry) = self.path.record.last_mut() else { return };
        entry.inputs.extend(given);
        // Types are seen in the operands.
        let is_type = |judged: &Judged| judged.requirement.category == Category::IncompatibleType;
        let parameters = condition.parameters.into_iter().filter(|_| !entry.open.iter().any(is_type));
        let parameters: Vec<Spoken> = parameters.collect();
        entry.told.spoken.extend(parameters.iter().map(|spoken| spoken.name));
        for spoken in parameters {
            if !entry.parameters.iter().any(|held| held.name == spoken.name) {
                entry.parameters.push(spoken);
            }
        }
        let is_of_kind = |judged: &Judged| {
            matches!(judged.requirement.category, Category::IncompatibleType | Category::SuspiciousAxis)
        };
        if !entry.open.iter().any(is_of_kind) {
            entry.told.needs = condition.words;
        }
        entry.told.names = names;
        entry.told.others.extend(layer);
        entry.told.because = because;
        entry.told.help = help;
    }

    /// Adds what the source calls the tensors to entries of which the data decides whether they hold.
    pub(super) fn name_open(&mut self, recorded: usize) {
        let is_open = |entry: &Entry| {
            entry
                .open
                .iter()
                .any(|judged| matches!(judged.verdict, Verdict::Depends { .. }) && judged.binds())
        };
        let Some(entry) = self.path.record.get(recorded).filter(|entry| is_open(entry)) else { return };
        if self.is_trying() || self.explained == MOST_EXPLAINED / 2 {
            return;
        }
        self.explained += 1;
        let tensors: Vec<Tensor> = entry.inputs.iter().map(|(_, tensor)| *tensor).collect();
        let names = self.quietly(|run| Some(run.names_in_source(&tensors))).unwrap_or_default();
        if let Some(entry) = self.path.record.get_mut(recorded) {
            entry.told.names = names;
        }
    }

    /// From now on something has another size than usual.
    pub(crate) fn begin_circumstance(&mut self, number: i64, usual: i64, text: &str) {
        self.circumstance = Some(Circumstance { number, usual, text: text.into(), is_over: false });
    }
    pub(crate) fn end_circumstance(&mut self) {
        if let Some(circumstance) = &mut self.circumstance {
            circumstance.is_over = true;
        }
    }
    /// What brings the numbers of the entry that was recorded last about. Once the circumstance is over, both its
    /// numbers have to be there.
    fn because(&self) -> Option<String> {
        let circumstance = self.circumstance.as_ref()?;
        let entry = self.path.record.last()?;
        let mut numbers = Vec::new();
        for (_, tensor) in &entry.inputs {
            numbers.extend(tensor.shape().sizes().iter().flatten().filter_map(|size| size.known()));
        }
        let has = |number: i64| numbers.contains(&number);
        let explains = has(circumstance.number) && (!circumstance.is_over || has(circumstance.usual));
        explains.then(|| circumstance.text.to_string())
    }
    /// "line 7", of the user's code that made an object.
    pub(crate) fn line_of_maker(&self, object: crate::heap::Id) -> Option<String> {
        let (source, at) = self.makers.layer_at(object)?;
        let line = source.position(at.start).line;
        let is_here = self
            .frames
            .iter()
            .rfind(|frame| frame.is_own())
            .is_some_and(|frame| frame.source.path == source.path);
        Some(if is_here { format!("line {line}") } else { format!("{}:{line}", source.path) })
    }

    /// Adds numbers that a requirement names to the entry that was recorded last.
    pub(crate) fn speak_of(&mut self, named: &[(Name, Value)]) {
        for (name, value) in named {
            let name = semantics::call::intern(name.to_string());
            let value = self.number_words(value);
            if let (Some(value), Some(entry)) = (value, self.path.record.last_mut()) {
                entry.told.spoken.push(name);
                entry.parameters.push(Spoken { name, value, given: true });
            }
        }
    }

    /// Looks at something without leaving a trace. `None` if it cannot be found out.
    pub(super) fn quietly<T>(&mut self, look: impl FnOnce(&mut Interpreter) -> Option<T>) -> Option<T> {
        let heap = self.heap.clone();
        let (lost, depth, at) = (self.lost.len(), self.frames.len(), self.frame().at);
        let (handling, guards) = (self.handling, self.decisions.guards);
        let known = heap.len();
        let fork = self.path.fork();
        let outer = std::mem::replace(&mut self.path, fork);
        self.begin_trial();
        let found = look(self);
        self.end_trial();
        self.path = outer;
        self.heap = heap;
        self.lost.truncate(lost);
        self.frames.truncate(depth);
        self.frame_mut().at = at;
        (self.handling, self.decisions.guards) = (handling, guards);
        self.forget_exceptions(known);
        self.modules.retain(|_, id| id.number() < known);
        found
    }
    /// Forgets what is known of exceptions that are gone with a copy of the heap.
    pub(super) fn forget_exceptions(&mut self, known: usize) {
        self.traces.retain(|id, _| id.number() < known);
        self.hints.retain(|id, _| id.number() < known);
        self.violations.retain(|id, _| id.number() < known);
        self.explicit.retain(|id| id.number() < known);
        self.nameless.retain(|id| id.number() < known);
    }

    /// The frames of libraries above the user's own code.
    pub(super) fn library_frames(&self) -> &[Frame] {
        let own = self.frames.iter().rposition(|frame| !frame.source.is_library).map_or(0, |own| own + 1);
        &self.frames[own.min(self.frames.len())..]
    }
    /// The innermost layer of a library that runs.
    pub(super) fn running_layer(&self) -> Option<crate::heap::Id> {
        let forward = Name::new("forward");
        let frame = self.library_frames().iter().rfind(|frame| frame.name == forward)?;
        frame.receiver.as_ref()?.as_object()
    }
    /// The tensors that the user's code gave to the library's function.
    fn tensors_of_function(&self) -> Vec<(&'static str, Tensor)> {
        let Some(frame) = self.library_frames().first() else { return Vec::new() };
        let attributes = &self.heap.get(frame.scope).attributes;
        let tensors = attributes.iter().filter_map(|(name, value)| {
            Some((semantics::call::intern(name.to_string()), self.as_tensor(value)?))
        });
        tensors.take(3).collect()
    }

    /// What the failing piece of the user's code calls tensors.
    fn names_in_source(&mut self, tensors: &[Tensor]) -> Vec<(Tensor, String)> {
        let Some(own) = self.frames.iter().rposition(Frame::is_own) else { return Vec::new() };
        let (source, at) = (self.frames[own].source.clone(), self.frames[own].at);
        let read = Piece::read(&source, at);
        let Some(expression) = read.as_ref().and_then(Piece::expression) else { return Vec::new() };
        let mut candidates = Vec::new();
        plain_parts(expression, &mut candidates);
        // Seen from where the user's code stands.
        let above = self.frames.split_off(own + 1);
        let mut found: Vec<(Tensor, String)> = Vec::new();
        for part in candidates {
            let Some(text) = piece(&source, at, part.at) else { continue };
            if let Ok(value) = self.evaluate(part)
                && let Some(tensor) = self.as_tensor(&value)
                && tensors.contains(&tensor)
                && !found.iter().any(|(held, _)| *held == tensor)
            {
                found.push((tensor, text));
            }
        }
        self.frames.extend(above);
        for &tensor in tensors {
            if !found.iter().any(|(held, _)| *held == tensor)
                && let Some(text) = self.makers.inside(tensor, &source, at)
            {
                found.push((tensor, text));
            }
        }
        // What is asked for its truth is the whole piece.
        let truth = Name::new("__bool__");
        if let ([tensor], []) = (tensors, found.as_slice())
            && self.library_frames().first().is_some_and(|frame| frame.name == truth)
        {
            found.extend(
                source.text.get(at.start as usize..at.end as usize).map(|text| (*tensor, text.into())),
            );
        }
        found.retain(|(_, text)| text.chars().count() <= LONGEST_NAME);
        found
    }
}

/// The parts of an expression that are names, attributes of names, or places in them: looking at them does nothing.
fn plain_parts<'e>(expression: &'e Expr, found: &mut Vec<&'e Expr>) {
    if is_plain(expression) {
        found.push(expression);
    }
    match &expression.kind {
        ExprKind::Attribute(inner, _) | ExprKind::Starred(inner) | ExprKind::Unary(_, inner) => {
            plain_parts(inner, found);
        }
        ExprKind::Subscript(object, index) => {
            plain_parts(object, found);
            plain_parts(index, found);
        }
        ExprKind::Binary(_, left, right) => {
            plain_parts(left, found);
            plain_parts(right, found);
        }
        ExprKind::Compare { first, rest } => {
            plain_parts(first, found);
            rest.iter().for_each(|(_, side)| plain_parts(side, found));
        }
        ExprKind::Call { function, arguments } => {
            if let ExprKind::Attribute(object, _) = &function.kind {
                plain_parts(object, found);
            }
            for argument in arguments {
                use crate::syntax::Argument::{DoubleStar, Keyword, Positional, Star};
                let (Positional(value) | Keyword(_, value) | Star(value) | DoubleStar(value)) = argument;
                plain_parts(value, found);
            }
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|item| plain_parts(item, found));
        }
        _ => {}
    }
}
fn is_plain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) => true,
        ExprKind::Attribute(object, _) => is_plain(object),
        ExprKind::Subscript(object, index) => {
            is_plain(object) && matches!(index.kind, ExprKind::Constant(_) | ExprKind::Name(_))
        }
        _ => false,
    }
}

/// Whether a call came to an end without an error.
pub(super) fn went_well(run: &Interpreter, result: &Outcome) -> bool {
    let is_settled = |judged: &Judged| matches!(judged.verdict, Verdict::Holds);
    let settled = run.path.record.iter().all(|entry| entry.open.iter().all(is_settled));
    settled && !matches!(result, Err(Flow::Raise(_) | Flow::Stop(_) | Flow::Lost(_)) | Ok(Value::Unknown(_)))
}
