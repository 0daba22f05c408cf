//! What the fuzzer finds: bugs that are put into Keras one at a time, and what it says of Keras as it is.
//!
//! A bug counts as found if a finding that Keras itself does not cause blames the layer with the bug, within two
//! minutes of CPU time, and its case has three layers at most.

use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// CPU seconds for each bug.
const LIMIT: f64 = 120.0;
/// Models that are run before it is looked whether the bug was found.
const ROUND: u64 = 100;
const SEED: &str = "11";

struct Bug {
    name: String,
    layer: String,
    words: String,
}

struct Found {
    seconds: f64,
    models: u64,
    /// What was said of it, and how many layers the case has.
    said: Option<(String, u64)>,
}

/// What findings are known by (layer, kind, detail, arguments and ways), and how many layers their cases have.
type Known = BTreeMap<String, u64>;

pub fn run(words: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let (mut backend, mut only, mut binary, mut plain) = ("keras-torch", None, None, 1000u64);
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let value = *rest.next().with_context(|| format!("{word} needs a value"))?;
        match *word {
            "--backend" => backend = value,
            "--bug" => only = Some(value),
            "--binary" => binary = Some(PathBuf::from(value)),
            "--plain" => plain = value.parse().context("--plain takes a number of models")?,
            other => bail!("{other} is no option: --backend, --bug, --binary, --plain"),
        }
    }
    let binary = match binary {
        Some(binary) => binary,
        None => built()?,
    };
    let folder = data::scratch("detection")?.join(backend);
    let before = folder.join("plain");
    std::fs::create_dir_all(&folder)?;
    let started = children_seconds()?;
    println!("{plain} models of Keras as it is …");
    let (known, models) = fuzzed(&binary, &python, backend, &before, Count::UpTo(plain))?;
    let plain_seconds = children_seconds()? - started;
    let mut text = String::new();
    let _ = writeln!(text, "## Detection power, {backend}\n");
    let _ = writeln!(
        text,
        "`cargo xtask detection --backend {backend}`: bugs put into Keras one at a time; models of ten layers on average, every layer that Keras has, no hint where the bug is.\n"
    );
    let mut rows = String::new();
    let (mut found, mut small, mut all) = (0, 0, 0);
    for bug in bugs(&python)? {
        if only.is_some_and(|only| only != bug.name) {
            continue;
        }
        all += 1;
        let result = look_for(&bug, &binary, &python, backend, &folder, &known)?;
        let said = match &result.said {
            Some((said, layers)) => {
                found += 1;
                small += usize::from(*layers <= 3);
                format!("{said} | {layers}")
            }
            None => "not found | –".to_string(),
        };
        println!("{}: {said} ({:.0} CPU s, {} models)", bug.name, result.seconds, result.models);
        let _ = writeln!(
            rows,
            "| `{}`: {} | {} | {:.0} | {said} |",
            bug.layer, bug.words, result.models, result.seconds
        );
    }
    let _ = writeln!(
        text,
        "{found} of {all} found within {LIMIT:.0} CPU seconds each, {small} with at most 3 layers.\n"
    );
    let _ =
        writeln!(text, "| bug | models | CPU seconds | found as | layers |\n|---|---|---|---|---|\n{rows}");
    let _ = writeln!(
        text,
        "Keras as it is: {models} models in {plain_seconds:.0} CPU seconds, {} findings; each is explained in [found.md](found.md) or a limit of ours:\n",
        known.len()
    );
    for finding in known.keys() {
        let _ = writeln!(text, "- {}", finding.replace('\n', " "));
    }
    if only.is_none() {
        document::section("detection.md", backend, &text)?;
    }
    if found < all {
        bail!("{} of {all} bugs were not found", all - found);
    }
    Ok(())
}

enum Count {
    /// As many more.
    More(u64),
    /// So many in all.
    UpTo(u64),
}

fn look_for(
    bug: &Bug,
    binary: &Path,
    python: &Path,
    backend: &str,
    folder: &Path,
    known: &Known,
) -> Result<Found> {
    let wrapper = folder.join(format!("{}.sh", bug.name));
    let script = data::root().join("xtask/truth/keras_bugs.py");
    let line = format!("exec {} {} {} \"$@\"", quoted(python), quoted(&script), bug.name);
    std::fs::write(&wrapper, format!("#!/bin/sh\n{line}\n"))?;
    let status = Command::new("chmod").arg("+x").arg(&wrapper).status()?;
    if !status.success() {
        bail!("{} cannot be made executable", wrapper.display());
    }
    let out = folder.join(&bug.name);
    if out.exists() {
        std::fs::remove_dir_all(&out)?;
    }
    let started = children_seconds()?;
    loop {
        let (now, models) = fuzzed(binary, &wrapper, backend, &out, Count::More(ROUND))?;
        let seconds = children_seconds()? - started;
        let blames = |finding: &String| finding.starts_with(&format!("{}: ", bug.layer));
        let fresh = now.into_iter().filter(|(finding, _)| blames(finding) && !known.contains_key(finding));
        if let Some(said) = fresh.min_by_key(|(_, layers)| *layers) {
            return Ok(Found { seconds, models, said: Some(said) });
        }
        if seconds > LIMIT {
            return Ok(Found { seconds, models, said: None });
        }
    }
}

/// Runs the fuzzer and gives what its folder then knows, and how many models it has run.
fn fuzzed(binary: &Path, python: &Path, backend: &str, out: &Path, count: Count) -> Result<(Known, u64)> {
    let state = out.join(backend).join("state.json");
    let done = || -> Result<Value> {
        match state.exists() {
            true => Ok(serde_json::from_str(&std::fs::read_to_string(&state)?)?),
            false => Ok(Value::Null),
        }
    };
    let before = done()?["next"].as_u64().unwrap_or(0);
    let count = match count {
        Count::More(more) => more,
        Count::UpTo(all) => all.saturating_sub(before),
    };
    if count > 0 {
        let mut command = Command::new(binary);
        command.args(["fuzz", "--quiet", "--backend", backend, "--seed", SEED, "--limit", "20"]);
        command.args(["--count", &count.to_string()]).arg("--python").arg(python).arg("--out").arg(out);
        let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::inherit()).status()?;
        if !matches!(output.code(), Some(0 | 1)) {
            bail!("tensorvet fuzz failed");
        }
    }
    let stored = done()?;
    let findings = stored["findings"].as_array().into_iter().flatten();
    let findings = findings.map(|finding| (told(finding), finding["layers"].as_u64().unwrap_or(u64::MAX)));
    Ok((findings.collect(), stored["next"].as_u64().unwrap_or(0)))
}

fn told(finding: &Value) -> String {
    let list = |name: &str| {
        let items = finding[name].as_array().into_iter().flatten().filter_map(Value::as_str);
        items.collect::<Vec<_>>().join(", ")
    };
    let text = |name: &str| finding[name].as_str().unwrap_or_default().to_string();
    let mut told = format!("{}: {}", text("layer"), text("kind"));
    for more in [text("detail"), list("arguments"), list("ways")] {
        if !more.is_empty() {
            let _ = write!(told, " ({more})");
        }
    }
    told
}

fn bugs(python: &Path) -> Result<Vec<Bug>> {
    let list = frameworks::truth(python, "keras_bugs.py", &["--list"])?;
    let bug = |line: &str| {
        let mut parts = line.split('\t').map(String::from);
        Some(Bug { name: parts.next()?, layer: parts.next()?, words: parts.next()? })
    };
    Ok(list.lines().filter_map(bug).collect())
}

fn built() -> Result<PathBuf> {
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
fn children_seconds() -> Result<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").context("CPU times are read from /proc")?;
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    // Fields 16 and 17 of proc(5), in hundredths of a second; the second field was cut off here.
    Ok((ticks(13) + ticks(14)) / 100.0)
}

fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}
