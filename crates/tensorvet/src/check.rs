//! `tensorvet check`: is the model valid?

use crate::OutputArgs;
use crate::computing::ComputingArgs;
use crate::config::{self, Config};
use crate::environment;
use crate::ignore;
use crate::inputs::{InputArgs, suggest_names};
use crate::numerics::{self, NumericsArgs, Unfit};
use crate::print::{complain, print};
use crate::source::{self, Named, Wishes};
use anyhow::{Context, Result, bail};
use arrays::error::{Place, ReadError};
use clap::{Args, ValueEnum};
use engines::finding::{Finding, Severity};
use engines::repair::Advice;
use engines::validity::{self, Answer, Question};
use models::keras::Remark;
use program::ir::Program;
use report::Checked;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub struct CheckArgs {
    /// Model files (.onnx, .onnxtxt, .keras, .h5, .json), TensorFlow graphs (.pb, .pbtxt, .meta, folders of saved models), Python programs (.py), and classes and functions in them (model.py::Net).
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What a Python program is called with, after `--`.
    #[arg(last = true)]
    arguments: Vec<String>,
    #[command(flatten)]
    inputs: InputArgs,
    /// Print a Python program with the shape of every tensor that it assigns.
    #[arg(long)]
    show_shapes: bool,
    /// Print where knowledge of a program was lost, and why: first what most depends on.
    #[arg(long)]
    show_unknowns: bool,
    /// Take something for known: an option or an unknown variable of a program (`batch_size=1..512`), the length of
    /// a data set (`len(Photos)=1000`), or what is assigned in a line (`train.py:12=f32[N,3,32,32]`).
    #[arg(long, value_name = "NAME=VALUE")]
    assume: Vec<String>,
    /// Look for the smallest changes of a model, in arguments and inputs, that make it valid.
    #[arg(long)]
    repair: bool,
    /// Also report what works but is almost surely not meant, such as a stride beyond the kernel.
    #[arg(long)]
    improper: bool,
    /// The environment that a Python program runs in, by its folder or its interpreter: packages that are not modelled
    /// are read there. Without it that of VIRTUAL_ENV, `.venv` or CONDA_PREFIX.
    #[arg(long, value_name = "PATH")]
    python: Option<PathBuf>,
    /// Say nothing of a rule, by its code or name: `TV104`, `improper-value`.
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Exit with 0 whatever is found.
    #[arg(long)]
    exit_zero: bool,
    /// The least severity that makes the exit code 1.
    #[arg(long, value_enum, default_value_t = SeverityArg::Warning)]
    min_severity: SeverityArg,
    /// Exit with 1 unless every operator call was decided.
    #[arg(long)]
    require_verified: bool,
    #[command(flatten)]
    numerics: NumericsArgs,
    #[command(flatten)]
    computing: ComputingArgs,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum SeverityArg {
    Note,
    Warning,
    Error,
}

impl From<SeverityArg> for Severity {
    fn from(severity: SeverityArg) -> Severity {
        match severity {
            SeverityArg::Note => Severity::Note,
            SeverityArg::Warning => Severity::Warning,
            SeverityArg::Error => Severity::Error,
        }
    }
}

pub fn run(arguments: &CheckArgs) -> Result<ExitCode> {
    let mut unread: Vec<String> = Vec::new();
    let mut results = Vec::new();
    let mut seen = HashSet::new();
    let mut unfit = Unfit::default();
    // A file that is named twice is checked once.
    for file in arguments.files.iter().filter(|file| seen.insert(*file)) {
        match settled(file, arguments, &mut unfit) {
            Ok(checked) => results.push(checked),
            Err(error) => {
                complain(&error);
                unread.push(format!("{error:#}"));
            }
        }
    }
    if let Err(error) = unfit.told(&arguments.numerics) {
        complain(&error);
        if results.len() <= 1 {
            return Ok(ExitCode::from(2));
        }
        unread.push(format!("{error:#}"));
    }
    let options = report::Options { unknowns: arguments.show_unknowns, ..arguments.output.options() };
    let text = report::render(&results, &unread, arguments.output.format(), &options);
    print(&text)?;
    let least = Severity::from(arguments.min_severity);
    let found = results.iter().flat_map(|r| &r.answer.findings).any(|finding| finding.severity >= least);
    let undecided = results.iter().any(|result| result.answer.calls.unknown > 0);
    Ok(match () {
        () if !unread.is_empty() => ExitCode::from(2),
        () if arguments.exit_zero => ExitCode::SUCCESS,
        () if found || (arguments.require_verified && undecided) => ExitCode::FAILURE,
        () => ExitCode::SUCCESS,
    })
}

/// Checks a file the way the project and the command line want it.
fn settled(file: &Path, arguments: &CheckArgs, unfit: &mut Unfit) -> Result<Checked> {
    let source = Named::of(file);
    let mut config = Config::of(source.as_ref().map_or(file, |source| &source.file))?;
    if let Some(source) = &source {
        let python = arguments.python.as_deref().or(config.python.as_deref());
        config.packages = environment::packages(python, &source.file)?;
    }
    let mut rules = config.ignore.clone();
    for name in &arguments.ignore {
        rules.push(config::rule(name).context("--ignore")?);
    }
    let mut checked = match source {
        Some(source) if arguments.repair => bail!("{}: --repair is for models", source.file.display()),
        Some(source) => source::check(
            &source,
            &Wishes {
                arguments: &arguments.arguments,
                inputs: &arguments.inputs,
                config: &config,
                improper: arguments.improper,
                assume: &arguments.assume,
                shapes: arguments.show_shapes,
                numerics: arguments.numerics.question()?,
            },
        ),
        None if arguments.show_shapes || !arguments.assume.is_empty() => {
            let option = if arguments.show_shapes { "--show-shapes" } else { "--assume" };
            bail!(
                "{}: {option} is for Python programs; for a model there is {}",
                file.display(),
                match option {
                    "--assume" => "--dim",
                    _ => "--verbose",
                }
            )
        }
        None => check(file, arguments, &config, unfit),
    }?;
    ignore::apply(&mut checked, &rules);
    Ok(checked)
}

/// Whether a file describes a Keras model.
pub fn is_keras(file: &Path) -> bool {
    let own = ["keras", "h5", "hdf5", "json"];
    file.extension().is_some_and(|ending| own.iter().any(|own| ending.eq_ignore_ascii_case(own)))
}

fn check(file: &Path, arguments: &CheckArgs, config: &Config, unfit: &mut Unfit) -> Result<Checked> {
    let improper = arguments.improper || config.improper;
    if is_keras(file) {
        let model = models::keras::open_with(file, &config.layer_stubs()?);
        let backend = arguments.computing.backend();
        let model = match model.and_then(|model| model.computed_by(backend)) {
            Err(ReadError { place: Place::Broken(layer), message, .. }) => {
                return Ok(broken(file, &layer, &message));
            }
            read => read?,
        };
        let remark = |remark: &Remark| Finding {
            severity: Severity::Warning,
            ..validity::structural(&model.program.file, &remark.place, &remark.message)
        };
        let remarks = model.remarks.iter().map(remark).collect();
        let source = model.source.map(|text| (model.program.file.clone(), text));
        let mut checked = judged(model.program, remarks, arguments, improper, unfit)?;
        checked.sources.extend(source);
        return Ok(checked);
    }
    let name = file.display().to_string();
    if models::graphdef::is_graph(file) {
        let model = models::graphdef::open(file)?;
        let lowered = models::graphdef::lower(&model, &name);
        let told = lowered.problems.iter();
        let problems = told.map(|problem| validity::structural(&name, &problem.place, &problem.message));
        return judged(lowered.program, problems.collect(), arguments, improper, unfit);
    }
    let model = models::onnx::open(file)?;
    let mut problems: Vec<Finding> =
        models::onnx::check(&model).into_iter().map(|problem| problem_finding(&name, &problem)).collect();
    // Shapes need no weights, but whoever runs the model will miss them.
    if let Err(missing) = model.find_external_data() {
        let finding = validity::structural(&name, "external data", &missing.to_string());
        problems.push(Finding { severity: Severity::Warning, ..finding });
    }
    let program = models::onnx::lower(&model, &name);
    // What the program needs of the file it holds; the rest makes room for the analysis.
    drop(model);
    judged(program, problems, arguments, improper, unfit)
}

/// What there is to say of a model that was read, and whose layers fit together to none.
fn broken(file: &Path, layer: &str, message: &str) -> Checked {
    let file = file.display().to_string();
    let findings = vec![validity::structural(&file, layer, message)];
    let answer = Answer { findings, ..Answer::default() };
    Checked { file, answer, sources: BTreeMap::new(), ignored: 0 }
}

/// What there is to say about a program that was read with these problems.
fn judged(
    program: Program,
    problems: Vec<Finding>,
    arguments: &CheckArgs,
    improper: bool,
    unfit: &mut Unfit,
) -> Result<Checked> {
    let question = arguments.inputs.question(&program, improper, arguments.output.verbose)?;
    suggest_names(&program, &question)?;
    // A graph whose structure is broken has no meaning to check.
    let broken = problems.iter().any(|problem| problem.severity == Severity::Error);
    let mut answer = if broken { Answer::default() } else { validity::check(&program, &question) };
    let fails = answer.findings.iter().any(|finding| finding.severity == Severity::Error);
    if let Some(asked) = arguments.numerics.question()?.filter(|_| !broken && !fails) {
        let report = engines::numerics::check_program(&program, &question, &asked);
        unfit.of_file(&report);
        numerics::add(&mut answer, report, &program.file);
    }
    if arguments.repair && fails {
        answer.repair = Some(repair(&program, &question));
    }
    answer.findings.splice(0..0, problems);
    Ok(Checked { file: program.file, answer, sources: BTreeMap::new(), ignored: 0 })
}

/// What would make the whole model valid: of the proposals those that a second check agrees with.
fn repair(program: &Program, question: &Question) -> Advice {
    let mut repair = engines::repair::repair(program);
    repair.proposals.retain(|proposal| {
        let mut mended = program.clone();
        engines::repair::apply(&mut mended, proposal);
        let fails = |finding: &Finding| finding.severity == Severity::Error;
        !validity::check(&mended, question).findings.iter().any(fails)
    });
    repair.advice()
}

fn problem_finding(file: &str, problem: &models::onnx::Problem) -> Finding {
    let severity = match problem.kind {
        models::onnx::ProblemKind::NewerFormat => Severity::Note,
        kind if kind.is_fatal() => Severity::Error,
        _ => Severity::Warning,
    };
    Finding { severity, ..validity::structural(file, &problem.place, &problem.message) }
}
