//! Runs a program on every path that is worth a run.

use crate::interpreter::{Budget, Flow, Interpreter};
use crate::library::{Libraries, read_file};
use program::ir::Spot;
use program::path::Path;
use semantics::arena;
use solver::Context;
use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Paths that are followed at most; what is left is reported.
const MOST_PATHS: usize = 32;
/// Steps granted to all paths together.
const STEPS: u64 = 6_000_000;
/// Time granted to all paths together.
const TIME: Duration = Duration::from_secs(7);
/// Work granted to one path, in accesses to the arena.
const WORK: u64 = 20_000_000;

/// How one path ended.
pub struct Ended {
    /// The exception that nobody caught, in Python's words, and where it was raised.
    pub raised: Option<(String, Rc<Spot>)>,
    /// The call in the record of the path that raised it.
    pub violated: Option<usize>,
    /// Why the path was given up.
    pub stopped: Option<String>,
    /// Where knowledge was lost, and why.
    pub lost: Vec<(Rc<Spot>, String)>,
}

/// What all paths came to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paths {
    pub followed: usize,
    pub left_out: usize,
}

/// Executes a file as `python file arguments…` would; `after` sees each path before its arena is gone.
pub fn analyse(
    file: &FilePath,
    arguments: &[String],
    context: &dyn Fn() -> Context,
    after: &mut dyn FnMut(&mut Path, Ended),
) -> Result<Paths, String> {
    let module = read_file(file)?;
    let folder = file.parent().map(FilePath::to_path_buf).unwrap_or_default();
    let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
    let libraries = Rc::new(Libraries::new(vec![folder]));
    let mut paths = Paths::default();
    let mut waiting = vec![Vec::new()];
    let until = Instant::now() + TIME;
    let mut steps = STEPS;
    while let Some(script) = waiting.pop() {
        if paths.followed == MOST_PATHS || steps == 0 || Instant::now() > until {
            paths.left_out = waiting.len() + 1;
            break;
        }
        paths.followed += 1;
        arena::scope(|| {
            arena::allow(WORK);
            let path = Path::starting_from(context());
            let usual = Budget::default();
            let budget = Budget { steps: usual.steps.min(steps), until: Some(until), ..usual };
            let mut run = Interpreter::new(libraries.clone(), path, script, budget);
            run.arguments =
                [file.display().to_string()].into_iter().chain(arguments.iter().cloned()).collect();
            let (_, scope) = run.new_module("__main__");
            let result = run.execute_module(&module, scope, "__main__");
            let mut ended =
                Ended { raised: None, violated: None, stopped: None, lost: std::mem::take(&mut run.lost) };
            match result {
                Err(Flow::Raise(exception)) if run.nameless.contains(&exception) => {
                    ended.stopped = Some("the program raises something that is not known".into());
                }
                // What a program raises where something unknown is so is how it deals with it.
                Err(Flow::Raise(exception))
                    if run.explicit.contains(&exception) && !run.decisions.met.is_empty() => {}
                Err(Flow::Raise(exception)) if !run.is_exit(exception) => {
                    let spot = run.traces.get(&exception).cloned().unwrap_or_default();
                    ended.raised = Some((run.describe_exception(exception), spot));
                    ended.violated = run.violations.get(&exception).copied();
                }
                Err(Flow::Stop(why)) => ended.stopped = Some(why.to_string()),
                _ => {}
            }
            steps = steps.saturating_sub(run.steps());
            waiting.append(&mut run.decisions.others);
            after(&mut run.path, ended);
        });
    }
    Ok(paths)
}
