//! The Python package: built by maturin, installed into a folder of its own, and tested with the real tuners.

use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tests, and what has to be installed for them.
const TESTS: [(&str, &[&str]); 5] = [
    ("test_model", &["pyarrow"]),
    ("test_optuna", &["optuna"]),
    ("test_keras_tuner", &["keras_tuner"]),
    ("test_ray", &["ray", "optuna"]),
    ("test_spark", &["pyspark", "pyarrow"]),
];

/// `[TEST…]`: all tests, or those that are named; `study [TRIALS]`: a search with tensorvet and without.
pub fn run(arguments: &[&str]) -> Result<()> {
    if let ["study", rest @ ..] = arguments {
        return study(rest);
    }
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let site = build(&python)?;
    let mut failed = Vec::new();
    for (test, needed) in TESTS.iter().filter(|(test, _)| arguments.is_empty() || arguments.contains(test)) {
        if let Some(missing) = needed.iter().find(|name| !has(&python, name)) {
            println!("SKIPPED: {test}, since `{missing}` is not installed");
            continue;
        }
        println!("{test} …");
        let status = Command::new(&python)
            .args(["-m", "unittest", "-v", test])
            .current_dir(data::root().join("wheel/tests"))
            .env("PYTHONPATH", &site)
            .env("CUDA_VISIBLE_DEVICES", "-1")
            .env("TF_CPP_MIN_LOG_LEVEL", "3")
            .status()
            .with_context(|| format!("running {test}"))?;
        if !status.success() {
            failed.push(*test);
        }
    }
    if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
}

/// Builds the wheel and installs it into a folder of its own, which is returned.
fn build(python: &Path) -> Result<PathBuf> {
    let scratch = data::scratch("wheel")?;
    let (tools, wheels, site) = (scratch.join("tools"), scratch.join("wheels"), scratch.join("site"));
    // `python -m maturin` looks for it among the scripts of the environment, where it is not.
    let maturin = tools.join("bin/maturin");
    if !maturin.exists() {
        pip(python, &["install", "--quiet", "--target"], &[&tools, Path::new("maturin>=1.9,<2")])?;
    }
    for folder in [&wheels, &site] {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
    }
    let status = Command::new(&maturin)
        .args(["build", "--release", "--quiet", "--interpreter"])
        .arg(python)
        .arg("--out")
        .arg(&wheels)
        .current_dir(data::root().join("wheel"))
        .status()
        .context("running maturin")?;
    if !status.success() {
        bail!("the wheel does not build");
    }
    let wheel = std::fs::read_dir(&wheels)?.next().context("maturin made no wheel")??.path();
    println!("made {}", wheel.file_name().unwrap_or_default().display());
    pip(python, &["install", "--quiet", "--no-deps", "--target"], &[&site, &wheel])?;
    Ok(site)
}

fn pip(python: &Path, words: &[&str], paths: &[&Path]) -> Result<()> {
    let status =
        Command::new(python).args(["-m", "pip"]).args(words).args(paths).status().context("running pip")?;
    if status.success() { Ok(()) } else { bail!("pip could not install what is needed") }
}

fn has(python: &Path, module: &str) -> bool {
    let code = format!("import importlib.util, sys; sys.exit(importlib.util.find_spec({module:?}) is None)");
    Command::new(python).args(["-c", &code]).status().is_ok_and(|status| status.success())
}

/// The page that shows what a search loses without us.
fn study(arguments: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    if !has(&python, "optuna") {
        println!("SKIPPED: `optuna` is not installed");
        return Ok(());
    }
    let site = build(&python)?;
    let output = Command::new(&python)
        .arg(data::root().join("wheel/study/study.py"))
        .args(arguments)
        .env("PYTHONPATH", &site)
        .stderr(std::process::Stdio::inherit())
        .output()
        .context("running the study")?;
    if !output.status.success() {
        bail!("the study failed");
    }
    let text = format!(
        "## An Optuna study, with tensorvet and without\n\n`cargo xtask wheel study`: `wheel/study`, a small \
         convolutional network with nine hyper-parameters, really trained.\n\n{}",
        String::from_utf8_lossy(&output.stdout)
    );
    println!("{text}");
    document::section("study.md", "study", &text)
}
