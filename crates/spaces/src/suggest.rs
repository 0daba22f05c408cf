//! Spaces that stand in Python sources already: `trial.suggest_int("kernel", 1, 7)` of Optuna, `hp.Int("kernel", 1, 7)` of
//! KerasTuner, `{"kernel": tune.choice([1, 3])}` of Ray Tune. What is not written as plain values is told, not guessed.

use anyhow::{Result, anyhow, bail};
use python::syntax::{Argument, Constant, Expr, ExprKind, Stmt, StmtKind, UnaryOperator};
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
}

impl Found {
    fn body(&mut self, body: &[Stmt]) {
        for statement in body {
            match &statement.kind {
                StmtKind::Expr(value)
                | StmtKind::Assign { value, .. }
                | StmtKind::Augmented { value, .. } => {
                    self.expression(value);
                }
                StmtKind::Annotated { value, .. } | StmtKind::Return(value) => {
                    value.iter().for_each(|value| self.expression(value));
                }
                StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                    self.expression(test);
                    self.body(body);
                    self.body(orelse);
                }
                StmtKind::For { iterable, body, orelse, .. } => {
                    self.expression(iterable);
                    self.body(body);
                    self.body(orelse);
                }
                StmtKind::With { items, body } => {
                    items.iter().for_each(|(item, _)| self.expression(item));
                    self.body(body);
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
                if let ExprKind::Attribute(_, method) = &function.kind {
                    self.call(&method.to_string(), arguments);
                }
            }
            ExprKind::Dict(pairs) => {
                for (key, value) in pairs {
                    if let (Some(key), ExprKind::Call { function, arguments }) = (key, &value.kind)
                        && let ExprKind::Attribute(owner, method) = &function.kind
                        && matches!(&owner.kind, ExprKind::Name(owner) if &*owner.text() == "tune")
                        && let Some(toml::Value::String(name)) = plain(key)
                    {
                        self.ray(&name, &method.to_string(), arguments);
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
                [test, then, otherwise].into_iter().for_each(|each| self.expression(each));
            }
            ExprKind::Comprehension(inner) => {
                self.expression(&inner.element);
                inner.value.iter().for_each(|value| self.expression(value));
            }
            _ => {}
        }
    }

    /// A call of a trial of Optuna or of KerasTuner's `hp`.
    fn call(&mut self, method: &str, arguments: &[Argument]) {
        let names: &[&str] = match method {
            "suggest_int" | "suggest_float" => &["name", "low", "high"],
            "suggest_uniform" | "suggest_loguniform" => &["name", "low", "high"],
            "suggest_categorical" => &["name", "choices"],
            "Int" | "Float" => &["name", "min_value", "max_value", "step"],
            "Choice" => &["name", "values"],
            "Boolean" | "Fixed" => &["name", "value"],
            _ => return,
        };
        let given = |name: &str| argument(arguments, names, name);
        let Some(name) = given("name") else { return };
        let Some(toml::Value::String(name)) = plain(name) else {
            // `f"width_{i}"` is as many hyper-parameters as the loop has rounds.
            self.unclear.push((format!("`{method}`"), "its name is made while the program runs".into()));
            return;
        };
        let is_real = matches!(method, "suggest_float" | "suggest_uniform" | "suggest_loguniform" | "Float");
        let domain = match method {
            "suggest_categorical" => given("choices").and_then(plain),
            "Choice" => given("values").and_then(plain),
            "Boolean" => Some(toml::Value::Array(vec![true.into(), false.into()])),
            "Fixed" => given("value").and_then(plain),
            _ => {
                let low = given("low").or_else(|| given("min_value"));
                let high = given("high").or_else(|| given("max_value"));
                between(low, high, given("step"), is_real)
            }
        };
        self.put(name, domain);
    }
    fn ray(&mut self, name: &str, method: &str, arguments: &[Argument]) {
        let of = |number: usize| match arguments.get(number) {
            Some(Argument::Positional(value) | Argument::Keyword(_, value)) => Some(value),
            _ => None,
        };
        let whole = |value: Option<&Expr>| plain(value?).and_then(|value| value.as_integer());
        let domain = match method {
            "choice" | "grid_search" => of(0).and_then(plain),
            "randint" | "lograndint" => {
                // Ray leaves the upper end out.
                let ends = whole(of(0)).zip(whole(of(1)));
                ends.map(|(low, high)| format!("{low}..{}", high - 1).into())
            }
            "qrandint" => {
                let ends = whole(of(0)).zip(whole(of(1)));
                ends.map(|(low, high)| format!("{low}..{high} step {}", whole(of(2)).unwrap_or(1)).into())
            }
            "uniform" | "loguniform" => between(of(0), of(1), None, true),
            "quniform" => between(of(0), of(1), of(2), true),
            _ => return,
        };
        self.put(name.to_owned(), domain);
    }
    fn put(&mut self, name: String, domain: Option<toml::Value>) {
        match domain {
            Some(domain) => match self.table.get(&name) {
                Some(held) if *held != domain => {
                    self.unclear.push((format!("`{name}`"), "it has two domains".into()));
                }
                _ => _ = self.table.insert(name, domain),
            },
            None => {
                self.unclear.push((format!("`{name}`"), "its domain is made while the program runs".into()))
            }
        }
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

fn between(
    low: Option<&Expr>,
    high: Option<&Expr>,
    step: Option<&Expr>,
    is_real: bool,
) -> Option<toml::Value> {
    let number = |value: &Expr| {
        let value = plain(value)?;
        match is_real {
            true => value.as_float().or_else(|| value.as_integer().map(|it| it as f64)).map(Into::into),
            false => value.as_integer().map(Into::into),
        }
    };
    let mut table = toml::Table::new();
    table.insert("low".into(), number(low?)?);
    table.insert("high".into(), number(high?)?);
    if let Some(step) = step.filter(|step| !matches!(step.kind, ExprKind::Constant(Constant::None))) {
        table.insert("step".into(), number(step)?);
    }
    Some(toml::Value::Table(table))
}

/// A value that is written out.
fn plain(expression: &Expr) -> Option<toml::Value> {
    Some(match &expression.kind {
        ExprKind::Constant(Constant::Int(number)) => (*number).into(),
        ExprKind::Constant(Constant::Float(number)) => (*number).into(),
        ExprKind::Constant(Constant::Bool(flag)) => (*flag).into(),
        ExprKind::Constant(Constant::Text(text)) => text.to_string().into(),
        ExprKind::Unary(UnaryOperator::Minus, inner) => match plain(inner)? {
            toml::Value::Integer(number) => (-number).into(),
            toml::Value::Float(number) => (-number).into(),
            _ => return None,
        },
        ExprKind::List(all) | ExprKind::Tuple(all) => {
            toml::Value::Array(all.iter().map(plain).collect::<Option<_>>()?)
        }
        _ => return None,
    })
}
