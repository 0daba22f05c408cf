//! Ctrl-C: long work ends with what is known so far; whoever asks twice ends the program.

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once the user does not want to wait any longer.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// What a program that was stopped by Ctrl-C ends with.
const CODE: u8 = 130;

pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

pub fn code() -> ExitCode {
    ExitCode::from(CODE)
}

/// From here on Ctrl-C is heeded by whoever asks. Where no handler can be set, it ends the program as it always does.
pub fn heed() {
    _ = ctrlc::set_handler(|| {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(CODE.into());
        }
    });
}
