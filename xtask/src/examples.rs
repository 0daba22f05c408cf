//! pytorch/examples: every program is checked, and errors that are put into the best known ones are found.

mod inject;

use crate::{data, document, survival};
use anyhow::{Context, Result, bail};
use inject::Injected;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The programs that PyTea was shown on: the file to start, and what it cannot run without.
pub const KNOWN: [(&str, &[&str]); 12] = [
    ("dcgan/main.py", &["--dataset", "fake"]),
    (
        "fast_neural_style/neural_style/neural_style.py",
        &["train", "--dataset", "images", "--save-model-dir", "models"],
    ),
    ("imagenet/main.py", &[]),
    ("legacy/snli/train.py", &[]),
    ("mnist/main.py", &[]),
    ("mnist_hogwild/main.py", &[]),
    ("reinforcement_learning/actor_critic.py", &[]),
    ("reinforcement_learning/reinforce.py", &[]),
    ("super_resolution/main.py", &["--upscale_factor", "3"]),
    ("time_sequence_prediction/train.py", &[]),
    ("vae/main.py", &[]),
    ("word_language_model/main.py", &[]),
];

/// What other programs cannot run without.
const OPTIONS: [(&str, &[&str]); 1] =
    [("distributed/rpc/parameter_server/rpc_parameter_server.py", &["--world_size", "3", "--rank", "1"])];

pub fn run(arguments: &[&str]) -> Result<()> {
    let Some(folder) = folder(arguments) else {
        println!("SKIPPED: name the folder of a checkout of pytorch/examples, or set PYTORCH_EXAMPLES");
        return Ok(());
    };
    // A binary that is there already can be named.
    let binary = std::env::var_os("TENSORVET").map_or_else(survival::build, |binary| Ok(binary.into()))?;
    let checker = Checker { binary };
    let mut text = String::from(
        "## pytorch/examples\n\n`cargo xtask examples DIR`: each program unedited, with the options it cannot run without.\n\n",
    );
    text.push_str("| program | verdict | errors | calls verified | failed | not decided | seconds | first of what was not decided |\n|---|---|---|---|---|---|---|---|\n");
    let mut alarms = Vec::new();
    let mut verified = 0;
    for (file, arguments) in programs(&folder)? {
        let checked = checker.check(&folder.join(&file), &arguments)?;
        if checked.errors > 0 {
            alarms.push(file.clone());
        }
        verified += usize::from(checked.verdict == "verified" && is_known(&file));
        // Where the checkout stands is nobody's business.
        let home = format!("{}/", std::path::absolute(&folder)?.display());
        let (calls, reason) = (checked.calls, checked.reason.replace(&home, "").replace('|', "\\|"));
        let line = format!(
            "| {file} | {} | {} | {} | {} | {} | {:.2} | {reason} |",
            checked.verdict, checked.errors, calls[0], calls[1], calls[2], checked.seconds
        );
        println!("{line}");
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(
        text,
        "\n{verified} of PyTea's {} programs are verified to the last call; {} programs have errors.\n",
        KNOWN.len(),
        alarms.len()
    );
    text.push_str("Errors put in, one before the loss and one inside the model:\n\n| program | where | change | told |\n|---|---|---|---|\n");
    let mut missed = 0;
    for (file, arguments) in KNOWN {
        for injected in inject::into(&folder, file)? {
            let is_told = checker.finds(&folder, file, arguments, &injected)?;
            missed += usize::from(!is_told);
            let word = if is_told { "yes" } else { "**no**" };
            let line = format!(
                "| {file} | {}:{} | `{}` | {word} |",
                injected.file,
                injected.line,
                injected.change.replace('|', "\\|")
            );
            println!("{line}");
            let _ = writeln!(text, "{line}");
        }
    }
    document::section("pytorch.md", "examples", &text)?;
    if !alarms.is_empty() || missed > 0 {
        bail!(
            "{} programs have errors that are none: {}; {missed} errors were not told",
            alarms.len(),
            alarms.join(", ")
        );
    }
    Ok(())
}

/// The checkout that the user names, if it is one.
pub fn folder(arguments: &[&str]) -> Option<PathBuf> {
    let named =
        arguments.first().map(PathBuf::from).or_else(|| std::env::var_os("PYTORCH_EXAMPLES").map(Into::into));
    named.filter(|folder| folder.join("mnist/main.py").is_file())
}

fn is_known(file: &str) -> bool {
    KNOWN.iter().any(|(known, _)| *known == file)
}

/// All programs of a checkout, the known ones with their options first.
fn programs(folder: &Path) -> Result<Vec<(String, Vec<&'static str>)>> {
    let mut found: Vec<(String, Vec<&str>)> =
        KNOWN.iter().map(|(file, arguments)| ((*file).to_owned(), arguments.to_vec())).collect();
    let mut files = Vec::new();
    survival::collect(folder, &mut files)?;
    files.sort();
    for path in files {
        let name = path.strip_prefix(folder)?.display().to_string();
        let is_program = std::fs::read_to_string(&path)?.contains("__main__") || name.ends_with("main.py");
        if is_program && !is_known(&name) {
            let options = OPTIONS.iter().find(|(file, _)| *file == name).map(|(_, options)| options.to_vec());
            found.push((name, options.unwrap_or_default()));
        }
    }
    Ok(found)
}

struct Checker {
    binary: PathBuf,
}

struct Checked {
    verdict: String,
    errors: u64,
    /// Verified, failed and not decided.
    calls: [u64; 3],
    reason: String,
    seconds: f64,
    /// The files and lines of errors and warnings, and of the calls that led to them.
    places: Vec<(String, u64)>,
}

impl Checker {
    fn check(&self, file: &Path, arguments: &[&str]) -> Result<Checked> {
        let folder = file.parent().context("a program is in a folder")?;
        let name = file.file_name().context("a program has a name")?;
        let start = Instant::now();
        let output = Command::new(&self.binary)
            .args(["check", "--output-format", "json"])
            .arg(name)
            .arg("--")
            .args(arguments)
            .current_dir(folder)
            .output()?;
        let seconds = start.elapsed().as_secs_f64();
        let told: Value = serde_json::from_slice(&output.stdout)
            .with_context(|| format!("{}: {}", file.display(), String::from_utf8_lossy(&output.stderr)))?;
        let (summary, findings) =
            (&told["summary"], told["findings"].as_array().cloned().unwrap_or_default());
        let call = |word: &str| summary["calls"][word].as_u64().unwrap_or(0);
        let grave = findings.iter().filter(|finding| finding["severity"] != "note");
        let places = grave.flat_map(|finding| {
            let stack = finding["stack"].as_array().cloned().unwrap_or_default();
            std::iter::once(finding["location"].clone()).chain(stack)
        });
        let reason = summary["unknowns"].as_array().and_then(|unknowns| unknowns.first());
        Ok(Checked {
            verdict: summary["verdict"].as_str().unwrap_or("?").to_owned(),
            errors: summary["errors"].as_u64().unwrap_or(0),
            calls: [call("verified"), call("failed"), call("unknown")],
            reason: reason
                .map(|reason| reason["reason"].as_str().unwrap_or("").to_owned())
                .unwrap_or_default(),
            seconds,
            places: places
                .map(|place| {
                    let file = place["file"].as_str().unwrap_or("").trim_start_matches("./").to_owned();
                    (file, place["line"].as_u64().unwrap_or(0))
                })
                .collect(),
        })
    }

    /// Whether an error that was put into a copy of a program is told at its line.
    fn finds(&self, folder: &Path, file: &str, arguments: &[&str], injected: &Injected) -> Result<bool> {
        let source = folder.join(file).parent().context("a program is in a folder")?.to_owned();
        let copy = data::scratch("examples")?.join("program");
        if copy.exists() {
            std::fs::remove_dir_all(&copy)?;
        }
        std::fs::create_dir_all(&copy)?;
        for entry in std::fs::read_dir(&source)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "py") {
                std::fs::copy(&path, copy.join(path.file_name().context("a file has a name")?))?;
            }
        }
        std::fs::write(copy.join(&injected.file), &injected.text)?;
        let start = Path::new(file).file_name().context("a program has a name")?;
        let checked = self.check(&copy.join(start), arguments)?;
        Ok(checked.places.iter().any(|(file, line)| *file == injected.file && injected.lines.contains(line)))
    }
}
