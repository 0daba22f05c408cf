//! `tensorvet check program.py`: the program is executed symbolically, path by path.

use crate::config::Config;
use crate::inputs::{InputArgs, quoted};
use anyhow::{Result, anyhow, bail};
use engines::finding::{Finding, Location, Rule, Severity};
use engines::validity::{self, Answer, Question, Unknown};
use program::path::Path;
use python::analyse::{Ended, Program, analyse};
use python::entry::{Entry, Target};
use python::syntax::FunctionDef;
use report::Checked;
use rustc_hash::FxHashSet;
use semantics::dtype::Kind;
use solver::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path as FilePath, PathBuf};

/// A Python file, or a class or function in it: `model.py::Net`.
pub struct Named {
    pub file: PathBuf,
    target: Option<String>,
}

impl Named {
    pub fn of(spelled: &FilePath) -> Option<Named> {
        let is_python = |file: &FilePath| file.extension().is_some_and(|extension| extension == "py");
        if is_python(spelled) {
            return Some(Named { file: spelled.to_owned(), target: None });
        }
        let (file, target) = spelled.to_str()?.rsplit_once("::")?;
        is_python(FilePath::new(file)).then(|| Named { file: file.into(), target: Some(target.to_owned()) })
    }
    /// Where to begin, with what the options say of it.
    fn entry(&self, program: &Program, arguments: &[String], inputs: &InputArgs) -> Result<Entry> {
        let Some(target) = &self.target else {
            inputs.no_target()?;
            return Ok(Entry::Program { arguments: arguments.to_vec() });
        };
        let names = python::entry::names(&program.module);
        if !names.contains(target) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            bail!("{}: there is no `{target}`; there is {}", self.file.display(), quoted(&names));
        }
        Ok(Entry::Target(inputs.target(target)?))
    }
}

pub fn check(
    named: &Named,
    arguments: &[String],
    inputs: &InputArgs,
    config: &Config,
    improper: bool,
) -> Result<Checked> {
    let program = Program::open(&named.file, &config.stubs).map_err(|why| anyhow!(why))?;
    let improper = improper || config.improper;
    let entry = named.entry(&program, arguments, inputs)?;
    let question = Question { improper, smt: inputs.smt()?, ..Question::default() };
    let survey = Survey { file: named.file.display().to_string(), program, question };
    let Followed { mut answer, called, .. } = survey.from(&entry);
    if let Entry::Program { .. } = entry {
        survey.all_uncalled(&called, &mut answer);
    }
    let sources = sources(&answer);
    Ok(Checked { file: survey.file, answer, sources, ignored: 0 })
}

/// Classes and functions that nothing calls, of which this many are tried.
const MOST_UNCALLED: usize = 64;

/// How many axes are tried for a tensor of which nothing is said.
const TRIALS: RangeInclusive<usize> = 1..=6;

/// What all paths from an entry came to.
#[derive(Default)]
struct Followed {
    answer: Answer,
    /// The functions that some path has called.
    called: FxHashSet<*const FunctionDef>,
    /// Something was made up because nobody described it.
    open: bool,
    /// There is no path without an error.
    fails_always: bool,
}

/// A program and what is asked of it.
struct Survey {
    file: String,
    program: Program,
    question: Question,
}

impl Survey {
    /// What is wrong from an entry on. Of a target that was not described in full, errors are told if it fails
    /// whatever the inputs are.
    fn from(&self, entry: &Entry) -> Followed {
        let mut followed = self.follow(entry);
        let Entry::Target(target) = entry else { return followed };
        if !followed.open {
            return followed;
        }
        // What fails on one path, on another does not.
        followed.answer.findings.clear();
        let mut furthest: Option<Followed> = None;
        for (kind, rank) in TRIALS.flat_map(|rank| [(Kind::F32, rank), (Kind::I64, rank)]) {
            let tried = self.follow(&Entry::Target(Target { trial: Some((kind, rank)), ..target.clone() }));
            if !tried.fails_always {
                return followed;
            }
            // What gets furthest is what was meant, of several the first.
            if furthest.as_ref().is_none_or(|held| tried.answer.calls.verified > held.answer.calls.verified) {
                furthest = Some(tried);
            }
        }
        let mut furthest = furthest.unwrap_or(followed);
        furthest.answer.findings.retain(|finding| finding.severity == Severity::Error);
        furthest
    }

    /// Checks what nothing calls, as long as time is left.
    fn all_uncalled(&self, called: &FxHashSet<*const FunctionDef>, answer: &mut Answer) {
        let names = python::entry::uncalled(&self.program.module, called);
        let count = names.len();
        for (done, name) in names.into_iter().enumerate() {
            if done == MOST_UNCALLED || self.program.is_spent() {
                let reason =
                    format!("{} classes and functions that nothing calls were not checked", count - done);
                answer.unknowns.push(Unknown { location: self.at(None), reason });
                return;
            }
            self.uncalled(name, answer);
        }
    }

    /// Adds what is wrong with a class or function that nothing calls, whatever it would be called with.
    fn uncalled(&self, name: String, answer: &mut Answer) {
        let entry = Entry::Target(Target { name, ..Target::default() });
        let found = self.from(&entry).answer;
        let names = python::entry::names(&self.program.module);
        let certain = found.findings.into_iter().filter(|finding| {
            let is_certain =
                finding.rule != Rule::PythonError || is_of_the_code_itself(&finding.message, &names);
            finding.severity == Severity::Error && is_certain
        });
        join(answer, Answer { findings: certain.collect(), ..Answer::default() });
    }

    /// Follows every path from an entry.
    fn follow(&self, entry: &Entry) -> Followed {
        let mut all = Followed { fails_always: true, ..Followed::default() };
        let context = || Context::with_smt(self.question.limits.clone(), self.question.smt.clone());
        let paths = analyse(&self.program, entry, &context, &mut |path, ended| {
            all.open |= ended.open;
            let found = self.path(path, ended);
            all.fails_always &= found.findings.iter().any(|finding| finding.severity == Severity::Error);
            join(&mut all.answer, found);
            // Of made-up inputs one that works is enough to know.
            all.fails_always || !all.open
        });
        if paths.left_out > 0 {
            let reason = format!("{} paths were not followed", paths.left_out);
            all.answer.unknowns.push(Unknown { location: self.at(None), reason });
            all.answer.calls.unknown += 1;
            all.fails_always = false;
        }
        all.called = paths.called;
        all
    }

    /// What one path came to.
    fn path(&self, path: &mut Path, ended: Ended) -> Answer {
        let origin = |tensor| ended.makers.origin(tensor, &self.file);
        let mut found = validity::of_path(path, &self.file, &self.question, ended.violated, &origin);
        if let (Some((message, spot)), None) = (ended.raised, ended.violated) {
            let fix = ended.hint;
            found.findings.push(Finding { fix, ..validity::python_error(&self.file, message, spot) });
        }
        if ended.doubtful {
            for finding in found.findings.extract_if(.., |finding| finding.severity == Severity::Error) {
                let line = finding.location.spot.as_ref().map(|spot| spot.here.line);
                let reason = format!("it may fail, if a run gets there: {}", finding.message);
                found.unknowns.push(Unknown { location: self.at(line), reason });
                found.calls.unknown += 1;
            }
        }
        // What was lost may have hidden operator calls: the program is not verified.
        found.calls.unknown += ended.lost.len();
        for (spot, reason) in ended.lost {
            found.unknowns.push(Unknown { location: self.at(Some(spot.here.line)), reason });
        }
        if let Some(why) = ended.stopped {
            let reason = format!("a path was given up: {why}");
            found.unknowns.push(Unknown { location: self.at(None), reason });
            found.calls.unknown += 1;
        }
        let outputs = ended.outputs.iter();
        found.outputs = outputs.map(|(name, tensor)| validity::inferred(name, *tensor)).collect();
        found
    }
    fn at(&self, line: Option<u32>) -> Location {
        let node = line.map(|line| format!("line {line}"));
        Location { file: self.file.clone(), node, ..Location::default() }
    }
}

/// Whether an exception follows from the code alone, whatever values that nobody knows turn out to be: a name that is
/// not defined, an attribute that a class of the file lacks, a call that does not fit its function.
fn is_of_the_code_itself(message: &str, classes: &[String]) -> bool {
    let Some((kind, rest)) = message.split_once(": ") else { return false };
    match kind {
        "NameError" | "UnboundLocalError" | "ModuleNotFoundError" => true,
        "AttributeError" => classes.iter().any(|class| rest.starts_with(&format!("'{class}' object"))),
        "TypeError" => {
            ["() missing ", "() takes ", "() got an unexpected "].iter().any(|part| rest.contains(part))
        }
        _ => false,
    }
}

/// The texts that findings point into.
fn sources(answer: &Answer) -> BTreeMap<String, String> {
    let spots = answer.findings.iter().filter_map(|finding| finding.location.spot.as_ref());
    let files: BTreeSet<&String> = spots.map(|spot| &spot.here.file).collect();
    files.into_iter().filter_map(|file| Some((file.clone(), std::fs::read_to_string(file).ok()?))).collect()
}

/// Adds what another path came to; what was said before is not said again.
fn join(answer: &mut Answer, found: Answer) {
    let is_new = |finding: &Finding, held: &[Finding]| {
        let here = |finding: &Finding| finding.location.spot.as_ref().map(|spot| spot.here.clone());
        !held.iter().any(|other| other.message == finding.message && here(other) == here(finding))
    };
    for finding in found.findings {
        if is_new(&finding, &answer.findings) {
            answer.findings.push(finding);
        }
    }
    for unknown in found.unknowns {
        let said =
            |other: &Unknown| other.reason == unknown.reason && other.location.node == unknown.location.node;
        if !answer.unknowns.iter().any(said) {
            answer.unknowns.push(unknown);
        }
    }
    for output in found.outputs {
        if !answer.outputs.contains(&output) {
            answer.outputs.push(output);
        }
    }
    answer.calls.verified += found.calls.verified;
    answer.calls.failed += found.calls.failed;
    answer.calls.unknown += found.calls.unknown;
    answer.stated += found.stated;
    answer.folded += found.folded;
    answer.stats.add(&found.stats);
}
