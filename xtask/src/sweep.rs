//! Search spaces against the real frameworks: truth, causes, speed and scale of `tensorvet sweep` (docs/sweep.md).
//! The work is done by scripts beside those of the other comparisons: they ask the program as users have it.

use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::Command;

pub fn run(arguments: &[&str]) -> Result<()> {
    let ([what @ ("truth" | "speed" | "scale" | "shapes"), ..], Some(python)) =
        (arguments, frameworks::python()?)
    else {
        bail!("usage: cargo xtask sweep truth [PART OF A NAME]|speed|scale|shapes, with the frameworks");
    };
    let binary = binary()?.display().to_string();
    let mut given = vec![*what, binary.as_str()];
    given.extend(&arguments[1..]);
    let text = frameworks::truth(&python, "sweeps.py", &given)?;
    print!("{text}");
    // What is said of a part is no result.
    if arguments.len() == 1 {
        document::section("sweep.md", what, &text)?;
    }
    Ok(())
}

/// The program as users have it: the one that `TENSORVET` names, or a release build.
fn binary() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("TENSORVET") {
        return Ok(named.into());
    }
    let build = ["build", "--release", "-p", "tensorvet"];
    let status = Command::new(env!("CARGO")).args(build).current_dir(data::root()).status();
    if !status.context("building tensorvet")?.success() {
        bail!("tensorvet does not build");
    }
    Ok(data::root().join("target/release/tensorvet"))
}
