//! `numerics ablation`: what each part of the abstraction is worth, over the labelled sites, the literate programs and
//! the operations of graphs with known defects.

use crate::document;
use crate::grist::{self, children_seconds, node};
use crate::numerics::{binary, folder, literate, programs_folder, scratch, sites};
use anyhow::Result;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// Verdicts against labels.
#[derive(Default, Clone, Copy)]
struct Counts {
    hits: usize,
    silent: usize,
    alarms: usize,
    missed: usize,
}

impl Counts {
    fn count(&mut self, is_bug: bool, is_reported: bool) {
        *match (is_bug, is_reported) {
            (true, true) => &mut self.hits,
            (false, false) => &mut self.silent,
            (false, true) => &mut self.alarms,
            (true, false) => &mut self.missed,
        } += 1;
    }
}

/// What of the ranges is left out.
#[derive(Clone, Copy, PartialEq)]
enum Ranges {
    Given,
    WithoutInputs,
    WithoutParameters,
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let binary = binary(arguments);
    let none: &[&str] = &[];
    let ways: [(&str, &[&str], Ranges); 8] = [
        ("partitions, with relations", none, Ranges::Given),
        ("partitions, intervals alone", &["--without-relations"], Ranges::Given),
        ("smashed, with relations", &["--parts", "smashed"], Ranges::Given),
        ("smashed, intervals alone", &["--parts", "smashed", "--without-relations"], Ranges::Given),
        ("expanded, with relations", &["--parts", "expanded"], Ranges::Given),
        ("expanded, intervals alone", &["--parts", "expanded", "--without-relations"], Ranges::Given),
        ("partitions, with relations, any inputs", none, Ranges::WithoutInputs),
        ("partitions, with relations, any parameters", none, Ranges::WithoutParameters),
    ];
    let truth = defects(&binary)?;
    let mut text = String::from(
        "## What each part is worth\n\nSites: the labelled sites and literate programs, one verdict for each labelled place.\nGraphs: of the graphs with known defects every operation with a domain, a pole or a power; those count as defective that are labelled, or fail in TensorFlow for the witness of the full analysis: what that misses, or cannot confirm, is not known to be wrong.\nExpanded takes tensors of up to 4,096 elements one by one; a graph that takes more than 10 s is given up, and all its operations count as silent.\n\n",
    );
    let _ = writeln!(
        text,
        "| abstraction | sites TP | TN | FP | FN | accuracy | CPU s | graphs TP | TN | FP | FN | accuracy | CPU s |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for (name, options, ranges) in ways {
        let start = children_seconds()?;
        let of_sites = judged_sites(&binary, options, ranges)?;
        let between = children_seconds()?;
        let of_graphs = judged_graphs(&binary, options, ranges, &truth)?;
        let end = children_seconds()?;
        let _ = writeln!(
            text,
            "| {name} | {} | {:.1} | {} | {:.1} |",
            row(of_sites),
            between - start,
            row(of_graphs),
            end - between
        );
    }
    println!("{text}");
    document::section("numerics.md", "ablation", &text)
}

fn row(counts: Counts) -> String {
    let Counts { hits, silent, alarms, missed } = counts;
    let all = hits + silent + alarms + missed;
    let accuracy = 100.0 * (hits + silent) as f64 / all.max(1) as f64;
    format!("{hits} | {silent} | {alarms} | {missed} | {accuracy:.1} %")
}

/// The arguments with ranges of inputs or parameters replaced by all numbers.
fn changed(arguments: &[String], options: &[&str], ranges: Ranges) -> Vec<String> {
    let mut changed: Vec<String> = Vec::new();
    let inputs: Vec<String> = arguments
        .windows(2)
        .filter(|pair| pair[0] == "--input")
        .map(|pair| pair[1].split('=').next().unwrap_or_default().to_owned())
        .collect();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        changed.push(word.clone());
        if word != "--range" {
            continue;
        }
        let Some(range) = words.next() else { break };
        let name = range.split('=').next().unwrap_or_default().to_owned();
        // Graphs name their inputs nowhere: there all are, but for a variable called `w`.
        let is_input = if inputs.is_empty() { name != "w" } else { inputs.contains(&name) };
        let is_left_out = match ranges {
            Ranges::Given => false,
            Ranges::WithoutInputs => is_input,
            Ranges::WithoutParameters => !is_input,
        };
        changed.push(if is_left_out { format!("{name}=[-3e38,3e38]") } else { range.clone() });
    }
    if ranges == Ranges::WithoutParameters {
        changed.extend(["--weights".into(), "any".into()]);
    }
    changed.extend(options.iter().map(|option| (*option).to_owned()));
    changed
}

fn judged_sites(binary: &Path, options: &[&str], ranges: Ranges) -> Result<Counts> {
    let scratch = scratch()?;
    let mut counts = Counts::default();
    for sites in sites::all(&folder(), &scratch) {
        for told in sites.told_with(binary, &changed(sites.arguments(), options, ranges)) {
            counts.count(told.is_bug, told.is_reported);
        }
    }
    for program in literate::all(&programs_folder()) {
        let arguments = changed(&program.arguments[1..], options, ranges);
        let told = program.told_with(binary, &scratch, &arguments);
        let marked: BTreeSet<u64> = told.marked.iter().map(|(line, _)| *line).collect();
        let found: BTreeSet<u64> = told.found.iter().map(|(line, _)| *line).collect();
        for line in marked.union(&found) {
            counts.count(marked.contains(line), found.contains(line));
        }
        if marked.is_empty() && found.is_empty() {
            counts.count(false, false);
        }
    }
    Ok(counts)
}

/// Operations of a graph: its name, those that can go wrong, and those that do.
struct Truth {
    subject: grist::Subject,
    operations: BTreeSet<String>,
    defective: BTreeSet<String>,
}

fn defects(binary: &Path) -> Result<Vec<Truth>> {
    const RISKY: [&str; 14] = [
        "Log",
        "Log1p",
        "Exp",
        "Expm1",
        "Sqrt",
        "Rsqrt",
        "RealDiv",
        "Div",
        "Reciprocal",
        "Inv",
        "Pow",
        "SqrtGrad",
        "Acos",
        "Asin",
    ];
    let mut all = Vec::new();
    for subject in grist::subjects()? {
        let text = std::fs::read_to_string(&subject.path)?;
        let mut operations = BTreeSet::new();
        for block in text.split("node {").skip(1) {
            let field = |name: &str| {
                let after = block.split_once(&format!("\n  {name}: \""))?.1;
                Some(after.split('"').next().unwrap_or_default().to_owned())
            };
            if let (Some(name), Some(op)) = (field("name"), field("op"))
                && RISKY.contains(&op.as_str())
            {
                operations.insert(name);
            }
        }
        let told = grist::told(binary, &subject.path, &[], 1)?;
        let sure = told.findings.iter().filter(|finding| finding["confidence"] == "confirmed");
        let mut defective: BTreeSet<String> = sure.flat_map(places).collect();
        for wanted in subject.defective.split_whitespace().filter(|wanted| !wanted.contains("(gradient)")) {
            defective.insert(wanted.split_once(':').map_or(wanted, |(_, node)| node).to_owned());
        }
        operations.extend(defective.iter().cloned());
        all.push(Truth { subject, operations, defective });
    }
    Ok(all)
}

/// The node of a finding, and those of the backward pass that are told with it.
fn places(finding: &Value) -> Vec<String> {
    let also = finding["also"].as_array().into_iter().flatten().filter_map(|node| node.as_str());
    std::iter::once(node(finding)).chain(also).map(str::to_owned).collect()
}

fn judged_graphs(binary: &Path, options: &[&str], ranges: Ranges, truth: &[Truth]) -> Result<Counts> {
    let mut given: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    if ranges == Ranges::WithoutParameters {
        given.extend(["--weights".into(), "any".into()]);
    }
    let mut counts = Counts::default();
    for Truth { subject, operations, defective } in truth {
        let mut given = given.clone();
        if ranges == Ranges::WithoutInputs {
            let text = std::fs::read_to_string(&subject.path)?;
            for name in ["Placeholder", "IteratorGetNext", "features", "input"] {
                if text.contains(&format!("name: \"{name}")) {
                    given.extend(["--range".into(), format!("{name}*=[-3e38,3e38]")]);
                }
            }
        }
        let told = grist::told(binary, &subject.path, &given, 1)?;
        let reported: BTreeSet<String> = told.findings.iter().flat_map(places).collect();
        for operation in operations.union(&reported) {
            counts.count(defective.contains(operation), reported.contains(operation));
        }
    }
    Ok(counts)
}
