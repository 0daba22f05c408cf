//! A Python program without the file system: read, and executed on every path that a small budget allows.

use program::path::Path;
use python::interpreter::{Budget, Flow, Interpreter};
use python::library::Libraries;
use semantics::arena;
use solver::Limits;
use std::rc::Rc;

/// Paths that are followed.
const MOST_PATHS: usize = 4;
/// As deep as the program itself has it.
const STACK: usize = 1 << 28;

/// Nothing of what a stranger's program says may make this panic, hang or eat the memory.
pub fn execute(content: &[u8]) {
    let Ok(text) = std::str::from_utf8(content) else { return };
    let text = text.to_owned();
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || paths(&text));
    if worker.is_ok_and(|worker| worker.join().is_err()) {
        std::process::abort();
    }
}

fn paths(text: &str) {
    let Ok(module) = python::syntax::read("fuzzed.py", text.to_owned(), false) else { return };
    let libraries = Rc::new(Libraries::new(Vec::new()));
    let mut waiting = vec![Vec::new()];
    for _ in 0..MOST_PATHS {
        let Some(script) = waiting.pop() else { return };
        arena::scope(|| {
            arena::allow(2_000_000);
            let budget = Budget { steps: 50_000, objects: 200_000, ..Budget::default() };
            let path = Path::new(Limits::default());
            let mut run = Interpreter::new(libraries.clone(), path, script, budget);
            let (_, scope) = run.new_module("__main__");
            if let Err(Flow::Raise(exception)) = run.execute_module(&module, scope, "__main__") {
                drop(run.describe_exception(exception));
            }
            waiting.append(&mut run.decisions.others);
        });
    }
}
