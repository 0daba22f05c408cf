//! The graphs of layers that ExAIS was tried on: valid ones must evaluate to what TensorFlow computed, invalid ones
//! must be refused at the recorded layer.

mod recorded;
mod rows;

use crate::{data, document};
use anyhow::{Context, Result};
use engines::badness::FaultClass;
use engines::evaluate::{Bound, Mode};
use engines::run::{Runner, Why};
use flate2::read::GzDecoder;
use rows::Row;
use semantics::array::Array;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};

/// TensorFlow's results are written with seven decimals, so half of the last one is not known.
const WRITTEN: f64 = 0.5e-7;

/// How the ids of graphs begin on which the authors saw their results differ from TensorFlow's.
const RECORDED_AS_FAILED: &str = "failed_test_";

pub fn run() -> Result<()> {
    let Some(folder) = data::shared().map(|folder| folder.join("exais")).filter(|folder| folder.is_dir())
    else {
        println!("SKIPPED: exais is not there (TENSORVET_DATA names its folder)");
        return Ok(());
    };
    let mut text = String::from("## Graphs of Keras layers\n\n`cargo xtask conformance exais`\n\n");
    let (mut agree, mut graphs, mut wrong, mut explained) = (0, 0, Vec::new(), Vec::new());
    for row in read(&folder.join("valid_2000.jsonl.gz"))? {
        graphs += 1;
        match valid(&row, row.expected.as_ref()) {
            Ok(()) => agree += 1,
            Err(why) => wrong.push((row.id.clone(), why)),
        }
        if row.id.starts_with(RECORDED_AS_FAILED) {
            explained.push(explained_failure(row));
        }
    }
    let _ = writeln!(
        text,
        "Valid graphs: {agree} of {graphs} evaluate to what TensorFlow computed, within its seven decimals and our bound.\n"
    );
    for (id, why) in &wrong {
        let _ = writeln!(text, "- {id}: {why}");
    }
    if !explained.is_empty() {
        let _ = writeln!(
            text,
            "Graphs on which ExAIS and TensorFlow were recorded to differ:\n\n{}",
            explained.join("\n")
        );
    }
    let (mut blamed, mut refused, mut classed, mut bugs) = (0, 0, 0, 0);
    for row in read(&folder.join("invalid_50.jsonl.gz"))? {
        bugs += 1;
        match outcome(&row) {
            Ok(_) => {
                let _ = writeln!(text, "- {}: accepted; recorded: {}", row.id, row.fault);
            }
            Err(Refusal { layer, why, class }) => {
                refused += 1;
                let right = row.fault.split(':').next() == Some(layer.as_str());
                blamed += usize::from(right);
                let recorded = [recorded::exais(&row.fault), recorded::tensorflow(&row.their_fault)];
                let is_class = class.is_some() && recorded.contains(&class);
                classed += usize::from(is_class);
                if !right || !is_class {
                    let class = class.map_or("no class", FaultClass::name);
                    let _ = writeln!(
                        text,
                        "- {}: blamed {layer} ({class}: {why}); recorded: {}; {}",
                        row.id, row.fault, row.their_fault
                    );
                }
            }
        }
    }
    let _ = writeln!(
        text,
        "\nInvalid graphs: {refused} of {bugs} refused, {blamed} at the recorded layer, {classed} for a fault of one of the two recorded classes."
    );
    println!("{text}");
    document::section("conformance.md", "exais", &text)
}

fn read(path: &std::path::Path) -> Result<Vec<Row>> {
    let file = std::fs::File::open(path).with_context(|| format!("opening {}", path.display()))?;
    BufReader::new(GzDecoder::new(file)).lines().map(|line| Row::parse(&line?)).collect()
}

/// The layer that has no output, why, and what kind of fault that is.
struct Refusal {
    layer: String,
    why: String,
    class: Option<FaultClass>,
}

impl Refusal {
    fn undecided(why: String) -> Refusal {
        Refusal { layer: String::new(), why, class: None }
    }
}

/// The output of the last layer with its bounds.
fn outcome(row: &Row) -> Result<(Array, Vec<f64>), Refusal> {
    let program = row.program().map_err(|error| Refusal::undecided(error.to_string()))?;
    let mut runner = Runner::new(&program, Mode::Bounded);
    runner.run(&mut |_, _| {}).map_err(|error| {
        let (why, class) = match &error.why {
            Why::Violated { category, label, .. } => (label.clone(), Some(FaultClass::of(*category, label))),
            other => (format!("not decided: {other}"), None),
        };
        Refusal { layer: error.node.clone(), why, class }
    })?;
    let reading =
        runner.value(program.graph.outputs[0]).map_err(|why| Refusal::undecided(why.to_string()))?;
    let bounds = match &reading.bound {
        Bound::Float(bounds) => bounds.to_vec(),
        _ => vec![0.0; reading.array.len()],
    };
    Ok((reading.array.clone(), bounds))
}

/// What sets apart the two results that were recorded: tried, not believed.
fn explained_failure(row: Row) -> String {
    let id = row.id.clone();
    let (Some(theirs), Some(computed)) = (row.expected.clone(), row.computed.clone()) else {
        return format!("- {id}: results are missing");
    };
    let pairs = theirs.as_floats().into_iter().flatten().zip(computed.as_floats().into_iter().flatten());
    let apart = pairs.filter(|(x, y)| (*x - *y).abs() > 1e-6).count();
    let ours = match valid(&row, Some(&theirs)) {
        Ok(()) => "we compute what TensorFlow does",
        Err(_) => "we compute something else than TensorFlow",
    };
    let why = match valid(&row.unmasked(), Some(&computed)) {
        Ok(()) => {
            "ExAIS's result is that of a Masking that finds nothing: in float32 all features of a step come out as the masked value exactly, in its arithmetic they do not"
        }
        Err(_) => "and that is not explained by Masking",
    };
    format!("- {id}: {apart} of {} elements differ; {ours}; {why}.", theirs.len())
}

fn valid(row: &Row, expected: Option<&Array>) -> Result<(), String> {
    let (ours, bounds) = outcome(row).map_err(|refusal| format!("{}: {}", refusal.layer, refusal.why))?;
    let theirs = expected.ok_or("no result is recorded")?;
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
