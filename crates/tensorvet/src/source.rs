//! `tensorvet check program.py`: the program is executed symbolically, path by path.

use crate::inputs::InputArgs;
use anyhow::{Result, anyhow};
use engines::finding::{Finding, Location};
use engines::validity::{self, Answer, Question, Unknown};
use report::Checked;
use solver::Context;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub fn check(file: &Path, arguments: &[String], inputs: &InputArgs, improper: bool) -> Result<Checked> {
    let name = file.display().to_string();
    let question = Question { improper, smt: inputs.smt()?, ..Question::default() };
    let mut answer = Answer::default();
    let context = || Context::with_smt(question.limits.clone(), question.smt.clone());
    let at = |line: Option<u32>| Location {
        file: name.clone(),
        node: line.map(|line| format!("line {line}")),
        ..Location::default()
    };
    let paths = python::analyse::analyse(file, arguments, &context, &mut |path, ended| {
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
    answer.calls.verified += found.calls.verified;
    answer.calls.failed += found.calls.failed;
    answer.calls.unknown += found.calls.unknown;
    answer.stated += found.stated;
    answer.folded += found.folded;
    answer.stats.add(&found.stats);
}
