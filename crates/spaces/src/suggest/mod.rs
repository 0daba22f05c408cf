//! Spaces that stand in Python sources already: `trial.suggest_int("kernel", 1, 7)` of Optuna, `hp.Int("kernel", 1, 7)` of
//! KerasTuner, `{"kernel": tune.choice([1, 3])}` of Ray Tune. Constants are looked up, a loop `for i in range(layers)` over `f"width_{i}"`
//! has as many hyper-parameters as it may have rounds, and those inside a condition are there where it holds. What is not
//! written as plain values is told, not guessed.

mod domains;

use crate::constants::Constants;
use crate::domain;
use anyhow::{Result, anyhow, bail};
use python::syntax::{Argument, BinaryOperator, Comparison, Expr, ExprKind, Stmt, StmtKind, UnaryOperator};
use rustc_hash::FxHashMap;
use std::path::Path;

/// The hyper-parameters of a source, as a space file would have them.
pub fn read(file: &Path) -> Result<toml::Table> {
    let module = python::library::read_file(file).map_err(|why| anyhow!(why))?;
    let mut found = Found::default();
    found.body(&module.body);
    if let Some((name, why)) = found.unclear.first() {
        bail!("{}: {name}: {why}", file.display());
    }
    if found.table.is_empty() {
        bail!(
            "{}: no `suggest_*` of Optuna, `hp.*` of KerasTuner or `tune.*` of Ray Tune is in it",
            file.display()
        );
    }
    Ok(found.table)
}

#[derive(Default)]
struct Found {
    table: toml::Table,
    unclear: Vec<(String, String)>,
    /// What names stand for, where a plain value was assigned to them.
    constants: Constants,
    /// What holds a hyper-parameter, as the source names it: `layers`, `config["layers"]`, `self.layers`.
    held: FxHashMap<String, String>,
    /// What holds where the walk is.
    conditions: Vec<String>,
    /// How many conditions around it are about hyper-parameters and cannot be read.
    unread: usize,
    /// Functions of Ray Tune that are called by a name of their own, and what they are.
    imported: FxHashMap<String, String>,
}

/// A loop with more rounds than this is no list of layers.
const MOST_ROUNDS: usize = 64;

impl Found {
    fn body(&mut self, body: &[Stmt]) {
        for statement in body {
            match &statement.kind {
                StmtKind::Assign { targets, value } => {
                    self.expression(value);
                    if let [target] = &targets[..] {
                        // `space["width"] = tune.choice([8, 16])`
                        if let ExprKind::Subscript(_, key) = &target.kind
                            && let Some(toml::Value::String(name)) = self.plain(key)
                        {
                            self.entry(&name, value);
                        }
                        if let Some(place) = self.place(target) {
                            self.assigned(&place, value);
                        }
                    }
                }
                StmtKind::Annotated { target, value: Some(value), .. } => {
                    self.expression(value);
                    if let Some(place) = self.place(target) {
                        self.assigned(&place, value);
                    }
                }
                StmtKind::ImportFrom { module, names, .. } if &**module == "ray.tune" => {
                    for (name, alias, _) in names {
                        let known = alias.unwrap_or(*name).text().to_string();
                        self.imported.insert(known, name.text().to_string());
                    }
                }
                StmtKind::Expr(value) | StmtKind::Augmented { value, .. } => self.expression(value),
                StmtKind::Annotated { value, .. } | StmtKind::Return(value) => {
                    value.iter().for_each(|value| self.expression(value));
                }
                StmtKind::If { test, body, orelse } => {
                    self.either(test, |found| found.body(body), |found| found.body(orelse));
                }
                StmtKind::While { test, body, orelse } => {
                    self.expression(test);
                    self.body(body);
                    self.body(orelse);
                }
                StmtKind::For { target, iterable, body, orelse } => {
                    self.expression(iterable);
                    self.rounds(target, iterable, &mut |found| found.body(body));
                    self.body(orelse);
                }
                StmtKind::With { items, body } => {
                    items.iter().for_each(|(item, _)| self.expression(item));
                    let scope = items.iter().find_map(|(item, _)| self.scope(item));
                    self.within(scope, |found| found.body(body));
                }
                StmtKind::Try { body, handlers, orelse, last } => {
                    self.body(body);
                    handlers.iter().for_each(|handler| self.body(&handler.body));
                    self.body(orelse);
                    self.body(last);
                }
                StmtKind::Function(def) => self.body(&def.body),
                StmtKind::Class(class) => self.body(&class.body),
                _ => {}
            }
        }
    }
    /// Looks at both sides of a condition.
    fn either(&mut self, test: &Expr, then: impl FnOnce(&mut Found), otherwise: impl FnOnce(&mut Found)) {
        self.expression(test);
        let condition = self.condition(test);
        let unread = usize::from(condition.is_none() && self.asks(test));
        self.unread += unread;
        self.within(condition.clone(), then);
        self.within(condition.map(|condition| format!("not ({condition})")), otherwise);
        self.unread -= unread;
    }
    /// Looks at something that is there only where a condition holds, if one is known.
    fn within(&mut self, condition: Option<String>, look: impl FnOnce(&mut Found)) {
        let depth = self.conditions.len();
        self.conditions.extend(condition);
        look(self);
        self.conditions.truncate(depth);
    }
    /// What is assigned to a place, and to those inside it if that is a dictionary.
    fn assigned(&mut self, place: &str, value: &Expr) {
        self.constants.remove(place);
        let inner = format!("{place}[");
        self.held.retain(|held, _| held != place && !held.starts_with(&inner));
        if let Some(parameter) = self.parameter(value) {
            self.held.insert(place.to_owned(), parameter);
        } else if let Some(value) = self.plain(value) {
            self.constants.insert(place, value);
        } else if let ExprKind::Dict(pairs) = &value.kind {
            for (key, value) in pairs {
                if let Some(toml::Value::String(key)) = key.as_ref().and_then(|key| self.plain(key)) {
                    self.assigned(&format!("{place}[{key}]"), value);
                }
            }
        }
    }
    /// How the source names a place: `layers`, `config[layers]`, `self.layers`.
    fn place(&self, expression: &Expr) -> Option<String> {
        match &expression.kind {
            ExprKind::Name(name) => Some(name.text().to_string()),
            ExprKind::Attribute(owner, name) => Some(format!("{}.{name}", self.place(owner)?)),
            ExprKind::Subscript(owner, key) => match self.plain(key)? {
                toml::Value::String(key) => Some(format!("{}[{key}]", self.place(owner)?)),
                _ => None,
            },
            _ => None,
        }
    }
    /// The hyper-parameter that an expression is: a call that asks for it, or a name that holds it.
    fn parameter(&self, expression: &Expr) -> Option<String> {
        match &expression.kind {
            ExprKind::Name(_) | ExprKind::Attribute(..) | ExprKind::Subscript(..) => {
                self.held.get(&self.place(expression)?).cloned()
            }
            ExprKind::Call { function, arguments } => {
                let ExprKind::Attribute(_, method) = &function.kind else { return None };
                names_of(&method.to_string())?;
                match self.plain(argument(arguments, &["name"], "name")?)? {
                    toml::Value::String(name) => Some(name),
                    _ => None,
                }
            }
            _ => None,
        }
    }
    /// Whether what an expression comes to depends on a hyper-parameter.
    fn asks(&self, expression: &Expr) -> bool {
        match &expression.kind {
            ExprKind::Compare { first, rest } => {
                self.asks(first) || rest.iter().any(|(_, each)| self.asks(each))
            }
            ExprKind::Logical { operands, .. } => operands.iter().any(|each| self.asks(each)),
            _ if self.parameter(expression).is_some() => true,
            ExprKind::Unary(_, inner) | ExprKind::Attribute(inner, _) => self.asks(inner),
            ExprKind::Binary(_, a, b) | ExprKind::Subscript(a, b) => self.asks(a) || self.asks(b),
            ExprKind::Call { arguments, .. } => arguments.iter().any(|argument| {
                let (Argument::Positional(value)
                | Argument::Star(value)
                | Argument::Keyword(_, value)
                | Argument::DoubleStar(value)) = argument;
                self.asks(value)
            }),
            _ => false,
        }
    }
    /// `optimizer == "adam"`, `deep`, `not deep` and what `and` and `or` make of such, as a space file says it.
    fn condition(&self, test: &Expr) -> Option<String> {
        match &test.kind {
            ExprKind::Unary(UnaryOperator::Not, inner) => {
                return Some(format!("not ({})", self.condition(inner)?));
            }
            ExprKind::Logical { all, operands } => {
                let each: Option<Vec<String>> =
                    operands.iter().map(|each| self.condition(each).map(|it| format!("({it})"))).collect();
                return Some(each?.join(if *all { " and " } else { " or " }));
            }
            _ => {}
        }
        // A flag by itself.
        if let Some(name) = self.parameter(test).filter(|name| is_name(name)) {
            let is_flag = |domain: &toml::Value| match domain {
                toml::Value::Array(all) => all.iter().all(toml::Value::is_bool),
                toml::Value::Table(table) => table
                    .get("values")
                    .and_then(toml::Value::as_array)
                    .is_some_and(|all| all.iter().all(toml::Value::is_bool)),
                _ => false,
            };
            return self.table.get(&name).is_some_and(is_flag).then(|| format!("{name} == true"));
        }
        let ExprKind::Compare { first, rest } = &test.kind else { return None };
        let [(comparison, second)] = &rest[..] else { return None };
        let (first, second) = (self.said(first)?, self.said(second)?);
        let sign = match comparison {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::In => "in",
            _ => return None,
        };
        self.asks(test).then(|| format!("{first} {sign} {second}"))
    }
    /// `with hp.conditional_scope("kind", ["cnn"])`.
    fn scope(&self, item: &Expr) -> Option<String> {
        let ExprKind::Call { function, arguments } = &item.kind else { return None };
        let ExprKind::Attribute(_, method) = &function.kind else { return None };
        let names = ["parent_name", "parent_values"];
        let given = |name| argument(arguments, &names, name).and_then(|value| self.plain(value));
        if &*method.to_string() != "conditional_scope" {
            return None;
        }
        among(given("parent_name")?, given("parent_values")?)
    }
    /// The rounds of a loop over numbers or over plain values, each with its own; those that may not be there have a
    /// condition.
    fn rounds(&mut self, target: &Expr, iterable: &Expr, look: &mut dyn FnMut(&mut Found)) {
        let known = match &target.kind {
            ExprKind::Name(name) => self.values_of(iterable).map(|values| (name.text().to_string(), values)),
            _ => None,
        };
        let Some((name, values)) = known.filter(|(_, values)| values.len() <= MOST_ROUNDS) else {
            return look(self);
        };
        for (value, condition) in values {
            self.constants.insert(&name, value);
            self.within(condition, |found| look(found));
        }
        self.constants.remove(&name);
    }
    /// What is walked through, each with the condition under which it is there, if that depends on hyper-parameters.
    fn values_of(&self, iterable: &Expr) -> Option<Vec<(toml::Value, Option<String>)>> {
        match self.plain(iterable) {
            Some(toml::Value::Array(all)) => {
                return Some(all.into_iter().map(|value| (value, None)).collect());
            }
            Some(toml::Value::Table(table)) => {
                return Some(table.into_iter().map(|(key, _)| (key.into(), None)).collect());
            }
            _ => {}
        }
        let ExprKind::Call { function, arguments } = &iterable.kind else { return None };
        let is_range = matches!(&function.kind, ExprKind::Name(name) if &*name.text() == "range");
        let (first, end) = match &arguments[..] {
            [Argument::Positional(end)] if is_range => (0, end),
            [Argument::Positional(first), Argument::Positional(end)] if is_range => {
                (self.plain(first)?.as_integer()?, end)
            }
            _ => return None,
        };
        let (said, most) = (self.said(end)?, self.most(end)?);
        let rounds = (first..most).take(MOST_ROUNDS + 1);
        Some(rounds.map(|round| (round.into(), Some(format!("{said} > {round}")))).collect())
    }
    /// The greatest number that an expression comes to: a hyper-parameter, and something more or less.
    fn most(&self, expression: &Expr) -> Option<i64> {
        if let Some(parameter) = self.parameter(expression) {
            return self.table.get(&parameter).and_then(greatest);
        }
        match &expression.kind {
            ExprKind::Binary(BinaryOperator::Add, a, b) => self.most(a)?.checked_add(self.most(b)?),
            ExprKind::Binary(BinaryOperator::Sub, a, b) => {
                self.most(a)?.checked_sub(self.plain(b)?.as_integer()?)
            }
            _ => self.plain(expression)?.as_integer(),
        }
    }
    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Call { function, arguments } => {
                self.expression(function);
                for argument in arguments {
                    let (Argument::Positional(value)
                    | Argument::Star(value)
                    | Argument::Keyword(_, value)
                    | Argument::DoubleStar(value)) = argument;
                    self.expression(value);
                }
                match &function.kind {
                    ExprKind::Attribute(_, method) => self.call(&method.to_string(), arguments),
                    // `dict(width=tune.choice([8, 16]))`
                    ExprKind::Name(name) if &*name.text() == "dict" => {
                        for argument in arguments {
                            if let Argument::Keyword(name, value) = argument {
                                self.entry(&name.text(), value);
                            }
                        }
                    }
                    _ => {}
                }
            }
            ExprKind::Dict(pairs) => {
                for (key, value) in pairs {
                    if let Some(toml::Value::String(name)) = key.as_ref().and_then(|key| self.plain(key)) {
                        self.entry(&name, value);
                    }
                    self.expression(value);
                }
            }
            ExprKind::Attribute(inner, _)
            | ExprKind::Unary(_, inner)
            | ExprKind::Starred(inner)
            | ExprKind::Named(_, inner)
            | ExprKind::Await(inner) => self.expression(inner),
            ExprKind::Binary(_, a, b) | ExprKind::Subscript(a, b) => {
                self.expression(a);
                self.expression(b);
            }
            ExprKind::Tuple(all) | ExprKind::List(all) | ExprKind::Set(all) => {
                all.iter().for_each(|each| self.expression(each));
            }
            ExprKind::Logical { operands, .. } => operands.iter().for_each(|each| self.expression(each)),
            ExprKind::Compare { first, rest } => {
                self.expression(first);
                rest.iter().for_each(|(_, each)| self.expression(each));
            }
            ExprKind::Conditional { test, then, otherwise } => {
                self.either(test, |found| found.expression(then), |found| found.expression(otherwise));
            }
            ExprKind::Comprehension(inner) => {
                let mut look = |found: &mut Found| {
                    found.expression(&inner.element);
                    inner.value.iter().for_each(|value| found.expression(value));
                };
                match &inner.clauses[..] {
                    [clause] if clause.conditions.is_empty() => {
                        self.expression(&clause.iterable);
                        self.rounds(&clause.target, &clause.iterable, &mut look);
                    }
                    _ => look(self),
                }
            }
            ExprKind::Generator(inner) => {
                self.expression(&inner.first);
                self.body(&inner.function.body);
            }
            ExprKind::Lambda(inner) => self.body(&inner.body),
            _ => {}
        }
    }

    /// A value that is written out, or made of such.
    fn plain(&self, expression: &Expr) -> Option<toml::Value> {
        self.constants.value(expression)
    }
    /// A number that depends on hyper-parameters, as a space file says it: `min(kernel, 2 * width)`.
    fn said(&self, expression: &Expr) -> Option<String> {
        if let Some(name) = self.parameter(expression) {
            return is_name(&name).then_some(name);
        }
        if let Some(value) = self.plain(expression) {
            return written(&value);
        }
        match &expression.kind {
            ExprKind::Unary(UnaryOperator::Minus, inner) => Some(format!("(0 - {})", self.said(inner)?)),
            ExprKind::Binary(operator, a, b) => {
                let sign = match operator {
                    BinaryOperator::Add => "+",
                    BinaryOperator::Sub => "-",
                    BinaryOperator::Mul => "*",
                    BinaryOperator::FloorDiv => "//",
                    BinaryOperator::Mod => "%",
                    _ => return None,
                };
                Some(format!("({} {sign} {})", self.said(a)?, self.said(b)?))
            }
            ExprKind::Call { function, arguments } => {
                let ExprKind::Name(name) = &function.kind else { return None };
                let name = name.text();
                let each = arguments.iter().map(|argument| match argument {
                    Argument::Positional(value) => self.said(value),
                    _ => None,
                });
                let each: Vec<String> = each.collect::<Option<_>>()?;
                matches!(&*name, "min" | "max").then(|| format!("{name}({})", each.join(", ")))
            }
            _ => None,
        }
    }
}

/// The arguments of a call that asks for a hyper-parameter, in their order.
fn names_of(method: &str) -> Option<&'static [&'static str]> {
    Some(match method {
        // Older versions take the step by place, too.
        "suggest_int" => &["name", "low", "high", "step"],
        "suggest_float" => &["name", "low", "high"],
        "suggest_uniform" | "suggest_loguniform" => &["name", "low", "high"],
        "suggest_categorical" => &["name", "choices"],
        "Int" | "Float" => &["name", "min_value", "max_value", "step"],
        "Choice" => &["name", "values"],
        "Boolean" | "Fixed" => &["name", "value"],
        _ => return None,
    })
}

/// The greatest number of a domain as it was put down.
fn greatest(domain: &toml::Value) -> Option<i64> {
    match domain {
        toml::Value::Integer(number) => Some(*number),
        toml::Value::Array(all) => {
            all.iter().map(toml::Value::as_integer).collect::<Option<Vec<_>>>()?.into_iter().max()
        }
        toml::Value::Table(table) => table.get("high").or_else(|| table.get("values")).and_then(greatest),
        _ => None,
    }
}

/// Whether a condition can name it.
fn is_name(name: &str) -> bool {
    name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        && name.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// A value as a condition of a space file has it.
fn written(value: &toml::Value) -> Option<String> {
    domain::choice(value).ok().map(|choice| choice.json().to_string())
}

/// That a hyper-parameter is one of some values.
fn among(name: toml::Value, values: toml::Value) -> Option<String> {
    let name = name.as_str().filter(|name| is_name(name))?;
    match values {
        toml::Value::Array(_) => Some(format!("{name} in {}", written(&values)?)),
        one => Some(format!("{name} == {}", written(&one)?)),
    }
}

/// An argument by its place or name.
fn argument<'e>(arguments: &'e [Argument], names: &[&str], wanted: &str) -> Option<&'e Expr> {
    let place = names.iter().position(|name| *name == wanted);
    let by_place = place.and_then(|place| match arguments.get(place) {
        Some(Argument::Positional(value)) => Some(value),
        _ => None,
    });
    by_place.or_else(|| {
        arguments.iter().find_map(|argument| match argument {
            Argument::Keyword(name, value) if &*name.text() == wanted => Some(value),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests;
