//! What one hyper-parameter may be, as a space file says it.
//!
//! `[16, 32]`, `"1..7"`, `"1..7 step 2"`, `["relu", "gelu"]`, `[true, false]`, `[[3, 3], [5, 5]]`,
//! `{ low = 1, high = "kernel", step = 2 }`, `{ low = 0.0, high = 0.5, step = 0.1 }`, `{ values = […], when = "layers > 1", otherwise = 8 }`.

use crate::choice::Choice;
use crate::condition::Expression;
use anyhow::{Context, Result, bail};

/// A domain as it is written, before other hyper-parameters are known.
pub struct Written {
    pub values: Values,
    pub when: Option<Expression>,
    /// What it is where the condition does not hold.
    pub otherwise: Option<Choice>,
}

pub enum Values {
    Listed(Vec<Choice>),
    /// Real numbers between two ends.
    Reals(f64, f64),
    /// Whole numbers between ends that depend on other hyper-parameters.
    Between {
        low: Expression,
        high: Expression,
        step: i64,
    },
}

/// A range with more numbers than this is not written out.
const MOST_VALUES: i64 = 10_000_000;
/// What a table says of a domain; a table of other names is one of hyper-parameters.
const WORDS: [&str; 7] = ["low", "high", "step", "values", "when", "otherwise", "log"];

/// Whether a table is a domain.
pub fn is_domain(table: &toml::Table) -> bool {
    ["low", "high", "values"].iter().any(|word| table.contains_key(*word))
}

pub fn read(value: &toml::Value) -> Result<Written> {
    let listed = |values| Ok(Written { values: Values::Listed(values), when: None, otherwise: None });
    match value {
        toml::Value::Array(values) => listed(values.iter().map(choice).collect::<Result<_>>()?),
        toml::Value::String(text) if text.contains("..") => listed(range(text)?),
        toml::Value::Table(table) => {
            for name in table.keys() {
                if !WORDS.contains(&name.as_str()) {
                    bail!(
                        "`{name}` says nothing of a domain: there is `low`, `high`, `step`, `values`, `when` and `otherwise`"
                    );
                }
            }
            let when = table.get("when").map(|when| match when.as_str() {
                Some(text) => Expression::parse(text).context("`when`"),
                None => bail!("`when` is a condition in quotes"),
            });
            let values = match (table.get("values"), table.get("low"), table.get("high")) {
                (Some(values), None, None) => read(values)?.values,
                (None, Some(low), Some(high)) => between(low, high, table)?,
                _ => bail!("either `values`, or `low` and `high`"),
            };
            let otherwise = table.get("otherwise").map(choice).transpose().context("`otherwise`")?;
            if otherwise.is_some() && when.is_none() {
                bail!("`otherwise` says nothing without `when`");
            }
            Ok(Written { values, when: when.transpose()?, otherwise })
        }
        value => listed(vec![choice(value)?]),
    }
}

fn between(low: &toml::Value, high: &toml::Value, table: &toml::Table) -> Result<Values> {
    let step = table.get("step");
    if let (Some(low), Some(high)) = (low.as_integer(), high.as_integer()) {
        let step = step.map_or(Some(1), toml::Value::as_integer).context("`step` is a whole number")?;
        return Ok(Values::Listed(numbers(low, high, step)?));
    }
    let real = |value: &toml::Value| value.as_float().or_else(|| value.as_integer().map(|it| it as f64));
    if let (Some(low), Some(high)) = (real(low), real(high)) {
        if low > high {
            bail!("{low}..{high} is empty");
        }
        let Some(step) = step else { return Ok(Values::Reals(low, high)) };
        let step = real(step).filter(|step| *step > 0.0).context("`step` is a positive number")?;
        let count = ((high - low) / step + 1e-9).floor();
        if count >= MOST_VALUES as f64 {
            bail!("{low}..{high} has more than {MOST_VALUES} values");
        }
        let values = (0..=count as i64).map(|number| Choice::Float(rounded(low + number as f64 * step)));
        return Ok(Values::Listed(values.collect()));
    }
    let end = |value: &toml::Value| match value {
        toml::Value::Integer(number) => Ok(Expression::Value(Choice::Int(*number))),
        toml::Value::String(text) => Expression::parse(text),
        _ => bail!("`low` and `high` are numbers, or expressions in quotes"),
    };
    let step = step.map_or(Some(1), toml::Value::as_integer).context("`step` is a whole number")?;
    if step < 1 {
        bail!("a step is at least 1, not {step}");
    }
    Ok(Values::Between { low: end(low)?, high: end(high)?, step })
}

/// Without what adding steps leaves behind: 0.3 for 0.30000000000000004.
fn rounded(number: f64) -> f64 {
    format!("{number:.12}").parse().unwrap_or(number)
}

pub fn choice(value: &toml::Value) -> Result<Choice> {
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

pub fn numbers(low: i64, high: i64, step: i64) -> Result<Vec<Choice>> {
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
