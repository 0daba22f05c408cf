//! `tensorvet fuzz`: runs models in a framework and reports what the definitions do not explain.

mod keras;
mod progress;
mod report;
mod state;
mod worker;

use crate::environment;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use engines::fuzz::{Backend as _, Group, Kind, Source, Way, judge, shrink};
use engines::grow;
use keras::Keras;
use progress::Progress;
use state::State;
use std::path::PathBuf;
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
    /// How long to go on.
    #[arg(long)]
    minutes: Option<f64>,
    /// Decides which models are drawn.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Run models with exactly one fault.
    #[arg(long)]
    invalid: bool,
    /// An environment or interpreter with the framework; else VIRTUAL_ENV, or what TENSORVET_FRAMEWORKS names.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Where reports go. A run with a folder of an earlier one goes on where that ended.
    #[arg(long, value_name = "FOLDER", default_value = "fuzzing")]
    out: PathBuf,
    /// Run only models with these layers, separated by commas.
    #[arg(long, value_name = "CLASSES", value_delimiter = ',')]
    only: Vec<String>,
    /// Seconds after which a model counts as hanging.
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
}

impl BackendArg {
    fn name(self) -> &'static str {
        match self {
            BackendArg::KerasTensorflow => "keras-tensorflow",
            BackendArg::KerasTorch => "keras-torch",
        }
    }
}

/// So often the framework is asked to make one finding smaller.
const SHRINKING: usize = 150;
/// And so often where it may die of it.
const DYING: usize = 12;

pub fn run(arguments: &FuzzArgs) -> Result<ExitCode> {
    let python = environment::interpreter(arguments.python.as_deref())?;
    let keras = match arguments.backend {
        BackendArg::KerasTensorflow => "tensorflow",
        BackendArg::KerasTorch => "torch",
    };
    let limit = Duration::from_secs(arguments.limit.max(1));
    let variables = vec![("KERAS_BACKEND", keras.to_string())];
    let mut state = State::open(&arguments.out, arguments.backend.name(), arguments.invalid, arguments.seed)?;
    let worker = Worker::start(&python, include_str!("fuzz/worker.py"), variables, limit)
        .with_context(|| format!("the backend {}", arguments.backend.name()))?;
    let offered = offered(&worker, &arguments.only)?;
    let options =
        grow::Options { layers: arguments.layers.into(), only: offered, ..grow::Options::default() };
    let mut source = Source::new(arguments.seed, options, arguments.invalid);
    // What an earlier run has seen is grown again, and passed over.
    (0..state.next).for_each(|_| drop(source.next()));
    let mut backend = Keras { worker, broken: None };
    let mut progress = Progress::new(arguments.quiet);
    let start = Instant::now();
    let last = arguments.count.map(|count| state.next.saturating_add(count));
    let end = match (arguments.minutes, last) {
        (Some(minutes), _) => Some(Duration::from_secs_f64(minutes.max(0.0) * 60.0)),
        (None, None) => Some(Duration::from_secs(600)),
        (None, Some(_)) => None,
    };
    let mut fresh = 0;
    while last.is_none_or(|last| state.next < last) && end.is_none_or(|end| start.elapsed() < end) {
        let Some(case) = source.next() else { break };
        let seen = backend.run(&case, &Way::ALL);
        let judgement = judge(&case, &seen);
        state.count(&case, &judgement);
        for found in &judgement.disagreements {
            if let Some(group) = state.groups.known(&case, found) {
                group.count += 1;
                continue;
            }
            // Each death of the process costs an import of the framework.
            let runs = if matches!(found.kind, Kind::Crash | Kind::Hang) { DYING } else { SHRINKING };
            let shrunk = shrink(&case, found, &seen, &mut backend, runs);
            let Some(shrunk) = shrunk else {
                state.fleeting += 1;
                continue;
            };
            let group = Group::of(&shrunk.case, &shrunk.found);
            if state.groups.add(group.clone()) {
                let text = report::report(
                    &shrunk,
                    arguments.backend.name(),
                    keras,
                    &backend.worker.hello,
                    state.next,
                    arguments.seed,
                );
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
    Ok(if fresh > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The layers that the framework has and that are wanted.
fn offered(worker: &Worker, only: &[String]) -> Result<Vec<&'static str>> {
    let theirs: Vec<&str> =
        worker.hello["layers"].as_array().into_iter().flatten().filter_map(|name| name.as_str()).collect();
    for name in only {
        if layers::layers::by_name(name).is_none() {
            bail!("--only {name}: there is no such layer; `tensorvet ops` lists those there are");
        }
    }
    let ours = layers::layers::ALL.iter().map(|layer| layer.operator.name);
    let wanted =
        |name: &&str| theirs.contains(name) && (only.is_empty() || only.iter().any(|other| other == name));
    let offered: Vec<&'static str> = ours.filter(wanted).collect();
    if offered.is_empty() {
        bail!("the framework has none of these layers");
    }
    Ok(offered)
}
