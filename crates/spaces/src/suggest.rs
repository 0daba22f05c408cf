//! Spaces that stand in Python sources already: `trial.suggest_int("kernel", 1, 7)` of Optuna, `hp.Int("kernel", 1, 7)` of
//! KerasTuner, `{"kernel": tune.choice([1, 3])}` of Ray Tune. Constants are looked up, a loop `for i in range(layers)` over `f"width_{i}"`
//! has as many hyper-parameters as it may have rounds, and those inside a condition are there where it holds. What is not
//! written as plain values is told, not guessed.

use crate::domain;
use anyhow::{Result, anyhow, bail};
use python::syntax::{
    Argument, BinaryOperator, Comparison, Constant, Expr, ExprKind, FormatPart, Stmt, StmtKind, UnaryOperator,
};
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
    constants: FxHashMap<String, toml::Value>,
    /// Names that hold a hyper-parameter.
    held: FxHashMap<String, String>,
    /// What holds where the walk is.
    conditions: Vec<String>,
    /// How many conditions around it are about hyper-parameters and cannot be read.
    unread: usize,
    /// Functions of Ray Tune that are called by a name of their own, and what they are.
    imported: FxHashMap<String, String>,
}

/// A loop with more rounds than this is no list of layers.
const MOST_ROUNDS: i64 = 64;

impl Found {
    fn body(&mut self, body: &[Stmt]) {
        for statement in body {
            match &statement.kind {
                StmtKind::Assign { targets, value } => {
                    self.expression(value);
                    match &targets[..] {
                        [Expr { kind: ExprKind::Name(name), .. }] => self.assigned(&name.text(), value),
                        // `space["width"] = tune.choice([8, 16])`
                        [Expr { kind: ExprKind::Subscript(_, key), .. }] => {
                            if let Some(toml::Value::String(name)) = self.plain(key) {
                                self.entry(&name, value);
                            }
                        }
                        _ => {}
                    }
                }
                StmtKind::Annotated { target, value: Some(value), .. } => {
                    self.expression(value);
                    if let ExprKind::Name(name) = &target.kind {
                        self.assigned(&name.text(), value);
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
                    self.expression(test);
                    let condition = self.condition(test);
                    let unread = usize::from(condition.is_none() && self.asks(test));
                    self.unread += unread;
                    self.within(condition.clone(), |found| found.body(body));
                    self.within(condition.map(|condition| format!("not ({condition})")), |found| {
                        found.body(orelse);
                    });
                    self.unread -= unread;
                }
                StmtKind::While { test, body, orelse } => {
                    self.expression(test);
                    self.body(body);
                    self.body(orelse);
                }
                StmtKind::For { target, iterable, body, orelse } => {
                    self.expression(iterable);
                    self.rounds(target, iterable, body);
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
    /// Looks at something that is there only where a condition holds, if one is known.
    fn within(&mut self, condition: Option<String>, look: impl FnOnce(&mut Found)) {
        let depth = self.conditions.len();
        self.conditions.extend(condition);
        look(self);
        self.conditions.truncate(depth);
    }
    fn assigned(&mut self, name: &str, value: &Expr) {
        self.constants.remove(name);
        self.held.remove(name);
        if let Some(parameter) = self.parameter(value) {
            self.held.insert(name.to_owned(), parameter);
        } else if let Some(value) = self.plain(value) {
            self.constants.insert(name.to_owned(), value);
        }
    }
    /// The hyper-parameter that an expression is: a call that asks for it, or a name that holds it.
    fn parameter(&self, expression: &Expr) -> Option<String> {
        match &expression.kind {
            ExprKind::Name(name) => self.held.get(&*name.text()).cloned(),
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
            ExprKind::Unary(_, inner) | ExprKind::Attribute(inner, _) => self.asks(inner),
            ExprKind::Binary(_, a, b) | ExprKind::Subscript(a, b) => self.asks(a) || self.asks(b),
            _ => self.parameter(expression).is_some(),
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
        let (parameter, value) = (self.parameter(first)?, self.plain(second)?);
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
        is_name(&parameter).then_some(format!("{parameter} {sign} {}", written(&value)?))
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
    /// The rounds of a loop over numbers, each with its number; those that may not be there have a condition.
    fn rounds(&mut self, target: &Expr, iterable: &Expr, body: &[Stmt]) {
        let end = match &iterable.kind {
            ExprKind::Call { function, arguments } if matches!(&function.kind, ExprKind::Name(name) if &*name.text() == "range") => {
                match &arguments[..] {
                    [Argument::Positional(end)] => Some(end),
                    _ => None,
                }
            }
            _ => None,
        };
        let parameter = end.and_then(|end| self.parameter(end)).filter(|name| is_name(name));
        let most = match &parameter {
            Some(parameter) => self.table.get(parameter).and_then(greatest),
            None => end.and_then(|end| self.plain(end)).and_then(|end| end.as_integer()),
        };
        let (ExprKind::Name(name), Some(most @ 0..=MOST_ROUNDS)) = (&target.kind, most) else {
            return self.body(body);
        };
        let name = name.text().to_string();
        for round in 0..most {
            self.constants.insert(name.clone(), round.into());
            let condition = parameter.as_ref().map(|parameter| format!("{parameter} > {round}"));
            self.within(condition, |found| found.body(body));
        }
        self.constants.remove(&name);
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
        let Some(names) = names_of(method) else { return };
        let given = |name: &str| argument(arguments, names, name);
        let Some(name) = given("name") else { return };
        let Some(toml::Value::String(name)) = self.plain(name) else {
            self.unclear.push((format!("`{method}`"), "its name is made while the program runs".into()));
            return;
        };
        let is_real = matches!(method, "suggest_float" | "suggest_uniform" | "suggest_loguniform" | "Float");
        let domain = match method {
            "suggest_categorical" => given("choices").and_then(|it| self.plain(it)),
            "Choice" => given("values").and_then(|it| self.plain(it)),
            "Boolean" => Some(toml::Value::Array(vec![true.into(), false.into()])),
            "Fixed" => given("value").and_then(|it| self.plain(it)),
            _ => {
                let low = given("low").or_else(|| given("min_value"));
                let high = given("high").or_else(|| given("max_value"));
                let is_log = given("sampling").and_then(|it| self.plain(it)) == Some("log".into());
                match given("step").filter(|_| is_log) {
                    Some(step) => self.multiplied(low, high, step),
                    None => self.between(low, high, given("step"), is_real),
                }
            }
        };
        let parent = |word| argument(arguments, &[], word).and_then(|value| self.plain(value));
        let parent = parent("parent_name").zip(parent("parent_values"));
        let condition = parent.and_then(|(name, values)| among(name, values));
        self.within(condition, |found| found.put(name, domain));
    }
    /// An entry of a space of Ray Tune, if it is one: `tune.choice([8, 16])`.
    fn entry(&mut self, name: &str, value: &Expr) {
        let ExprKind::Call { function, arguments } = &value.kind else { return };
        let method = match &function.kind {
            ExprKind::Attribute(owner, method) => {
                let is_tune = match &owner.kind {
                    ExprKind::Name(owner) => &*owner.text() == "tune",
                    ExprKind::Attribute(_, owner) => &*owner.to_string() == "tune",
                    _ => false,
                };
                is_tune.then(|| method.to_string())
            }
            ExprKind::Name(name) => self.imported.get(&*name.text()).cloned(),
            _ => None,
        };
        if let Some(method) = method {
            self.ray(name, &method, arguments);
        }
    }
    fn ray(&mut self, name: &str, method: &str, arguments: &[Argument]) {
        let of = |number: usize| match arguments.get(number) {
            Some(Argument::Positional(value) | Argument::Keyword(_, value)) => Some(value),
            _ => None,
        };
        let whole = |value: Option<&Expr>| self.plain(value?).and_then(|value| value.as_integer());
        let domain = match method {
            "choice" | "grid_search" => of(0).and_then(|it| self.plain(it)),
            "randint" | "lograndint" => {
                // Ray leaves the upper end out.
                let ends = whole(of(0)).zip(whole(of(1)));
                ends.map(|(low, high)| format!("{low}..{}", high - 1).into())
            }
            "qrandint" | "qlograndint" => {
                let ends = whole(of(0)).zip(whole(of(1)));
                ends.map(|(low, high)| format!("{low}..{high} step {}", whole(of(2)).unwrap_or(1)).into())
            }
            "uniform" | "loguniform" => self.between(of(0), of(1), None, true),
            "quniform" | "qloguniform" => self.between(of(0), of(1), of(2), true),
            other => {
                self.unclear.push((format!("`{name}`"), format!("what `tune.{other}` gives is not read")));
                return;
            }
        };
        self.put(name.to_owned(), domain);
    }
    fn put(&mut self, name: String, domain: Option<toml::Value>) {
        if self.unread > 0 {
            let why = "it is there under a condition on hyper-parameters that is not read";
            self.unclear.push((format!("`{name}`"), why.into()));
            return;
        }
        let domain = domain.map(|domain| self.conditional(domain));
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
    /// A domain that is there only where all conditions hold.
    fn conditional(&self, domain: toml::Value) -> toml::Value {
        if self.conditions.is_empty() {
            return domain;
        }
        let mut table = match domain {
            toml::Value::Table(table) => table,
            values => toml::Table::from_iter([("values".to_owned(), values)]),
        };
        table.insert("when".into(), self.conditions.join(" and ").into());
        toml::Value::Table(table)
    }

    fn between(
        &self,
        low: Option<&Expr>,
        high: Option<&Expr>,
        step: Option<&Expr>,
        is_real: bool,
    ) -> Option<toml::Value> {
        let number = |value: &Expr| {
            let value = self.plain(value)?;
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

    /// The first number, and what multiplying by the step makes of it: how KerasTuner samples by logarithms.
    fn multiplied(&self, low: Option<&Expr>, high: Option<&Expr>, step: &Expr) -> Option<toml::Value> {
        let number = |value: &Expr| {
            let value = self.plain(value)?;
            value.as_float().or_else(|| value.as_integer().map(|it| it as f64))
        };
        let (low, high, step) = (number(low?)?, number(high?)?, number(step)?);
        if low <= 0.0 || step <= 1.0 {
            return None;
        }
        let all = std::iter::successors(Some(low), |last| {
            Some(last * step).filter(|next| *next <= high * (1.0 + 1e-12))
        });
        let written = |it: f64| if it.fract() == 0.0 { (it as i64).into() } else { toml::Value::from(it) };
        Some(toml::Value::Array(all.take(10_000).map(written).collect()))
    }

    /// A value that is written out, or made of such by `+`, `-`, `*`, `**` and `f"…"`.
    fn plain(&self, expression: &Expr) -> Option<toml::Value> {
        Some(match &expression.kind {
            ExprKind::Constant(Constant::Int(number)) => (*number).into(),
            ExprKind::Constant(Constant::Float(number)) => (*number).into(),
            ExprKind::Constant(Constant::Bool(flag)) => (*flag).into(),
            ExprKind::Constant(Constant::Text(text)) => text.to_string().into(),
            ExprKind::Name(name) => self.constants.get(&*name.text())?.clone(),
            ExprKind::Unary(UnaryOperator::Minus, inner) => match self.plain(inner)? {
                toml::Value::Integer(number) => (-number).into(),
                toml::Value::Float(number) => (-number).into(),
                _ => return None,
            },
            ExprKind::List(all) | ExprKind::Tuple(all) => {
                toml::Value::Array(all.iter().map(|each| self.plain(each)).collect::<Option<_>>()?)
            }
            ExprKind::Binary(operator, a, b) => match (self.plain(a)?, self.plain(b)?) {
                (toml::Value::Integer(a), toml::Value::Integer(b)) => match operator {
                    BinaryOperator::Add => a.checked_add(b)?.into(),
                    BinaryOperator::Sub => a.checked_sub(b)?.into(),
                    BinaryOperator::Mul => a.checked_mul(b)?.into(),
                    BinaryOperator::Pow => a.checked_pow(u32::try_from(b).ok()?)?.into(),
                    _ => return None,
                },
                (toml::Value::String(a), toml::Value::String(b)) if *operator == BinaryOperator::Add => {
                    format!("{a}{b}").into()
                }
                _ => return None,
            },
            ExprKind::Format(parts) => {
                let mut text = String::new();
                for part in parts {
                    match part {
                        FormatPart::Text(plain) => text.push_str(plain),
                        FormatPart::Value { value, conversion: None, format, debug: None }
                            if format.is_empty() =>
                        {
                            text.push_str(&shown(self.plain(value)?)?);
                        }
                        FormatPart::Value { .. } => return None,
                    }
                }
                text.into()
            }
            // `"width_" + str(i)`
            ExprKind::Call { function, arguments } => match (&function.kind, &arguments[..]) {
                (ExprKind::Name(name), [Argument::Positional(value)]) if &*name.text() == "str" => {
                    shown(self.plain(value)?)?.into()
                }
                (ExprKind::Name(name), [Argument::Positional(value)])
                    if matches!(&*name.text(), "list" | "tuple") =>
                {
                    self.plain(value)?
                }
                // `list(range(8, 65, 8))`
                (ExprKind::Name(name), ends) if &*name.text() == "range" => {
                    let whole = |argument: &Argument| match argument {
                        Argument::Positional(value) => self.plain(value)?.as_integer(),
                        _ => None,
                    };
                    let (low, high, step) = match ends {
                        [high] => (0, whole(high)?, 1),
                        [low, high] => (whole(low)?, whole(high)?, 1),
                        [low, high, step] => (whole(low)?, whole(high)?, whole(step)?),
                        _ => return None,
                    };
                    let choices = domain::numbers(low, high.checked_sub(1)?, step).ok()?;
                    toml::Value::Array(
                        choices
                            .into_iter()
                            .filter_map(|it| it.to_string().parse::<i64>().ok())
                            .map(Into::into)
                            .collect(),
                    )
                }
                _ => return None,
            },
            _ => return None,
        })
    }
}

fn shown(value: toml::Value) -> Option<String> {
    match value {
        toml::Value::Integer(number) => Some(number.to_string()),
        toml::Value::String(text) => Some(text),
        _ => None,
    }
}

/// The arguments of a call that asks for a hyper-parameter, in their order.
fn names_of(method: &str) -> Option<&'static [&'static str]> {
    Some(match method {
        "suggest_int" | "suggest_float" => &["name", "low", "high"],
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
mod tests {
    use super::*;

    fn found(source: &str) -> Result<Vec<(String, String)>, String> {
        let folder = std::env::temp_dir().join("tensorvet-suggest");
        std::fs::create_dir_all(&folder).map_err(|why| why.to_string())?;
        let number = source.bytes().fold(0u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
        let file = folder.join(format!("{number}.py"));
        std::fs::write(&file, source).map_err(|why| why.to_string())?;
        let table =
            read(&file).map_err(|why| format!("{why:#}").replace(&file.display().to_string(), "FILE"))?;
        crate::Space::of(&table).map_err(|why| format!("{why:#}"))?;
        Ok(table
            .into_iter()
            .map(|(name, domain)| (name, serde_json::to_string(&domain).unwrap_or_default()))
            .collect())
    }
    fn pairs(expected: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
        Ok(expected.iter().map(|(name, domain)| ((*name).to_owned(), (*domain).to_owned())).collect())
    }

    #[test]
    fn layers_of_an_optuna_objective_are_as_many_as_there_may_be() {
        let source = r#"
MOST = 2
def objective(trial):
    layers = trial.suggest_int("layers", 1, MOST)
    for i in range(layers):
        width = trial.suggest_int(f"width_{i}", 4, 4 * 16, step=4, log=False)
    kind = trial.suggest_categorical("kind", ["sgd", "adam"])
    if kind == "adam":
        beta = trial.suggest_float("beta", 0.5, 0.9)
    return 0
"#;
        assert_eq!(
            found(source),
            pairs(&[
                ("layers", r#"{"low":1,"high":2}"#),
                ("width_0", r#"{"low":4,"high":64,"step":4,"when":"layers > 0"}"#),
                ("width_1", r#"{"low":4,"high":64,"step":4,"when":"layers > 1"}"#),
                ("kind", r#"["sgd","adam"]"#),
                ("beta", r#"{"low":0.5,"high":0.9,"when":"kind == \"adam\""}"#),
            ])
        );
    }

    #[test]
    fn scopes_of_keras_tuner_are_conditions() {
        let source = r#"
def build(hp):
    model = keras.Sequential()
    for i in range(hp.Int("blocks", 1, 2)):
        model.add(layers.Conv2D(hp.Choice("filters_" + str(i), [8, 16]), 3))
    pooling = hp.Choice("pooling", ["avg", "max"])
    with hp.conditional_scope("pooling", ["max"]):
        model.add(layers.MaxPooling2D(hp.Int("pool", 2, 4, step=2)))
    hp.Boolean("dropout")
    hp.Float("rate", 0.1, 0.5, parent_name="dropout", parent_values=[True])
    return model
"#;
        assert_eq!(
            found(source),
            pairs(&[
                ("blocks", r#"{"low":1,"high":2}"#),
                ("filters_0", r#"{"values":[8,16],"when":"blocks > 0"}"#),
                ("filters_1", r#"{"values":[8,16],"when":"blocks > 1"}"#),
                ("pooling", r#"["avg","max"]"#),
                ("pool", r#"{"low":2,"high":4,"step":2,"when":"pooling in [\"max\"]"}"#),
                ("dropout", "[true,false]"),
                ("rate", r#"{"low":0.1,"high":0.5,"when":"dropout in [true]"}"#),
            ])
        );
    }

    #[test]
    fn a_space_of_ray_tune_is_a_dictionary() {
        let source = r#"
from ray import tune
space = {"width": tune.choice([2**3, 16]), "depth": tune.randint(1, 4), "rate": tune.loguniform(1e-4, 1e-1), "epochs": 3}
"#;
        assert_eq!(
            found(source),
            pairs(&[("width", "[8,16]"), ("depth", r#""1..3""#), ("rate", r#"{"low":0.0001,"high":0.1}"#),])
        );
    }

    #[test]
    fn spaces_are_written_in_many_ways() {
        let source = r#"
from ray.tune import choice
import ray
sizes: list = list(range(8, 25, 8))
space = dict(width=choice(sizes), depth=ray.tune.qlograndint(2, 8, 2))
space["kernel"] = ray.tune.choice([1, 3])
"#;
        assert_eq!(
            found(source),
            pairs(&[("width", "[8,16,24]"), ("depth", r#""2..8 step 2""#), ("kernel", "[1,3]")])
        );
        let source = r#"
def build(hp):
    deep, wide = hp.Boolean("deep"), 3
    deep = hp.Boolean("deep")
    kind = hp.Choice("kind", ["a", "b"])
    if deep and kind == "a":
        hp.Int("width", 2, 16, step=2, sampling="log")
"#;
        assert_eq!(
            found(source),
            pairs(&[
                ("deep", "[true,false]"),
                ("kind", r#"["a","b"]"#),
                ("width", r#"{"values":[2,4,8,16],"when":"(deep == true) and (kind == \"a\")"}"#),
            ])
        );
    }

    #[test]
    fn what_only_the_run_tells_is_no_guess() {
        let told = |source| found(source).expect_err("unclear");
        assert_eq!(
            told("trial.suggest_int('k', 1, most())"),
            "FILE: `k`: its domain is made while the program runs"
        );
        assert_eq!(
            told("space = {'k': tune.sample_from(f)}"),
            "FILE: `k`: what `tune.sample_from` gives is not read"
        );
        assert_eq!(
            told("k = trial.suggest_int('k', 1, 3)\nif k % 2 == 0:\n    trial.suggest_int('n', 1, 3)"),
            "FILE: `n`: it is there under a condition on hyper-parameters that is not read"
        );
        assert_eq!(
            told("for n in names:\n    trial.suggest_int(n, 1, 3)"),
            "FILE: `suggest_int`: its name is made while the program runs"
        );
    }
}
