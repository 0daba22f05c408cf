//! The space file: hyper-parameters and what they may be.
//!
//! `width = [16, 32]`, `kernel = "1..7"`, `kernel = "1..7 step 2"`, `act = ["relu", "gelu"]`, `bias = [true, false]`,
//! `kernel = [[3, 3], [5, 5]]`, in a table `[parameters]` or at the top; TOML or JSON.

use anyhow::{Context, Result, bail};
use std::fmt;
use std::path::Path;

/// A hyper-parameter, and what it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    pub values: Vec<Choice>,
}

/// A value of a hyper-parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    Int(i64),
    Float(f64),
    Flag(bool),
    Text(String),
    Several(Vec<Choice>),
}

/// Which of them a requirement mentions is told by one bit each.
const MOST_PARAMETERS: usize = 64;
/// A range with more numbers than this is not written out.
const MOST_VALUES: i64 = 10_000_000;

impl Parameter {
    /// The values, if each is a whole number.
    pub fn numbers(&self) -> Option<Vec<i64>> {
        self.values
            .iter()
            .map(|value| match value {
                Choice::Int(number) => Some(*number),
                _ => None,
            })
            .collect()
    }
}

/// As Python spells it.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Choice::Int(number) => write!(f, "{number}"),
            Choice::Float(number) => write!(f, "{number:?}"),
            Choice::Flag(flag) => f.write_str(if *flag { "True" } else { "False" }),
            Choice::Text(text) => f.write_str(text),
            Choice::Several(all) => {
                let all: Vec<String> = all.iter().map(|each| each.to_string()).collect();
                write!(f, "({})", all.join(", "))
            }
        }
    }
}

/// Reads a space file.
pub fn read(file: &Path) -> Result<Vec<Parameter>> {
    let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let is_json = file.extension().is_some_and(|extension| extension == "json");
    let value: toml::Value = match is_json {
        true => serde_json::from_str(&text).with_context(|| file.display().to_string())?,
        false => toml::Value::Table(text.parse().with_context(|| file.display().to_string())?),
    };
    of(&value).with_context(|| file.display().to_string())
}

fn of(value: &toml::Value) -> Result<Vec<Parameter>> {
    let table = value.as_table().context("a table of hyper-parameters is expected")?;
    let table = match table.get("parameters") {
        Some(inner) => inner.as_table().context("`parameters` is a table")?,
        None => table,
    };
    let mut parameters: Vec<Parameter> = Vec::new();
    for (name, value) in table {
        let mut values = domain(value).with_context(|| format!("`{name}`"))?;
        if values.is_empty() {
            bail!("`{name}` has no values");
        }
        let count = values.len();
        let mut seen: Vec<&Choice> = Vec::new();
        if values.iter().all(|value| matches!(value, Choice::Int(_))) {
            values.sort_by_key(|value| if let Choice::Int(number) = value { *number } else { 0 });
            values.dedup();
        } else {
            for value in &values {
                if !seen.contains(&value) {
                    seen.push(value);
                }
            }
        }
        if !seen.is_empty() && seen.len() < count || seen.is_empty() && values.len() < count {
            bail!("`{name}` has a value twice");
        }
        parameters.push(Parameter { name: name.clone(), values });
    }
    match parameters.len() {
        0 => bail!("there is no hyper-parameter in it"),
        1..=MOST_PARAMETERS => Ok(parameters),
        count => {
            bail!("{count} hyper-parameters are too many: at most {MOST_PARAMETERS} can be swept at once")
        }
    }
}

fn domain(value: &toml::Value) -> Result<Vec<Choice>> {
    match value {
        toml::Value::Array(values) => values.iter().map(choice).collect(),
        toml::Value::String(text) if text.contains("..") => range(text),
        toml::Value::Table(table) => {
            let number = |name: &str| table.get(name).and_then(toml::Value::as_integer);
            for name in table.keys() {
                if !["low", "high", "step", "values"].contains(&name.as_str()) {
                    bail!("`{name}` says nothing of a domain: there is `low`, `high`, `step` and `values`");
                }
            }
            match (table.get("values"), number("low"), number("high")) {
                (Some(values), None, None) => domain(values),
                (None, Some(low), Some(high)) => numbers(low, high, number("step").unwrap_or(1)),
                _ => bail!("either `values`, or `low` and `high` as whole numbers"),
            }
        }
        value => Ok(vec![choice(value)?]),
    }
}

fn choice(value: &toml::Value) -> Result<Choice> {
    Ok(match value {
        toml::Value::Integer(number) => Choice::Int(*number),
        toml::Value::Float(number) => Choice::Float(*number),
        toml::Value::Boolean(flag) => Choice::Flag(*flag),
        toml::Value::String(text) => Choice::Text(text.clone()),
        toml::Value::Array(values) => Choice::Several(values.iter().map(choice).collect::<Result<_>>()?),
        other => bail!("a {} is no value of a hyper-parameter", other.type_str()),
    })
}

/// `1..7` or `1..7 step 2`, both ends included.
fn range(text: &str) -> Result<Vec<Choice>> {
    let (ends, step) = text.split_once("step").unwrap_or((text, "1"));
    let (low, high) = ends.split_once("..").context("`LOW..HIGH` expected")?;
    let number = |text: &str| -> Result<i64> {
        let text = text.trim().trim_start_matches('=');
        text.parse().with_context(|| format!("`{text}` is not a whole number"))
    };
    numbers(number(low)?, number(high)?, number(step)?)
}

fn numbers(low: i64, high: i64, step: i64) -> Result<Vec<Choice>> {
    if step < 1 {
        bail!("a step is at least 1, not {step}");
    }
    if low > high {
        bail!("{low}..{high} is empty");
    }
    if high.saturating_sub(low) / step >= MOST_VALUES {
        bail!("{low}..{high} has more than {MOST_VALUES} values");
    }
    Ok((low..=high).step_by(step as usize).map(Choice::Int).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Parameter>, String> {
        let table: toml::Table = text.parse().expect("TOML");
        of(&toml::Value::Table(table)).map_err(|why| format!("{why:#}"))
    }

    #[test]
    fn domains_are_lists_ranges_and_words() {
        let values = |text: &str| read(text).map(|mut all| all.remove(0).values);
        let ints = |all: &[i64]| Ok(all.iter().map(|&number| Choice::Int(number)).collect::<Vec<_>>());
        assert_eq!(values("k = [3, 1, 5]"), ints(&[1, 3, 5]));
        assert_eq!(values("k = \"1..7 step 3\""), ints(&[1, 4, 7]));
        assert_eq!(values("[parameters]\nk = { low = 2, high = 6, step = 2 }"), ints(&[2, 4, 6]));
        assert_eq!(values("a = [\"x\", true, 0.5]").map(|all| all.len()), Ok(3));
        assert_eq!(values("k = 4"), ints(&[4]));
    }

    #[test]
    fn what_is_no_domain_is_told() {
        for (text, why) in [
            ("k = []", "`k` has no values"),
            ("k = \"5..2\"", "`k`: 5..2 is empty"),
            ("k = \"1..9 step 0\"", "`k`: a step is at least 1, not 0"),
            ("k = [1, 1]", "`k` has a value twice"),
            ("k = { low = 1 }", "`k`: either `values`, or `low` and `high` as whole numbers"),
            ("", "there is no hyper-parameter in it"),
        ] {
            assert_eq!(read(text), Err(why.to_owned()));
        }
        let many: String = (0..65).map(|number| format!("k{number} = 1\n")).collect();
        assert!(read(&many).is_err_and(|why| why.starts_with("65 hyper-parameters are too many")));
    }
}
