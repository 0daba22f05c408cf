//! `tensorvet check program.py`: the program is executed symbolically, path by path.

mod options;
mod values;

use crate::assume;
use crate::config::Config;
use crate::inputs::{InputArgs, once, quoted};
use anyhow::{Result, anyhow, bail};
use engines::finding::{Finding, Location, Rule, Severity};
use engines::numerics;
use engines::validity::{self, Answer, Question, Seen, Unknown};
use program::ir::Spot;
use program::path::Path;
use python::analyse::{Ended, Program, analyse};
use python::asked::{Asked, Assumed, CommandOption, Watched};
use python::entry::{Entry, Target};
use python::interpreter::hints::meant;
use python::syntax::FunctionDef;
use report::Checked;
use rustc_hash::FxHashSet;
use semantics::dtype::Kind;
use solver::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path as FilePath, PathBuf};
use std::rc::Rc;

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
    pub fn entry(&self, program: &Program, arguments: &[String], inputs: &InputArgs) -> Result<Entry> {
        let Some(target) = &self.target else {
            inputs.no_target()?;
            return Ok(Entry::Program { arguments: arguments.to_vec(), brief: false });
        };
        let names = python::entry::names(&program.module);
        if !names.contains(target) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            bail!("{}: there is no `{target}`; there is {}", self.file.display(), quoted(&names));
        }
        Ok(Entry::Target(inputs.target(target)?))
    }
}

/// What the command line says of a check besides its inputs.
pub struct Wishes<'a> {
    pub arguments: &'a [String],
    pub inputs: &'a InputArgs,
    pub config: &'a Config,
    pub improper: bool,
    /// `--assume`: each has to be of use.
    pub assume: &'a [String],
    /// `--show-shapes`.
    pub shapes: bool,
    /// `--numerics`.
    pub numerics: Option<numerics::Question>,
}

pub fn check(named: &Named, wishes: &Wishes) -> Result<Checked> {
    let Wishes { arguments, inputs, config, .. } = *wishes;
    let mut program =
        Program::open(&named.file, &config.stubs, &config.packages).map_err(|why| anyhow!(why))?;
    let mut assumed: Vec<Assumed> =
        wishes.assume.iter().map(|text| assume::assumption(text)).collect::<Result<_>>()?;
    once("--assume", assumed.iter().map(|assumed| assumed.name.as_str()))?;
    let asked = assumed.len();
    let is_new = |setting: &&Assumed| !assumed.iter().any(|assumed| assumed.name == setting.name);
    let settings: Vec<Assumed> = config.assume.iter().filter(is_new).cloned().collect();
    assumed.extend(settings);
    let sizes = assume::bounds(&assumed);
    let values = wishes.numerics.is_some();
    let improper = wishes.improper || config.improper;
    program.asked = Asked { shapes: wishes.shapes, assumed, values, improper, ..Asked::default() }.into();
    let entry = named.entry(&program, arguments, inputs)?;
    let question = Question { improper, sizes, smt: inputs.smt()?, ..Question::default() };
    let numerics = wishes.numerics.clone();
    let survey = Survey { file: named.file.display().to_string(), program, question, numerics };
    let mut followed = survey.from(&entry);
    survey.all_of_use(&followed, asked)?;
    crate::numerics::all_of_use(&followed.unused.clone().unwrap_or_default(), &followed.names)?;
    if let Entry::Program { .. } = entry {
        followed.answer.alternatives = survey.other_options(arguments, &mut followed);
        survey.all_uncalled(&followed.called, &mut followed.answer);
    }
    let answer = followed.answer;
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
    /// The options of the command line that the program reads.
    options: Vec<CommandOption>,
    /// The assumptions that were used, names of which something could be assumed, and what cannot be assumed.
    assumed: FxHashSet<usize>,
    offered: BTreeSet<String>,
    complaints: BTreeSet<String>,
    /// Ranges that name nothing on any path, and the names that there are.
    unused: Option<Vec<String>>,
    names: Vec<String>,
}

/// Whether a program refuses to go on: what it raises itself on one of several paths is how it deals with something
/// unknown; what it raises at one place on all of them is an error.
enum Refused {
    /// No path was followed yet.
    Nowhere,
    Always(String, Rc<Spot>),
    Sometimes,
}

impl Refused {
    /// Takes another path into account.
    fn and(&mut self, ended: &Ended) {
        let next = match (&ended.refused, &*self) {
            (Some((message, spot)), Refused::Nowhere) if !ended.doubtful => {
                Refused::Always(message.clone(), spot.clone())
            }
            (Some((_, spot)), Refused::Always(message, held))
                if spot.here == held.here && !ended.doubtful =>
            {
                Refused::Always(message.clone(), held.clone())
            }
            _ => Refused::Sometimes,
        };
        *self = next;
    }
}

/// A program and what is asked of it.
struct Survey {
    file: String,
    program: Program,
    question: Question,
    numerics: Option<numerics::Question>,
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
                answer.unknowns.push(Unknown { location: self.at(None), reason, count: 1, cause: None });
                return;
            }
            self.uncalled(name, answer);
        }
    }

    /// Adds what is wrong with a class or function that nothing calls, whatever it would be called with.
    fn uncalled(&self, name: String, answer: &mut Answer) {
        let entry = Entry::Target(Target { name, brief: true, ..Target::default() });
        let found = self.from(&entry).answer;
        let names = python::entry::names(&self.program.module);
        let certain = found.findings.into_iter().filter(|finding| {
            let is_certain =
                finding.rule != Rule::PythonError || is_of_the_code_itself(&finding.message, &names);
            finding.severity == Severity::Error && is_certain
        });
        join(answer, Answer { findings: certain.collect(), ..Answer::default() });
    }

    /// Complains about assumptions of the command line that nothing in the program has a use for.
    fn all_of_use(&self, followed: &Followed, asked: usize) -> Result<()> {
        if let Some(complaint) = followed.complaints.first() {
            bail!("--assume: {complaint}");
        }
        for (number, assumed) in self.program.asked.assumed.iter().take(asked).enumerate() {
            if followed.assumed.contains(&number) {
                continue;
            }
            let name = &assumed.name;
            if name.contains(':') {
                bail!("--assume {name}: no value is assigned in this line by what was executed");
            }
            let names: Vec<&str> = followed.offered.iter().map(String::as_str).collect();
            let meant = meant(name, names.iter().map(|name| (*name).to_owned()));
            match meant {
                Some(meant) => bail!("--assume {name}: there is no such option or unknown value; {meant}"),
                None => bail!(
                    "--assume {name}: there is no such option or unknown value; there is {}",
                    quoted(&names)
                ),
            }
        }
        Ok(())
    }

    /// Follows every path from an entry.
    fn follow(&self, entry: &Entry) -> Followed {
        let mut all = Followed { fails_always: true, ..Followed::default() };
        let context = || Context::with_smt(self.question.limits.clone(), self.question.smt.clone());
        let mut refused = Refused::Nowhere;
        let paths = analyse(&self.program, entry, &context, &mut |path, ended| {
            refused.and(&ended);
            all.open |= ended.open;
            for option in ended.options.iter() {
                if !all.options.contains(option) {
                    all.options.push(option.clone());
                }
            }
            all.assumed.extend(&ended.assumed);
            all.offered.extend(ended.offered.iter().cloned());
            all.complaints.extend(ended.complaints.iter().cloned());
            let values = values::taken(path, &ended, &self.file);
            let mut found = self.path(path, ended);
            let fails = found.findings.iter().any(|finding| finding.severity == Severity::Error);
            if let Some(question) = self.numerics.as_ref().filter(|_| !fails) {
                let report = numerics::check(&values, question);
                let unused = all.unused.take().unwrap_or_else(|| report.unused.clone());
                all.unused = Some(unused.into_iter().filter(|name| report.unused.contains(name)).collect());
                all.names.extend(report.names.iter().cloned());
                crate::numerics::add(&mut found, report, &self.file);
            }
            all.fails_always &= found.findings.iter().any(|finding| finding.severity == Severity::Error);
            join(&mut all.answer, found);
            // Of made-up inputs one that works is enough to know.
            all.fails_always || !all.open
        });
        if paths.left_out > 0 {
            let reason = format!("{} paths were not followed", paths.left_out);
            all.answer.unknowns.push(Unknown { location: self.at(None), reason, count: 1, cause: None });
            all.answer.calls.unknown += 1;
            all.fails_always = false;
        } else if let Refused::Always(message, spot) = refused {
            let finding = validity::python_error(&self.file, message, spot);
            join(&mut all.answer, Answer { findings: vec![finding], ..Answer::default() });
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
                found.unknowns.push(Unknown { location: self.at(line), reason, count: 1, cause: None });
                found.calls.unknown += 1;
            }
        }
        // What was lost may have hidden operator calls: the program is not verified.
        found.calls.unknown += ended.lost.len();
        for (spot, reason) in ended.lost {
            found.unknowns.push(Unknown {
                location: self.at(Some(spot.here.line)),
                reason,
                count: 1,
                cause: None,
            });
        }
        if let Some(why) = ended.stopped {
            let reason = format!("a path was given up: {why}");
            found.unknowns.push(Unknown { location: self.at(None), reason, count: 1, cause: None });
            found.calls.unknown += 1;
        }
        found.supposed = ended.supposed;
        found.assigned = ended.watched.into_iter().map(seen).collect();
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

fn seen(watched: Watched) -> Seen {
    let Watched { file, line, name, shapes } = watched;
    Seen { file, line, name, shapes }
}

/// The texts that findings point into, and those whose shapes are shown.
fn sources(answer: &Answer) -> BTreeMap<String, String> {
    let spots = answer.findings.iter().filter_map(|finding| finding.location.spot.as_ref());
    let mut files: BTreeSet<&String> = spots.map(|spot| &spot.here.file).collect();
    files.extend(answer.assigned.iter().map(|seen| &seen.file));
    let text = |file: &String| python::syntax::decoded(std::fs::read(file).ok()?).ok();
    files.into_iter().filter_map(|file| Some((file.clone(), text(file)?))).collect()
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
        match answer.unknowns.iter_mut().find(|other| said(other)) {
            Some(other) => other.count += unknown.count,
            None => answer.unknowns.push(unknown),
        }
    }
    for seen in found.assigned {
        let is_it =
            |held: &&mut Seen| (&held.file, held.line, &held.name) == (&seen.file, seen.line, &seen.name);
        match answer.assigned.iter_mut().find(is_it) {
            Some(held) => {
                let new: Vec<String> =
                    seen.shapes.into_iter().filter(|shape| !held.shapes.contains(shape)).collect();
                held.shapes.extend(new);
            }
            None => answer.assigned.push(seen),
        }
    }
    for supposed in found.supposed {
        // Each path names the first place of its own.
        let statement =
            |text: &str| text.rsplit_once(" (").map_or(text, |(statement, _)| statement).to_owned();
        if !answer.supposed.iter().any(|held| statement(held) == statement(&supposed)) {
            answer.supposed.push(supposed);
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
