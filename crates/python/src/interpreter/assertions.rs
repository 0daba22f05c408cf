//! `assert`: what a program claims, and what the two sides of a claim are that does not hold.

use super::{Flow, Interpreter, Outcome};
use crate::syntax::{Argument, Expr, ExprKind};
use program::path::Assumption;
use semantics::call::Requirement;
use semantics::operator::Category;
use semantics::prop::Prop;

impl Interpreter {
    pub(super) fn asserted(&mut self, test: &Expr, message: Option<&Expr>) -> Outcome<()> {
        let value = self.evaluate(test)?;
        self.frame_mut().at = test.at;
        let holds = self.truth(&value)?;
        if holds.known().is_none() {
            // A program that asserts something means it to hold: from here on it does.
            self.grant_test(holds, test);
            self.path.guard(holds);
            if self.path.context.is_contradictory() {
                return self.raise("AssertionError", "");
            }
            return Ok(());
        }
        if holds.known() == Some(true) {
            return Ok(());
        }
        let text = match message {
            Some(message) => {
                let value = self.evaluate(message)?;
                self.display(&value)
            }
            None => String::new(),
        };
        let raised = self.raise("AssertionError", text);
        if let Err(Flow::Raise(id)) = raised {
            if self.is_raised_by_choice() {
                self.explicit.insert(id);
            }
            if let (None, Some(remark)) = (message, self.sides_of(test)) {
                self.remarks.insert(id, remark);
            }
        }
        raised
    }
    fn grant_test(&mut self, holds: Prop, test: &Expr) {
        let claim = self.frame().source.text.get(test.at.start as usize..test.at.end as usize);
        let label = format!("the program asserts `{}`", claim.unwrap_or_default());
        self.grant("assert", "AssertionError", holds, &label);
    }
    /// Something without which the program raises is taken to hold.
    pub(super) fn grant(&mut self, operator: &'static str, raises: &'static str, holds: Prop, label: &str) {
        let label = semantics::call::intern(label.to_owned());
        let requirement = Requirement { label, category: Category::IllegalValue, prop: holds };
        let place = self.place(operator);
        let granted = self.path.assumed.len();
        self.path.take_for_granted(Assumption { place, operator, requirement });
        self.note_raising(granted, raises);
    }
    /// What the two sides of a comparison are that was found not to hold.
    fn sides_of(&mut self, test: &Expr) -> Option<String> {
        let ExprKind::Compare { first, rest } = &test.kind else { return None };
        let [(_, second)] = &rest[..] else { return None };
        let heap = self.heap.clone();
        let sides = self.side(first).zip(self.side(second));
        self.heap = heap;
        sides.map(|(first, second)| format!("{first}, {second}"))
    }
    fn side(&mut self, expression: &Expr) -> Option<String> {
        let value = is_plain(expression).then(|| self.evaluate(expression).ok()).flatten()?;
        let value = self.represent(&value);
        let (start, end) = (expression.at.start as usize, expression.at.end as usize);
        let text = self.frame().source.text.get(start..end)?;
        let is_spelled = matches!(expression.kind, ExprKind::Constant(_)) || text == value;
        Some(if is_spelled { value } else { format!("`{text}` is {value}") })
    }
}

/// Whether an expression can be read again: it calls nothing but what tells a size.
fn is_plain(expression: &Expr) -> bool {
    match &expression.kind {
        ExprKind::Name(_) | ExprKind::Constant(_) => true,
        ExprKind::Attribute(owner, _) => is_plain(owner),
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().all(is_plain),
        ExprKind::Subscript(owner, index) => is_plain(owner) && is_plain(index),
        ExprKind::Call { function, arguments } => {
            let tells = match &function.kind {
                ExprKind::Name(name) => matches!(&*name.text(), "len" | "tuple" | "list"),
                ExprKind::Attribute(owner, name) => {
                    is_plain(owner) && matches!(&*name.text(), "size" | "dim" | "numel")
                }
                _ => false,
            };
            tells
                && arguments
                    .iter()
                    .all(|argument| matches!(argument, Argument::Positional(given) if is_plain(given)))
        }
        _ => false,
    }
}
