//! Writing to the standard output: a reader that has seen enough is no fault, a full disk is one.

use anyhow::{Context, Error, Result};
use std::io::{ErrorKind, Write as _};

/// Tells an error; what a terminal would obey in the names of a file is written out.
pub fn complain(error: &Error) {
    eprintln!("error: {}", report::plain(&format!("{error:#}")));
}

/// Prints a whole text.
pub fn print(text: &str) -> Result<()> {
    let mut output = std::io::stdout().lock();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        // `tensorvet … | head` closes the pipe once it has enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write the output"),
    }
}
