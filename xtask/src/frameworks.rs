//! The environment with the real frameworks, which judge what we say.

use crate::data;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python of the environment: the folder `TENSORVET_FRAMEWORKS` names, or one made on first use by the
/// script of the shared tools. `None`, and a word to the user, if neither can be had or the
/// variable is empty.
pub fn python() -> Result<Option<PathBuf>> {
    if let Some(folder) = std::env::var_os("TENSORVET_FRAMEWORKS") {
        if folder.is_empty() {
            println!("SKIPPED: TENSORVET_FRAMEWORKS is empty, so nothing is asked of the frameworks");
            return Ok(None);
        }
        let python = Path::new(&folder).join("bin/python");
        if !python.is_file() {
            bail!("TENSORVET_FRAMEWORKS names no Python environment: {} is missing", python.display());
        }
        return Ok(Some(python));
    }
    let folder = data::root().join("target/frameworks");
    let python = folder.join("bin/python");
    if folder.join(".complete").exists() {
        return Ok(Some(python));
    }
    let script = data::root().join("../shared/tools/frameworks");
    if !script.is_file() {
        println!("SKIPPED: no environment with the frameworks (TENSORVET_FRAMEWORKS names one)");
        return Ok(None);
    }
    println!("making the environment with the frameworks (some minutes, 6 GB) …");
    let status =
        Command::new(&script).arg(&folder).status().context("running the script of the frameworks")?;
    if !status.success() {
        bail!("the environment with the frameworks could not be made");
    }
    Ok(Some(python))
}

/// Runs one of the scripts in `xtask/truth`.
pub fn truth(python: &Path, script: &str, arguments: &[&str]) -> Result<String> {
    let path = data::root().join("xtask/truth").join(script);
    let output = Command::new(python)
        .arg(&path)
        .args(arguments)
        .env("CUDA_VISIBLE_DEVICES", "-1")
        .env("TF_CPP_MIN_LOG_LEVEL", "3")
        .env("OMP_NUM_THREADS", "1")
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("running {script}"))?;
    if !output.status.success() {
        bail!("{script} failed");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
