//! What a call that asks for a hyper-parameter says of its domain.

use super::{Found, among, argument, names_of};
use python::syntax::{Argument, Constant, Expr, ExprKind};

impl Found {
    /// A call of a trial of Optuna or of KerasTuner's `hp`.
    pub(super) fn call(&mut self, method: &str, arguments: &[Argument]) {
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
    pub(super) fn entry(&mut self, name: &str, value: &Expr) {
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
        let number = |value: &Expr| -> Option<toml::Value> {
            let value = self.plain(value)?;
            match is_real {
                true => value.as_float().or_else(|| value.as_integer().map(|it| it as f64)).map(Into::into),
                false => value.as_integer().map(Into::into),
            }
        };
        // `trial.suggest_int("stride", 1, kernel)`
        let end =
            |value: &Expr| number(value).or_else(|| self.said(value).filter(|_| !is_real).map(Into::into));
        let mut table = toml::Table::new();
        table.insert("low".into(), end(low?)?);
        table.insert("high".into(), end(high?)?);
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
}
