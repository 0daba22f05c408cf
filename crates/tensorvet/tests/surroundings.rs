//! What is around a Python program: its command line, its configuration, libraries that have no say.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes the files into a folder of their own, checks the first, and gives the exit code and the report.
fn check(test: &str, files: &[(&str, &str)], arguments: &[&str]) -> (i32, String) {
    let folder: PathBuf = std::env::temp_dir().join(format!("tensorvet-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("writable");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["check", "--color", "never", "--z3", "off", files[0].0])
        .args(arguments)
        .output()
        .expect("the binary runs");
    std::fs::remove_dir_all(Path::new(&folder)).expect("removable");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

const OPTIONS: &str = "import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument('--features', type=int, default=4)
args = parser.parse_args()
layer = torch.nn.Linear(4, 2)
layer(torch.zeros(3, args.features))
";

#[test]
fn options_are_read_from_the_command_line() {
    let (code, text) = check("defaults", &[("train.py", OPTIONS)], &[]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = check("given", &[("train.py", OPTIONS)], &["--", "--features", "5"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("train.py:6:"), "{text}");
}

#[test]
fn configuration_files_are_read() {
    let program = "import json, yaml, torch
with open('model.yaml') as file:
    config = yaml.safe_load(file)
config.update(json.load(open('more.json')))
layer = torch.nn.Linear(config['in'], config['out'])
layer(torch.zeros(3, 7))
";
    let files = [("train.py", program), ("model.yaml", "in: 8\nlr: 1e-3\n"), ("more.json", "{\"out\": 2}")];
    let (code, text) = check("configuration", &files, &[]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("train.py:6:") && text.contains("[3, 7]"), "{text}");
    let right = program.replace("(3, 7)", "(3, 8)");
    let files = [("train.py", right.as_str()), files[1], files[2]];
    let (code, text) = check("configured", &files, &[]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn what_has_no_say_does_not_matter() {
    let program = "import wandb, matplotlib.pyplot as plt, torch
from tqdm import tqdm
wandb.init(project='x')
layer = torch.nn.Linear(4, 2)
for step in tqdm(range(3)):
    out = layer(torch.zeros(3, 4))
    wandb.log({'loss': out.sum()})
    plt.plot([1, 2])
";
    let (code, text) = check("harmless", &[("train.py", program)], &[]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("verified") && !text.contains("not decided"), "{text}");
}

#[test]
fn errors_that_the_program_handles_are_none() {
    let program = "import torch
layer = torch.nn.Linear(4, 2)
try:
    layer(torch.zeros(3, 5))
except RuntimeError:
    pass
try:
    [1][4]
except IndexError:
    pass
";
    let (code, text) = check("handled", &[("train.py", program)], &[]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn what_is_raised_where_something_unknown_is_so_is_no_finding() {
    let program = "import some_library
if not some_library.is_ready():
    raise RuntimeError('not ready')
x = some_library.table()
assert x is not None, 'no table'
for name, value in x.items():
    print(f'{name}: {value:.3f}')
a, b = x.shape
";
    let (code, text) = check("defensive", &[("train.py", program)], &[]);
    assert_eq!(code, 0, "{text}");
}
