//! Running a command so that a fault of our own ends in one plain message, never in a torn report.

use std::cell::RefCell;
use std::process::ExitCode;

/// What cargo and rustc exit with, too, when they fail themselves.
pub const INTERNAL_ERROR: u8 = 101;

/// Memory for the stack of the analysis. The system gives it page by page, as it is touched.
const STACK: usize = 1 << 28;

thread_local!(static FAULT: RefCell<String> = const { RefCell::new(String::new()) });

/// Runs the command on a thread with a deep stack. A panic becomes a message and its own exit code.
pub fn guarded(command: impl FnOnce() -> ExitCode + Send + 'static) -> ExitCode {
    std::panic::set_hook(Box::new(|panic| FAULT.set(panic.to_string())));
    let guarded = move || {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(command)).unwrap_or_else(|_| {
            let fault = FAULT.take();
            eprintln!(
                "internal error: {}\nThis is a fault of tensorvet, not of your file: please report it, with the file if you can.",
                report::plain(fault.trim_start_matches("panicked at "))
            );
            ExitCode::from(INTERNAL_ERROR)
        })
    };
    match std::thread::Builder::new().name("tensorvet".into()).stack_size(STACK).spawn(guarded) {
        Ok(worker) => worker.join().unwrap_or(ExitCode::from(INTERNAL_ERROR)),
        Err(error) => {
            eprintln!("error: no thread can be started: {error}");
            ExitCode::from(2)
        }
    }
}
