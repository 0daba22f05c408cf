//! What the fuzzer finds: bugs that are put into Keras one at a time.
//!
//! A bug counts as found if a finding that Keras as it is does not show blames the layer with the bug, within two
//! minutes of CPU time, and its case has three layers at most.

use crate::fuzzer::{Finding, Fuzzer, binary, children_seconds};
use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// CPU seconds for each bug.
const LIMIT: f64 = 120.0;
const SEED: u64 = 11;
const MOST_LAYERS: u64 = 3;

struct Bug {
    name: String,
    layer: String,
    words: String,
}

struct Found {
    seconds: f64,
    models: u64,
    said: Option<Finding>,
}

pub fn run(words: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let (mut backend, mut only, mut named, mut seed) = ("keras-torch", None, None, SEED);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = *rest.next().with_context(|| format!("{word} needs a value"))?;
        match *word {
            "--backend" => backend = value,
            "--bug" => only = Some(value.split(',').collect::<Vec<_>>()),
            "--binary" => named = Some(PathBuf::from(value)),
            "--seed" => seed = value.parse().context("--seed takes a number")?,
            other => bail!("{other} is no option: --backend, --bug, --binary, --seed"),
        }
    }
    let binary = binary(named)?;
    let mut folder = data::scratch("detection")?.join(backend);
    // What another seed shows is beside the point of the table.
    if seed != SEED {
        folder = folder.join(format!("seed-{seed}"));
    }
    std::fs::create_dir_all(&folder)?;
    let mut rows = String::new();
    let (mut found, mut small, mut all, mut missing) = (0, 0, 0, 0);
    for bug in bugs(&python)? {
        // What came of a bug is kept, so that some can be looked for again.
        let kept = folder.join(format!("{}.json", bug.name));
        if only.as_ref().is_none_or(|only| only.contains(&bug.name.as_str())) {
            let result = look_for(&bug, &binary, &python, (backend, seed), &folder)?;
            println!(
                "{}: {} ({:.0} CPU s, {} models)",
                bug.name,
                result.words(),
                result.seconds,
                result.models
            );
            std::fs::write(&kept, result.stored().to_string())?;
        }
        let Some(result) = std::fs::read_to_string(&kept).ok().and_then(|text| Kept::read(&text)) else {
            missing += 1;
            continue;
        };
        all += 1;
        found += usize::from(result.layers.is_some());
        small += usize::from(result.layers.is_some_and(|layers| layers <= MOST_LAYERS));
        let Kept { models, seconds, said, layers } = result;
        let layers = layers.map_or("–".to_string(), |layers| layers.to_string());
        let (layer, words) = (&bug.layer, &bug.words);
        let _ = writeln!(rows, "| `{layer}`: {words} | {models} | {seconds:.0} | {said} | {layers} |");
    }
    if missing == 0 && seed == SEED {
        let text = format!(
            "## Detection power, {backend}\n\n\
            `cargo xtask detection --backend {backend}`: bugs put into Keras one at a time; models of ten layers on average, every layer that Keras has, no hint where the bug is. \
            What Keras as it is shows on the same case is not counted (`tensorvet fuzz --unlike`).\n\n\
            {found} of {all} found within {LIMIT:.0} CPU seconds each, {small} with at most {MOST_LAYERS} layers.\n\n\
            | bug | models | CPU seconds | found as | layers |\n|---|---|---|---|---|\n{rows}"
        );
        document::section("detection.md", backend, &text)?;
    }
    if small < all {
        bail!("{} of {all} bugs were not found, or not made small", all - small);
    }
    Ok(())
}

/// What came of a bug, as it is kept.
struct Kept {
    models: u64,
    seconds: f64,
    said: String,
    /// Of the smallest case, if it was found.
    layers: Option<u64>,
}

impl Kept {
    fn read(text: &str) -> Option<Kept> {
        let stored: Value = serde_json::from_str(text).ok()?;
        Some(Kept {
            models: stored["models"].as_u64()?,
            seconds: stored["seconds"].as_f64()?,
            said: stored["said"].as_str()?.to_string(),
            layers: stored["layers"].as_u64(),
        })
    }
}

impl Found {
    fn words(&self) -> String {
        self.said.as_ref().map_or("not found".to_string(), |finding| finding.to_string())
    }
    fn stored(&self) -> Value {
        let layers = self.said.as_ref().map(|finding| finding.layers);
        json!({ "models": self.models, "seconds": self.seconds, "said": self.words(), "layers": layers })
    }
}

fn look_for(
    bug: &Bug,
    binary: &Path,
    python: &Path,
    (backend, seed): (&str, u64),
    folder: &Path,
) -> Result<Found> {
    let wrapper = wrapped(bug, python, folder)?;
    let out = folder.join(&bug.name);
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let fuzzer = Fuzzer { binary: binary.to_owned(), backend, python: &wrapper, out, seed };
    let plain = python.display().to_string();
    let started = children_seconds()?;
    loop {
        // Each run ends with a finding, which may blame another layer.
        let left = LIMIT - (children_seconds()? - started);
        let minutes = (left / 60.0).to_string();
        fuzzer.run(&["--findings", "1", "--minutes", &minutes, "--unlike", &plain])?;
        let state = fuzzer.state()?;
        let seconds = children_seconds()? - started;
        let blaming = state.findings.into_iter().filter(|finding| finding.layer == bug.layer);
        let said = blaming.min_by_key(|finding| finding.layers).filter(|_| seconds <= LIMIT);
        if seconds > LIMIT || said.as_ref().is_some_and(|finding| finding.layers <= MOST_LAYERS) {
            return Ok(Found { seconds, models: state.models, said });
        }
    }
}

/// A script that is Python with the bug.
fn wrapped(bug: &Bug, python: &Path, folder: &Path) -> Result<PathBuf> {
    let wrapper = folder.join(format!("{}.sh", bug.name));
    let script = data::root().join("xtask/truth/keras_bugs.py");
    let line = format!("exec {} {} {} \"$@\"", quoted(python), quoted(&script), bug.name);
    std::fs::write(&wrapper, format!("#!/bin/sh\n{line}\n"))?;
    let status = Command::new("chmod").arg("+x").arg(&wrapper).status()?;
    if !status.success() {
        bail!("{} cannot be made executable", wrapper.display());
    }
    Ok(wrapper)
}

fn bugs(python: &Path) -> Result<Vec<Bug>> {
    let list = frameworks::truth(python, "keras_bugs.py", &["--list"])?;
    let bug = |line: &str| {
        let mut parts = line.split('\t').map(String::from);
        Some(Bug { name: parts.next()?, layer: parts.next()?, words: parts.next()? })
    };
    Ok(list.lines().filter_map(bug).collect())
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
