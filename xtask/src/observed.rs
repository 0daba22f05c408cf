//! Bar 3: every node of the narrow exports, evaluated on the inputs that ONNX Runtime was observed to give it,
//! must agree with what it was observed to compute, within bounds that are tight.

use crate::{agreement, data, document, frameworks};
use anyhow::{Context, Result};
use arrays::npy::Observed;
use engines::evaluate::Mode;
use engines::run::{Runner, Why};
use program::ir::{Action, Declared, Program, ValueId};
use semantics::array::Array;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What was seen of one operator, or of all.
#[derive(Default)]
struct Score {
    models: BTreeSet<String>,
    outputs: usize,
    agreeing: usize,
    random: usize,
    /// Largest bound by largest error, per float output that has a bound.
    tightness: Vec<f64>,
    unnoticed: usize,
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let Some((narrow, observed)) = folders(arguments)? else { return Ok(()) };
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut faults = Vec::new();
    let (mut models, mut inner) = (0, 0);
    for path in exports(&narrow)? {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let archive = observed.join(format!("{stem}.npz"));
        let archive = Observed::open(&archive)?;
        let started = std::time::Instant::now();
        inner += compare(&path, &stem, archive, &mut scores, &mut faults)?;
        println!("{stem}: {:.1} s", started.elapsed().as_secs_f64());
        models += 1;
    }
    faults.iter().for_each(|fault| println!("  {fault}"));
    let text = summary(&mut scores, models, inner, &faults);
    println!("{text}");
    document::section("conformance.md", "observed", &text)
}

/// The folder of narrow exports and that of what ONNX Runtime computes on them: given, or made.
fn folders(arguments: &[&str]) -> Result<Option<(PathBuf, PathBuf)>> {
    if let [narrow, observed] = arguments {
        return Ok(Some((PathBuf::from(narrow), PathBuf::from(observed))));
    }
    let Some(python) = frameworks::python()? else { return Ok(None) };
    let (narrow, observed) = (data::scratch("narrow")?, data::scratch("observed")?);
    if !narrow.join("exports.json").exists() {
        frameworks::truth(&python, "exports.py", &[&narrow.display().to_string(), "--narrow"])?;
    }
    for path in exports(&narrow)? {
        let archive = observed.join(path.file_name().unwrap_or_default()).with_extension("npz");
        if !archive.exists() {
            let (path, archive) = (path.display().to_string(), archive.display().to_string());
            frameworks::truth(&python, "observe.py", &[&path, &archive])?;
        }
    }
    Ok(Some((narrow, observed)))
}

fn exports(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("reading the folder {}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    files.retain(|path| path.extension().is_some_and(|extension| extension == "onnx"));
    files.sort();
    Ok(files)
}

/// Compares one model node by node. Returns how many values were not observed.
fn compare(
    path: &Path,
    stem: &str,
    mut archive: Observed,
    scores: &mut BTreeMap<String, Score>,
    faults: &mut Vec<String>,
) -> Result<usize> {
    let program = models::onnx::lower(&models::onnx::open(path)?, stem);
    let mut seen: BTreeMap<ValueId, Array> = BTreeMap::new();
    let made = program.graph.nodes.iter().flat_map(|node| node.outputs.iter().flatten());
    for &value in program.graph.inputs.iter().chain(made) {
        if let Some(array) = archive.read(program.name(value)) {
            let array = array?.to_array(declared_kind(&program, value)).map_err(anyhow::Error::msg)?;
            seen.insert(value, array);
        }
    }
    let mut unobserved = 0;
    Runner::new(&program, Mode::Bounded).run_observed(
        &mut |value| seen.get(&value).cloned(),
        &mut |node, outcome| {
            if matches!(node.action, Action::Constant(_)) {
                return ControlFlow::Continue(());
            }
            let score = scores.entry(node.place.spelled.to_string()).or_default();
            score.models.insert(stem.to_string());
            let mut fault = |what: &str| {
                faults.push(format!("{stem}: node `{}` ({}): {what}", node.place.node, node.place.spelled));
            };
            let known = node.outputs.iter().flatten().filter(|output| seen.contains_key(output)).count();
            unobserved += node.outputs.iter().flatten().count() - known;
            score.outputs += known;
            let readings = match outcome {
                Ok(readings) => readings,
                Err(error) if matches!(error.why, Why::Random) => {
                    score.random += known;
                    return ControlFlow::Continue(());
                }
                Err(error) => {
                    fault(&error.to_string());
                    return ControlFlow::Continue(());
                }
            };
            for (output, reading) in node.outputs.iter().zip(readings) {
                let (Some(reading), Some(array)) = (reading, output.and_then(|output| seen.get(&output)))
                else {
                    continue;
                };
                if let Some(what) = agreement::fault(reading, array) {
                    fault(&what);
                    continue;
                }
                score.agreeing += 1;
                let tightness = agreement::tightness(reading, array);
                score.tightness.extend(tightness.ratio);
                score.unnoticed += usize::from(!tightness.notices);
            }
            ControlFlow::Continue(())
        },
    );
    Ok(unobserved)
}

fn declared_kind(program: &Program, value: ValueId) -> Option<semantics::dtype::Kind> {
    match program.declared(value) {
        Some(Declared::Tensor { kind, .. }) => *kind,
        _ => None,
    }
}

fn summary(
    scores: &mut BTreeMap<String, Score>,
    models: usize,
    unobserved: usize,
    faults: &[String],
) -> String {
    let mut all = Score::default();
    for score in scores.values_mut() {
        score.tightness.sort_by(f64::total_cmp);
        all.outputs += score.outputs;
        all.agreeing += score.agreeing;
        all.random += score.random;
        all.unnoticed += score.unnoticed;
        all.tightness.extend(&score.tightness);
    }
    all.tightness.sort_by(f64::total_cmp);
    let at = |score: &Score, share: f64| agreement::quantile(&score.tightness, share);
    let mut text = format!(
        "## Nodes of real exports\n\n\
         `cargo xtask observed`: every node of {models} narrow exports, evaluated on the inputs that ONNX Runtime gave it and compared with what it computed.\n\n\
         | what | count | share |\n|---|---|---|\n\
         | outputs observed | {} | |\n| within our bound | {} | {:.2} % |\n| random, left out | {} | |\n\
         | computed but not observed (inside functions) | {unobserved} | |\n\
         | float outputs with a bound | {} | |\n| bound by observed error: median, 90 %, largest | {:.1}, {:.1}, {:.1} | |\n\
         | outputs perturbed by ten bounds that were not rejected | {} | |\n\n\
         | operator | models | outputs | agree | with a bound | bound by error: median | 90 % | largest |\n\
         |---|---|---|---|---|---|---|---|\n",
        all.outputs,
        all.agreeing,
        100.0 * all.agreeing as f64 / all.outputs.max(1) as f64,
        all.random,
        all.tightness.len(),
        at(&all, 0.5),
        at(&all, 0.9),
        at(&all, 1.0),
        all.unnoticed,
    );
    for (operator, score) in scores {
        let _ = write!(
            text,
            "| {operator} | {} | {} | {} | {} |",
            score.models.len(),
            score.outputs,
            score.agreeing,
            score.tightness.len()
        );
        let _ = match score.tightness.is_empty() {
            true => writeln!(text, " | | |"),
            false => {
                writeln!(text, " {:.1} | {:.1} | {:.1} |", at(score, 0.5), at(score, 0.9), at(score, 1.0))
            }
        };
    }
    if !faults.is_empty() {
        text.push_str("\nDisagreements:\n");
        faults.iter().for_each(|fault| {
            let _ = writeln!(text, "- {fault}");
        });
    }
    text
}
