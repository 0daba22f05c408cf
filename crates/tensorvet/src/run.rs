//! `tensorvet run`: what the model computes, by the definitions of its operators.

mod expect;
mod given;
mod outputs;

use crate::check::is_keras;
use crate::computing::ComputingArgs;
use crate::config::Config;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use engines::evaluate::Mode;
use engines::run::Runner;
use program::ir::{Node, Program};
use semantics::operator::Backend;
use std::io::{IsTerminal, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct RunArgs {
    /// A model file (.onnx, .onnxtxt, .keras, .h5), or a TensorFlow graph (.pb, .pbtxt).
    file: PathBuf,
    /// The value of an input: `x=x.npy`. Inputs not given are drawn at random.
    #[arg(long = "input", value_name = "NAME=FILE.npy")]
    inputs: Vec<String>,
    /// The size that a name stands for: `N=1`.
    #[arg(long = "dim", value_name = "NAME=SIZE")]
    dims: Vec<String>,
    /// Decides which random inputs are drawn.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the outputs: an archive (.npz), a single array (.npy), or a folder of arrays.
    #[arg(long, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    /// Compare with what a framework computed. With intermediate values, each node is evaluated on the values
    /// observed before it, and the first node that disagrees is named.
    #[arg(long, value_name = "FILE.npz")]
    expect: Option<PathBuf>,
    /// Exit with 1 also where something could not be compared, not only where it disagrees.
    #[arg(long)]
    require_verified: bool,
    /// What the bounds of a comparison promise.
    #[arg(long, value_enum, default_value_t = BoundArg::Rigorous)]
    bounds: BoundArg,
    /// How the verdict of a comparison is printed.
    #[arg(long, value_enum, default_value_t = VerdictFormat::Full)]
    output_format: VerdictFormat,
    #[command(flatten)]
    computing: ComputingArgs,
    /// Print nothing but problems.
    #[arg(long, short)]
    quiet: bool,
    /// Name everything that disagrees or could not be compared, not only the first.
    #[arg(long, short)]
    verbose: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum VerdictFormat {
    Full,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum BoundArg {
    /// Sums are bounded whatever their order.
    Rigorous,
    /// Long sums are bounded by what is likely: much sharper for large models.
    Likely,
}

/// The program of a model that can be run, and what its file lacks.
fn open(file: &Path, backend: Backend) -> Result<(Program, &'static str)> {
    if is_keras(file) {
        let model = models::keras::open_with(file, &Config::of(file)?.layer_stubs()?)?;
        let model = model.computed_by(backend)?;
        return Ok((model.program, if model.has_weights { "" } else { "the file has no weights" }));
    }
    if models::graphdef::is_graph(file) {
        let model = models::graphdef::open(file)?;
        let lowered = models::graphdef::lower(&model, &file.display().to_string());
        if let Some(problem) = lowered.problems.first() {
            bail!("{}: {}: {}", file.display(), problem.place, problem.message);
        }
        return Ok((lowered.program, ""));
    }
    let model = models::onnx::open(file)?;
    let problems = models::onnx::check(&model);
    if let Some(problem) = problems.iter().find(|problem| problem.kind.is_fatal()) {
        bail!("{}: {problem}", file.display());
    }
    model.find_external_data().with_context(|| file.display().to_string())?;
    Ok((models::onnx::lower(&model, &file.display().to_string()), ""))
}

pub fn run(arguments: &RunArgs) -> Result<ExitCode> {
    let (program, lacking) = open(&arguments.file, arguments.computing.backend())?;
    if let Some(path) = &arguments.output {
        outputs::check_target(path, &program)?;
    }
    let expected = match &arguments.expect {
        Some(path) => Some(expect::Expected::open(&program, path)?),
        None => None,
    };
    let mode = match (&expected, arguments.bounds) {
        (None, _) => Mode::Plain,
        (Some(_), BoundArg::Rigorous) => Mode::Bounded,
        (Some(_), BoundArg::Likely) => Mode::Likely,
    };
    let mut runner = Runner::new(&program, mode);
    for (value, array) in given::inputs(&program, arguments, expected.as_ref(), is_keras(&arguments.file))? {
        runner.give(value, array);
    }
    let progress = Progress::new(&program, arguments.quiet);
    let verdict = match &expected {
        Some(expected) => Some(expected.compare(&mut runner, progress)?),
        None => {
            let file = arguments.file.display();
            let context = if lacking.is_empty() { file.to_string() } else { format!("{file}: {lacking}") };
            whole(&mut runner, progress).context(context)?;
            None
        }
    };
    let mut text = String::new();
    let disagrees = verdict.as_ref().is_some_and(expect::Verdict::disagrees);
    let open = verdict.as_ref().is_some_and(expect::Verdict::is_open);
    // A comparison is asked for its verdict, a plain run for its outputs.
    match &verdict {
        Some(verdict) if arguments.output_format == VerdictFormat::Json => text.push_str(&verdict.json()),
        Some(verdict) if !arguments.quiet || disagrees || open => {
            text.push_str(&verdict.render(arguments.verbose));
        }
        None if !arguments.quiet => text.push_str(&outputs::render(&program, &mut runner)?),
        _ => {}
    }
    if let Some(path) = &arguments.output {
        outputs::write(path, &program, &mut runner)?;
    }
    // A closed pipe (`| head`) is no reason to complain.
    let _ = std::io::stdout().write_all(text.as_bytes());
    let failed = disagrees || (open && arguments.require_verified);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn whole(runner: &mut Runner<'_>, mut progress: Progress) -> Result<()> {
    runner.run(&mut |node, _| progress.step(node))?;
    Ok(())
}

/// Which node is next, on a terminal only.
pub struct Progress {
    total: usize,
    done: usize,
    shown: bool,
    drawn: std::time::Instant,
}

impl Progress {
    fn new(program: &Program, quiet: bool) -> Progress {
        let shown = !quiet && std::io::stderr().is_terminal();
        Progress { total: program.graph.nodes.len(), done: 0, shown, drawn: std::time::Instant::now() }
    }
    fn step(&mut self, node: &Node) {
        self.done += 1;
        if self.shown && self.drawn.elapsed().as_millis() >= 100 {
            self.drawn = std::time::Instant::now();
            eprint!("\r\x1b[K{}/{} {}", self.done, self.total, report::plain(&node.place.spelled));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            eprint!("\r\x1b[K");
        }
    }
}
