//! Bar 5 of reading Python: what a cold check costs, against importing PyTorch alone, and how the cost grows with the
//! number of layers.

use crate::{data, document, examples, frameworks, survival};
use anyhow::{Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How often each command is run.
const TIMES: usize = 5;
/// A check takes at most this part of `import torch`.
const PART: f64 = 20.0;
const MOST_MEGABYTES: f64 = 100.0;
const LAYERS: [usize; 4] = [10, 100, 1000, 10_000];
/// Ten times the layers may cost this many times as much.
const GROWTH: f64 = 12.0;

/// The programs of the curves: what they are, and their text for a number of layers.
type Growing = (&'static str, fn(usize) -> String);
const GROWING: [Growing; 3] = [
    ("`nn.Sequential` of layers that a loop makes", looped),
    ("a class with an attribute and a line of `forward` per layer", written_out),
    ("a line per operation, without classes", straight),
];

/// `[FOLDER]`: a checkout of pytorch/examples.
pub fn run(arguments: &[&str]) -> Result<()> {
    let Some(python) = frameworks::python()? else { return Ok(()) };
    let binary = std::env::var_os("TENSORVET").map_or_else(survival::build, |binary| Ok(binary.into()))?;
    let meter = Meter { python, binary };
    let mut missed = Vec::new();
    let mut text = String::from(HEAD);
    match examples::folder(arguments) {
        Some(folder) => meter.examples(&folder, &mut text, &mut missed)?,
        None => {
            println!("SKIPPED: name the folder of a checkout of pytorch/examples, or set PYTORCH_EXAMPLES")
        }
    }
    meter.curves(&mut text, &mut missed)?;
    for problem in &missed {
        let _ = writeln!(text, "- NOT MET: {problem}");
    }
    println!("{text}");
    document::section("benchmarks.md", "python", &text)?;
    if missed.is_empty() { Ok(()) } else { bail!("{} bars are not met", missed.len()) }
}

const HEAD: &str = "## PyTorch programs\n\n\
    `cargo xtask speed DIR`: CPU milliseconds (user and system, median of five processes) and peak memory of \
    `tensorvet check FILE`, from the start of the process to its end.\n\n";

struct Meter {
    python: PathBuf,
    binary: PathBuf,
}

/// CPU milliseconds, and the peak of memory in MB.
struct Cost {
    milliseconds: f64,
    megabytes: f64,
}

impl Meter {
    fn examples(&self, folder: &Path, text: &mut String, missed: &mut Vec<String>) -> Result<()> {
        text.push_str(
            "Each program is measured in turn with `import torch` alone, since the speed of a machine changes; the \
             part is the median of what each pair gives.\n\n\
             | program of pytorch/examples | ms | `import torch` | part of it | MB |\n|---|---|---|---|---|\n",
        );
        for (file, arguments) in examples::KNOWN {
            let path = folder.join(file).display().to_string();
            let (cost, import, part) = self.beside_import(&path, arguments)?;
            let _ = writeln!(
                text,
                "| {file} | {:.0} | {import:.0} | 1/{part:.0} | {:.0} |",
                cost.milliseconds, cost.megabytes
            );
            if part < PART {
                missed.push(format!("{file} takes more than 1/{PART} of `import torch`"));
            }
            if cost.megabytes > MOST_MEGABYTES {
                missed.push(format!("{file} takes more than {MOST_MEGABYTES} MB"));
            }
        }
        text.push('\n');
        Ok(())
    }

    fn curves(&self, text: &mut String, missed: &mut Vec<String>) -> Result<()> {
        let folder = data::scratch("speed")?;
        let columns = LAYERS.map(|layers| format!("{layers} layers")).join(" | ");
        let _ = writeln!(text, "| program | {columns} |\n|---|{}", "---|".repeat(LAYERS.len()));
        for (what, program) in GROWING {
            let mut costs = Vec::new();
            for layers in LAYERS {
                let file = folder.join(format!("layers{layers}.py"));
                std::fs::write(&file, program(layers))?;
                costs.push(self.check(TIMES, &file.display().to_string(), &[])?);
            }
            let cells: Vec<String> = costs
                .iter()
                .map(|cost| format!("{:.0} ms, {:.0} MB", cost.milliseconds, cost.megabytes))
                .collect();
            let _ = writeln!(text, "| {what} | {} |", cells.join(" | "));
            if let [.., thousands, most] = costs.as_slice()
                && most.milliseconds > GROWTH * thousands.milliseconds
            {
                missed.push(format!(
                    "{what}: the cost of ten times the layers is more than {GROWTH} times as high"
                ));
            }
        }
        text.push('\n');
        Ok(())
    }

    /// What a check costs, what `import torch` does, and the latter by the former.
    fn beside_import(&self, file: &str, arguments: &[&str]) -> Result<(Cost, f64, f64)> {
        let python = self.python.display().to_string();
        let (mut checks, mut imports, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..TIMES {
            let import = self.cost(1, &[&python, "-c", "import torch"])?.milliseconds;
            let check = self.check(1, file, arguments)?;
            parts.push(import / check.milliseconds);
            imports.push(import);
            checks.push(check);
        }
        checks.sort_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
        Ok((checks.swap_remove(TIMES / 2), median(imports), median(parts)))
    }
    fn check(&self, times: usize, file: &str, arguments: &[&str]) -> Result<Cost> {
        let binary = self.binary.display().to_string();
        self.cost(times, &[&[&binary, "check", file, "--"], arguments].concat())
    }
    fn cost(&self, times: usize, command: &[&str]) -> Result<Cost> {
        let times = times.to_string();
        let told = frameworks::truth(&self.python, "measured.py", &[&[times.as_str()], command].concat())?;
        let numbers: Vec<f64> = told.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let [seconds, megabytes] = numbers[..] else { bail!("measuring {command:?} gave {told:?}") };
        Ok(Cost { milliseconds: seconds * 1000.0, megabytes })
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// Layers made by a loop, two in each round.
fn looped(layers: usize) -> String {
    format!(
        "import torch\nfrom torch import nn\n\nlayers = []\nfor _ in range({}):\n    \
         layers.append(nn.Linear(64, 64))\n    layers.append(nn.ReLU())\n\
         model = nn.Sequential(*layers)\nprint(model(torch.randn(8, 64)).shape)\n",
        layers / 2
    )
}

fn written_out(layers: usize) -> String {
    let mut text = String::from(
        "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n",
    );
    for layer in 0..layers {
        let _ = writeln!(text, "        self.layer{layer} = nn.Linear(64, 64)");
    }
    text.push_str("\n    def forward(self, x):\n");
    for layer in 0..layers {
        let _ = writeln!(text, "        x = torch.relu(self.layer{layer}(x))");
    }
    text.push_str("        return x\n\n\nprint(Net()(torch.randn(8, 64)).shape)\n");
    text
}

fn straight(layers: usize) -> String {
    let mut text = String::from("import torch\n\nx0 = torch.randn(8, 64)\nw = torch.randn(64, 64)\n");
    for layer in 0..layers {
        let _ = writeln!(text, "x{} = torch.relu(x{layer} @ w)", layer + 1);
    }
    let _ = writeln!(text, "print(x{layers}.shape)");
    text
}
