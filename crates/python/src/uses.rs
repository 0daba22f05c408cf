//! Whether an option of a program chooses between ways through it, or only says how much is printed, saved or repeated.

use crate::syntax::{Argument, Body, Expr, ExprKind, Module, Name, Stmt, StmtKind};

/// Whether the file has a branch, a choice or a call that depends on an option of this name.
pub fn chooses(module: &Module, option: &str, is_switch: bool) -> bool {
    Search { option: Name::new(option), is_switch }.body(&module.body)
}

struct Search {
    option: Name,
    is_switch: bool,
}

impl Search {
    fn body(&self, body: &Body) -> bool {
        body.iter().any(|statement| self.statement(statement))
    }
    fn statement(&self, statement: &Stmt) -> bool {
        match &statement.kind {
            StmtKind::If { test, body, orelse } => {
                let matters = || !(is_idle(body) && is_idle(orelse));
                (self.is_in(test) && matters()) || self.body(body) || self.body(orelse)
            }
            StmtKind::While { body, orelse, .. } | StmtKind::For { body, orelse, .. } => {
                self.body(body) || self.body(orelse)
            }
            StmtKind::With { body, .. } => self.body(body),
            StmtKind::Try { body, handlers, orelse, last } => {
                [body, orelse, last].into_iter().any(|body| self.body(body))
                    || handlers.iter().any(|handler| self.body(&handler.body))
            }
            StmtKind::Function(def) => self.body(&def.body),
            StmtKind::Class(def) => self.body(&def.body),
            StmtKind::Match { subject, cases } => {
                self.is_in(subject) || cases.iter().any(|case| self.body(&case.body))
            }
            StmtKind::Expr(value) => self.chooses_in(value) && !is_idle_call(value),
            StmtKind::Assign { value, .. } | StmtKind::Augmented { value, .. } => {
                self.is_option(value) || self.chooses_in(value)
            }
            StmtKind::Annotated { value: Some(value), .. } | StmtKind::Return(Some(value)) => {
                self.chooses_in(value)
            }
            _ => false,
        }
    }
    /// Whether an expression holds a choice that depends on the option: `a if args.wide else b`, `net(args.norm)`.
    fn chooses_in(&self, value: &Expr) -> bool {
        let here = match &value.kind {
            ExprKind::Conditional { test, .. } => self.is_in(test),
            ExprKind::Call { arguments, .. } => {
                arguments.iter().any(|argument| self.is_option(argument_value(argument)))
                    && !is_idle_call(value)
            }
            // A word is compared, or looked up.
            ExprKind::Subscript(_, index) => !self.is_switch && self.is_in(index),
            ExprKind::Compare { .. } => !self.is_switch && self.is_in(value),
            _ => false,
        };
        here || any_part(value, &mut |part| self.chooses_in(part))
    }
    fn is_in(&self, value: &Expr) -> bool {
        self.is_option(value) || any_part(value, &mut |part| self.is_in(part))
    }
    /// `args.option`, or `not` of it.
    fn is_option(&self, value: &Expr) -> bool {
        match &value.kind {
            ExprKind::Attribute(_, name) => *name == self.option,
            ExprKind::Unary(_, inner) => self.is_option(inner),
            _ => false,
        }
    }
}

/// Whether a body only leaves, prints or saves.
fn is_idle(body: &Body) -> bool {
    body.iter().all(|statement| match &statement.kind {
        StmtKind::Pass | StmtKind::Break | StmtKind::Continue | StmtKind::Return(None) => true,
        StmtKind::Raise { .. } | StmtKind::Import(_) | StmtKind::ImportFrom { .. } => true,
        StmtKind::Expr(value) => is_idle_call(value) || matches!(value.kind, ExprKind::Constant(_)),
        _ => false,
    })
}

/// Words in the names of functions that have no say in what tensors do.
const IDLE: [&str; 8] = ["print", "save", "log", "warn", "info", "seed", "exit", "makedirs"];

fn is_idle_call(value: &Expr) -> bool {
    let ExprKind::Call { function, .. } = &value.kind else { return false };
    let name = match &function.kind {
        ExprKind::Name(name) | ExprKind::Attribute(_, name) => name.text(),
        _ => return false,
    };
    IDLE.iter().any(|idle| name.contains(idle))
}

fn argument_value(argument: &Argument) -> &Expr {
    let (Argument::Positional(value)
    | Argument::Star(value)
    | Argument::Keyword(_, value)
    | Argument::DoubleStar(value)) = argument;
    value
}

/// Whether one of the expressions right inside another is so.
fn any_part(value: &Expr, is_so: &mut dyn FnMut(&Expr) -> bool) -> bool {
    match &value.kind {
        ExprKind::Attribute(inner, _) | ExprKind::Starred(inner) | ExprKind::Unary(_, inner) => is_so(inner),
        ExprKind::Named(_, inner) | ExprKind::Await(inner) => is_so(inner),
        ExprKind::Subscript(one, other) | ExprKind::Binary(_, one, other) => is_so(one) || is_so(other),
        ExprKind::Call { function, arguments } => {
            is_so(function) || arguments.iter().any(|argument| is_so(argument_value(argument)))
        }
        ExprKind::Logical { operands, .. } => operands.iter().any(is_so),
        ExprKind::Compare { first, rest } => is_so(first) || rest.iter().any(|(_, side)| is_so(side)),
        ExprKind::Conditional { test, then, otherwise } => is_so(test) || is_so(then) || is_so(otherwise),
        ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => items.iter().any(is_so),
        ExprKind::Dict(pairs) => {
            pairs.iter().any(|(key, value)| key.as_ref().is_some_and(&mut *is_so) || is_so(value))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooses_in(text: &str, is_switch: bool) -> bool {
        let Ok(module) = crate::syntax::read("train.py", text.to_owned(), false) else { return false };
        chooses(&module, "x", is_switch)
    }

    #[test]
    fn options_that_print_save_or_stop_choose_nothing() {
        assert!(chooses_in("net = a if args.x else b\n", true));
        assert!(chooses_in("net = build(wide=args.x)\n", true));
        assert!(chooses_in("def f():\n    if not args.x:\n        y = y + 1\n", true));
        assert!(chooses_in("net = models[args.x]()\n", false));
        assert!(chooses_in("if args.x == 'mae':\n    loss = mae\n", false));
        assert!(!chooses_in("if args.x:\n    break\n", true));
        assert!(!chooses_in("if args.x:\n    torch.save(net, 'f')\n", true));
        assert!(!chooses_in("cuda = not args.x and torch.cuda.is_available()\n", true));
        assert!(!chooses_in("print(args.x)\n", false));
    }
}
