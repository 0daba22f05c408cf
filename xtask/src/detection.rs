//! What the fuzzer finds: bugs that are put into Keras one at a time.
//!
//! A bug counts as found if a finding that Keras as it is does not show blames the layer with the bug, within two
//! minutes of CPU time, and its case has three layers at most.

use crate::fuzzer::{Finding, Fuzzer, binary, children_seconds};
use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
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
    let (mut backend, mut only, mut named) = ("keras-torch", None, None);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = *rest.next().with_context(|| format!("{word} needs a value"))?;
        match *word {
            "--backend" => backend = value,
            "--bug" => only = Some(value),
            "--binary" => named = Some(PathBuf::from(value)),
            other => bail!("{other} is no option: --backend, --bug, --binary"),
        }
    }
    let binary = binary(named)?;
    let folder = data::scratch("detection")?.join(backend);
    std::fs::create_dir_all(&folder)?;
    let mut rows = String::new();
    let (mut found, mut small, mut all) = (0, 0, 0);
    for bug in bugs(&python)? {
        if only.is_some_and(|only| only != bug.name) {
            continue;
        }
        all += 1;
        let result = look_for(&bug, &binary, &python, backend, &folder)?;
        let said = match &result.said {
            Some(finding) => {
                found += 1;
                small += usize::from(finding.layers <= MOST_LAYERS);
                format!("{finding} | {}", finding.layers)
            }
            None => "not found | –".to_string(),
        };
        println!("{}: {said} ({:.0} CPU s, {} models)", bug.name, result.seconds, result.models);
        let (models, seconds) = (result.models, result.seconds);
        let _ = writeln!(rows, "| `{}`: {} | {models} | {seconds:.0} | {said} |", bug.layer, bug.words);
    }
    if only.is_none() {
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

fn look_for(bug: &Bug, binary: &Path, python: &Path, backend: &str, folder: &Path) -> Result<Found> {
    let wrapper = wrapped(bug, python, folder)?;
    let out = folder.join(&bug.name);
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let fuzzer = Fuzzer { binary: binary.to_owned(), backend, python: &wrapper, out, seed: SEED };
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
