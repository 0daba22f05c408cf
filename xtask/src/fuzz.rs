//! Bar 6: libFuzzer on the readers and on a whole check. A crash, five seconds or a gigabyte is a failure.

use crate::fuzzer::children_seconds;
use crate::{data, document};
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// The targets with their share of the time, in parts: most of the ways to go wrong are behind the readers.
const TARGETS: [(&str, u64); 8] = [
    ("check", 7),
    ("onnx_reader", 1),
    ("onnx_text", 1),
    ("npy", 1),
    ("checkpoint", 1),
    ("keras", 2),
    ("graphdef", 2),
    ("python", 4),
];
const DEFAULT_MINUTES: u64 = 30;

/// Instrumentation that libFuzzer reads; it needs no nightly compiler.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

struct Outcome {
    target: &'static str,
    executions: u64,
    seconds: u64,
    corpus: u64,
    largest: u64,
    failed: bool,
}

/// `[--minutes M] [TARGET]`: without a target the minutes are shared among all.
pub fn run(arguments: &[&str]) -> Result<()> {
    let (minutes, rest) = match arguments {
        ["--minutes", minutes, rest @ ..] => (minutes.parse().context("--minutes takes a number")?, rest),
        rest => (DEFAULT_MINUTES, rest),
    };
    let chosen: Vec<(&'static str, u64)> = match rest {
        [] => TARGETS.to_vec(),
        [name] => TARGETS.into_iter().filter(|(target, _)| target == name).collect(),
        _ => bail!("one target at most"),
    };
    if chosen.is_empty() {
        bail!("the targets are {}", TARGETS.map(|(target, _)| target).join(", "));
    }
    let binaries = build()?;
    let parts: u64 = chosen.iter().map(|(_, part)| part).sum();
    let share = |part: u64| minutes * 60 * part / parts;
    let before = children_seconds()?;
    let outcomes = side_by_side(chosen, |target, part| fuzz(&binaries, target, share(part)))?;
    let text = summary(&outcomes, children_seconds()? - before);
    println!("{text}");
    if rest.is_empty() {
        document::section("conformance.md", "fuzz", &text)?;
    }
    if outcomes.iter().any(|outcome| outcome.failed) {
        bail!("what failed is in {}", data::root().join("fuzz/artifacts").display());
    }
    Ok(())
}

/// Runs the targets, as many at a time as there are cores; the outcomes come in their order.
fn side_by_side(
    chosen: Vec<(&'static str, u64)>,
    run: impl Fn(&'static str, u64) -> Result<Outcome> + Sync,
) -> Result<Vec<Outcome>> {
    let waiting = Mutex::new(chosen.into_iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || waiting.lock().ok()?.next();
    let lane = || -> Result<()> {
        while let Some((place, (target, part))) = next() {
            let outcome = run(target, part)?;
            done.lock().map_err(|_| anyhow!("another target ended in a panic"))?.push((place, outcome));
        }
        Ok(())
    };
    let lanes = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..lanes).map(|_| scope.spawn(lane)).collect();
        lanes
            .into_iter()
            .try_for_each(|lane| lane.join().map_err(|_| anyhow!("a target ended in a panic"))?)
    })?;
    let mut outcomes = done.into_inner().map_err(|_| anyhow!("a target ended in a panic"))?;
    outcomes.sort_by_key(|(place, _)| *place);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}

fn build() -> Result<PathBuf> {
    let folder = data::root().join("fuzz");
    let host = Command::new("rustc").arg("-vV").output().context("running rustc")?;
    let host = String::from_utf8_lossy(&host.stdout);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("the host of rustc")?;
    // Naming the platform keeps the instrumentation out of build scripts.
    let status = Command::new("cargo")
        .args(["build", "--release", "--target", host, "--target-dir", "target"])
        .current_dir(&folder)
        .env("RUSTFLAGS", FLAGS)
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("CARGO_TARGET_DIR")
        .status()
        .context("running cargo")?;
    if !status.success() {
        bail!("the fuzz targets do not build");
    }
    Ok(folder.join("target").join(host).join("release"))
}

/// Where a target starts from. The snippets that CPython was run on are programs enough.
fn seeds_of(name: &str) -> PathBuf {
    match name {
        "python" => data::root().join("crates/python/tests/snippets"),
        "checkpoint" => data::root().join("crates/arrays/tests/files"),
        "keras" => data::root().join("crates/models/tests/files"),
        "graphdef" => data::root().join("crates/models/tests/graphs"),
        name => data::root().join("fuzz/corpus").join(name),
    }
}

/// Runs one target on the committed corpus and on what earlier runs have found.
fn fuzz(binaries: &Path, target: &'static str, seconds: u64) -> Result<Outcome> {
    let found = data::scratch("fuzz")?.join(target);
    let artifacts = data::root().join("fuzz/artifacts");
    std::fs::create_dir_all(&found)?;
    std::fs::create_dir_all(&artifacts)?;
    // The reader of files has no seeds of its own: whole models are as good.
    let seeds = if target == "onnx_reader" { "check" } else { target };
    println!("fuzzing {target} for {seconds} s …");
    let output = Command::new(binaries.join(target))
        .arg(&found)
        .arg(seeds_of(seeds))
        .args(["-timeout=5", "-rss_limit_mb=1024", "-max_len=32768", "-print_final_stats=1"])
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/{target}-", artifacts.display()))
        .output()
        .with_context(|| format!("running {target}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    std::fs::write(found.with_extension("log"), log.as_bytes())?;
    let number = |name: &str| {
        let line = log.lines().rev().find_map(|line| line.strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or(0)
    };
    let failed = !output.status.success();
    if failed {
        let from = log.lines().count().saturating_sub(30);
        log.lines().skip(from).for_each(|line| println!("    {line}"));
    }
    let executions = number("stat::number_of_executed_units:");
    let rate: u64 = number("stat::average_exec_per_sec:");
    Ok(Outcome {
        target,
        executions,
        seconds: if failed { executions / rate.max(1) } else { seconds },
        corpus: std::fs::read_dir(&found)?.count() as u64,
        largest: number("stat::peak_rss_mb:"),
        failed,
    })
}

fn summary(outcomes: &[Outcome], cpu_seconds: f64) -> String {
    let mut text = format!(
        "## Fuzzing\n\n\
         `cargo xtask fuzz`: libFuzzer for {:.1} CPU-minutes in all, targets side by side; a crash, more than 5 s or more than 1 GB is a failure.\n\n\
         | target | minutes | executions | inputs kept | peak memory | failures |\n|---|---|---|---|---|---|\n",
        cpu_seconds / 60.0
    );
    for outcome in outcomes {
        text += &format!(
            "| {} | {:.1} | {} | {} | {} MB | {} |\n",
            outcome.target,
            outcome.seconds as f64 / 60.0,
            outcome.executions,
            outcome.corpus,
            outcome.largest,
            if outcome.failed { "yes" } else { "none" },
        );
    }
    text
}
