//! Bar 1: ONNX's single-node conformance tests. Shapes and types must be inferred, no valid model rejected,
//! and values equal within a bound that is tight enough to mean something.

use crate::{agreement, data, document};
use anyhow::{Context, Result};
use engines::evaluate::{Mode, Reading, compare};
use engines::finding::Severity;
use engines::run::{Runner, Why};
use engines::validity::{self, Question};
use models::onnx::{Model, ValueType};
use semantics::array::Array;
use semantics::dtype::{Class, Kind};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::rc::Rc;

/// Bounds looser than this are listed.
const LOOSE: f64 = 1000.0;

#[derive(Default)]
struct Score {
    excluded: BTreeMap<&'static str, usize>,
    tested: usize,
    rejected: Vec<String>,
    wrong_shape: Vec<String>,
    /// Sizes that follow from data are symbols; they admit what was observed.
    data_dependent: usize,
    equal: usize,
    random: usize,
    wrong_value: Vec<String>,
    /// Largest bound by largest error, per float output.
    tightness: Vec<(f64, String)>,
    /// Values outside whose stored data are themselves rounded to so many decimals.
    rounded_data: Vec<String>,
    unnoticed: Vec<String>,
    stated: u64,
    folded: u64,
    own: u64,
    smt: u64,
    unknown: u64,
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let Some(folder) = data::unpacked("onnx-node-tests.tar.gz")? else { return Ok(()) };
    let mut names: Vec<String> = std::fs::read_dir(folder.join("node"))?
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.retain(|name| arguments.is_empty() || arguments.iter().any(|part| name.contains(part)));
    names.sort();
    let mut score = Score::default();
    for name in &names {
        let started = std::time::Instant::now();
        let folder = folder.join("node").join(name);
        test(name, &folder, &mut score).with_context(|| name.clone())?;
        if started.elapsed().as_secs() > 5 {
            println!("slow: {name} took {:?}", started.elapsed());
        }
    }
    for (title, list) in [
        ("rejected", &score.rejected),
        ("wrong shape", &score.wrong_shape),
        ("wrong value", &score.wrong_value),
        ("stored data rounded", &score.rounded_data),
        ("perturbation not noticed", &score.unnoticed),
    ] {
        if !list.is_empty() {
            println!("== {title} ({})", list.len());
            list.iter().for_each(|item| println!("  {item}"));
        }
    }
    let text = summary(&mut score);
    println!("{text}");
    if arguments.is_empty() {
        document::section("conformance.md", "onnx", &text)?;
    }
    Ok(())
}

fn test(name: &str, folder: &Path, score: &mut Score) -> Result<()> {
    let model = models::onnx::open(&folder.join("model.onnx"))?;
    if let Some(rule) = exclusion(&model) {
        *score.excluded.entry(rule).or_default() += 1;
        return Ok(());
    }
    score.tested += 1;
    let inputs = arrays(folder, "input")?;
    let expected = arrays(folder, "output")?;
    let program = models::onnx::lower(&model, name);
    let named = program.graph.inputs.iter().zip(&inputs);
    let known = named.filter_map(|(&value, array)| Some((program.name(value).to_string(), array.clone()?)));
    let question = Question { known: known.collect(), ..Question::default() };
    let answer = validity::check(&program, &question);
    score.stated += answer.stated;
    score.folded += answer.folded;
    score.own += answer.stats.own();
    score.smt += answer.stats.smt;
    score.unknown += answer.stats.unknown;
    let problems = models::onnx::check(&model);
    if let Some(problem) = problems.first() {
        score.rejected.push(format!("{name}: {problem}"));
    }
    if let Some(finding) = answer.findings.iter().find(|finding| finding.severity >= Severity::Warning) {
        let statement = finding.statement.as_deref().unwrap_or("");
        score.rejected.push(format!("{name}: {} {statement}", finding.message));
    }
    for (output, array) in answer.outputs.iter().zip(&expected) {
        let Some(array) = array else { continue };
        let sizes: Option<Vec<Option<usize>>> =
            output.sizes.as_ref().map(|sizes| sizes.iter().map(|size| size.parse().ok()).collect());
        let admits = sizes.as_ref().is_some_and(|sizes| {
            sizes.len() == array.shape.len()
                && sizes
                    .iter()
                    .zip(&array.shape)
                    .all(|(ours, theirs)| ours.is_none_or(|ours| ours == *theirs))
        });
        if output.kind != Some(array.kind) || !admits {
            let ours = format!("{:?}{:?}", output.kind, output.sizes);
            let why = answer.unknowns.first().map_or(String::new(), |unknown| unknown.reason.clone());
            score
                .wrong_shape
                .push(format!("{name}: {ours} instead of {}{:?} {why}", array.kind, array.shape));
        } else if sizes.is_some_and(|sizes| sizes.iter().any(Option::is_none)) {
            score.data_dependent += 1;
        }
    }
    values(name, &program, &inputs, &expected, score);
    Ok(())
}

fn values(
    name: &str,
    program: &program::ir::Program,
    inputs: &[Option<Rc<Array>>],
    expected: &[Option<Rc<Array>>],
    score: &mut Score,
) {
    let mut runner = Runner::new(program, Mode::Bounded);
    for (&value, array) in program.graph.inputs.iter().zip(inputs) {
        if let Some(array) = array {
            runner.give(value, (**array).clone());
        }
    }
    let mut readings: BTreeMap<u32, Rc<Reading>> = BTreeMap::new();
    let result = runner.run(&mut |node, outputs| {
        for (value, reading) in node.outputs.iter().zip(outputs) {
            if let (Some(value), Some(reading)) = (value, reading) {
                readings.insert(value.0, reading.clone());
            }
        }
    });
    match result {
        Err(error) if matches!(error.why, Why::Random) => {
            score.random += 1;
            return;
        }
        Err(error) => {
            score.wrong_value.push(format!("{name}: {error}"));
            return;
        }
        Ok(()) => {}
    }
    let (mut wrong, mut rounded_data) = (None, None);
    for (&output, array) in program.graph.outputs.iter().zip(expected) {
        let (Some(array), Some(reading)) = (array, readings.get(&output.0)) else { continue };
        match agreement::fault(reading, array) {
            Some(fault) => {
                let error = compare(reading, array).worst.map_or(f64::INFINITY, |worst| worst.error);
                rounded_data = decimals(array).filter(|&decimals| error <= 10f64.powi(-decimals));
                wrong = Some(fault);
            }
            None => {
                let tightness = agreement::tightness(reading, array);
                score.tightness.extend(tightness.ratio.map(|ratio| (ratio, name.to_string())));
                if !tightness.notices {
                    score.unnoticed.push(name.to_string());
                }
            }
        }
    }
    match wrong {
        Some(what) if let Some(decimals) = rounded_data => {
            score
                .rounded_data
                .push(format!("{name}: every stored value has {decimals} decimals or fewer; {what}"));
        }
        Some(what) => score.wrong_value.push(format!("{name}: {what}")),
        None => score.equal += 1,
    }
}

/// The least number of decimals, at most five, that all values of a float output can be written with, where they
/// are too many to be so by chance: the test's author typed them. Comparing them closer says nothing.
fn decimals(observed: &Array) -> Option<i32> {
    let values = observed.as_floats()?;
    let typed = |decimals: i32| {
        let step = 10f64.powi(decimals);
        values.iter().all(|value| observed.kind.round((value * step).round() / step) == *value)
    };
    let fractions = values.iter().filter(|value| value.fract() != 0.0).count();
    (1..=5).find(|&decimals| typed(decimals)).filter(|_| fractions >= 1)
}

/// The rule by which a test is left out, if one is.
fn exclusion(model: &Model) -> Option<&'static str> {
    for node in &model.graph.nodes {
        match &*node.domain {
            "" | "ai.onnx" => {}
            "ai.onnx.ml" => return Some("domain ai.onnx.ml"),
            _ => return Some("preview and training domains"),
        }
        if matches!(semantics::recognised::reason("", &node.op_type), Some(reason) if !reason.contains("image"))
        {
            return Some("strings, sequences and optionals");
        }
    }
    for info in model.graph.inputs.iter().chain(&model.graph.outputs) {
        match &info.value_type {
            Some(ValueType::Tensor { elem_type, .. }) => match models::onnx::kind(*elem_type) {
                Some(Kind::String) => return Some("strings, sequences and optionals"),
                Some(kind) if kind.class() == Class::Opaque => return Some("float8 and sub-byte types"),
                _ => {}
            },
            _ => return Some("strings, sequences and optionals"),
        }
    }
    None
}

/// The stored arrays `input_0.pb`, `input_1.pb`, …; `None` for a tensor that cannot be read as an array.
fn arrays(folder: &Path, what: &str) -> Result<Vec<Option<Rc<Array>>>> {
    let mut arrays = Vec::new();
    for number in 0.. {
        let path = folder.join("test_data_set_0").join(format!("{what}_{number}.pb"));
        if !path.exists() {
            return Ok(arrays);
        }
        let tensor = models::onnx::open_tensor(&path)?;
        arrays.push(models::onnx::array(&tensor).map(Rc::new));
    }
    Ok(arrays)
}

fn summary(score: &mut Score) -> String {
    let share = |part: usize| 100.0 * part as f64 / score.tested.max(1) as f64;
    score.tightness.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let ratios: Vec<f64> = score.tightness.iter().map(|(ratio, _)| *ratio).collect();
    let at = |share: f64| agreement::quantile(&ratios, share);
    let loose: Vec<String> = score
        .tightness
        .iter()
        .rev()
        .take_while(|(ratio, _)| *ratio > LOOSE)
        .map(|(ratio, name)| format!("{name}: {ratio:.0}"))
        .collect();
    let open = score.own + score.smt + score.unknown;
    let mut text = format!(
        "## ONNX node tests\n\n`cargo xtask conformance onnx`: {} single-node tests, {} left out by rule.\n\n",
        score.tested + score.excluded.values().sum::<usize>(),
        score.excluded.values().sum::<usize>(),
    );
    for (rule, count) in &score.excluded {
        let _ = writeln!(text, "- {count} left out: {rule}");
    }
    let accepted = score.tested - score.rejected.len().min(score.tested);
    let _ = write!(
        text,
        "\n| what | count | share |\n|---|---|---|\n| tested | {} | |\n| accepted | {accepted} | {:.2} % |\n\
         | type and shape of every output right | {} | {:.2} % |\n\
         | outputs with a size that follows from data (a symbol) | {} | |\n\
         | values within our bound, or random with stated properties | {} | {:.2} % |\n\
         | of these random | {} | |\n\
         | float outputs with a bound | {} | |\n| bound by observed error: median, 90 %, largest | {:.1}, {:.1}, {:.1} | |\n\
         | outputs perturbed by ten bounds that were not rejected | {} | |\n\
         | requirements left after folding | {open} of {} | |\n| of these settled by the own layer | {} | {:.2} % |\n\n\
         The observed error counts as at least half a unit in the last place of the element type: no bound can be tighter.\n",
        score.tested,
        share(accepted),
        score.tested - score.wrong_shape.len(),
        share(score.tested - score.wrong_shape.len()),
        score.data_dependent,
        score.equal + score.random,
        share(score.equal + score.random),
        score.random,
        score.tightness.len(),
        at(0.5),
        at(0.9),
        at(1.0),
        score.unnoticed.len(),
        score.stated,
        score.own,
        100.0 * score.own as f64 / open.max(1) as f64,
    );
    for (title, list) in [
        ("Rejected", &score.rejected),
        ("Type or shape not inferred", &score.wrong_shape),
        ("Values outside", &score.wrong_value),
        (
            "Values outside, but the stored ones are rounded to a few decimals and agree that far",
            &score.rounded_data,
        ),
        ("Bounds beyond a thousand times the observed error", &loose),
    ] {
        if !list.is_empty() {
            let _ = writeln!(text, "\n{title}:");
            list.iter().for_each(|item| {
                let _ = writeln!(text, "- {item}");
            });
        }
    }
    text
}
