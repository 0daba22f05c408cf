//! The literate programs of the tests, run in PyTorch: their marks are the truth only if PyTorch agrees.

use crate::{data, document, frameworks};
use anyhow::{Result, bail};

pub fn run(arguments: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let folder = data::root().join("crates/tensorvet/tests/programs").display().to_string();
    let mut given = vec![&*folder];
    given.extend(arguments);
    let told = frameworks::truth(&python, "programs.py", &given)?;
    println!("{told}");
    if arguments.is_empty() {
        let text = format!("## Literate programs\n\n`cargo xtask programs`: {told}");
        document::section("pytorch.md", "programs", &text)?;
    }
    if told.contains("\n- ") {
        bail!("some programs behave otherwise than they are marked");
    }
    Ok(())
}
