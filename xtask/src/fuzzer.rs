//! `tensorvet fuzz` as a process, and what its folder then holds.

use crate::data;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub struct Fuzzer<'p> {
    pub binary: PathBuf,
    pub backend: &'p str,
    pub python: &'p Path,
    /// Where a run goes on and leaves its findings.
    pub out: PathBuf,
    pub seed: u64,
}

/// What a folder knows after a run.
pub struct State {
    pub models: u64,
    pub calls: u64,
    pub agreeing: u64,
    pub findings: Vec<Finding>,
}

#[derive(Clone)]
pub struct Finding {
    pub layer: String,
    pub kind: String,
    pub detail: String,
    pub arguments: Vec<String>,
    pub ways: Vec<String>,
    /// In how many models it was met.
    pub count: u64,
    /// Of its smallest case.
    pub layers: u64,
    /// The small cases that it is known by.
    pub examples: Vec<Example>,
}

/// The blamed call of a small case, and what came of it.
#[derive(Clone, Default)]
pub struct Example {
    /// Weights included.
    pub tensors: Vec<Tensor>,
    pub outputs: Vec<Tensor>,
    /// As Python writes them.
    arguments: BTreeMap<String, String>,
    /// What else the case consists of.
    pub beside: Vec<String>,
    pub expected: String,
    pub observed: String,
    /// Whether the values are those of float32, where float64 is asked for.
    pub as_float32: bool,
}

#[derive(Clone)]
pub struct Tensor {
    /// As the signature calls it.
    pub name: String,
    pub dtype: String,
    pub shape: Vec<i64>,
    /// Which numbers that need a rule of their own are among its elements: `nan`, `inf`, `zero`.
    pub holds: Vec<String>,
    /// The largest magnitude of its finite elements.
    pub largest: f64,
}

impl Fuzzer<'_> {
    /// Runs with more words of the command line.
    pub fn run(&self, words: &[&str]) -> Result<()> {
        let mut command = Command::new(&self.binary);
        command.args(["fuzz", "--quiet", "--backend", self.backend, "--limit", "10"]);
        command.args(["--seed", &self.seed.to_string()]).args(words);
        command.arg("--python").arg(self.python).arg("--out").arg(&self.out);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit()).status()?;
        if !matches!(status.code(), Some(0 | 1)) {
            bail!("tensorvet fuzz failed");
        }
        Ok(())
    }

    pub fn state(&self) -> Result<State> {
        let path = self.out.join(self.backend).join("state.json");
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let stored: Value = serde_json::from_str(&text)?;
        let number = |name: &str| stored[name].as_u64().unwrap_or(0);
        let calls = stored["calls"].as_object().into_iter().flatten();
        Ok(State {
            models: number("next"),
            calls: calls.filter_map(|(_, count)| count.as_u64()).sum(),
            agreeing: number("agreeing"),
            findings: stored["findings"].as_array().into_iter().flatten().map(Finding::read).collect(),
        })
    }
}

impl Finding {
    fn read(stored: &Value) -> Finding {
        let text = |name: &str| stored[name].as_str().unwrap_or_default().to_string();
        let list = |name: &str| {
            let items = stored[name].as_array().into_iter().flatten().filter_map(Value::as_str);
            items.map(String::from).collect()
        };
        Finding {
            layer: text("layer"),
            kind: text("kind"),
            detail: text("detail"),
            arguments: list("arguments"),
            ways: list("ways"),
            count: stored["count"].as_u64().unwrap_or(1),
            layers: stored["layers"].as_u64().unwrap_or(u64::MAX),
            examples: stored["examples"].as_array().into_iter().flatten().map(Example::read).collect(),
        }
    }
}

impl Example {
    fn read(stored: &Value) -> Example {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let tensor = |own: &Value| Tensor {
            name: text(&own["name"]),
            dtype: text(&own["dtype"]),
            shape: own["shape"].as_array().into_iter().flatten().filter_map(Value::as_i64).collect(),
            holds: own["holds"].as_array().into_iter().flatten().map(text).collect(),
            largest: own["largest"].as_f64().unwrap_or(0.0),
        };
        let tensors = |name: &str| stored[name].as_array().into_iter().flatten().map(tensor).collect();
        let arguments = stored["arguments"].as_object().into_iter().flatten();
        Example {
            tensors: tensors("tensors"),
            outputs: tensors("outputs"),
            arguments: arguments.map(|(name, value)| (name.clone(), text(value))).collect(),
            beside: stored["beside"].as_array().into_iter().flatten().map(text).collect(),
            expected: text(&stored["expected"]),
            observed: text(&stored["observed"]),
            as_float32: stored["as_float32"] == true,
        }
    }
    /// An argument that is a word, or a call of a layer.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.arguments.get(name).map(|text| text.trim_matches('"'))
    }
    pub fn is_set(&self, name: &str) -> bool {
        self.word(name) == Some("True")
    }
    pub fn float(&self, name: &str) -> Option<f64> {
        self.arguments.get(name)?.parse().ok()
    }
    /// An argument that is one whole number or several.
    pub fn numbers(&self, name: &str) -> Option<Vec<i64>> {
        let text = self.arguments.get(name)?;
        let one = text.parse().ok().map(|number| vec![number]);
        one.or_else(|| serde_json::from_str(text).ok())
    }
    /// One number for each of so many axes.
    pub fn per_axis(&self, name: &str, axes: usize) -> Option<Vec<i64>> {
        let numbers = self.numbers(name)?;
        Some(if numbers.len() == 1 { vec![numbers[0]; axes] } else { numbers })
    }
    /// The numbers at the element that is farthest off.
    pub fn values(&self) -> Option<(f64, f64)> {
        let number = |text: &str| text.split([' ', ',']).next()?.parse::<f64>().ok();
        Some((number(&self.expected)?, number(&self.observed)?))
    }
}

/// On one line.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut told = format!("{}: {}", self.layer, self.kind);
        for more in [&self.detail, &self.arguments.join(", "), &self.ways.join(", ")] {
            if !more.is_empty() {
                write!(told, " ({more})")?;
            }
        }
        f.write_str(&told.replace('\n', " "))
    }
}

/// The program, built if none is named.
pub fn binary(named: Option<PathBuf>) -> Result<PathBuf> {
    if let Some(named) = named {
        return Ok(named);
    }
    let root = data::root();
    let status =
        Command::new("cargo").args(["build", "--release", "-p", "tensorvet"]).current_dir(&root).status()?;
    if !status.success() {
        bail!("tensorvet cannot be built");
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    Ok(target.join("release/tensorvet"))
}

/// CPU seconds of all processes that were started here and have ended, theirs included.
pub fn children_seconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("CPU times are read from /proc")?;
    // After the name in parentheses; a second has a hundred ticks.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13).take(2);
    Ok(fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0)
}
