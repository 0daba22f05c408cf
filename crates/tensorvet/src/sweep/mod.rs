//! `tensorvet sweep program.py --space space.toml`: which hyper-parameters can never work, and why.

mod follow;
mod report;
mod space;

use crate::config::Config;
use crate::inputs::InputArgs;
use crate::source::Named;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use engines::sweep::{Counts, Course, Domain, Ending, Tables, count, vectors};
use follow::{Bound, Model};
use space::{Choice, Parameter};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;

#[derive(Args)]
pub struct SweepArgs {
    /// A Python program, or a class or function in one: `model.py::Net`.
    model: PathBuf,
    /// The hyper-parameters and what they may be, as TOML or JSON.
    #[arg(long, value_name = "FILE")]
    space: PathBuf,
    /// Explain one vector: `kernel=3,width=64`; what is not named has its first value.
    #[arg(long, value_name = "NAME=VALUE,…")]
    check: Option<String>,
    /// Print every vector with its verdict.
    #[arg(long, value_enum, value_name = "FORM")]
    list: Option<ListArg>,
    #[command(flatten)]
    inputs: InputArgs,
    /// Arguments of the program.
    #[arg(last = true)]
    arguments: Vec<String>,
}

#[derive(Clone, Copy, ValueEnum, PartialEq, Eq)]
pub enum ListArg {
    Csv,
    Jsonl,
}

/// More analyses than this are not made for one space.
const MOST_ANALYSES: u64 = 20_000;
/// Cells of all tables of one analysis.
const MOST_CELLS: u64 = 1 << 26;
/// More vectors than this are not counted one by one.
const MOST_VECTORS: u64 = 1 << 36;

/// One choice of everything that is not a number, and what it leaves of the program.
pub struct Part {
    /// What each hyper-parameter is; those that vary are `None`.
    pub fixed: Vec<Option<Choice>>,
    /// Those that vary, in the order of the space.
    pub domains: Vec<Domain>,
    pub courses: Vec<Course>,
}

pub fn run(arguments: &SweepArgs) -> Result<ExitCode> {
    let Some(named) = Named::of(&arguments.model) else {
        bail!("{}: only Python programs can be swept so far", arguments.model.display());
    };
    let parameters = space::read(&arguments.space)?;
    let config = Config::of(&named.file)?;
    let model = Model {
        named: &named,
        arguments: &arguments.arguments,
        inputs: &arguments.inputs,
        config: &config,
        smt: arguments.inputs.smt()?,
    };
    let parameters = match &arguments.check {
        Some(vector) => one(&parameters, vector)?,
        None => parameters,
    };
    let parts = parts(&model, &parameters)?;
    let mut all = Counts::default();
    let mut reasons = Vec::new();
    let mut supposed: Vec<String> = Vec::new();
    for part in &parts {
        let Some(total) = vectors(&part.domains).filter(|&total| total <= MOST_VECTORS) else {
            bail!("the space is too large to count: more than {MOST_VECTORS} vectors");
        };
        let tables: Option<Vec<Tables>> =
            part.courses.iter().map(|course| Tables::of(course, &part.domains, MOST_CELLS)).collect();
        let tables = tables.with_context(|| {
            format!("the space is too large: requirements that mention many hyper-parameters at once, {total} vectors")
        })?;
        if let Some(form) = arguments.list {
            report::list(form, &parameters, part, &tables)?;
        }
        let counts = count(&tables, &part.domains, &AtomicU64::new(0));
        report::add(&mut all, counts, part, &parameters);
        for course in &part.courses {
            if let Ending::Unknown(why) = &course.ending
                && !reasons.contains(why)
            {
                reasons.push(why.clone());
            }
            for cause in course.supposed() {
                let text = format!("{} ({})", cause.label, cause.place);
                if !supposed.contains(&text) {
                    supposed.push(text);
                }
            }
        }
    }
    if arguments.list.is_none() {
        let name = arguments.model.display().to_string();
        crate::print::print(&report::text(&name, &parameters, &all, &reasons, &supposed))?;
    }
    Ok(ExitCode::from(u8::from(all.valid == 0 && all.unknown == 0)))
}

/// The program for every choice of what is no number, and of numbers that no symbol can stand for.
fn parts(model: &Model, parameters: &[Parameter]) -> Result<Vec<Part>> {
    let is_open = |parameter: &Parameter| parameter.values.len() > 1 && parameter.numbers().is_some();
    let mut open: Vec<bool> = parameters.iter().map(is_open).collect();
    let needed = analyses(parameters, &open);
    if needed > MOST_ANALYSES {
        bail!(
            "words, flags and fractions alone make {needed} combinations, each an analysis: at most {MOST_ANALYSES} are made"
        );
    }
    loop {
        let parts = parts_with(model, parameters, &open)?;
        let Some(part) = parts.iter().find(|part| undecided(&part.courses) > 0) else { return Ok(parts) };
        let Some(place) = culprit(model, parameters, part)? else { return Ok(parts) };
        open[place] = false;
        if analyses(parameters, &open) > MOST_ANALYSES {
            return Ok(parts);
        }
    }
}

/// How many analyses it takes if these hyper-parameters are symbols and the others are written out.
fn analyses(parameters: &[Parameter], open: &[bool]) -> u64 {
    let fixed = parameters.iter().zip(open).filter(|(_, open)| !**open);
    fixed.map(|(parameter, _)| parameter.values.len() as u64).fold(1u64, u64::saturating_mul)
}

/// On how many courses nobody knows what becomes of a vector.
fn undecided(courses: &[Course]) -> usize {
    let is_undecided = |course: &&Course| matches!(course.ending, Ending::Unknown(_)) || course.is_open();
    courses.iter().filter(is_undecided).count()
}

/// The number that has to be known for most to be decided: each is tried alone.
fn culprit(model: &Model, parameters: &[Parameter], part: &Part) -> Result<Option<usize>> {
    let mut best: Option<(usize, usize, usize)> = None;
    for place in (0..parameters.len()).filter(|&place| part.fixed[place].is_none()) {
        let values = &parameters[place].values;
        let mut fixed = part.fixed.clone();
        fixed[place] = Some(values[values.len() / 2].clone());
        let domains = part.domains.iter().filter(|domain| domain.name != parameters[place].name);
        let courses =
            model.courses(parameters, &bounds(parameters, &fixed), &domains.cloned().collect::<Vec<_>>())?;
        let score = (undecided(&courses), values.len(), place);
        if best.is_none_or(|best| score < best) {
            best = Some(score);
        }
    }
    Ok(best.map(|(.., place)| place))
}

/// What each hyper-parameter is: fixed, or anything from its least to its greatest value.
fn bounds(parameters: &[Parameter], fixed: &[Option<Choice>]) -> Vec<Bound> {
    let bound = |(parameter, fixed): (&Parameter, &Option<Choice>)| match fixed {
        Some(choice) => Bound::Fixed(choice.clone()),
        None => {
            let numbers = parameter.numbers().unwrap_or_default();
            let low = numbers.first().copied().unwrap_or(0);
            Bound::Between(low, numbers.last().copied().unwrap_or(low))
        }
    };
    parameters.iter().zip(fixed).map(bound).collect()
}

fn parts_with(model: &Model, parameters: &[Parameter], open: &[bool]) -> Result<Vec<Part>> {
    let numbers = |parameter: &Parameter| parameter.numbers().unwrap_or_default();
    let of_open = || parameters.iter().zip(open).filter(|(_, open)| **open).map(|(parameter, _)| parameter);
    let domains: Vec<Domain> = of_open()
        .map(|parameter| Domain { name: parameter.name.clone(), values: numbers(parameter) })
        .collect();
    let mut parts = Vec::new();
    let mut choice = vec![0; parameters.len()];
    loop {
        let chosen = parameters.iter().zip(open).zip(&choice);
        let fixed: Vec<Option<Choice>> = chosen
            .map(|((parameter, open), &place)| (!open).then(|| parameter.values[place].clone()))
            .collect();
        let courses = model.courses(parameters, &bounds(parameters, &fixed), &domains)?;
        parts.push(Part { fixed, domains: domains.clone(), courses });
        let next = (0..parameters.len()).rev().find(|&place| {
            let is_last = open[place] || choice[place] + 1 == parameters[place].values.len();
            choice[place] = if is_last { 0 } else { choice[place] + 1 };
            !is_last
        });
        if next.is_none() {
            return Ok(parts);
        }
    }
}

/// The space with one vector in it.
fn one(parameters: &[Parameter], vector: &str) -> Result<Vec<Parameter>> {
    let mut chosen: Vec<Parameter> = parameters.to_vec();
    chosen.iter_mut().for_each(|parameter| parameter.values.truncate(1));
    for pair in vector.split(',') {
        let (name, value) =
            pair.split_once('=').with_context(|| format!("--check {pair}: `NAME=VALUE` expected"))?;
        let (name, value) = (name.trim(), value.trim());
        let Some(place) = parameters.iter().position(|parameter| parameter.name == name) else {
            let names: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            bail!("--check: the space has no `{name}`; there is {}", crate::inputs::quoted(&names));
        };
        let held = parameters[place].values.iter().find(|held| held.to_string() == value);
        let held = held.with_context(|| format!("--check: `{name}` is never {value} in the space"))?;
        chosen[place].values = vec![held.clone()];
    }
    Ok(chosen)
}
