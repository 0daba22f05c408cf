//! Which names a body binds, found before it is executed, as Python does.

use super::{Argument, Body, Case, Clause, Expr, ExprKind, FormatPart, Name, Pattern, Scope, Stmt, StmtKind};
use rustc_hash::FxHashSet;

/// What a body binds and declares; nested functions and classes are bodies of their own.
pub(super) fn scope(parameters: impl Iterator<Item = Name>, body: &[Stmt], declared: Declared) -> Scope {
    let mut finder = Finder { bound: parameters.collect(), yields: false };
    finder.body(body);
    let (globals, nonlocals) = (declared.globals, declared.nonlocals);
    let locals = finder
        .bound
        .into_iter()
        .filter(|name| !globals.contains(name) && !nonlocals.contains(name))
        .collect();
    Scope { locals, globals, nonlocals }
}

/// The names of `global` and `nonlocal` statements of one body.
#[derive(Default)]
pub(super) struct Declared {
    pub globals: FxHashSet<Name>,
    pub nonlocals: FxHashSet<Name>,
}

/// Whether a body yields.
pub(super) fn yields(body: &[Stmt]) -> bool {
    let mut finder = Finder { bound: FxHashSet::default(), yields: false };
    finder.body(body);
    finder.yields
}

struct Finder {
    bound: FxHashSet<Name>,
    yields: bool,
}

impl Finder {
    fn body(&mut self, body: &[Stmt]) {
        body.iter().for_each(|statement| self.statement(statement));
    }
    fn bodies(&mut self, bodies: &[&Body]) {
        bodies.iter().for_each(|body| self.body(body));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(value) => self.expression(value),
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|target| self.target(target));
                self.expression(value);
            }
            StmtKind::Augmented { target, value, .. } => {
                self.target(target);
                self.expression(value);
            }
            StmtKind::Annotated { target, value, .. } => {
                self.target(target);
                self.expressions(value.iter());
            }
            StmtKind::Return(value) => self.expressions(value.iter()),
            StmtKind::Raise { exception, cause } => self.expressions(exception.iter().chain(cause)),
            StmtKind::Assert { test, message } => self.expressions([test].into_iter().chain(message)),
            StmtKind::Delete(targets) => targets.iter().for_each(|target| self.target(target)),
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue | StmtKind::Global => {}
            StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                self.expression(test);
                self.bodies(&[body, orelse]);
            }
            StmtKind::For { target, iterable, body, orelse } => {
                self.target(target);
                self.expression(iterable);
                self.bodies(&[body, orelse]);
            }
            StmtKind::With { items, body } => {
                for (context, target) in items {
                    self.expression(context);
                    target.iter().for_each(|target| self.target(target));
                }
                self.body(body);
            }
            StmtKind::Try { body, handlers, orelse, last } => {
                self.body(body);
                for handler in handlers {
                    self.bound.extend(handler.name);
                    self.expressions(handler.matches.iter());
                    self.body(&handler.body);
                }
                self.bodies(&[orelse, last]);
            }
            StmtKind::Import(names) => {
                for (dotted, alias) in names {
                    let first = dotted.split('.').next().unwrap_or_default();
                    self.bound.insert(alias.unwrap_or_else(|| Name::new(first)));
                }
            }
            StmtKind::ImportFrom { names, .. } => {
                self.bound.extend(names.iter().map(|(name, alias, _)| alias.unwrap_or(*name)));
            }
            StmtKind::Function(function) => {
                self.bound.insert(function.name);
                self.expressions(function.decorators.iter());
            }
            StmtKind::Class(class) => {
                self.bound.insert(class.name);
                self.expressions(class.decorators.iter());
            }
            StmtKind::Match { subject, cases } => {
                self.expression(subject);
                cases.iter().for_each(|case| self.case(case));
            }
        }
    }

    fn case(&mut self, case: &Case) {
        self.pattern(&case.pattern);
        self.expressions(case.guard.iter());
        self.body(&case.body);
    }
    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Value(_) | Pattern::Singleton(_) => {}
            Pattern::Sequence(patterns) | Pattern::Or(patterns) => {
                patterns.iter().for_each(|pattern| self.pattern(pattern));
            }
            Pattern::Mapping { patterns, rest, .. } => {
                patterns.iter().for_each(|pattern| self.pattern(pattern));
                self.bound.extend(*rest);
            }
            Pattern::Class { patterns, keywords, .. } => {
                patterns.iter().for_each(|pattern| self.pattern(pattern));
                keywords.iter().for_each(|(_, pattern)| self.pattern(pattern));
            }
            Pattern::Star(name) => self.bound.extend(*name),
            Pattern::As { pattern, name } => {
                pattern.iter().for_each(|pattern| self.pattern(pattern));
                self.bound.extend(*name);
            }
        }
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Name(name) => {
                self.bound.insert(*name);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().for_each(|item| self.target(item)),
            ExprKind::Starred(inner) => self.target(inner),
            _ => self.expression(target),
        }
    }

    fn expressions<'e>(&mut self, expressions: impl Iterator<Item = &'e Expr>) {
        expressions.for_each(|expression| self.expression(expression));
    }
    /// Only `:=` binds and only `yield` yields; everything else is walked through to find them.
    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Constant(_) | ExprKind::Name(_) | ExprKind::Lambda(_) => {}
            ExprKind::Named(name, value) => {
                self.bound.insert(*name);
                self.expression(value);
            }
            ExprKind::Yield(value) => {
                self.yields = true;
                self.expressions(value.iter().map(|value| &**value));
            }
            ExprKind::YieldFrom(value) => {
                self.yields = true;
                self.expression(value);
            }
            ExprKind::Generator(generator) => {
                self.bound.extend(generator.named.iter().copied());
                self.expression(&generator.first);
            }
            ExprKind::Attribute(value, _)
            | ExprKind::Unary(_, value)
            | ExprKind::Starred(value)
            | ExprKind::Await(value) => self.expression(value),
            ExprKind::Subscript(left, right) | ExprKind::Binary(_, left, right) => {
                self.expression(left);
                self.expression(right);
            }
            ExprKind::Slice(low, high, step) => {
                self.expressions([low, high, step].into_iter().flatten().map(|part| &**part));
            }
            ExprKind::Call { function, arguments } => {
                self.expression(function);
                for argument in arguments {
                    let (Argument::Positional(value)
                    | Argument::Star(value)
                    | Argument::Keyword(_, value)
                    | Argument::DoubleStar(value)) = argument;
                    self.expression(value);
                }
            }
            ExprKind::Logical { operands, .. } => self.expressions(operands.iter()),
            ExprKind::Compare { first, rest } => {
                self.expressions([&**first].into_iter().chain(rest.iter().map(|(_, value)| value)));
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.expressions([&**test, then, otherwise].into_iter());
            }
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                self.expressions(items.iter());
            }
            ExprKind::Dict(pairs) => {
                for (key, value) in pairs {
                    self.expressions(key.iter().chain([value]));
                }
            }
            ExprKind::Comprehension(comprehension) => {
                self.expressions([&comprehension.element].into_iter().chain(&comprehension.value));
                comprehension.clauses.iter().for_each(|clause| self.clause(clause));
            }
            ExprKind::Format(parts) => parts.iter().for_each(|part| self.part(part)),
        }
    }
    /// The targets of a comprehension are its own.
    fn clause(&mut self, clause: &Clause) {
        self.expressions([&clause.iterable].into_iter().chain(&clause.conditions));
    }
    fn part(&mut self, part: &FormatPart) {
        if let FormatPart::Value { value, format, .. } = part {
            self.expression(value);
            format.iter().for_each(|part| self.part(part));
        }
    }
}
