//! Bar 2: real exports. Every one is accepted, as many shapes are determined as ONNX Runtime's symbolic inference
//! determines, and the check costs a fraction of what onnx's own shape inference costs.

use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use engines::finding::Severity;
use engines::validity::{self, Answer, Question};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often a batch of checks is timed; the median counts.
const ROUNDS: usize = 5;
/// Checks in a batch: the scheduler's clock ticks only every few milliseconds.
const BATCH: usize = 20;

pub fn run(arguments: &[&str]) -> Result<()> {
    if let ["--peak", file] = arguments {
        return peak(Path::new(file));
    }
    let Some((exports, baselines)) = folders(arguments)? else { return Ok(()) };
    let manifest = std::fs::read_to_string(exports.join("exports.json")).context("reading exports.json")?;
    let manifest: Value = serde_json::from_str(&manifest)?;
    let mut text = String::from(
        "## Real exports\n\n`cargo xtask exports`: time is CPU time of reading and checking, batches of twenty, median of five, against the call of \
         `onnx.shape_inference.infer_shapes(strict_mode, data_prop)` alone; memory is the peak of a whole process.\n\n\
         | model | calls decided | shapes: ours | ORT | onnx | of | ms ours | onnx | ratio | MB ours | onnx | ratio |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut failures, mut settled, mut open) = (Vec::new(), 0, 0);
    for (name, entry) in manifest.as_object().context("exports.json is an object")? {
        let Some(file) = entry["file"].as_str() else {
            let _ = writeln!(text, "| {name} | not exported: {} | | | | | | | | | | |", entry["error"]);
            continue;
        };
        let path = exports.join(file);
        let baseline = std::fs::read_to_string(baselines.join(format!("{name}.json")))?;
        let baseline: Value = serde_json::from_str(&baseline)?;
        let answer = check(&path, true)?;
        let seconds = median((0..ROUNDS).map(|_| timed(&path)).collect::<Result<Vec<f64>>>()?);
        let megabytes = measured_peak(&path)?;
        settled += answer.stats.own();
        open += answer.stats.own() + answer.stats.smt + answer.stats.unknown;

        let determined = answer.shapes.iter().filter(|shape| shape.determined).count();
        let number =
            |path: &[&str]| path.iter().fold(&baseline, |value, key| &value[*key]).as_f64().unwrap_or(0.0);
        let theirs = number(&["coverage", "ort", "determined"]);
        let (their_seconds, their_megabytes) =
            (number(&["onnx", "call_cpu_seconds"]), number(&["onnx", "peak_mb"]));
        let calls = answer.calls;
        let _ = writeln!(
            text,
            "| {name} | {} of {} | {determined} | {theirs} | {} | {} | {:.2} | {:.1} | {:.0} | {megabytes:.1} | {their_megabytes:.0} | {:.1} |",
            calls.verified,
            calls.verified + calls.failed + calls.unknown + calls.skipped,
            number(&["coverage", "onnx", "determined"]),
            answer.shapes.len(),
            seconds * 1e3,
            their_seconds * 1e3,
            their_seconds / seconds,
            their_megabytes / megabytes,
        );
        let errors = answer.findings.iter().filter(|finding| finding.severity >= Severity::Warning).count();
        for (broken, what) in [
            (errors > 0, "is not accepted"),
            ((determined as f64) < theirs, "has fewer shapes determined than ONNX Runtime"),
            (seconds > their_seconds / 10.0, "takes more than a tenth of the time"),
            (megabytes > their_megabytes / 5.0, "takes more than a fifth of the memory"),
        ] {
            if broken {
                failures.push(format!("{name} {what}"));
            }
        }
    }
    let _ = writeln!(text, "\nRequirements left after folding: {open}, settled by the own layer: {settled}.");
    for failure in &failures {
        let _ = writeln!(text, "- NOT MET: {failure}");
    }
    println!("{text}");
    document::section("benchmarks.md", "exports", &text)
}

/// The exports and their baselines: given, or made in the environment of the frameworks.
fn folders(arguments: &[&str]) -> Result<Option<(PathBuf, PathBuf)>> {
    if let [exports, baselines] = arguments {
        return Ok(Some((PathBuf::from(exports), PathBuf::from(baselines))));
    }
    let Some(python) = frameworks::python()? else { return Ok(None) };
    let (exports, baselines) = (data::scratch("exports")?, data::scratch("baselines")?);
    frameworks::truth(&python, "exports.py", &[&exports.display().to_string()])?;
    for entry in std::fs::read_dir(&exports)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "onnx") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let report = frameworks::truth(&python, "baseline.py", &[&path.display().to_string()])?;
            std::fs::write(baselines.join(format!("{name}.json")), report)?;
        }
    }
    Ok(Some((exports, baselines)))
}

fn check(path: &Path, shapes: bool) -> Result<Answer> {
    let model = models::onnx::open(path)?;
    if let Some(problem) = models::onnx::check(&model).first() {
        bail!("{}: {problem}", path.display());
    }
    let question = Question { shapes, ..Question::default() };
    Ok(validity::check(&models::onnx::lower(&model, ""), &question))
}

/// CPU seconds of one check, the answer dropped.
fn timed(path: &Path) -> Result<f64> {
    let start = cpu_seconds()?;
    for _ in 0..BATCH {
        drop(check(path, false)?);
    }
    Ok((cpu_seconds()? - start) / BATCH as f64)
}

/// CPU time of this thread so far, as the scheduler counts it.
fn cpu_seconds() -> Result<f64> {
    let text =
        std::fs::read_to_string("/proc/thread-self/schedstat").context("the scheduler's statistics")?;
    let nanoseconds: f64 = text.split_whitespace().next().unwrap_or("0").parse()?;
    Ok(nanoseconds / 1e9)
}

/// Peak memory in MB of a process of its own that does nothing but check the file.
fn measured_peak(path: &Path) -> Result<f64> {
    let output = Command::new(std::env::current_exe()?).args(["exports", "--peak"]).arg(path).output()?;
    String::from_utf8_lossy(&output.stdout).trim().parse().context("the peak memory of a check")
}

fn peak(path: &Path) -> Result<()> {
    drop(check(path, false)?);
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).context("the peak memory")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).unwrap_or("0").parse()?;
    println!("{}", kilobytes / 1024.0);
    Ok(())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
