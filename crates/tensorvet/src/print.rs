//! Writing to the standard output: a reader that has seen enough is no fault, a full disk is one.

use anyhow::{Context, Result};
use std::io::{ErrorKind, Write as _};

/// Prints a whole text.
pub fn print(text: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // `tensorvet … | head` closes the pipe once it has enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write the output"),
    }
}
