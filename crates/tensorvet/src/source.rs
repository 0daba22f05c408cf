//! `tensorvet check program.py`: the program is executed symbolically, path by path.

use crate::inputs::{InputArgs, quoted};
use anyhow::{Result, anyhow, bail};
use engines::finding::{Finding, Location};
use engines::validity::{self, Answer, Question, Unknown};
use python::entry::Entry;
use report::Checked;
use solver::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A Python file, or a class or function in it: `model.py::Net`.
pub struct Named {
    file: PathBuf,
    target: Option<String>,
}

impl Named {
    pub fn of(spelled: &Path) -> Option<Named> {
        let is_python = |file: &Path| file.extension().is_some_and(|extension| extension == "py");
        if is_python(spelled) {
            return Some(Named { file: spelled.to_owned(), target: None });
        }
        let (file, target) = spelled.to_str()?.rsplit_once("::")?;
        is_python(Path::new(file)).then(|| Named { file: file.into(), target: Some(target.to_owned()) })
    }
    /// Where to begin, with what the options say of it.
    fn entry(&self, arguments: &[String], inputs: &InputArgs) -> Result<Entry> {
        let Some(target) = &self.target else {
            inputs.no_target()?;
            return Ok(Entry::Program { arguments: arguments.to_vec() });
        };
        let module = python::library::read_file(&self.file).map_err(|why| anyhow!(why))?;
        let names = python::entry::names(&module);
        if !names.contains(target) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            bail!("{}: there is no `{target}`; there is {}", self.file.display(), quoted(&names));
        }
        Ok(Entry::Target(inputs.target(target)?))
    }
}

pub fn check(named: &Named, arguments: &[String], inputs: &InputArgs, improper: bool) -> Result<Checked> {
    let entry = named.entry(arguments, inputs)?;
    let file = &named.file;
    let name = file.display().to_string();
    let question = Question { improper, smt: inputs.smt()?, ..Question::default() };
    let mut answer = Answer::default();
    let context = || Context::with_smt(question.limits.clone(), question.smt.clone());
    let at = |line: Option<u32>| Location {
        file: name.clone(),
        node: line.map(|line| format!("line {line}")),
        ..Location::default()
    };
    let paths = python::analyse::analyse(file, &entry, &context, &mut |path, ended| {
        let mut found = validity::of_path(path, &name, &question, ended.violated, &|tensor| {
            ended.makers.origin(tensor, &name)
        });
        if let (Some((message, spot)), None) = (ended.raised, ended.violated) {
            found.findings.push(validity::python_error(&name, message, spot));
        }
        // What was lost may have hidden operator calls: the program is not verified.
        found.calls.unknown += ended.lost.len();
        for (spot, reason) in ended.lost {
            found.unknowns.push(Unknown { location: at(Some(spot.here.line)), reason });
        }
        if let Some(why) = ended.stopped {
            found
                .unknowns
                .push(Unknown { location: at(None), reason: format!("a path was given up: {why}") });
            found.calls.unknown += 1;
        }
        found.outputs =
            ended.outputs.iter().map(|(name, tensor)| validity::inferred(name, *tensor)).collect();
        join(&mut answer, found);
    });
    let paths = paths.map_err(|why| anyhow!(why))?;
    if paths.left_out > 0 {
        let reason = format!("{} paths were not followed", paths.left_out);
        answer.unknowns.push(Unknown { location: at(None), reason });
        answer.calls.unknown += 1;
    }
    let sources = sources(&answer);
    Ok(Checked { file: name, answer, sources })
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
