//! `found`: fuzzes the four backends for a time, and tells what was found apart by the entries of `docs/found.md`.
//!
//! A finding that no entry explains makes the command fail.

mod known;

use crate::fuzzer::{Finding, Fuzzer, State, binary, children_seconds};
use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

const BACKENDS: [&str; 4] = ["keras-tensorflow", "keras-torch", "torch", "onnxruntime"];
const SEED: u64 = 3;

struct Ran {
    backend: &'static str,
    seconds: f64,
    state: State,
}

pub fn run(words: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let (mut minutes, mut only, mut named, mut seed) = (0.0, None, None, SEED);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = *rest.next().with_context(|| format!("{word} needs a value"))?;
        match *word {
            "--minutes" => minutes = value.parse().context("--minutes takes a number")?,
            "--backend" => only = Some(value),
            "--binary" => named = Some(PathBuf::from(value)),
            "--seed" => seed = value.parse().context("--seed takes a number")?,
            other => bail!("{other} is no option: --minutes, --backend, --binary, --seed"),
        }
    }
    let binary = binary(named)?;
    let mut folder = data::scratch("found")?;
    // What another seed shows is beside the point of the table.
    if seed != SEED {
        folder = folder.join(format!("seed-{seed}"));
        std::fs::create_dir_all(&folder)?;
    }
    let mut all = Vec::new();
    for backend in BACKENDS {
        let binary = binary.clone();
        let fuzzer = Fuzzer { binary, backend, python: &python, out: folder.clone(), seed };
        let clock = folder.join(format!("{backend}.seconds"));
        let spent = std::fs::read_to_string(&clock).ok().and_then(|text| text.trim().parse().ok());
        let mut spent: f64 = spent.unwrap_or(0.0);
        // A minute on the wall may be less of CPU time: how much less is seen.
        let mut slowness = 1.0;
        while only.is_none_or(|only| only == backend) && spent < 60.0 * minutes {
            println!("{backend}: {:.0} of {minutes} CPU minutes", spent / 60.0);
            let (before, start) = (children_seconds()?, Instant::now());
            let left = (slowness * (minutes - spent / 60.0)).clamp(0.5, 10.0);
            fuzzer.run(&["--minutes", &left.to_string()])?;
            let taken = children_seconds()? - before;
            slowness = start.elapsed().as_secs_f64() / taken.max(1.0);
            spent += taken;
            std::fs::write(&clock, spent.to_string())?;
        }
        if folder.join(backend).join("state.json").exists() {
            all.push(Ran { backend, seconds: spent, state: fuzzer.state()? });
        }
    }
    let (text, unexplained) = summary(&all);
    println!("{text}");
    if only.is_none() && seed == SEED {
        document::section("detection.md", "found", &text)?;
    }
    if unexplained > 0 {
        bail!("{unexplained} findings are not explained in docs/found.md");
    }
    Ok(())
}

fn summary(all: &[Ran]) -> (String, usize) {
    let mut text = String::from(
        "## Frameworks as they are\n\n\
        `cargo xtask found --minutes M`: the four backends fuzzed for M CPU minutes each; every finding is told apart by the entries of [found.md](found.md).\n\
        Models are run by a child of the process that imported the framework: one that dies is replaced without another import, which took most of the time of TensorFlow.\n\n\
        | backend | CPU minutes | models | calls | values that agree | findings | not explained |\n|---|---|---|---|---|---|---|\n",
    );
    let mut unexplained = Vec::new();
    let mut entries = String::new();
    for Ran { backend, seconds, state } in all {
        let mut by_entry: BTreeMap<&str, (usize, u64)> = BTreeMap::new();
        let mut open: Vec<&Finding> = Vec::new();
        for finding in &state.findings {
            match known::entry(backend, finding) {
                Some(entry) => {
                    let sums = by_entry.entry(entry).or_default();
                    *sums = (sums.0 + 1, sums.1 + finding.count);
                }
                None => open.push(finding),
            }
        }
        let (models, calls, agreeing) = (state.models, state.calls, state.agreeing);
        let _ = writeln!(
            text,
            "| {backend} | {:.0} | {models} | {calls} | {agreeing} | {} | {} |",
            seconds / 60.0,
            state.findings.len(),
            open.len()
        );
        for (entry, (findings, models)) in by_entry {
            let _ = writeln!(entries, "| {backend} | {entry} | {findings} | {models} |");
        }
        unexplained.extend(open.into_iter().map(|finding| format!("- {backend}: {finding}\n")));
    }
    let _ = writeln!(text, "\n| backend | entry | findings | models |\n|---|---|---|---|\n{entries}");
    if !unexplained.is_empty() {
        let _ = writeln!(text, "Not explained:\n\n{}", unexplained.concat());
    }
    (text, unexplained.len())
}
