//! Bar 4: verdicts on mutated models against what ONNX Runtime really does with them.

mod cores;
mod reasons;

use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use engines::finding::Severity;
use engines::validity::{self, Answer, Question};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// One line of `truth.jsonl`; `xtask/truth/mutate.py` says what the fields mean.
#[derive(Deserialize)]
struct Mutant {
    id: String,
    file: String,
    mutation: Option<String>,
    binding: BTreeMap<String, i64>,
    verdict: String,
    error: Option<String>,
    blamed_node: Option<String>,
    failing_node: Option<String>,
    failing_op: Option<String>,
    failing_nodes: Vec<String>,
    failing_error: Option<String>,
    checker: Option<String>,
    shape_inference: Option<String>,
    value_dependent: Option<bool>,
    unimplemented: bool,
}

#[derive(Default)]
struct Score {
    failing: usize,
    reported: usize,
    located: usize,
    undecided: usize,
    valid: usize,
    alarms: usize,
    stated: u64,
    folded: u64,
    own: u64,
    smt: u64,
    unknown: u64,
    cores: cores::Tally,
}

impl Mutant {
    /// Whether the model works as far as the model is concerned.
    fn is_valid(&self) -> bool {
        // A missing kernel says nothing about the model, unless the model as a whole fails for another reason.
        let unimplemented = self.unimplemented && reasons::is_missing(self.error.as_deref().unwrap_or(""));
        self.verdict == "ok" || unimplemented || self.value_dependent == Some(true)
    }
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let Some(folder) = folder(arguments)? else { return Ok(()) };
    let lines = std::fs::read_to_string(folder.join("truth.jsonl")).context("reading truth.jsonl")?;
    let mut score = Score::default();
    let (mut missed, mut alarms, mut misplaced) = (Vec::new(), Vec::new(), Vec::new());
    let mut understood = reasons::Tally::default();
    for line in lines.lines() {
        let mutant: Mutant = serde_json::from_str(line).context("a line of truth.jsonl")?;
        let answer = check(&folder.join(&mutant.file), &mutant.binding)?;
        count(&mut score, &answer);
        cores::count(&folder.join(&mutant.file), &mut score.cores)?;
        let errors: Vec<_> = answer.findings.iter().filter(|f| f.severity == Severity::Error).collect();
        let first = errors.first();
        let ours = first.map_or(String::new(), |finding| {
            format!("{}: {}", finding.location.node.as_deref().unwrap_or("-"), finding.message)
        });
        let about = format!("{} {}", mutant.id, mutant.mutation.as_deref().unwrap_or(""));
        let theirs = mutant.error.as_deref().unwrap_or("").lines().next().unwrap_or("").to_string();
        if mutant.is_valid() {
            score.valid += 1;
            if first.is_some() {
                score.alarms += 1;
                understood.add("valid, but reported", reasons::of_alarm(&mutant), &mutant, &ours);
                alarms.push(format!("{about}\n    ours: {ours}\n    theirs: {} {theirs}", mutant.verdict));
            }
            continue;
        }
        score.failing += 1;
        if first.is_none() {
            if answer.calls.unknown > 0 {
                score.undecided += 1;
            }
            understood.add("failing, but not reported", reasons::of_missed(&mutant), &mutant, &theirs);
            let why =
                answer.unknowns.first().map_or(String::new(), |u| format!("\n    undecided: {}", u.reason));
            missed.push(format!("{about}\n    {} {theirs}{why}", mutant.failing_op.as_deref().unwrap_or("")));
            continue;
        }
        score.reported += 1;
        let named = errors.iter().filter_map(|finding| finding.location.node.as_deref()).next().unwrap_or("");
        let mut right = mutant.failing_nodes.clone();
        right.extend(mutant.failing_node.clone());
        right.extend(mutant.blamed_node.clone());
        if right.iter().any(|node| matches_node(named, node)) {
            score.located += 1;
        } else {
            understood.add("reported at another node", reasons::of_misplaced(&mutant), &mutant, &ours);
            misplaced.push(format!("{about}\n    ours: {ours}\n    theirs: {right:?} {theirs}"));
        }
    }
    let text = format!("{}\n{}", summary(&score), understood.text());
    println!("{text}");
    let lists = [("missed", &missed), ("false alarms", &alarms), ("other node named", &misplaced)];
    let mut details = String::new();
    for (title, list) in lists {
        let _ = writeln!(details, "== {} ({})", title, list.len());
        for item in list {
            let _ = writeln!(details, "{item}");
        }
    }
    let path = data::scratch("mutants-report")?.join("disagreements.txt");
    std::fs::write(&path, details)?;
    println!("disagreements are listed in {}", path.display());
    document::section("conformance.md", "mutants", &text)
}

/// The folder given, or one made by the mutator in the environment of the frameworks.
fn folder(arguments: &[&str]) -> Result<Option<PathBuf>> {
    if let [folder] = arguments {
        return Ok(Some(PathBuf::from(folder)));
    }
    let Some(python) = frameworks::python()? else { return Ok(None) };
    let (narrow, mutants) = (data::scratch("narrow")?, data::scratch("mutants")?);
    if !mutants.join("truth.jsonl").exists() {
        let (narrow, mutants) = (narrow.display().to_string(), mutants.display().to_string());
        frameworks::truth(&python, "exports.py", &[&narrow, "--narrow"])?;
        frameworks::truth(&python, "mutate.py", &[&narrow, &mutants, "--count", "2000", "--seed", "0"])?;
    }
    Ok(Some(mutants))
}

/// What `tensorvet check` says, with the sizes at which the truth was found.
fn check(path: &Path, binding: &BTreeMap<String, i64>) -> Result<Answer> {
    let model = models::onnx::open(path)?;
    let problems = models::onnx::check(&model);
    let program = models::onnx::lower(&model, "");
    let sizes = binding.iter().map(|(name, size)| (name.clone(), *size, *size)).collect();
    let broken = problems.iter().find(|problem| problem.kind != models::onnx::ProblemKind::WrongOrder);
    let mut answer = Answer::default();
    if let Some(problem) = broken {
        let mut finding = validity::structural(&program.file, &problem.place, &problem.message);
        finding.location.node = Some(problem.place.clone());
        answer.findings.push(finding);
        return Ok(answer);
    }
    Ok(validity::check(&program, &Question { sizes, ..Question::default() }))
}

/// Node names as we print them carry a made-up name where the file has none.
fn matches_node(ours: &str, theirs: &str) -> bool {
    ours == theirs || (!theirs.is_empty() && ours.contains(&format!("`{theirs}`")))
}

fn count(score: &mut Score, answer: &Answer) {
    score.stated += answer.stated;
    score.folded += answer.folded;
    score.own += answer.stats.own();
    score.smt += answer.stats.smt;
    score.unknown += answer.stats.unknown;
}

fn summary(score: &Score) -> String {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let open = score.own + score.smt + score.unknown;
    format!(
        "## Mutated models\n\n\
         `cargo xtask mutants`: {} mutants of narrow exports and small graphs; the judge is ONNX Runtime.\n\n\
         | what | count | share |\n|---|---|---|\n\
         | really fail | {} | |\n| of these reported as errors | {} | {:.2} % |\n\
         | of these at a node that really fails | {} | {:.2} % |\n| not reported but said to be undecided | {} | |\n\
         | really run | {} | |\n| of these reported as errors | {} | {:.2} % |\n\
         | requirements stated | {} | |\n| left after folding | {open} | |\n| of these settled by the own layer | {} | {:.2} % |\n\
         | clashes of several requirements, all sizes symbolic | {} | |\n| of these where every member is needed | {} | {:.2} % |\n",
        score.failing + score.valid,
        score.failing,
        score.reported,
        share(score.reported, score.failing),
        score.located,
        share(score.located, score.reported),
        score.undecided,
        score.valid,
        score.alarms,
        share(score.alarms, score.valid),
        score.stated,
        score.own,
        100.0 * score.own as f64 / open.max(1) as f64,
        score.cores.found,
        score.cores.minimal,
        share(score.cores.minimal, score.cores.found),
    )
}
