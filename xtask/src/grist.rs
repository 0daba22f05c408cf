//! `numerics grist`: TensorFlow graphs of real programs with a known numerical defect; whether its operation is
//! reported, how many of all warnings come with a witness, and what it costs.

use crate::exports::cpu_seconds;
use crate::{data, document};
use anyhow::{Context, Result};
use engines::numerics::{Question, check_program};
use engines::validity;
use std::fmt::Write as _;
use std::path::Path;

pub fn run() -> Result<()> {
    let Some(folder) = data::unpacked("graphdef/grist.tar.gz")? else { return Ok(()) };
    let Some(shared) = data::shared() else { return Ok(()) };
    let table =
        std::fs::read_to_string(shared.join("graphdef/grist_truth.tsv")).context("reading the labels")?;
    let mut lines = table.lines();
    let column = lines.next().and_then(|head| head.split('\t').position(|name| name == "defective_op"));
    let column = column.context("the table has no column `defective_op`")?;
    let (mut labelled, mut hit, mut warnings, mut confirmed) = (0, 0, 0, 0);
    let mut rows = String::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let (Some(name), Some(wanted)) = (cells.first(), cells.get(column)) else { continue };
        let path = ["grist/", ""].iter().map(|inner| folder.join(format!("{inner}{name}.pbtxt")));
        let Some(path) = path.into_iter().find(|path| path.is_file()) else { continue };
        let started = cpu_seconds();
        let told = told(&path)?;
        let seconds = cpu_seconds() - started;
        warnings += told.len();
        confirmed += told.iter().filter(|(_, confirmed)| *confirmed).count();
        let is_reported = |wanted: &str| {
            let node = wanted.split_once(':').map_or(wanted, |(_, node)| node);
            match node.strip_suffix("(gradient)") {
                Some(node) => {
                    let behind = format!("/{node}_grad/");
                    told.iter().any(|(place, _)| place == node || place.contains(&behind))
                }
                None => told.iter().any(|(place, _)| place == node),
            }
        };
        let verdict = match wanted.split_whitespace().collect::<Vec<_>>().as_slice() {
            [] => "not labelled",
            all => {
                labelled += 1;
                let found = all.iter().any(|wanted| is_reported(wanted));
                hit += usize::from(found);
                if found { "reported" } else { "**missed**" }
            }
        };
        let places: Vec<String> = told
            .iter()
            .map(|(place, sure)| format!("{place}{}", if *sure { "" } else { " (possible)" }))
            .collect();
        let _ = writeln!(rows, "| {name} | {wanted} | {verdict} | {} | {seconds:.3} |", places.join(", "));
    }
    let open = warnings - confirmed;
    let text = format!(
        "## Graphs with known defects\n\n`cargo xtask numerics grist`: the defective operation is reported in {hit} of {labelled} labelled graphs.\nOf {warnings} warnings {confirmed} come with a witness, {open} are possible only.\n\n| graph | defective | verdict | warned about | CPU seconds |\n|---|---|---|---|---|\n{rows}"
    );
    println!("{text}");
    document::section("numerics.md", "grist", &text)
}

/// The operations that are warned about, and whether a witness was found.
fn told(path: &Path) -> Result<Vec<(String, bool)>> {
    let model = models::graphdef::open(path)?;
    let lowered = models::graphdef::lower(&model, &path.display().to_string());
    let report = check_program(&lowered.program, &validity::Question::default(), &Question::default());
    let told = report.findings.into_iter().map(|finding| {
        let confirmed = finding.numeric.is_some_and(|numeric| numeric.confirmed);
        (finding.location.node.unwrap_or_default(), confirmed)
    });
    Ok(told.collect())
}
