//! Reads the programs, and asks what is said of them.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One block: a function or class, how it is called, and its text.
pub struct Program {
    pub title: String,
    pub arguments: Vec<String>,
    pub text: String,
}

/// What was found, and what is marked: lines with codes.
pub struct Told {
    pub marked: Vec<(u64, String)>,
    pub found: Vec<(u64, String)>,
    pub confirmed: usize,
    pub witnesses: Vec<Value>,
}

pub fn all(folder: &Path) -> Vec<Program> {
    let entries = std::fs::read_dir(folder).expect("the programs").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    files.sort();
    let mut programs = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for block in text.split("\n## ").skip(1) {
            let heading = block.lines().next().unwrap_or_default();
            let Some((_, rest)) = block.split_once("```python ") else { continue };
            let Some((arguments, rest)) = rest.split_once('\n') else { continue };
            programs.push(Program {
                title: format!("{stem}: {heading}"),
                arguments: arguments.split(' ').map(str::to_owned).collect(),
                text: rest.split("```").next().unwrap_or_default().to_owned(),
            });
        }
    }
    programs
}

impl Program {
    pub fn told(&self, binary: &Path, scratch: &Path) -> Told {
        self.told_with(binary, scratch, &self.arguments[1..])
    }
    /// The same with other arguments.
    pub fn told_with(&self, binary: &Path, scratch: &Path, arguments: &[String]) -> Told {
        let path = scratch.join("program.py");
        std::fs::write(&path, &self.text).expect("writable");
        let output = Command::new(binary)
            .arg("check")
            .arg(format!("{}::{}", path.display(), self.arguments[0]))
            .args(arguments)
            .args(["--numerics", "--output-format", "json"])
            .output()
            .expect("it runs");
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}: {}", self.title, String::from_utf8_lossy(&output.stderr)));
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let mut found: Vec<(u64, String)> = findings
            .iter()
            .map(|finding| {
                let line = finding["location"]["line"].as_u64().unwrap_or(0);
                (line, finding["code"].as_str().unwrap_or_default().to_owned())
            })
            .collect();
        found.sort();
        found.dedup();
        let follows = |line: u64| {
            let text =
                usize::try_from(line).ok().and_then(|line| self.text.lines().nth(line.wrapping_sub(1)));
            text.is_some_and(|text| text.contains("# follows: "))
        };
        found.retain(|(line, _)| !follows(*line));
        let marks = self.text.lines().enumerate().filter_map(|(at, line)| {
            let (_, code) = line.split_once("# numeric: ")?;
            Some((at as u64 + 1, code.trim().to_owned()))
        });
        let confirmed = findings.iter().filter(|finding| finding["confidence"] == "confirmed").count();
        let witnesses =
            findings.iter().map(|finding| finding["witness"].clone()).filter(|each| !each.is_null());
        Told { marked: marks.collect(), found, confirmed, witnesses: witnesses.collect() }
    }
}
