//! The labelled sites: how each is checked, and what is told of it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A function or a graph with labelled lines or nodes.
pub struct Sites {
    pub set: &'static str,
    pub name: String,
    /// The line of the file, or none for the only node with a label; and whether it is a bug.
    pub labels: Vec<(Option<u64>, bool)>,
    arguments: Vec<String>,
}

/// What was told of one site.
pub struct Told {
    pub is_bug: bool,
    pub line: Option<u64>,
    pub is_reported: bool,
    pub is_confirmed: bool,
    /// The inputs that make it happen.
    pub witness: Value,
}

/// Every labelled function and graph; graphs are written into a folder of their own.
pub fn all(folder: &Path, scratch: &Path) -> Vec<Sites> {
    let mut sites = functions(&folder.join("sites.py"));
    sites.extend(graphs("ONNX", &folder.join("sites.md"), scratch));
    sites.extend(graphs("TensorFlow", &folder.join("graphs.md"), scratch));
    sites
}

fn functions(file: &Path) -> Vec<Sites> {
    let text = std::fs::read_to_string(file).expect("sites.py");
    let lines: Vec<&str> = text.lines().collect();
    let mut sites = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(name) = line.strip_prefix("def ").and_then(|rest| rest.split('(').next()) else { continue };
        let Some(comment) = at.checked_sub(1).and_then(|before| lines[before].strip_prefix("# ")) else {
            continue;
        };
        let mut arguments = vec![format!("{}::{name}", file.display())];
        for part in comment.split("; ") {
            match part.split_once(" in ") {
                Some((input, range)) => {
                    let name = input.split('=').next().unwrap_or_default();
                    arguments.extend([
                        "--input".into(),
                        input.into(),
                        "--range".into(),
                        format!("{name}={range}"),
                    ]);
                }
                None => arguments.push(format!("--{part}")),
            }
        }
        let body = lines[at + 1..].iter().take_while(|line| line.is_empty() || line.starts_with(' '));
        let label = |(below, line): (usize, &&str)| match line.rsplit_once("# ")?.1 {
            "bug" => Some((Some((at + 2 + below) as u64), true)),
            "safe" => Some((Some((at + 2 + below) as u64), false)),
            _ => None,
        };
        let labels = body.enumerate().filter_map(label).collect();
        sites.push(Sites { set: "PyTorch", name: name.to_owned(), labels, arguments });
    }
    sites
}

fn graphs(set: &'static str, file: &Path, scratch: &Path) -> Vec<Sites> {
    let text = std::fs::read_to_string(file).expect("a file of graphs");
    let (fence, ending, head) = match set {
        "ONNX" => ("onnx", "onnxtxt", "<ir_version: 10, opset_import: [\"\" : 20]>\n"),
        _ => ("graphdef", "pbtxt", ""),
    };
    let mut sites = Vec::new();
    for block in text.split("\n## ").skip(1) {
        let (name, rest) = block.split_once(&format!("\n\n```{fence} ")).expect("a block of a graph");
        let (labels, rest) = rest.split_once('\n').expect("a graph");
        let graph = rest.split("```").next().unwrap_or_default();
        let path: PathBuf = scratch.join(format!("{}.{ending}", name.replace([' ', ','], "_")));
        std::fs::write(&path, format!("{head}{graph}")).expect("a place for graphs");
        let mut words = labels.split(' ');
        let is_bug = words.next() == Some("bug");
        let mut arguments = vec![path.display().to_string()];
        arguments.extend(words.flat_map(|range| ["--range".to_owned(), range.to_owned()]));
        sites.push(Sites { set, name: name.to_owned(), labels: vec![(None, is_bug)], arguments });
    }
    sites
}

/// Whether a node is the labelled one, in a loop or not, or a part of it.
fn is_site(node: &str) -> bool {
    node.split('/').any(|scope| scope == "site")
}

impl Sites {
    /// What the program says of each label.
    pub fn told(&self, binary: &Path) -> Vec<Told> {
        self.told_with(binary, &self.arguments)
    }
    /// What it is checked with: the file, and inputs with their ranges.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }
    /// The same with other arguments.
    pub fn told_with(&self, binary: &Path, arguments: &[String]) -> Vec<Told> {
        let mut command = Command::new(binary);
        let output = command
            .arg("check")
            .args(arguments)
            .args(["--numerics", "--output-format", "json"])
            .output()
            .expect("it runs");
        let answer: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}: {}", self.name, String::from_utf8_lossy(&output.stderr)));
        let findings = answer["findings"].as_array().cloned().unwrap_or_default();
        let of = |line: Option<u64>| {
            findings.iter().find(|finding| match line {
                Some(line) => finding["location"]["line"].as_u64() == Some(line),
                None if self.set == "ONNX" => true,
                None => is_site(finding["location"]["node"].as_str().unwrap_or_default()),
            })
        };
        let told = |&(line, is_bug): &(Option<u64>, bool)| {
            let found = of(line);
            Told {
                is_bug,
                line,
                is_reported: found.is_some(),
                is_confirmed: found.is_some_and(|finding| finding["confidence"] == "confirmed"),
                witness: found.map_or(Value::Null, |finding| finding["witness"].clone()),
            }
        };
        let mut all: Vec<Told> = self.labels.iter().map(told).collect();
        // What is reported where nothing is labelled is a false alarm, too.
        for finding in &findings {
            let line = finding["location"]["line"].as_u64();
            let node = finding["location"]["node"].as_str().unwrap_or_default();
            let is_elsewhere = match self.set {
                "PyTorch" => line.is_some() && !self.labels.iter().any(|(labelled, _)| *labelled == line),
                "TensorFlow" => finding["category"] == "numerical hazard" && !is_site(node),
                _ => false,
            };
            if is_elsewhere {
                let (is_reported, is_confirmed) = (true, finding["confidence"] == "confirmed");
                all.push(Told {
                    is_bug: is_confirmed,
                    line,
                    is_reported,
                    is_confirmed,
                    witness: Value::Null,
                });
            }
        }
        all
    }
}
