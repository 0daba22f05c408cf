//! `numerics grist`: TensorFlow graphs of real programs with a known numerical defect; whether its operation is
//! reported, how many of all warnings come with a witness, what TensorFlow makes of the witnesses, and what it costs.

use crate::numerics::binary;
use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What was reported of one graph.
pub struct Told {
    pub findings: Vec<Value>,
    /// CPU seconds of a process of its own.
    pub seconds: f64,
}

/// A graph with the operations that its known defect makes fail.
pub struct Subject {
    pub name: String,
    pub path: PathBuf,
    pub defective: String,
}

/// The graphs with a row in the table of labels.
pub fn subjects() -> Result<Vec<Subject>> {
    let Some(folder) = data::unpacked("graphdef/grist.tar.gz")? else { return Ok(Vec::new()) };
    let Some(shared) = data::shared() else { return Ok(Vec::new()) };
    let table =
        std::fs::read_to_string(shared.join("graphdef/grist_truth.tsv")).context("reading the labels")?;
    let mut lines = table.lines();
    let column = lines.next().and_then(|head| head.split('\t').position(|name| name == "defective_op"));
    let column = column.context("the table has no column `defective_op`")?;
    let mut subjects = Vec::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let (Some(name), Some(defective)) = (cells.first(), cells.get(column)) else { continue };
        let path = ["grist/", ""].iter().map(|inner| folder.join(format!("{inner}{name}.pbtxt")));
        let Some(path) = path.into_iter().find(|path| path.is_file()) else { continue };
        subjects.push(Subject { name: (*name).to_owned(), path, defective: (*defective).to_owned() });
    }
    Ok(subjects)
}

pub fn run(arguments: &[&str]) -> Result<()> {
    let binary = binary(arguments);
    let (mut labelled, mut hit, mut warnings, mut slowest) = (0, 0, 0, 0.0_f64);
    let mut confirmed: Vec<Value> = Vec::new();
    let mut rows = String::new();
    for subject in subjects()? {
        let told = told(&binary, &subject.path, &[], ROUNDS)?;
        warnings += told.findings.len();
        slowest = slowest.max(told.seconds);
        let (name, wanted) = (&subject.name, &subject.defective);
        let verdict = match wanted.split_whitespace().collect::<Vec<_>>().as_slice() {
            [] => "not labelled",
            all => {
                labelled += 1;
                let found = all.iter().any(|wanted| is_reported(&told.findings, wanted));
                hit += usize::from(found);
                if found { "reported" } else { "**missed**" }
            }
        };
        let mut places = Vec::new();
        for finding in &told.findings {
            let is_sure = finding["confidence"] == "confirmed";
            places.push(format!("{}{}", node(finding), if is_sure { "" } else { " (possible)" }));
            if is_sure {
                let witness =
                    if finding["witness"].is_null() { json!({}) } else { finding["witness"].clone() };
                confirmed.push(json!({"graph": subject.path, "node": node(finding), "witness": witness}));
            }
        }
        let seconds = told.seconds;
        let _ = writeln!(rows, "| {name} | {wanted} | {verdict} | {} | {seconds:.3} |", places.join(", "));
    }
    if let Some(folder) = data::unpacked("graphdef/tfmodels.tar.gz")? {
        for inner in ["tfmodels", ""] {
            let Ok(entries) = std::fs::read_dir(folder.join(inner)) else { continue };
            let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            paths.sort();
            for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "pbtxt")) {
                let told = told(&binary, path, &[], ROUNDS)?;
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let sure =
                    told.findings.iter().filter(|finding| finding["confidence"] == "confirmed").count();
                let all = told.findings.len();
                let seconds = told.seconds;
                let _ =
                    writeln!(rows, "| {name} | | timing only | {sure} confirmed of {all} | {seconds:.3} |");
                slowest = slowest.max(seconds);
            }
        }
    }
    let sure = confirmed.len();
    let mut text = format!(
        "## Graphs with known defects\n\n`cargo xtask numerics grist`: the defective operation is reported in {hit} of {labelled} labelled graphs.\nOf {warnings} warnings {sure} come with a witness, {} are possible only.\nThe slowest graph takes {slowest:.3} CPU seconds, in a process of its own.\n",
        warnings - sure
    );
    if let Some(python) = frameworks::python()? {
        let asked = crate::numerics::scratch()?.join("graph_witnesses.json");
        std::fs::write(&asked, json!(confirmed).to_string())?;
        let observed = frameworks::truth(&python, "graph_witnesses.py", &[&asked.display().to_string()])?;
        let observed: Vec<Value> = serde_json::from_str(&observed).context("what was observed")?;
        let fails = |row: &&Value| row["fails"] == true && row["finite_before"] == true;
        for row in observed.iter().filter(|row| !fails(row)) {
            println!("the witness does not fail in TensorFlow: {row}");
        }
        let _ = writeln!(
            text,
            "TensorFlow, run on the witnesses, makes NaN or Inf out of finite numbers there for {} of {}.",
            observed.iter().filter(fails).count(),
            observed.len()
        );
    }
    let _ = write!(
        text,
        "\n| graph | defective | verdict | warned about | CPU seconds |\n|---|---|---|---|---|\n{rows}"
    );
    println!("{text}");
    document::section("numerics.md", "grist", &text)
}

/// Runs of which the time is the mean: children are counted in hundredths of a second.
const ROUNDS: usize = 5;

/// Seconds after which a graph is given up, and how `timeout` says so.
const PATIENCE: &str = "10";
const OUT_OF_TIME: i32 = 124;

/// What a process of its own says of a graph; nothing, if it takes too long.
pub fn told(binary: &Path, path: &Path, options: &[String], rounds: usize) -> Result<Told> {
    let start = children_seconds()?;
    let mut findings = Vec::new();
    for _ in 0..rounds {
        let mut command = Command::new("timeout");
        command
            .arg(PATIENCE)
            .arg(binary)
            .args(["check", "--numerics", "--output-format", "json"])
            .args(options)
            .arg(path);
        let output = command.output()?;
        if output.status.code() == Some(OUT_OF_TIME) {
            return Ok(Told { findings: Vec::new(), seconds: children_seconds()? - start });
        }
        let answer: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{}: {}", path.display(), String::from_utf8_lossy(&output.stderr)))?;
        findings = answer["findings"].as_array().cloned().unwrap_or_default();
    }
    findings.retain(|finding| finding["category"] == "numerical hazard");
    Ok(Told { findings, seconds: (children_seconds()? - start) / rounds as f64 })
}

/// CPU time of all processes that were started and have ended.
pub fn children_seconds() -> Result<f64> {
    let text = std::fs::read_to_string("/proc/self/stat")?;
    let after = text.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: f64 =
        after.split_whitespace().skip(13).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum();
    Ok(ticks / 100.0)
}

pub fn node(finding: &Value) -> &str {
    finding["location"]["node"].as_str().unwrap_or_default()
}

/// Whether an operation of the table is reported; of its gradient, a node that differentiates it counts.
pub fn is_reported(findings: &[Value], wanted: &str) -> bool {
    let wanted = wanted.split_once(':').map_or(wanted, |(_, node)| node);
    let places = findings.iter().map(node);
    match wanted.strip_suffix("(gradient)") {
        Some(wanted) => {
            let behind = format!("/{wanted}_grad/");
            places.into_iter().any(|place| place == wanted || place.contains(&behind))
        }
        None => places.into_iter().any(|place| place == wanted),
    }
}
