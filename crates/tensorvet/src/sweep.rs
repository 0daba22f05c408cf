//! `tensorvet sweep MODEL --space space.toml`: which hyper-parameters can never work, and why.

use crate::computing::ComputingArgs;
use crate::config::Config;
use crate::environment;
use crate::inputs::InputArgs;
use crate::stopped::{self, is_stopped};
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use spaces::{Choice, Limits, ListForm, Model, Progress, Settings, Space, Sweep, grouped, list, page, text};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(Args)]
pub struct SweepArgs {
    /// A Python program, a class or function in one (`model.py::Net`), or a model file (ONNX, Keras).
    model: PathBuf,
    /// The hyper-parameters and what they may be, as TOML or JSON.
    #[arg(long, value_name = "FILE")]
    space: PathBuf,
    /// Explain one vector: `kernel=3,width=64`, or `{"kernel": 3}` as `--list jsonl` prints it; what is not named is what
    /// the model says itself.
    #[arg(long, value_name = "NAME=VALUE,…")]
    check: Option<String>,
    /// Print every vector with its verdict.
    #[arg(long, value_enum, value_name = "FORM")]
    list: Option<ListArg>,
    /// Print one of several equal shares of the vectors: `0/4` is the first of four.
    #[arg(long, value_name = "I/N", requires = "list")]
    shard: Option<String>,
    /// Write a page with pictures: how much of the space is valid, by pairs of hyper-parameters, and what breaks the rest.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Judge every vector, one by one and on all cores, and print how long that took.
    #[arg(long, conflicts_with = "list")]
    measure: bool,
    /// Take what works and is hardly meant, such as a stride beyond the kernel, for invalid.
    #[arg(long)]
    improper: bool,
    /// The environment that a Python program runs in, as of `check`.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    #[command(flatten)]
    inputs: InputArgs,
    #[command(flatten)]
    computing: ComputingArgs,
    /// Arguments of the program.
    #[arg(last = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum ListArg {
    Csv,
    Jsonl,
}

impl From<ListArg> for ListForm {
    fn from(form: ListArg) -> ListForm {
        match form {
            ListArg::Csv => ListForm::Csv,
            ListArg::Jsonl => ListForm::Jsonl,
        }
    }
}

pub fn run(arguments: &SweepArgs) -> Result<ExitCode> {
    let mut space = Space::read(&arguments.space)?;
    let named = match &arguments.check {
        Some(vector) => one(&mut space, vector)?,
        None => Vec::new(),
    };
    let model = Model::open(&arguments.model, settings(arguments)?)?.meant_by(&space)?;
    if arguments.check.is_some() {
        the_rest(&mut space, &named, &model)?;
    }
    let begun = Instant::now();
    let sweep = compile(&model, &space)?;
    if sweep.census().total() == 0 {
        let required: Vec<&str> = space.requires.iter().map(|(_, text)| text.as_str()).collect();
        bail!("the space has no vector at all: none fulfils `{}`", required.join("` and `"));
    }
    if arguments.measure {
        return measure(&sweep, begun.elapsed());
    }
    if let Some(form) = arguments.list {
        let range = match &arguments.shard {
            Some(text) => shard(&sweep, text)?,
            None => 0..sweep.len(),
        };
        let mut out = BufWriter::new(std::io::stdout().lock());
        list(form.into(), &sweep, range, &mut out, &|| !is_stopped())?;
        return Ok(if is_stopped() { stopped::code() } else { ExitCode::SUCCESS });
    }
    let name = arguments.model.display().to_string();
    if let Some(file) = &arguments.html {
        std::fs::write(file, page(&name, &sweep)).with_context(|| file.display().to_string())?;
    }
    if is_stopped() {
        crate::print::print("stopped: this is what was known until then\n")?;
    }
    crate::print::print(&text(&name, &sweep))?;
    if is_stopped() {
        return Ok(stopped::code());
    }
    let census = sweep.census();
    Ok(ExitCode::from(u8::from(census.valid == 0 && census.unknown == 0)))
}

/// Compiles the sweep with a bar on the terminal; Ctrl-C ends it with what is known so far.
fn compile(model: &Model, space: &Space) -> Result<Sweep> {
    stopped::heed();
    let (begun, is_terminal) = (Instant::now(), std::io::stderr().is_terminal());
    let (mut shown, mut is_shown) = (begun, false);
    let sweep = Sweep::compile_watched(model, space, Limits::default(), &mut |progress| {
        if is_terminal && shown.elapsed() > Duration::from_millis(200) {
            (shown, is_shown) = (Instant::now(), true);
            _ = write!(std::io::stderr(), "\r{}\x1b[K", bar(progress, begun.elapsed()));
        }
        !is_stopped()
    });
    if is_shown {
        _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    sweep
}

/// How far it is, as a bar with what is left.
fn bar(progress: Progress, passed: Duration) -> String {
    let drawn = |share: f64| {
        let full = (share.clamp(0.0, 1.0) * 30.0) as usize;
        format!("{}{}", "━".repeat(full), "─".repeat(30 - full))
    };
    match progress {
        Progress::Analysed(done, total) => {
            let left = passed.as_secs_f64() / done.max(1) as f64 * total.saturating_sub(done) as f64;
            let left = if done == 0 { String::new() } else { format!(", {left:.0} s left") };
            format!("{} {done} of {total} analyses{left}", drawn(done as f64 / total.max(1) as f64))
        }
        Progress::Counted(done, total, growth) => {
            // How many states the next hyper-parameters have cannot be foreseen.
            let inner = growth.level as f64 + growth.done as f64 / growth.states.max(1) as f64;
            let share = (done as f64 + inner / growth.levels.max(1) as f64) / total.max(1) as f64;
            let (level, levels) = (growth.level + 1, growth.levels);
            let states = grouped(growth.states as u128);
            format!("{} counting: hyper-parameter {level} of {levels}, {states} states", drawn(share))
        }
    }
}

/// How fast every vector gets its verdict.
fn measure(sweep: &Sweep, warm_up: Duration) -> Result<ExitCode> {
    let total = sweep.len();
    let cores = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let begun = Instant::now();
    let valid: u128 = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..cores)
            .map(|core| {
                scope.spawn(move || {
                    let mut valid = 0u128;
                    sweep.each(sweep.shard(core, cores), &mut |_, verdict| {
                        valid += u128::from(matches!(
                            verdict,
                            spaces::Verdict::Valid | spaces::Verdict::Improper(_)
                        ));
                        !is_stopped()
                    });
                    valid
                })
            })
            .collect();
        hands.into_iter().map(|hand| hand.join().unwrap_or(0)).sum()
    });
    let seconds = begun.elapsed().as_secs_f64();
    let (analyses, edges) = sweep.size();
    crate::print::print(&format!(
        "{analyses} analyses, {edges} edges, ready after {:.3} s; {total} vectors, {valid} valid, in {seconds:.3} s: {:.0} per second\n",
        warm_up.as_secs_f64(),
        total as f64 / seconds
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// What the project and the command line say of a model.
fn settings(arguments: &SweepArgs) -> Result<Settings> {
    let spelled = arguments.model.to_string_lossy();
    let file = Path::new(spelled.split("::").next().unwrap_or_default());
    let config = Config::of(file)?;
    let python = arguments.python.as_deref().or(config.python.as_deref());
    let (inputs, sizes, init) = arguments.inputs.parts()?;
    Ok(Settings {
        arguments: arguments.arguments.clone(),
        inputs,
        sizes,
        init,
        assume: config.assume,
        stubs: config.stubs,
        versions: Vec::new(),
        packages: environment::packages(python, file)?,
        backend: arguments.computing.backend(),
        improper: arguments.improper || config.improper,
    })
}

/// Leaves one vector in the space: with the values that are named, by the names that come back, and first ones.
fn one(space: &mut Space, vector: &str) -> Result<Vec<String>> {
    let given = if vector.trim_start().starts_with('{') { of_json(vector)? } else { spelled(space, vector)? };
    for (number, (name, _)) in given.iter().enumerate() {
        if given[..number].iter().any(|(before, _)| before == name) {
            bail!("--check: `{name}` is named twice");
        }
    }
    let places = space.vector(&given).context("--check")?;
    for (parameter, place) in space.parameters.iter_mut().zip(places) {
        let held = parameter.values[place].clone();
        parameter.first = 0;
        // Any real number of a range can be asked for, not only those that are looked at.
        let asked = given.iter().find(|(name, _)| parameter.reals.is_some() && *name == parameter.name);
        parameter.values = vec![match asked {
            Some((_, Choice::Int(number))) => Choice::Float(*number as f64),
            Some((_, asked)) => asked.clone(),
            None => held,
        }];
    }
    Ok(given.into_iter().map(|(name, _)| name).collect())
}

/// A vector as `--list jsonl` prints it, or the whole line.
fn of_json(vector: &str) -> Result<Vec<(String, Choice)>> {
    let read: serde_json::Value = serde_json::from_str(vector).context("--check")?;
    let read = read.get("vector").filter(|inner| inner.is_object()).unwrap_or(&read);
    let pair = |(name, value): (&String, &serde_json::Value)| {
        let choice = Choice::of_json(value);
        Ok((name.clone(), choice.with_context(|| format!("--check: {value} is no value of `{name}`"))?))
    };
    read.as_object().into_iter().flatten().map(pair).collect()
}

/// A vector as `NAME=VALUE,…`.
fn spelled(space: &Space, vector: &str) -> Result<Vec<(String, Choice)>> {
    let pair = |pair: &str| {
        let (name, value) =
            pair.split_once('=').with_context(|| format!("--check {pair}: `NAME=VALUE` expected"))?;
        let (name, value) = (name.trim(), value.trim());
        let known = space.parameters.iter().find(|parameter| parameter.name == name);
        let held = known.and_then(|known| known.values.iter().find(|held| is_written(held, value)));
        let number = || value.parse().map(Choice::Int).or_else(|_| value.parse().map(Choice::Float)).ok();
        let choice = held.cloned().or_else(number).unwrap_or_else(|| Choice::Text(value.to_owned()));
        Ok((name.to_owned(), choice))
    };
    pieces(vector).into_iter().map(pair).collect()
}

/// Gives what is not named the value that the model itself has for it, and says so. What it says nothing of keeps the
/// first value.
fn the_rest(space: &mut Space, named: &[String], model: &Model) -> Result<()> {
    let places = vec![0; space.parameters.len()];
    let is_left =
        |number: usize| !named.contains(&space.parameters[number].name) && space.is_active(number, &places);
    let left: Vec<usize> = (0..places.len()).filter(|&number| is_left(number)).collect();
    if left.is_empty() {
        return Ok(());
    }
    // Programs show what they say themselves where something else is said of it.
    compile(model, space)?;
    let (mut own, mut first) = (Vec::new(), Vec::new());
    for number in left {
        let default = model.default_of(&space.parameters[number]);
        let parameter = &mut space.parameters[number];
        let told = match default {
            Some(default) => {
                parameter.values = vec![default];
                &mut own
            }
            None => &mut first,
        };
        told.push(format!("{}={}", parameter.name, parameter.values[0]));
    }
    for (told, why) in [(own, "what the model says itself"), (first, "the first value of the space")] {
        if !told.is_empty() {
            crate::print::print(&format!("not named: {} ({why})\n", told.join(", ")))?;
        }
    }
    Ok(())
}

/// Whether that is how a value may be written: blanks, the kind of brackets and the size of letters say nothing.
fn is_written(value: &Choice, text: &str) -> bool {
    let plain = |text: &str| -> String {
        let kept =
            text.chars().filter(|letter| !letter.is_whitespace() && !matches!(letter, '"' | '\'' | '\\'));
        let round = kept.map(|letter| match letter {
            '[' => '(',
            ']' => ')',
            other => other,
        });
        round.collect::<String>().replace(",)", ")")
    };
    let (own, told) = (plain(&value.to_string()), plain(text));
    own == told || matches!(value, Choice::Flag(_) | Choice::Nothing) && own.eq_ignore_ascii_case(&told)
}

/// The parts between commas that stand in no brackets and no quotes; a quote opens where a value begins.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut from, mut depth) = (Vec::new(), 0, 0);
    let (mut quote, mut before, mut is_escaped) = (None, ',', false);
    for (at, letter) in text.char_indices() {
        if let Some(open) = quote {
            if letter == open && !is_escaped {
                quote = None;
            }
            is_escaped = letter == '\\' && !is_escaped;
            continue;
        }
        let begins = matches!(before, '=' | ',' | '(' | '[');
        if !letter.is_whitespace() {
            before = letter;
        }
        match letter {
            '"' | '\'' if begins => quote = Some(letter),
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                pieces.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&text[from..]);
    pieces
}

fn shard(sweep: &Sweep, text: &str) -> Result<std::ops::Range<u128>> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    match numbers {
        Some((number, of)) if number < of => Ok(sweep.shard(number, of)),
        _ => bail!("--shard {text}: `I/N` is expected, with I from 0 to N - 1"),
    }
}
