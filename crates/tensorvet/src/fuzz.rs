//! `tensorvet fuzz`: runs models in a framework and reports what the definitions do not explain.

mod examples;
mod framework;
mod keras;
mod onnx;
mod progress;
mod report;
mod state;
mod torch;
mod worker;

use crate::environment;
use crate::stopped::{self, is_stopped};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use engines::fuzz::{Backend as _, Case, Group, Kind, Source, Way, judge, shrink};
use engines::grow;
use framework::{Framework, Written};
use progress::Progress;
use report::Shown;
use semantics::dtype::Kind::{self as Type, F16, F32, F64};
use semantics::operator::Backend as Library;
use state::State;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use worker::Worker;

#[derive(Args)]
pub struct FuzzArgs {
    /// The framework to run.
    #[arg(long, value_enum)]
    backend: BackendArg,
    /// How many layers a model has on average.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    layers: u16,
    /// How many models to run.
    #[arg(long, conflicts_with = "minutes")]
    count: Option<u64>,
    /// How long to go on; 10, unless --count says how far.
    #[arg(long)]
    minutes: Option<f64>,
    /// How many new findings end the run.
    #[arg(long, value_name = "NUMBER")]
    findings: Option<usize>,
    /// Decides which models are drawn.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Run models with exactly one fault.
    #[arg(long)]
    invalid: bool,
    /// An environment or interpreter with the framework; else VIRTUAL_ENV, or what TENSORVET_FRAMEWORKS names.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Another environment or interpreter, such as one with the version before: what it shows, too, is not reported.
    #[arg(long, value_name = "PATH")]
    unlike: Option<PathBuf>,
    /// Where reports go. A run with a folder of an earlier one goes on where that ended.
    #[arg(long, value_name = "FOLDER", default_value = "fuzzing")]
    out: PathBuf,
    /// Run only models with these layers, separated by commas.
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    only: Vec<String>,
    /// Seconds of CPU time after which a model counts as hanging.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    limit: u64,
    /// Print nothing but findings.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BackendArg {
    KerasTensorflow,
    KerasTorch,
    Torch,
    Onnxruntime,
}

/// What differs from backend to backend.
struct Setup {
    shown: Shown,
    worker: &'static str,
    variables: Vec<(&'static str, String)>,
    write: fn(&Case) -> Result<Written, String>,
    options: grow::Options,
}

impl BackendArg {
    fn setup(self) -> Setup {
        let keras = |name, value: &'static str, backend| Setup {
            shown: Shown { name, variable: Some(("KERAS_BACKEND", value)), code: keras::code },
            worker: concat!(include_str!("fuzz/answers.py"), include_str!("fuzz/worker_keras.py")),
            variables: vec![("KERAS_BACKEND", value.to_string())],
            write: keras::written,
            options: grow::Options { backend, ..grow::Options::default() },
        };
        match self {
            BackendArg::KerasTensorflow => keras("keras-tensorflow", "tensorflow", Library::TensorFlow),
            BackendArg::KerasTorch => keras("keras-torch", "torch", Library::Torch),
            BackendArg::Torch => Setup {
                shown: Shown { name: "torch", variable: None, code: torch::code },
                worker: concat!(include_str!("fuzz/answers.py"), include_str!("fuzz/worker_torch.py")),
                variables: Vec::new(),
                write: torch::written,
                options: grow::Options {
                    vocabulary: grow::operators(),
                    integers: Type::I64,
                    batched: false,
                    casts: false,
                    undisputed: true,
                    can_tell: |operator, given, kind, sizes| {
                        models::torch::can_write(operator, given, kind, sizes).then_some(()).ok_or(None)
                    },
                    ..grow::Options::default()
                },
            },
            BackendArg::Onnxruntime => Setup {
                shown: Shown { name: "onnxruntime", variable: None, code: onnx::code },
                worker: concat!(include_str!("fuzz/answers.py"), include_str!("fuzz/worker_onnx.py")),
                variables: Vec::new(),
                write: onnx::written,
                options: grow::Options {
                    vocabulary: grow::onnx(onnx::VERSION),
                    kinds: vec![F32, F32, F32, F32, F32, F64, F16],
                    integers: Type::I64,
                    arguments: F32,
                    batched: false,
                    casts: false,
                    undisputed: true,
                    can_tell: |operator, given, _, _| {
                        models::onnx::can_write(operator, onnx::VERSION, given).then_some(()).ok_or(None)
                    },
                    ..grow::Options::default()
                },
            },
        }
    }
}

/// So often the framework is asked to make one finding smaller.
const SHRINKING: usize = 150;
/// And so often where only a whole model shows it, which is put together and traced each time.
const TRACING: usize = 50;
/// And so often where it may die of it, which costs a process each time.
const DYING: usize = 12;
/// And so often where it may hang, which costs all the time there is.
const HANGING: usize = 2;

pub fn run(arguments: &FuzzArgs) -> Result<ExitCode> {
    let python = environment::interpreter(arguments.python.as_deref())?;
    let Setup { shown, worker, variables, write, options } = arguments.backend.setup();
    let limit = Duration::from_secs(arguments.limit.max(1));
    let mut state = State::open(&arguments.out, shown.name, arguments.invalid, arguments.seed)?;
    let start = |python: &Path| {
        Worker::start(python, worker, variables.clone(), limit)
            .with_context(|| format!("the backend {}", shown.name))
    };
    let other = match &arguments.unlike {
        Some(path) => Some(start(&environment::interpreter(Some(path))?)?),
        None => None,
    };
    let worker = start(&python)?;
    let (only, absent) = wanted(options.vocabulary, &worker, &arguments.only)?;
    let options = grow::Options { layers: arguments.layers.into(), only, absent, ..options };
    let mut source = Source::new(arguments.seed, options, arguments.invalid);
    // What an earlier run has seen is grown again, and passed over.
    (0..state.next).for_each(|_| drop(source.next()));
    let other = other.map(|worker| Box::new(Framework { worker, write, broken: None, other: None }));
    let mut backend = Framework { worker, write, broken: None, other };
    let mut progress = Progress::new(arguments.quiet);
    let start = Instant::now();
    let last = arguments.count.map(|count| state.next.saturating_add(count));
    let end = match (arguments.minutes, last) {
        // What no clock can hold is for ever.
        (Some(minutes), _) => {
            Some(Duration::try_from_secs_f64(minutes.max(0.0) * 60.0).unwrap_or(Duration::MAX))
        }
        (None, None) => Some(Duration::from_secs(600)),
        (None, Some(_)) => None,
    };
    let mut fresh = 0;
    stopped::heed();
    'models: while last.is_none_or(|last| state.next < last)
        && end.is_none_or(|end| start.elapsed() < end)
        && arguments.findings.is_none_or(|findings| fresh < findings)
    {
        let Some(case) = source.next() else { break };
        let seen = backend.run(&case, &Way::ALL);
        // Ctrl-C reaches the framework, too: what it answered then says nothing of the model.
        if is_stopped() {
            break;
        }
        let judgement = judge(&case, &seen);
        state.count(&case, &judgement);
        for found in &judgement.disagreements {
            if backend.is_shared(&case, found) {
                continue;
            }
            if let Some(group) = state.groups.known(&case, found) {
                group.count += 1;
                continue;
            }
            let runs = match found.kind {
                Kind::Crash => DYING,
                Kind::Hang => HANGING,
                _ if found.ways == [Way::Predict] => TRACING,
                _ => SHRINKING,
            };
            let shrunk = shrink(&case, found, &seen, &mut backend, runs);
            if is_stopped() {
                break 'models;
            }
            let Some(shrunk) = shrunk else {
                state.fleeting += 1;
                continue;
            };
            let group = Group::of(&shrunk.case, &shrunk.found);
            if state.groups.add(group.clone()) {
                let hello = &backend.worker.hello;
                let invalid = if arguments.invalid { " --invalid" } else { "" };
                let options = format!("--seed {}{invalid}", arguments.seed);
                let text = report::report(&shrunk, &shown, hello, state.next, &options);
                state.write(&group, &text)?;
                progress.clear();
                println!("{}", report::line(&group, &shrunk));
                fresh += 1;
            }
        }
        state.next += 1;
        state.save_now_and_then()?;
        progress.show(&state);
        if let Some(error) = backend.broken.take() {
            state.save()?;
            return Err(error);
        }
    }
    state.save()?;
    progress.clear();
    if !arguments.quiet {
        println!("{}", state.summary());
    }
    if is_stopped() {
        println!("Stopped; the same command goes on from here.");
        return Ok(stopped::code());
    }
    Ok(if fresh > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The layers that are wanted, all if none is named, and those that the framework does not have.
fn wanted(
    vocabulary: grow::Vocabulary,
    worker: &Worker,
    only: &[String],
) -> Result<(Vec<&'static str>, Vec<&'static str>)> {
    let ours = || vocabulary.iter().map(|layer| layer.operator.name);
    // A framework that does not list what it has passes over what it has not.
    let theirs = worker.hello["layers"].as_array();
    let is_absent =
        |name: &&'static str| theirs.is_some_and(|theirs| !theirs.iter().any(|other| other == *name));
    let absent: Vec<&'static str> = ours().filter(is_absent).collect();
    let mut wanted = Vec::new();
    for name in only {
        let Some(own) = ours().find(|own| own == name) else {
            bail!("--only {name}: there is no such layer; `tensorvet ops` lists those there are");
        };
        if absent.contains(&own) {
            bail!("--only {name}: the framework has no such layer");
        }
        wanted.push(own);
    }
    Ok((wanted, absent))
}
