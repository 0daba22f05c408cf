//! `numerics`: how well numerical bugs are found, judged by what the frameworks really compute.

#[path = "../../crates/tensorvet/tests/numerics/programs.rs"]
pub mod literate;
#[path = "../../crates/tensorvet/tests/sites/mod.rs"]
pub mod sites;

use crate::exports::cpu_seconds;
use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use engines::draw::Draw;
use engines::grow::{Grower, Options};
use engines::numerics::soundness::compare;
use engines::numerics::{Question, check_program};
use engines::ranges::Settings;
use engines::validity;
use models::onnx;
use semantics::array::Array;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

pub fn run(arguments: &[&str]) -> Result<()> {
    match arguments {
        ["sites", rest @ ..] => labelled(rest),
        ["soundness", rest @ ..] => soundness(rest),
        ["ablation", rest @ ..] => crate::ablation::run(rest),
        ["programs", rest @ ..] => programs(rest),
        ["values", rest @ ..] => values(rest),
        ["growth"] => growth(),
        _ => bail!(
            "usage: cargo xtask numerics sites [BINARY] | programs [BINARY] | values [BINARY] | soundness [GRAPHS] | ablation [BINARY] | growth | grist [BINARY]"
        ),
    }
}

pub fn folder() -> PathBuf {
    data::root().join("crates/tensorvet/tests/sites")
}

pub fn scratch() -> Result<PathBuf> {
    let scratch = data::root().join("target/numerics");
    std::fs::create_dir_all(&scratch)?;
    Ok(scratch)
}

/// The binary that is measured: that of a release build, or the one that is named.
pub fn binary(arguments: &[&str]) -> PathBuf {
    arguments.first().map_or_else(|| data::root().join("target/release/tensorvet"), PathBuf::from)
}

pub fn programs_folder() -> PathBuf {
    data::root().join("crates/tensorvet/tests/numerics")
}

/// Literate programs: whether exactly the marked lines are reported, and whether PyTorch agrees with the marks.
fn programs(arguments: &[&str]) -> Result<()> {
    let (binary, scratch) = (binary(arguments), scratch()?);
    let (mut right, mut marked, mut confirmed) = (0, 0, 0);
    let mut witnesses: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let all = literate::all(&programs_folder());
    for program in &all {
        let told = program.told(&binary, &scratch);
        marked += told.marked.len();
        confirmed += told.confirmed;
        right += usize::from(told.found == told.marked);
        if told.found != told.marked {
            println!("wrong: {}: marked {:?}, found {:?}", program.title, told.marked, told.found);
        }
        witnesses.insert(program.title.clone(), told.witnesses);
    }
    let count = all.len();
    let mut text = format!(
        "## Literate programs\n\n`cargo xtask numerics programs`: of {count} PyTorch programs {right} are told exactly what is marked; {confirmed} findings on {marked} marked lines are confirmed.\n"
    );
    if let Some(python) = frameworks::python()? {
        let told = scratch.join("program_witnesses.json");
        std::fs::write(&told, json!(witnesses).to_string())?;
        let (folder, told) = (programs_folder().display().to_string(), told.display().to_string());
        let observed = frameworks::truth(&python, "numeric_programs.py", &[&folder, &told])?;
        let observed: Vec<Value> = serde_json::from_str(&observed).context("what was observed")?;
        for program in observed.iter().filter(|program| program["agrees"] != true) {
            println!("marks and PyTorch disagree: {program}");
        }
        let agree = observed.iter().filter(|program| program["agrees"] == true).count();
        let _ = writeln!(
            text,
            "PyTorch, run on the witnesses, on the ends of ranges and on 300 random inputs each, agrees with the marks of {agree} of {}.",
            observed.len()
        );
    }
    println!("{text}");
    document::section("numerics.md", "programs", &text)
}

/// Functions of PyTorch: whether ranges of what they give hold what they give.
fn values(arguments: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let binary = binary(arguments).display().to_string();
    let observed = frameworks::truth(&python, "numeric_values.py", &[&binary])?;
    let observed: Vec<Value> = serde_json::from_str(&observed).context("what was observed")?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for each in &observed {
        let answers = each["answers"].as_array().into_iter().flatten().filter_map(Value::as_str);
        answers.clone().for_each(|answer| *counts.entry(answer).or_default() += 1);
        if each["error"].is_string() || answers.clone().any(|answer| answer == "silent") {
            println!("wrong: {each}");
        }
    }
    let count = |answer: &str| counts.get(answer).copied().unwrap_or_default();
    let (told, unknown, silent) = (count("told"), count("unknown"), count("silent"));
    let text = format!(
        "## Values of functions\n\n`cargo xtask numerics values`: of {} calls of PyTorch's functions both ends of what they were seen to give are asked for by a root that is not one of a number beyond them; {told} times it is told, {unknown} times that nothing is known, and {silent} times nothing, which would be wrong.\n",
        observed.len()
    );
    println!("{text}");
    document::section("numerics.md", "values", &text)
}

/// The labelled set: what is reported, and what PyTorch and ONNX Runtime make of the labels and of the witnesses.
fn labelled(arguments: &[&str]) -> Result<()> {
    let binary = binary(arguments);
    let scratch = scratch()?;
    let mut text = String::from("## Labelled sites\n\n");
    let mut counts: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    let mut witnesses: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for sites in sites::all(&folder(), &scratch) {
        for told in sites.told(&binary) {
            let count = counts.entry(sites.set).or_default();
            match (told.is_bug, told.is_reported) {
                (true, true) => count[0] += 1,
                (false, false) => count[1] += 1,
                (false, true) => count[2] += 1,
                (true, false) => count[3] += 1,
            }
            if told.is_bug != told.is_reported {
                println!("wrong: {} {:?}", sites.name, told.line);
            }
            count[4] += usize::from(told.is_bug && told.is_confirmed);
            if !told.witness.is_null() {
                witnesses.entry(sites.name.clone()).or_default().push(told.witness);
            }
        }
    }
    let _ = writeln!(
        text,
        "| set | sites | bugs | found | missed | false alarms | confirmed |\n|---|---|---|---|---|---|---|"
    );
    for (set, [found, silent, alarms, missed, confirmed]) in &counts {
        let (all, bugs) = (found + silent + alarms + missed, found + missed);
        let _ = writeln!(text, "| {set} | {all} | {bugs} | {found} | {missed} | {alarms} | {confirmed} |");
    }
    if let Some(python) = frameworks::python()? {
        let told = scratch.join("witnesses.json");
        std::fs::write(&told, json!(witnesses).to_string())?;
        let told = told.display().to_string();
        let observed = frameworks::truth(&python, "numerics.py", &[&folder().display().to_string(), &told])?;
        let observed: Vec<Value> = serde_json::from_str(&observed).context("what was observed")?;
        let agrees = |site: &&Value| (site["label"] == "bug") == (site["fails"] == true);
        for site in observed.iter().filter(|site| !agrees(site)) {
            println!("label and framework disagree: {site}");
        }
        let right = observed.iter().filter(agrees).count();
        let _ = writeln!(
            text,
            "\nPyTorch, ONNX Runtime and TensorFlow, run on the witnesses, on the ends of the ranges and on 300 random inputs each, agree with {right} of {} labels.",
            observed.len()
        );
    }
    println!("{text}");
    document::section("numerics.md", "sites", &text)
}

/// Grown models on random and corner inputs: nothing leaves its range.
fn soundness(arguments: &[&str]) -> Result<()> {
    let graphs = arguments.first().map_or(Ok(2000), |number| number.parse()).context("a number of graphs")?;
    // One of them alone, with the inputs that it has among all.
    let only: Option<usize> =
        arguments.get(1).map(|number| number.parse()).transpose().context("a number of a graph")?;
    let mut draw = Draw::new(5);
    let (mut compared, mut outside, mut inputs) = (0, 0, 0);
    for (number, case) in Grower::new(23, Options::default()).take(graphs).enumerate() {
        let mut draws = vec![case.inputs.clone()];
        for _ in 0..4 {
            let drawn =
                case.inputs.iter().map(|(value, array)| (*value, draw.array(array.kind, &array.shape)));
            draws.push(drawn.collect());
        }
        inputs += draws.len();
        // The ends of ranges by themselves: a hull with other inputs would hide them.
        let ends = draw.corners(semantics::dtype::Kind::F32);
        let cornered = (0..5).map(|_| {
            let drawn =
                |(value, array): &(_, Array)| (*value, draw.array_between(array.kind, &array.shape, ends));
            case.inputs.iter().map(drawn).collect()
        });
        let cornered: Vec<Vec<_>> = cornered.collect();
        inputs += cornered.len();
        if only.is_some_and(|only| only != number) {
            continue;
        }
        for draws in [draws, cornered] {
            match compare(&case, &draws, Settings::EAGER) {
                Ok(count) => compared += count,
                Err(why) => {
                    outside += 1;
                    println!("model {number}: {why}");
                    if only.is_some()
                        && let Ok(script) = models::keras::script(&case.program, &|_| None)
                    {
                        println!("{}", script.render(case.program.graph.nodes.len() - 1, &|_| None));
                    }
                }
            }
        }
    }
    let text = format!(
        "## Soundness\n\n{graphs} grown models on {inputs} sets of inputs: of {compared} computed tensors every element lies in its range, but for {outside} models; half of the sets are drawn at and between the ends of ranges at which functions change their ways.\n"
    );
    println!("{text}");
    if only.is_some() { Ok(()) } else { document::section("numerics.md", "soundness", &text) }
}

fn program(file: &Path) -> Result<program::ir::Program> {
    let model = onnx::open(file)?;
    Ok(onnx::lower(&model, &file.display().to_string()))
}

/// How time grows with the number of nodes.
fn growth() -> Result<()> {
    let scratch = scratch()?;
    let mut text = String::from(
        "## Growth\n\nChains of affine steps, activations, exponentials and logarithms.\n\n| nodes | CPU s |\n|---|---|\n",
    );
    for nodes in [100, 1000, 10_000, 100_000] {
        let mut graph = String::from(
            "<ir_version: 10, opset_import: [\"\" : 20]>\ng (float[8] v0) => (float[8] y)\n{\n  one = Constant <value_float = 1.5> ()\n",
        );
        for at in 0..nodes {
            let step = match at % 4 {
                0 => format!("Tanh (v{at})"),
                1 => format!("Add (v{at}, one)"),
                2 => format!("Log (v{at})"),
                _ => format!("Mul (v{at}, v{at})"),
            };
            let _ = writeln!(graph, "  v{} = {step}", at + 1);
        }
        let _ = writeln!(graph, "  y = Identity (v{nodes})\n}}");
        let path = scratch.join(format!("chain{nodes}.onnxtxt"));
        std::fs::write(&path, graph)?;
        let program = program(&path)?;
        let start = cpu_seconds();
        check_program(&program, &validity::Question::default(), &Question::default());
        let _ = writeln!(text, "| {nodes} | {:.3} |", cpu_seconds() - start);
    }
    println!("{text}");
    document::section("numerics.md", "growth", &text)
}
