//! Running a command so that a fault of our own ends in one plain message, never in a torn report.

use std::process::ExitCode;

/// What cargo and rustc exit with, too, when they fail themselves.
const INTERNAL_ERROR: u8 = 101;

/// Memory for the stack of the analysis. The system gives it page by page, as it is touched.
const STACK: usize = 1 << 28;

/// Runs the command on a thread with a deep stack. A panic, on whatever thread, becomes a message and its own exit code.
pub fn guarded(command: impl FnOnce() -> ExitCode + Send + 'static) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        let fault = panic.to_string();
        eprintln!(
            "internal error: {}\nThis is a fault of tensorvet, not of your file: please report it, with the file if you can.",
            report::plain(fault.trim_start_matches("panicked at "))
        );
        std::process::exit(INTERNAL_ERROR.into());
    }));
    match std::thread::Builder::new().name("tensorvet".into()).stack_size(STACK).spawn(command) {
        Ok(worker) => worker.join().unwrap_or(ExitCode::from(INTERNAL_ERROR)),
        Err(error) => {
            eprintln!("error: no thread can be started: {error}");
            ExitCode::from(2)
        }
    }
}
