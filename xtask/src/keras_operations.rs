//! `truth keras-operations`: calls of `keras.ops` as they stand in saved models, drawn at random and judged by Keras.

use crate::keras_models::{evaluated, found};
use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fmt::Write as _;

const CALLS: &str = "40";
const SEED: &str = "1";

/// Calls of one operation.
#[derive(Default)]
struct Score {
    calls: usize,
    taken: usize,
    agree: usize,
    why: Option<String>,
}

/// `[--seed N]`
pub fn run(arguments: &[&str]) -> Result<()> {
    let seed = match arguments {
        [] => SEED,
        ["--seed", seed] => seed,
        other => anyhow::bail!("`{}` is no option of truth keras-operations", other.join(" ")),
    };
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let folder = data::scratch("keras-operations")?;
    let list =
        frameworks::truth(&python, "keras_operations.py", &[&folder.display().to_string(), CALLS, seed])?;
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for line in list.lines() {
        let mut words = line.split(' ');
        let (class, verdict) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let number = words.next().context("a number")?;
        let path = folder.join(format!("{number}.json"));
        let score = scores.entry(class.to_string()).or_default();
        score.calls += 1;
        score.taken += usize::from(verdict == "taken");
        let judged = if verdict == "taken" {
            evaluated(&path, &folder.join(format!("{number}.npz"))).map(drop)
        } else {
            match found(&path)?.iter().any(|(is_error, _)| *is_error) {
                true => Ok(()),
                false => Err("taken, but Keras refuses".into()),
            }
        };
        match judged {
            Ok(()) => score.agree += 1,
            Err(why) => score.why = Some(format!("{number}: {why}")),
        }
    }
    let total = |of: fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let (calls, taken, agree) = (total(|s| s.calls), total(|s| s.taken), total(|s| s.agree));
    let mut text = format!(
        "## Operations of `keras.ops` in saved models\n\n`cargo xtask truth keras-operations`: graphs that hold one operation, whether its arguments fit or not, loaded and called by Keras on TensorFlow. *Unknown* counts as a disagreement.\n\n{} operations, {calls} calls, {:.1} % taken by Keras; {:.2} % agree in verdict, shape, type and value.\n\n| operation | calls | taken | agree | the last that does not |\n|---|---|---|---|---|\n",
        scores.len(),
        100.0 * taken as f64 / calls.max(1) as f64,
        100.0 * agree as f64 / calls.max(1) as f64,
    );
    for (class, score) in scores.iter().filter(|(_, score)| score.agree < score.calls) {
        let why = score.why.as_deref().unwrap_or_default().replace('|', "\\|");
        let _ = writeln!(text, "| `{class}` | {} | {} | {} | {why} |", score.calls, score.taken, score.agree);
    }
    println!("{text}");
    document::section("conformance.md", "keras-operations", &text)
}
