//! The graphs of layers that ExAIS was tried on: valid ones must evaluate to what TensorFlow computed, invalid ones
//! must be refused at the recorded layer.

mod rows;

use crate::{data, document};
use anyhow::{Context, Result};
use engines::evaluate::{Bound, Mode};
use engines::run::{Runner, Why};
use flate2::read::GzDecoder;
use rows::Row;
use semantics::array::Array;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};

/// TensorFlow's results are written with seven decimals, so half of the last one is not known.
const WRITTEN: f64 = 0.5e-7;

pub fn run() -> Result<()> {
    let Some(folder) = data::shared().map(|folder| folder.join("exais")).filter(|folder| folder.is_dir())
    else {
        println!("SKIPPED: exais is not there (TENSORVET_DATA names its folder)");
        return Ok(());
    };
    let mut text = String::from("## Graphs of Keras layers\n\n`cargo xtask conformance exais`\n\n");
    let (mut agree, mut graphs, mut wrong) = (0, 0, Vec::new());
    for row in read(&folder.join("valid_2000.jsonl.gz"))? {
        graphs += 1;
        match valid(&row) {
            Ok(()) => agree += 1,
            Err(why) => wrong.push((row.id.clone(), why)),
        }
    }
    let known = wrong.iter().filter(|(id, _)| id.starts_with("failed_test_")).count();
    let _ = writeln!(
        text,
        "Valid graphs: {agree} of {graphs} evaluate to what TensorFlow computed, within its seven decimals and our bound; {known} of the others are disagreements that the authors recorded.\n"
    );
    for (id, why) in &wrong {
        let _ = writeln!(text, "- {id}: {why}");
    }
    let (mut blamed, mut refused, mut bugs) = (0, 0, 0);
    for row in read(&folder.join("invalid_50.jsonl.gz"))? {
        bugs += 1;
        match outcome(&row) {
            Ok(_) => {
                let _ = writeln!(text, "- {}: accepted; recorded: {}", row.id, row.fault);
            }
            Err((layer, why)) => {
                refused += 1;
                let right = row.fault.split(':').next() == Some(layer.as_str());
                blamed += usize::from(right);
                if !right {
                    let _ = writeln!(text, "- {}: blamed {layer} ({why}); recorded: {}", row.id, row.fault);
                }
            }
        }
    }
    let _ = writeln!(text, "\nInvalid graphs: {refused} of {bugs} refused, {blamed} at the recorded layer.");
    println!("{text}");
    document::section("conformance.md", "exais", &text)
}

fn read(path: &std::path::Path) -> Result<Vec<Row>> {
    let file = std::fs::File::open(path).with_context(|| format!("opening {}", path.display()))?;
    BufReader::new(GzDecoder::new(file)).lines().map(|line| Row::parse(&line?)).collect()
}

/// The output of the last layer with its bounds, or the layer that has none and why.
fn outcome(row: &Row) -> Result<(Array, Vec<f64>), (String, String)> {
    let program = row.program().map_err(|error| (String::new(), error.to_string()))?;
    let mut runner = Runner::new(&program, Mode::Bounded);
    runner.run(&mut |_, _| {}).map_err(|error| {
        let why = match &error.why {
            Why::Violated { label, .. } => label.clone(),
            other => format!("not decided: {other}"),
        };
        (error.node.clone(), why)
    })?;
    let reading = runner.value(program.graph.outputs[0]).map_err(|why| (String::new(), why.to_string()))?;
    let bounds = match &reading.bound {
        Bound::Float(bounds) => bounds.to_vec(),
        _ => vec![0.0; reading.array.len()],
    };
    Ok((reading.array.clone(), bounds))
}

fn valid(row: &Row) -> Result<(), String> {
    let (ours, bounds) = outcome(row).map_err(|(layer, why)| format!("{layer}: {why}"))?;
    let theirs = row.expected.as_ref().ok_or("no result is recorded")?;
    if ours.shape != theirs.shape {
        return Err(format!("shape {:?} instead of {:?}", ours.shape, theirs.shape));
    }
    let (Some(ours), Some(theirs)) = (ours.as_floats(), theirs.as_floats()) else {
        return Err("no floats".into());
    };
    for ((x, y), bound) in ours.iter().zip(theirs).zip(bounds) {
        // A number beyond seven digits before the point is written with the digits a float64 has.
        let unknown = WRITTEN.max(y.abs() * f64::EPSILON);
        if (x - y).abs() > bound + unknown {
            return Err(format!("{x} instead of {y}, with a bound of {bound:e}"));
        }
    }
    Ok(())
}
