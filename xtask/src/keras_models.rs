//! `truth keras-models`: small models that Keras saved, read by us with their weights and run, compared with what
//! Keras predicts; and files whose weights do not fit, which both must refuse.

use crate::{data, document, frameworks};
use anyhow::{Context, Result};
use arrays::npy::NpzFile;
use engines::evaluate::{Mode, compare};
use engines::run::Runner;
use engines::validity::{self, Question};
use program::ir::{Declared, Program};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// `[--made FOLDER]`: with models that were made before.
pub fn run(arguments: &[&str]) -> Result<()> {
    let (folder, list) = match arguments {
        ["--made", folder] => {
            let folder = PathBuf::from(folder);
            let list = std::fs::read_to_string(folder.join("list.txt"))?;
            (folder, list)
        }
        [] => {
            let Some(python) = frameworks::python()? else { return Ok(()) };
            let folder = data::scratch("keras-models")?;
            let list = frameworks::truth(&python, "keras_models.py", &[&folder.display().to_string()])?;
            std::fs::write(folder.join("list.txt"), &list)?;
            (folder, list)
        }
        other => anyhow::bail!("`{}` is no option of truth keras-models", other.join(" ")),
    };
    let (mut text, mut agree, mut files) = (String::new(), 0, 0);
    let (mut judged, mut right) = (0, 0);
    for line in list.lines() {
        let mut words = line.split(' ');
        let (kind, name) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if kind == "model" {
            for ending in ["keras", "h5"] {
                let path = folder.join(format!("{name}.{ending}"));
                if !path.is_file() {
                    continue;
                }
                files += 1;
                let outcome = evaluated(&path, &folder.join(format!("{name}.npz")));
                agree += usize::from(outcome.is_ok());
                let told = outcome.unwrap_or_else(|why| format!("**{why}**"));
                let _ = writeln!(text, "| `{name}.{ending}` | {told} |");
            }
        } else {
            judged += 1;
            let findings = found(&folder.join(format!("{name}.keras")))?;
            let same = (kind == "refused") == findings.iter().any(|(is_error, _)| *is_error);
            right += usize::from(same);
            let told = findings.first().map_or("nothing found", |(_, message)| message);
            let mark = if same { "" } else { "**another verdict:** " };
            let _ = writeln!(
                text,
                "| `{name}.keras`, {} by Keras | {mark}{told} |",
                if kind == "refused" { "refused" } else { "taken" }
            );
        }
    }
    let text = format!(
        "## Keras models with their weights\n\n`cargo xtask truth keras-models`: small models that Keras saved in each of its formats, run by our definitions on the stored weights; and archives whose weights were changed.\n\n{agree} of {files} files give what Keras predicts, within our bound. {right} of {judged} changed archives are judged as Keras does.\n\n| file | largest error by its bound, or what is said of it |\n|---|---|\n{text}"
    );
    println!("{text}");
    document::section("conformance.md", "keras-models", &text)
}

/// The largest error of an output by its bound; or why nothing can be compared.
pub fn evaluated(path: &Path, recorded: &Path) -> Result<String, String> {
    let model = models::keras::open(path).map_err(|error| error.message)?;
    let program = &model.program;
    let mut recorded = NpzFile::open(recorded).map_err(|error| error.message)?;
    let mut runner = Runner::new(program, Mode::Bounded);
    for (k, &input) in program.graph.inputs.iter().enumerate() {
        let array = recorded.read(&format!("input_{k}")).map_err(|error| error.message)?;
        runner.give(input, array.to_array(declared(program, input))?);
    }
    runner.run(&mut |_, _| {}).map_err(|error| error.to_string())?;
    let mut worst: f64 = 0.0;
    for (k, &output) in program.graph.outputs.iter().enumerate() {
        let theirs = recorded.read(&format!("output_{k}")).map_err(|error| error.message)?;
        let ours = runner.value(output).map_err(|why| why.to_string())?;
        let theirs = theirs.to_array(Some(ours.array.kind))?;
        if ours.array.shape != theirs.shape || ours.array.kind != theirs.kind {
            let (ours, theirs) = ((ours.array.kind, &ours.array.shape), (theirs.kind, &theirs.shape));
            return Err(format!("output {k} is {ours:?} instead of {theirs:?}"));
        }
        let comparison = compare(&ours, &theirs);
        if !comparison.agrees() {
            return Err(format!("output {k} differs: {:?}", comparison.worst));
        }
        if comparison.largest_error > 0.0 {
            worst = worst.max(comparison.largest_error / comparison.largest_bound);
        }
    }
    Ok(format!("{worst:.3}"))
}

fn declared(program: &Program, value: program::ir::ValueId) -> Option<semantics::dtype::Kind> {
    match program.declared(value) {
        Some(Declared::Tensor { kind, .. }) => *kind,
        _ => None,
    }
}

/// What is said of a file: whether it is an error, and the message.
pub fn found(path: &Path) -> Result<Vec<(bool, String)>> {
    let model = models::keras::open(path).with_context(|| format!("reading {}", path.display()))?;
    let answer = validity::check(&model.program, &Question::default());
    let errors = answer.findings.into_iter().map(|finding| (true, finding.message));
    Ok(errors.chain(model.remarks.into_iter().map(|remark| (false, remark.message))).collect())
}
