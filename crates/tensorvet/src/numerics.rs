//! `tensorvet check --numerics`: what is said of ranges, and what comes of it.

use crate::inputs::quoted;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use engines::finding::Location;
use engines::numerics::{Bounds, Question, Report, Weights};
use engines::ranges::{Parts, Settings};
use engines::validity::{Answer, Unknown};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Args, Clone)]
pub struct NumericsArgs {
    /// Look for operations that may make NaN or Inf.
    #[arg(long)]
    numerics: bool,
    /// Also in the backward pass.
    #[arg(long, requires = "numerics")]
    gradients: bool,
    /// Between which numbers an input or parameter lies: `x=[0,1]`, `"*/variance"=[0,inf]`; of several that fit the
    /// last counts.
    #[arg(long = "range", value_name = "NAME=[LOW,HIGH]", requires = "numerics", allow_hyphen_values = true)]
    ranges: Vec<String>,
    /// A TOML file of ranges: `"*/variance" = [0, inf]`.
    #[arg(long = "ranges", value_name = "FILE", requires = "numerics")]
    file: Option<PathBuf>,
    /// What parameters are taken to be; each finding lists what it depends on.
    #[arg(long, value_enum, default_value_t = WeightsArg::Stored, requires = "numerics")]
    weights: WeightsArg,
    /// How tensors are told apart into parts: for measuring what that is worth.
    #[arg(long, value_enum, default_value_t = PartsArg::Boxes, requires = "numerics", hide = true)]
    parts: PartsArg,
    /// Intervals alone: for measuring what relations are worth.
    #[arg(long, requires = "numerics", hide = true)]
    without_relations: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum PartsArg {
    Smashed,
    Boxes,
    Expanded,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeightsArg {
    /// The numbers in the file; where there are none, as training may leave them: variables of graphs within 100 of where
    /// they start, parameters of sources and inputs of graphs as they are initialised.
    Stored,
    /// As they are initialised: by the graph's own initialisers, or for layers of PyTorch and stored matrices between plus
    /// and minus 1 / sqrt(fan in).
    Initial,
    /// Any finite numbers.
    Any,
}

/// Tensors of more elements are not taken element by element.
const MOST_EXPANDED: usize = 4096;

impl NumericsArgs {
    /// What is asked, if anything is.
    pub fn question(&self) -> Result<Option<Question>> {
        if !self.numerics {
            return Ok(None);
        }
        let mut ranges = Vec::new();
        if let Some(file) = &self.file {
            let text = std::fs::read_to_string(file).with_context(|| format!("{}", file.display()))?;
            ranges.extend(of_file(&text).with_context(|| format!("{}", file.display()))?);
        }
        for text in &self.ranges {
            ranges.push(range(text)?);
        }
        let weights = match self.weights {
            WeightsArg::Stored => Weights::Stored,
            WeightsArg::Initial => Weights::Initial,
            WeightsArg::Any => Weights::Any,
        };
        let parts = match self.parts {
            PartsArg::Smashed => Parts::Smashed,
            PartsArg::Boxes => Parts::Boxes,
            PartsArg::Expanded => Parts::Expanded(MOST_EXPANDED),
        };
        let settings = Settings { parts, relations: !self.without_relations, ..Settings::NUMERICS };
        Ok(Some(Question { ranges, weights, gradients: self.gradients, settings, ..Question::default() }))
    }
}

fn of_file(text: &str) -> Result<Vec<Bounds>> {
    let table = spaces::table(text)?;
    let mut ranges = Vec::new();
    for (pattern, value) in table {
        let ends: Option<Vec<f64>> = value.as_array().and_then(|ends| ends.iter().map(number).collect());
        let Some([low, high]) = ends.as_deref() else { bail!("`{pattern}`: `[LOW, HIGH]` expected") };
        ranges.push(checked(&pattern, *low, *high)?);
    }
    Ok(ranges)
}

fn number(value: &toml::Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
}

fn range(text: &str) -> Result<Bounds> {
    let (name, ends) =
        text.rsplit_once('=').context(format!("--range {text}: `NAME=[LOW,HIGH]` expected"))?;
    let name = name.trim().trim_matches('"');
    let inner = ends.trim().strip_prefix('[').and_then(|ends| ends.strip_suffix(']'));
    let (low, high) = inner
        .and_then(|inner| inner.split_once(','))
        .context(format!("--range {name}: `[LOW,HIGH]` expected, not `{ends}`"))?;
    let end = |text: &str| -> Result<f64> {
        text.trim().parse().ok().with_context(|| format!("--range {name}: `{}` is not a number", text.trim()))
    };
    checked(name, end(low)?, end(high)?).with_context(|| "--range")
}

fn checked(name: &str, low: f64, high: f64) -> Result<Bounds> {
    if low.is_nan() || high.is_nan() {
        bail!("{name}: an end of a range is a number, not NaN");
    }
    if low == high && low.is_infinite() {
        bail!("{name}: [{low}, {high}] holds no number");
    }
    if low > high {
        bail!("{name}: [{low}, {high}] is empty");
    }
    Ok(Bounds { pattern: name.to_owned(), low, high })
}

/// Complains about a range that names nothing.
pub fn all_of_use(unused: &[String], names: &[String]) -> Result<()> {
    match unused.iter().find(|pattern| !pattern.contains('*')) {
        Some(first) => bail!("--range {first}: {}", nothing_of_that_name(first, names)),
        None => {
            unused.iter().for_each(|pattern| note(&format!("--range {pattern}"), pattern, names));
            Ok(())
        }
    }
}

/// A range that names nothing in one of the files: patterns, and what a file says for several models, need not fit each.
fn note(origin: &str, pattern: &str, names: &[String]) {
    eprintln!("note: {origin}: {}", nothing_of_that_name(pattern, names));
}

/// Names that come to mind, and the first others: inputs and variables before constants.
fn nothing_of_that_name(pattern: &str, names: &[String]) -> String {
    const MOST: usize = 8;
    let plain = pattern.replace('*', "");
    let is_near = |name: &&String| {
        let (name, plain) = (name.to_lowercase(), plain.to_lowercase());
        !plain.is_empty() && (name.contains(&plain) || plain.contains(name.as_str()))
    };
    let near = names.iter().filter(is_near);
    let others = names.iter().filter(|name| !is_near(name));
    let told: Vec<&str> = near.chain(others).map(String::as_str).take(MOST).collect();
    if told.is_empty() {
        return "no input or parameter has such a name: there is none".into();
    }
    let more = match names.len() - told.len() {
        0 => String::new(),
        left => format!(" and {left} more"),
    };
    format!("no input or parameter has such a name; there is {}{more}", quoted(&told))
}

/// Ranges that named nothing in some files and may be meant for others.
#[derive(Default)]
pub struct Unfit {
    files: usize,
    by_pattern: BTreeMap<String, (usize, Vec<String>)>,
}

impl Unfit {
    /// What one file has no use for.
    pub fn of_file(&mut self, report: &Report) {
        self.files += 1;
        for pattern in &report.unused {
            let entry = self.by_pattern.entry(pattern.clone()).or_default();
            entry.0 += 1;
            entry.1.extend(report.names.iter().take(64).cloned());
        }
    }
    /// Complains about a name that fits nothing anywhere; of patterns, and of what stands in a file of ranges, it is
    /// only told.
    pub fn told(&self, arguments: &NumericsArgs) -> Result<()> {
        for (pattern, (count, names)) in self.by_pattern.iter().filter(|(_, (count, _))| *count == self.files)
        {
            debug_assert!(*count > 0, "it was counted");
            let is_option = |text: &&String| range(text).is_ok_and(|bounds| bounds.pattern == *pattern);
            match (arguments.ranges.iter().find(is_option), &arguments.file) {
                (None, Some(file)) => note(&format!("{}: {pattern}", file.display()), pattern, names),
                _ if pattern.contains('*') => note(&format!("--range {pattern}"), pattern, names),
                _ => bail!("--range {pattern}: {}", nothing_of_that_name(pattern, names)),
            }
        }
        Ok(())
    }
}

/// Operations that are named one by one where nothing can be said.
const MOST_OPEN: usize = 12;

/// Adds what was found to the answer about a file.
pub fn add(answer: &mut Answer, report: Report, file: &str) {
    // What is not decided is not verified.
    answer.calls.unknown += report.undecided;
    for open in report.open.iter().take(MOST_OPEN) {
        let name = &open.place.spelled;
        let reason =
            format!("whether `{name}` may make NaN or Inf: nothing is known of the elements of {}", open.of);
        let line = open.place.spot.as_ref().map(|spot| format!("line {}", spot.here.line));
        let node = line.unwrap_or_else(|| open.place.node.clone());
        let location = Location { file: file.to_owned(), node: Some(node), ..Location::default() };
        answer.unknowns.push(Unknown { location, reason, count: 1, cause: None });
    }
    if report.open.len() > MOST_OPEN {
        let reason = format!("whether {} more operations may make NaN or Inf", report.open.len() - MOST_OPEN);
        let location = Location { file: file.to_owned(), ..Location::default() };
        answer.unknowns.push(Unknown { location, reason, count: 1, cause: None });
    }
    answer.findings.extend(report.findings);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read() {
        assert_eq!(range("x=[0, 1]").unwrap(), Bounds { pattern: "x".into(), low: 0.0, high: 1.0 });
        let wide = range("\"*/variance\"=[0,inf]").unwrap();
        assert_eq!((wide.pattern.as_str(), wide.high), ("*/variance", f64::INFINITY));
        for wrong in ["x", "x=1", "x=[1]", "x=[2,1]", "x=[nan,1]", "x=[a,b]"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
        assert_eq!(of_file("\"*.weight\" = [-1, 2.5]\nx = [0, inf]").unwrap().len(), 2);
        assert!(of_file("x = 3").is_err());
    }
}
