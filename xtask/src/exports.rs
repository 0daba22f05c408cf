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
/// Checks in a batch.
const BATCH: usize = 20;

pub fn run(arguments: &[&str]) -> Result<()> {
    if let ["--fresh", file] = arguments {
        return check_alone(Path::new(file));
    }
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let exports = match arguments {
        [folder] => PathBuf::from(folder),
        _ => {
            let folder = data::scratch("exports")?;
            frameworks::truth(&python, "exports.py", &[&folder.display().to_string()])?;
            folder
        }
    };
    let manifest = std::fs::read_to_string(exports.join("exports.json")).context("reading exports.json")?;
    let manifest: Value = serde_json::from_str(&manifest)?;
    let mut text = String::from(HEAD);
    let (mut failures, mut settled, mut open) = (Vec::new(), 0, 0);
    for (name, entry) in manifest.as_object().context("exports.json is an object")? {
        eprintln!("{name} …");
        let Some(file) = entry["file"].as_str() else {
            let _ =
                writeln!(text, "| {name} | not exported: {} | | | | | | | | | | | | | | | |", entry["error"]);
            continue;
        };
        let path = exports.join(file);
        // Both sides one after the other, so that a busy machine is busy for both.
        let theirs = frameworks::truth(&python, "baseline.py", &[&path.display().to_string()])?;
        let theirs: Value = serde_json::from_str(&theirs)?;
        let answer = check(&path, true)?;
        let (first, megabytes) = fresh(&path)?;
        let repeated = median((0..ROUNDS).map(|_| timed(&path)).collect::<Result<Vec<f64>>>()?);
        settled += answer.stats.own();
        open += answer.stats.own() + answer.stats.smt + answer.stats.unknown;

        let determined = answer.shapes.iter().filter(|shape| shape.determined).count();
        let number =
            |path: &[&str]| path.iter().fold(&theirs, |value, key| &value[*key]).as_f64().unwrap_or(f64::NAN);
        let their_shapes = number(&["coverage", "ort", "determined"]);
        let their_first = number(&["onnx", "call_cpu_seconds"]);
        let their_reading = number(&["onnx", "load_cpu_seconds"]);
        let their_repeated = number(&["onnx", "repeated_cpu_seconds"]);
        let their_megabytes = number(&["onnx", "peak_mb"]);
        let calls = answer.calls;
        let compared = |ours: f64, theirs: f64| format!("{ours:.2} | {theirs:.1} | {:.1}", theirs / ours);
        let _ = writeln!(
            text,
            "| {name} | {} of {} | {determined} | {their_shapes} | {} | {} | {} | {:.1} | {:.1} | {} | {} |",
            calls.verified,
            calls.verified + calls.failed + calls.unknown + calls.skipped,
            number(&["coverage", "onnx", "determined"]),
            answer.shapes.len(),
            compared(first * 1e3, their_first * 1e3),
            their_reading * 1e3,
            (their_reading + their_first) / first,
            compared(repeated * 1e3, their_repeated * 1e3),
            compared(megabytes, their_megabytes),
        );
        let errors = answer.findings.iter().filter(|finding| finding.severity >= Severity::Warning).count();
        for (broken, what) in [
            (errors > 0, "is not accepted"),
            ((determined as f64) < their_shapes, "has fewer shapes determined than ONNX Runtime"),
            (
                first > (their_reading + their_first) / 10.0,
                "takes more than a tenth of the time of reading the file and a first call",
            ),
            (
                first > their_first / 10.0,
                "takes more than a tenth of the time of the first call in a process, with the file read before",
            ),
            (repeated > their_repeated / 10.0, "takes more than a tenth of the time of a repeated call"),
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

const HEAD: &str = "## Real exports

`cargo xtask exports`: CPU milliseconds of reading and checking a file, against the call of \
`onnx.shape_inference.infer_shapes(strict_mode, data_prop)` alone, on a model that is read already: the first one in a \
fresh process (median of five processes each), the same with their reading of the file (`onnx.load`), which ours \
includes, and repeated (ours: batches of twenty, median of five). Memory is the peak of the process. A first call of \
theirs registers the operator schemas, a first one of ours maps its memory.

| model | calls decided | shapes: ours | ORT | onnx | of | first: ours | onnx | ratio | onnx reads | ratio with it | repeated: ours | onnx | ratio | MB: ours | onnx | ratio |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

fn check(path: &Path, shapes: bool) -> Result<Answer> {
    let model = models::onnx::open(path)?;
    if let Some(problem) = models::onnx::check(&model).first() {
        bail!("{}: {problem}", path.display());
    }
    let program = models::onnx::lower(&model, "");
    drop(model);
    Ok(validity::check(&program, &Question { shapes, ..Question::default() }))
}

/// CPU seconds of one check, the answer dropped.
fn timed(path: &Path) -> Result<f64> {
    let start = cpu_seconds();
    for _ in 0..BATCH {
        drop(check(path, false)?);
    }
    Ok((cpu_seconds() - start) / BATCH as f64)
}

/// CPU time of this thread so far.
pub fn cpu_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// CPU seconds and peak memory in MB of a process of its own that does nothing but check the file.
fn fresh(path: &Path) -> Result<(f64, f64)> {
    let mut seconds = Vec::new();
    let mut megabytes = 0.0_f64;
    for _ in 0..ROUNDS {
        let output =
            Command::new(std::env::current_exe()?).args(["exports", "--fresh"]).arg(path).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let mut numbers = text.split_whitespace().map(str::parse::<f64>);
        let (Some(Ok(cpu)), Some(Ok(peak))) = (numbers.next(), numbers.next()) else {
            bail!("a check in a process of its own failed: {}", String::from_utf8_lossy(&output.stderr));
        };
        seconds.push(cpu);
        megabytes = megabytes.max(peak);
    }
    Ok((median(seconds), megabytes))
}

/// The other side of [`fresh`].
fn check_alone(path: &Path) -> Result<()> {
    let start = cpu_seconds();
    drop(check(path, false)?);
    let seconds = cpu_seconds() - start;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).context("the peak memory")?;
    let kilobytes: f64 = line.split_whitespace().nth(1).unwrap_or("0").parse()?;
    println!("{seconds} {}", kilobytes / 1024.0);
    Ok(())
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
