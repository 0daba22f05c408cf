//! Runs a program on every path that is worth a run.

use crate::asked::{Asked, CommandOption, Given, Watched};
use crate::deadline::Deadline;
use crate::entry::{self, Entry, Target};
use crate::interpreter::makers::Makers;
use crate::interpreter::{Budget, Flow, Frame, Interpreter, Snapshot};
use crate::library::{Libraries, read_file};
use crate::native::modules::named_weights;
use crate::neighbours::Neighbours;
use crate::syntax::{FunctionDef, Module, Stmt, StmtKind};
use crate::written::Written;
use program::ir::Spot;
use program::path::Path;
use rustc_hash::FxHashSet;
use semantics::arena;
use semantics::prop::Prop;
use semantics::tensor::Tensor;
use solver::{Context, Limits};
use std::cell::Cell;
use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// Paths that are followed at most; what is left is reported.
const MOST_PATHS: usize = 32;
/// Steps granted to all paths together.
const STEPS: u64 = 4_000_000;
/// Time granted to all paths together.
const TIME: Duration = Duration::from_secs(5);
/// Work granted to one path, in accesses to the arena.
const WORK: u64 = 20_000_000;

/// How one path ended.
pub struct Ended {
    /// The exception that nobody caught, in Python's words, and where it was raised.
    pub raised: Option<(String, Rc<Spot>)>,
    /// An exception by which the program itself refuses what was decided on the way.
    pub refused: Option<(String, Rc<Spot>)>,
    /// The program ends itself and says that it failed: `sys.exit(2)`.
    pub exited: Option<(String, Rc<Spot>)>,
    /// What may help with it.
    pub hint: Option<String>,
    /// The call in the record of the path that raised it.
    pub violated: Option<usize>,
    /// Why the path was given up.
    pub stopped: Option<String>,
    /// Where knowledge was lost, and why.
    pub lost: Vec<(Rc<Spot>, String)>,
    /// Where tensors come from.
    pub makers: Makers,
    /// The tensors that a target was called with, and the weights of the module it is, by their names.
    pub described: Vec<(String, Tensor)>,
    pub weights: Vec<(String, Tensor)>,
    /// The tensors that a target returned.
    pub outputs: Vec<(String, Tensor)>,
    /// Some argument of the target is made up, because nothing is said of it.
    pub open: bool,
    /// The shapes of what the user's code assigned.
    pub watched: Vec<Watched>,
    /// The options of the command line that were read.
    pub options: Vec<CommandOption>,
    /// The assumptions that were used, names of which something could be assumed, and what cannot be assumed.
    pub assumed: FxHashSet<usize>,
    pub offered: Vec<String>,
    pub complaints: Vec<String>,
    /// What the program says itself of names of which something else was assumed, as far as that is known.
    pub defaults: Vec<(String, Given)>,
    /// An input that the target has no parameter for, and those that it has.
    pub misnamed: Option<(String, Vec<String>)>,
    /// Whether a run can go this way is not known: a decision was taken after knowledge was lost.
    pub doubtful: bool,
    /// A requirement was taken for granted where the program would deal with its failing.
    pub passed_over: bool,
    /// The first call of something that is not known and may have a say in tensors, and why it is not known.
    pub unfollowed: Option<(Rc<Spot>, String)>,
    /// What has to hold for loops to have as many rounds as were followed.
    pub open_rounds: Vec<Prop>,
    /// What the program wrote to files, if that is asked for.
    pub written: Vec<Written>,
    /// What was taken for granted of files that are not there, and of values that only the run will tell.
    pub supposed: Vec<String>,
}

/// What all paths came to.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    pub followed: usize,
    pub left_out: usize,
    /// The user's functions that some path has called.
    pub called: FxHashSet<*const FunctionDef>,
}

/// A file that was read, with the modules that it imports, each read once.
pub struct Program {
    pub module: Rc<Module>,
    file: PathBuf,
    /// The package that the file is part of, for relative imports.
    package: Option<String>,
    libraries: Rc<Libraries>,
    /// The other programs of its folder, which may write files that it reads.
    neighbours: Rc<Neighbours>,
    /// What every path starts from.
    start: Start,
    /// What the user asks for besides a verdict.
    pub asked: Rc<Asked>,
    /// What is left for all analyses of the program together.
    steps: Cell<u64>,
    until: Deadline,
}

impl Program {
    /// Steps that all analyses of the program have taken so far.
    pub fn taken(&self) -> u64 {
        STEPS - self.steps.get()
    }
    /// From now on no more steps than this are taken.
    pub fn allow(&self, steps: u64) {
        self.steps.set(self.steps.get().min(steps));
    }
    /// Gives back steps that were not allowed for a while, but for those that were taken meanwhile.
    pub fn allow_again(&self, taken_before: u64, allowed: u64) {
        let taken = allowed.saturating_sub(self.steps.get());
        self.steps.set((STEPS - taken_before).saturating_sub(taken));
    }
    /// Whether the time and work that one program is granted are used up.
    pub fn is_spent(&self) -> bool {
        self.steps.get() == 0 || self.until.is_over()
    }
    /// Reads a file; the libraries of the user's own making are looked for in `stubs`, those that are installed in
    /// `packages`.
    pub fn open(file: &FilePath, stubs: &[PathBuf], packages: &[PathBuf]) -> Result<Program, String> {
        Program::open_with(file, stubs, packages, &[])
    }
    /// As [`Program::open`], with the versions of libraries that are meant.
    pub fn open_with(
        file: &FilePath,
        stubs: &[PathBuf],
        packages: &[PathBuf],
        versions: &[(String, String)],
    ) -> Result<Program, String> {
        let module = read_file(file)?;
        let folder = file.parent().map(FilePath::to_path_buf).unwrap_or_default();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        let (package, top) =
            package_of(&folder).map_or((None, None), |(package, top)| (Some(package), Some(top)));
        let roots = [folder].into_iter().chain(top).collect();
        let libraries = Libraries::new(roots).with_stubs(stubs.to_vec()).with_packages(packages.to_vec());
        let libraries = Rc::new(libraries.with_versions(versions.to_vec()));
        let start = Start::of(&module, &libraries);
        Ok(Program {
            module,
            file: file.to_owned(),
            package,
            libraries,
            neighbours: Neighbours::of(file, stubs, packages).into(),
            start,
            asked: Rc::default(),
            steps: Cell::new(STEPS),
            until: Deadline::after(TIME),
        })
    }
    /// With the programs that read what this one writes.
    pub(crate) fn waited_for_by(self, waiting: &[PathBuf]) -> Program {
        let neighbours = self.neighbours.waited_for_by(waiting).into();
        Program { neighbours, ..self }
    }
    /// Another analysis may take as many steps and as much time as the first.
    pub fn renew(&mut self) {
        self.grant(STEPS, Deadline::after(TIME));
    }
    /// No more work and time than this is spent.
    pub(crate) fn grant(&mut self, steps: u64, until: Deadline) {
        self.steps.set(steps);
        self.until = until;
    }
}

/// The dotted name of the package that a folder is, and the folder in which the outermost package stands.
fn package_of(folder: &FilePath) -> Option<(String, PathBuf)> {
    let mut folder = std::path::absolute(folder).ok()?;
    let mut names = Vec::new();
    while folder.join("__init__.py").is_file() {
        names.push(folder.file_name()?.to_str()?.to_owned());
        folder.pop();
    }
    names.reverse();
    (!names.is_empty()).then(|| (names.join("."), folder))
}

/// The state after the libraries that a file names were loaded, which is the same on every path.
struct Start {
    state: Snapshot,
    arena: arena::Kept,
}

impl Start {
    fn of(module: &Module, libraries: &Rc<Libraries>) -> Start {
        arena::scope(|| {
            arena::allow(WORK);
            let path = Path::new(Limits::default());
            let mut run = Interpreter::new(libraries.clone(), path, Vec::new(), Budget::default());
            run.frames.push(Frame::of_module(module, run.builtins));
            let mut names = Vec::new();
            imports(&module.body, &mut names);
            let is_known = |name: &&Rc<str>| libraries.is_library(name) || libraries.package(name).is_some();
            for name in names.iter().filter(is_known) {
                // What goes wrong here will go wrong on each path, and is told there.
                let _ = run.module(name);
            }
            Start { state: run.snapshot(), arena: arena::keep() }
        })
    }
}

/// The modules that a file imports by their full names, wherever in it.
fn imports(body: &[Stmt], names: &mut Vec<Rc<str>>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Import(modules) => names.extend(modules.iter().map(|(module, _)| module.clone())),
            StmtKind::ImportFrom { module, level: 0, .. } => names.push(module.clone()),
            StmtKind::If { body, orelse, .. } => {
                imports(body, names);
                imports(orelse, names);
            }
            StmtKind::Try { body, .. } => imports(body, names),
            _ => {}
        }
    }
}

/// Executes a program from an entry; `after` sees each path before its arena is gone, and says whether to go on.
pub fn analyse(
    program: &Program,
    entry: &Entry,
    context: &dyn Fn() -> Context,
    after: &mut dyn FnMut(&mut Path, Ended) -> bool,
) -> Paths {
    let mut paths = Paths::default();
    let mut waiting = vec![Vec::new()];
    while let Some(script) = waiting.pop() {
        if paths.followed == MOST_PATHS || program.is_spent() {
            paths.left_out += waiting.len() + 1;
            break;
        }
        paths.followed += 1;
        let goes_on = arena::scope_from(&program.start.arena, || {
            arena::allow(WORK);
            let mut path = Path::starting_from(context());
            path.made = program.asked.values.then(Vec::new);
            path.improper = program.asked.improper;
            let usual = Budget::default();
            let budget =
                Budget { steps: usual.steps.min(program.steps.get()), until: Some(program.until), ..usual };
            let libraries = program.libraries.clone();
            let mut run = Interpreter::starting_from(&program.start.state, libraries, path, script, budget);
            run.asked = match entry {
                Entry::Program { brief: true, .. } | Entry::Target(Target { brief: true, .. }) => {
                    Asked { brief: true, ..(*program.asked).clone() }.into()
                }
                Entry::Program { .. } | Entry::Target(_) => program.asked.clone(),
            };
            run.neighbours = program.neighbours.clone();
            let result =
                entry::start(&mut run, &program.module, &program.file, program.package.as_deref(), entry);
            let mut ended = Ended {
                raised: None,
                refused: None,
                exited: None,
                hint: None,
                violated: None,
                stopped: None,
                lost: std::mem::take(&mut run.lost),
                makers: std::mem::take(&mut run.makers),
                described: std::mem::take(&mut run.described),
                weights: run.target.map(|module| named_weights(&run, module)).unwrap_or_default(),
                outputs: Vec::new(),
                open: run.open,
                watched: std::mem::take(&mut run.watched),
                options: std::mem::take(&mut run.options),
                assumed: std::mem::take(&mut run.assumed),
                offered: std::mem::take(&mut run.offered),
                complaints: std::mem::take(&mut run.complaints),
                defaults: std::mem::take(&mut run.defaults),
                misnamed: run.misnamed.take(),
                doubtful: run.doubtful,
                passed_over: run.passed_over,
                unfollowed: run.unfollowed.take(),
                open_rounds: std::mem::take(&mut run.open_rounds),
                written: std::mem::take(&mut run.written),
                supposed: std::mem::take(&mut run.taken_for_granted),
            };
            match result {
                Err(Flow::Raise(exception)) if run.nameless.contains(&exception) => {
                    ended.stopped = Some("the program raises something that is not known".into());
                }
                Err(Flow::Raise(exception)) if run.is_exit(exception) => {
                    let spot = run.traces.get(&exception).cloned().unwrap_or_default();
                    let is_failure = run.exits_with_failure(exception);
                    ended.exited = is_failure.then(|| (run.describe_exception(exception), spot));
                }
                // What a program raises where something unknown is so is how it deals with it.
                Err(Flow::Raise(exception))
                    if run.explicit.contains(&exception) && !run.decisions.met.is_empty() =>
                {
                    let spot = run.traces.get(&exception).cloned().unwrap_or_default();
                    ended.refused = Some((run.describe_exception(exception), spot));
                }
                Err(Flow::Raise(exception)) => {
                    let spot = run.traces.get(&exception).cloned().unwrap_or_default();
                    let remark = run.remarks.remove(&exception).map(|remark| format!(": {remark}"));
                    let message = run.describe_exception(exception) + &remark.unwrap_or_default();
                    ended.raised = Some((message, spot));
                    ended.hint = run.hints.get(&exception).cloned();
                    ended.violated = run.violations.get(&exception).copied();
                }
                Err(Flow::Stop(why)) => ended.stopped = Some(why.to_string()),
                Ok(Some(value)) => ended.outputs = entry::tensors_in(&run, &value),
                _ => {}
            }
            program.steps.set(program.steps.get().saturating_sub(run.steps()));
            waiting.append(&mut run.decisions.others);
            paths.left_out += run.decisions.left_out;
            paths.called.extend(&run.called);
            after(&mut run.path, ended)
        });
        if !goes_on {
            break;
        }
    }
    paths
}
