//! `truth keras`: calls of layers, drawn from the signatures and judged by Keras, compared with our definitions:
//! verdict, shapes, types and values. What we do not know counts as a disagreement.

mod asked;
mod explained;
mod judge;
mod labels;

use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use explained::Whose;
use judge::{Measured, NO_VERDICT, judge, list};
use labels::Label;
use semantics::operator::Backend;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// How many calls of each layer are drawn, at least.
const CALLS: &str = "250";
/// None of those by which definitions were corrected.
const SEED: &str = "15";
/// Calls of one layer.
#[derive(Default)]
struct Score {
    calls: usize,
    accepted: usize,
    agree: usize,
}

/// Disagreements of one kind: how many, of which layers, and one of them.
#[derive(Default)]
struct Kind {
    count: usize,
    layers: BTreeSet<String>,
    example: String,
}

#[derive(Default)]
struct Seen {
    scores: BTreeMap<String, Score>,
    kinds: BTreeMap<(Whose, String), Kind>,
    measured: Measured,
    /// Requirements that an example of the definition breaks alone, and Keras refuses it.
    asked: BTreeSet<Label>,
    /// Those of which Keras takes an example.
    taken: BTreeSet<Label>,
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let (mut recorded, mut only, mut show, mut backend) = (Vec::new(), None, false, "tensorflow");
    let (mut asked, mut seed): (Option<PathBuf>, &str) = (None, SEED);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--recorded" => recorded.extend(words.next().map(PathBuf::from)),
            "--asked" => asked = words.next().map(PathBuf::from),
            "--layer" => only = words.next().copied(),
            "--seed" => seed = words.next().copied().context("--seed takes a number")?,
            "--backend" => backend = words.next().copied().context("tensorflow or torch")?,
            "--show" => show = true,
            other => anyhow::bail!("`{other}` is no option of truth keras"),
        }
    }
    if !["tensorflow", "torch"].contains(&backend) {
        anyhow::bail!("`{backend}` is no backend of Keras that we ask: it is tensorflow or torch");
    }
    if recorded.is_empty() {
        let Some(python) = frameworks::python()? else { return Ok(()) };
        let path = data::scratch("keras")?.join(format!("calls-{backend}.jsonl"));
        std::fs::write(&path, frameworks::truth(&python, "keras_calls.py", &[backend, CALLS, seed])?)?;
        recorded.push(path);
    }
    if asked.is_none() && only.is_none() {
        asked = examples(backend)?;
    }
    let mut seen = Seen::default();
    for path in recorded {
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        for (number, line) in text.lines().enumerate() {
            let row: Value = serde_json::from_str(line)?;
            let layer = row["layer"].as_str().context("a layer")?;
            if only.is_none_or(|only| only == layer) {
                seen.add(&row, layer, backend, show.then_some(number + 1));
            }
        }
    }
    if let Some(path) = asked {
        let text = std::fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        for line in text.lines() {
            let row: Value = serde_json::from_str(line)?;
            let layer = row["layer"].as_str().context("a layer")?;
            if only.is_none_or(|only| only == layer) {
                seen.ask(&row, backend);
            }
        }
    }
    let text = seen.summary(backend);
    println!("{text}");
    let section = if backend == "torch" { "keras-torch" } else { "keras" };
    if only.is_some() { Ok(()) } else { document::section("conformance.md", section, &text) }
}

/// What Keras makes of the failing examples of the definitions.
fn examples(backend: &str) -> Result<Option<PathBuf>> {
    let Some(python) = frameworks::python()? else { return Ok(None) };
    let folder = data::scratch("keras")?;
    let examples = folder.join(format!("examples-{backend}.jsonl"));
    let lines: Vec<String> =
        asked::questions(computing(backend)).iter().map(|row| format!("{row}\n")).collect();
    std::fs::write(&examples, lines.concat())?;
    let words = [backend, "--asked", &examples.display().to_string()];
    let path = folder.join(format!("asked-{backend}.jsonl"));
    std::fs::write(&path, frameworks::truth(&python, "keras_calls.py", &words)?)?;
    Ok(Some(path))
}

impl Seen {
    /// Takes in one call; `show` is its line in the file, if disagreements are shown.
    fn add(&mut self, row: &Value, layer: &str, backend: &str, show: Option<usize>) {
        let score = self.scores.entry(layer.to_string()).or_default();
        let judged = judge(row, computing(backend), &mut self.measured);
        if !judged.as_ref().is_err_and(|why| why.starts_with(NO_VERDICT)) {
            score.calls += 1;
            score.accepted += usize::from(row.get("error").is_none());
        }
        let Err(why) = judged else {
            score.agree += 1;
            return;
        };
        let shapes: Vec<String> =
            list(&row["inputs"]).iter().map(|input| input["shape"].to_string()).collect();
        let example = format!("{layer} {} on {}: {why}", row["arguments"], shapes.join(", "));
        let explanation = explained::of(row, layer, backend, &why);
        let has_verdict = !why.starts_with(NO_VERDICT);
        if let Some(line) = show.filter(|_| has_verdict) {
            println!("{}, line {line}: {example}", explanation.map_or("ours", |known| known.whose.word()));
        }
        let key = match explanation.filter(|_| has_verdict) {
            Some(known) => (known.whose, known.words.to_string()),
            None if !has_verdict => (Whose::Keras, format!("{why}; not counted")),
            None => (Whose::Ours, plain(&why)),
        };
        let kind = self.kinds.entry(key).or_default();
        kind.count += 1;
        kind.layers.insert(layer.to_string());
        kind.example = example;
    }

    /// Takes in what Keras makes of an example that fails.
    fn ask(&mut self, row: &Value, backend: &str) {
        if row.get("error").is_some() {
            let mut measured = Measured::default();
            let _ = judge(row, computing(backend), &mut measured);
            self.asked.append(&mut measured.broken_alone);
        } else {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_string();
            self.taken.insert((text("layer"), text("label")));
        }
    }

    fn summary(&mut self, backend: &str) -> String {
        let total = |of: fn(&Score) -> usize| self.scores.values().map(of).sum::<usize>();
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        let (calls, accepted, agree) = (total(|s| s.calls), total(|s| s.accepted), total(|s| s.agree));
        let name = if backend == "torch" { "PyTorch" } else { "TensorFlow" };
        let mut text = format!(
            "## Agreement with Keras on {name}\n\n`cargo xtask truth keras --backend {backend}`: calls of layers drawn from the signatures, run by Keras on {name} and by our definitions. *Unknown* counts as a disagreement.\n\n",
        );
        let _ = writeln!(
            text,
            "{} layers, {calls} calls, {:.1} % accepted by Keras; {:.2} % agree in verdict, shape, type and value.",
            self.scores.len(),
            share(accepted, calls),
            share(agree, calls)
        );
        let tightness = &mut self.measured.tightness;
        tightness.sort_by(f64::total_cmp);
        let unnoticed = self.kinds.iter().filter(|((_, words), _)| words.contains("ten bounds"));
        let unnoticed: usize = unnoticed.map(|(_, kind)| kind.count).sum();
        if let Some(median) = tightness.get(tightness.len() / 2) {
            let _ = writeln!(
                text,
                "Median of the bound by the error seen: {median:.1} ({} outputs with an error); outputs whose error of ten bounds would not be noticed: {unnoticed}.",
                tightness.len()
            );
        }
        let drawn: BTreeSet<&str> = self.scores.keys().map(|layer| layers::names::class(layer)).collect();
        text.push_str(&labels::summary(computing(backend), &drawn, self));
        text.push_str("\n| whose | calls | layers | disagreement | example |\n|---|---|---|---|---|\n");
        for ((whose, words), kind) in &self.kinds {
            let layers: Vec<&str> = kind.layers.iter().map(String::as_str).collect();
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | `{}` |",
                whose.word(),
                kind.count,
                layers.join(", "),
                cell(words),
                cell(&kind.example)
            );
        }
        text.push_str("\n| layer | calls | accepted | agree |\n|---|---|---|---|\n");
        for (layer, score) in &self.scores {
            let _ = writeln!(
                text,
                "| `{layer}` | {} | {:.0} % | {:.1} % |",
                score.calls,
                share(score.accepted, score.calls),
                share(score.agree, score.calls)
            );
        }
        text
    }
}

/// Who computes.
fn computing(backend: &str) -> Backend {
    if backend == "torch" { Backend::Torch } else { Backend::TensorFlow }
}

/// Text that stays in its cell of a table.
fn cell(text: &str) -> String {
    let short: String = text.chars().take(240).collect();
    short.replace('|', "/").replace('`', "'")
}

/// Without the numbers, so that equal reasons count as one.
fn plain(why: &str) -> String {
    let mut text = String::new();
    for c in why.chars().take(160) {
        match c {
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            other => text.push(other),
        }
    }
    text
}
