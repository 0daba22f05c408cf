//! What a broken requirement raises, as PyTorch does: a class of exception, which decides who catches it.
//!
//! A requirement that is open is taken to hold. Inside a `try` whose handlers would take its failing, a run may go
//! another way: that is noted, by the class that each requirement raises.

use super::{Flow, Interpreter, Outcome};
use crate::heap::Payload;
use crate::native::Keywords;
use crate::syntax::{Expr, ExprKind, Handler, Name};
use crate::value::Value;

/// What most libraries raise where tensors do not fit.
pub const USUAL: &str = "RuntimeError";

impl Interpreter {
    /// What a call in a library file says is raised where it fails: `raises=ValueError`.
    pub fn raised_by(&mut self, keywords: &mut Keywords) -> &'static str {
        let Some(at) = keywords.iter().position(|(name, _)| *name == Name::RAISES) else { return USUAL };
        match keywords.remove(at).1.as_object() {
            Some(class) => semantics::call::intern(self.class_name(class).to_string()),
            None => USUAL,
        }
    }
    /// Raises what the framework would for the call that was recorded last.
    pub fn raise_violation(&mut self, class: &'static str, message: String) -> Outcome {
        self.explain();
        let record = self.path.record.len() - 1;
        match self.raise(class, message) {
            Err(Flow::Raise(exception)) => {
                self.violations.insert(exception, record);
                Err(Flow::Raise(exception))
            }
            result => result,
        }
    }
    /// Notes what is raised where something fails that was taken for granted since then.
    pub fn note_raising(&mut self, granted: usize, class: &'static str) {
        for assumption in &self.path.assumed[granted.min(self.path.assumed.len())..] {
            let classes = self.raising.entry(assumption.requirement.label).or_default();
            if !classes.contains(&class) {
                classes.push(class);
            }
        }
    }
    /// Whether handlers would take the failing of something that was taken for granted since then.
    pub(super) fn would_take(&mut self, granted: usize, handlers: &[Handler]) -> bool {
        let classes = self.classes_since(granted);
        classes.into_iter().any(|class| handlers.iter().any(|handler| self.takes(handler, class)))
    }
    /// Whether what a `with` is over would swallow it: `suppress(ValueError)`, or a manager of the user's own.
    pub(super) fn would_swallow(&mut self, granted: usize, manager: &Value) -> bool {
        let classes = self.classes_since(granted);
        if classes.is_empty() || !(self.is_own_manager(manager) || self.type_name(manager) == "suppress") {
            return false;
        }
        classes.into_iter().any(|class| {
            let swallowed = self.quietly(|run| {
                let Err(Flow::Raise(exception)) = run.raise::<()>(class, "") else { return None };
                run.leave(manager, Some(exception)).ok()
            });
            swallowed == Some(true)
        })
    }
    fn is_own_manager(&mut self, manager: &Value) -> bool {
        let Some(class) = self.class_of(manager) else { return false };
        let exit = self.in_order(class, Name::new("__exit__"));
        exit.is_some_and(|exit| match self.payload(&exit) {
            Some(Payload::Function(function)) => function.source.is_own(),
            _ => false,
        })
    }
    /// What the failing of anything raises that was taken for granted since then.
    fn classes_since(&self, granted: usize) -> Vec<&'static str> {
        let mut classes: Vec<&'static str> = Vec::new();
        for assumption in self.path.assumed.iter().skip(granted) {
            match self.raising.get(assumption.requirement.label) {
                Some(known) => classes.extend(known),
                None => classes.push(USUAL),
            }
        }
        classes.sort_unstable();
        classes.dedup();
        classes
    }
    /// Whether a handler takes exceptions of a class; one that cannot be read may.
    fn takes(&mut self, handler: &Handler, class: &str) -> bool {
        let Some(matches) = &handler.matches else { return true };
        if !is_plain(matches) {
            return true;
        }
        let taken = self.quietly(|run| {
            let Err(Flow::Raise(exception)) = run.raise::<()>(class, "") else { return None };
            let wanted = run.evaluate(matches).ok()?;
            run.is_instance(&Value::Object(exception), &wanted).ok()
        });
        taken.unwrap_or(true)
    }
}

/// Whether an expression only names classes.
fn is_plain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) => true,
        ExprKind::Attribute(owner, _) => is_plain(owner),
        ExprKind::Tuple(items) => items.iter().all(is_plain),
        _ => false,
    }
}
