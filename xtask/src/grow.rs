//! `grow`: how fast valid models of Keras layers grow with their reference values, what they cover, what invalid
//! ones break and how often that is mended, and whether Keras accepts the valid ones.

use crate::exports::cpu_seconds;
use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use engines::grow::{Case, Grower, Options};
use engines::repair::{apply, repair};
use engines::walk::Walker;
use layers::layers::ALL;
use models::keras::{literal, script};
use program::ir::ValueId;
use semantics::arena;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How many invalid models are mended.
const INVALID: usize = 500;
/// How many models Keras is asked to build.
const SAMPLE: usize = 1000;

pub fn run(arguments: &[&str]) -> Result<()> {
    let (mut count, mut seed, mut show) = (10_000, 1, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut number = || words.next().context("a number is missing")?.parse::<u64>().context("a number");
        match *word {
            "--count" => count = number()? as usize,
            "--seed" => seed = number()?,
            "--show" => show = true,
            other => bail!("`{other}` is no option of grow"),
        }
    }
    let mut text = String::from("## Grown models of Keras layers\n\n");
    valid(count, seed, &mut text);
    invalid(seed, &mut text);
    accepted(seed, show, &mut text)?;
    println!("{text}");
    document::section("conformance.md", "grown", &text)
}

fn valid(count: usize, seed: u64, text: &mut String) {
    let mut grower = Grower::new(seed, Options::default());
    let start = cpu_seconds();
    let (mut layers, mut shared, mut inputs, mut outputs) = (0, 0, 0, 0);
    for case in grower.by_ref().take(count) {
        let graph = &case.program.graph;
        let own = || graph.nodes.iter().filter(|node| node.place.spelled != "mask");
        layers += own().count();
        shared +=
            usize::from(own().map(|node| &node.place.node).collect::<BTreeSet<_>>().len() < own().count());
        inputs += usize::from(graph.inputs.len() > 1);
        outputs += usize::from(graph.outputs.len() > 1);
    }
    let spent = cpu_seconds() - start;
    let coverage = &grower.coverage;
    let called = coverage.calls.iter().filter(|calls| **calls > 0).count();
    let given = || {
        ALL.iter().zip(&coverage.given).flat_map(|(layer, given)| {
            layer
                .operator
                .parameters
                .iter()
                .zip(given)
                .map(move |(parameter, count)| (layer, parameter, *count))
        })
    };
    let varied: (usize, usize) = grower
        .variety()
        .flat_map(|(_, variety)| variety)
        .fold((0, 0), |sum, each| (sum.0 + each.0, sum.1 + each.1));
    let (occurred, possible) = coverage.pairs();
    let _ = writeln!(
        text,
        "{count} models of {:.1} layers on average, sizes 1 to 4, seed {seed}: {:.0} per CPU-second{}, each evaluated.\n",
        layers as f64 / count as f64,
        count as f64 / spent,
        if cfg!(debug_assertions) { " (in a development build)" } else { "" },
    );
    let _ = writeln!(text, "| | occur | of |\n|---|---|---|");
    let _ = writeln!(text, "| layers | {called} | {} |", ALL.len());
    let _ =
        writeln!(text, "| arguments | {} | {} |", given().filter(|each| each.2 > 0).count(), given().count());
    let _ = writeln!(
        text,
        "| values and forms that are drawn for arguments, valid or not | {} | {} |",
        varied.0, varied.1
    );
    let _ = writeln!(
        text,
        "| ordered pairs of layers of which one gave a type and rank that the other took | {occurred} | {possible} |"
    );
    let _ = writeln!(text, "| models with several inputs | {inputs} | {count} |");
    let _ = writeln!(text, "| models with several outputs | {outputs} | {count} |");
    let _ = writeln!(text, "| models with a shared layer | {shared} | {count} |");
    for (layer, parameter, _) in given().filter(|each| each.2 == 0) {
        let _ = writeln!(text, "\nnever given: `{}` of {}", parameter.name, layer.operator.name);
    }
}

fn invalid(seed: u64, text: &mut String) {
    let mut grower = Grower::new(seed, Options::default());
    let (mut one, mut more, mut slowest, mut total) = (0, 0, 0.0f64, 0.0);
    for _ in 0..INVALID {
        let invalid = grower.next_invalid();
        let start = cpu_seconds();
        let proposals = repair(&invalid.program).proposals;
        let spent = cpu_seconds() - start;
        slowest = slowest.max(spent);
        total += spent;
        let Some(proposal) = proposals.first() else { continue };
        let mut mended = invalid.program;
        apply(&mut mended, proposal);
        match proposal.changes.len() {
            _ if !arena::scope(|| Walker::new(&mended).walk(&[]).is_valid()) => {}
            1 => one += 1,
            _ => more += 1,
        }
    }
    let _ = writeln!(
        text,
        "\n{INVALID} invalid models with one change each, {} kinds of faults: {one} are mended by one change, \
         {more} by more; {:.1} ms on average, {:.0} ms at most.",
        grower.faults.len(),
        total / INVALID as f64 * 1e3,
        slowest * 1e3,
    );
}

/// Has Keras build a sample, and says how many it accepts and why not the others.
fn accepted(seed: u64, show: bool, text: &mut String) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    // Layers that Keras has no more are ours alone.
    let names = frameworks::truth(&python, "grown.py", &["--layers"])?;
    let names: Vec<String> = serde_json::from_str(names.lines().last().unwrap_or_default())?;
    let is_absent = |name: &&'static str| !names.iter().any(|other| other == name);
    let absent: Vec<&'static str> = ALL.iter().map(|layer| layer.operator.name).filter(is_absent).collect();
    let mut lines = String::new();
    let mut told = 0;
    for case in Grower::new(seed, Options { absent, ..Options::default() }).take(SAMPLE) {
        match described(&case) {
            Ok(model) => writeln!(lines, "{model}")?,
            Err(why) => println!("not told to Keras: {why}"),
        }
        told += 1;
    }
    let path = data::scratch("grown")?.join("models.jsonl");
    std::fs::write(&path, lines)?;
    let answers = frameworks::truth(&python, "grown.py", &[&path.display().to_string()])?;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let (mut accepted, mut misled) = (0, 0);
    for line in answers.lines().filter(|line| line.starts_with('{')) {
        let answer: Value = serde_json::from_str(line)?;
        if answer["accepted"] == true {
            accepted += 1;
            continue;
        }
        if show {
            println!("{line}");
        }
        let layer = answer["layer"].as_str().unwrap_or("the model").split('(').next().unwrap_or_default();
        let error = answer["error"].as_str().unwrap_or_default();
        let class =
            |made: &Value| made.as_str().map(|made| made.split('(').next().unwrap_or_default().to_string());
        if let Some(before) = class(&answer["differs"]).filter(|_| answer["differs"] != answer["layer"]) {
            let mut why = format!("a shape that Keras expects of {before}, and does not compute");
            match answer["computed"] == true {
                true => misled += 1,
                false => {
                    write!(why, "; called on arrays: {}", answer["called"].as_str().unwrap_or_default())?
                }
            }
            *refused.entry(why).or_default() += 1;
            continue;
        }
        *refused.entry(format!("{layer}: {}", first_line(error))).or_default() += 1;
    }
    let share = 100.0 * accepted as f64 / told as f64;
    writeln!(
        text,
        "\nOf a sample of {told}, Keras (TensorFlow) accepts {accepted} when they are built of symbols ({share:.1} %); {misled} are refused because Keras is wrong about a shape of its own ([found.md](found.md)), and give the expected shapes when they are called on arrays; {} are refused for another reason.",
        told - accepted - misled,
    )?;
    text.push_str(
        "Left out of all of them is what the definitions tell apart as disputed: arguments with which Keras computes \
         something and a symbolic build refuses it or expects another shape, each with a label of its own and most of \
         them in [found.md](found.md).\n",
    );
    for (why, count) in refused {
        writeln!(text, "- {count}: {why}")?;
    }
    Ok(())
}

/// A model as the script in `truth` reads it.
fn described(case: &Case) -> Result<Value, String> {
    let kind = |value: ValueId| Some(case.values.get(value.0 as usize)?.as_ref()?.array.kind);
    let script = script(&case.program, &kind)?;
    let mut names: BTreeMap<ValueId, &str> = BTreeMap::new();
    let mut inputs = Vec::new();
    for (value, name) in &script.inputs {
        names.insert(*value, name);
        let array = case.inputs.iter().find(|(input, _)| input == value).map(|(_, array)| array);
        let array = array.ok_or("an input has no array")?;
        inputs.push(json!({"name": name, "shape": array.shape, "dtype": literal::dtype(array.kind)?}));
    }
    let calls: Vec<Value> = script
        .calls
        .iter()
        .map(|call| {
            names.extend(call.outputs.iter().map(|(value, name)| (*value, name.as_str())));
            let outputs: Vec<&str> = call.outputs.iter().map(|(_, name)| name.as_str()).collect();
            let shape =
                |value: ValueId| Some(case.values.get(value.0 as usize)?.as_ref()?.array.shape.clone());
            let shapes: Vec<_> = call.outputs.iter().map(|(value, _)| shape(*value)).collect();
            json!({"layer": call.layer, "arguments": call.arguments, "outputs": outputs, "shapes": shapes})
        })
        .collect();
    let layers: Vec<&str> = script.layers.iter().map(|made| made.expression.as_str()).collect();
    let outputs: Vec<&str> =
        case.program.graph.outputs.iter().filter_map(|value| names.get(value).copied()).collect();
    Ok(json!({"inputs": inputs, "layers": layers, "calls": calls, "outputs": outputs}))
}

fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}
