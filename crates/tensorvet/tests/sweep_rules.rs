//! What the rules of a framework make of search spaces: layouts, versions, values that are hardly meant, loops.

use std::fs;
use std::process::{Command, Output};

/// A sweep of the function `run` of a program.
fn sweep(test: &str, program: &str, space: &str, arguments: &[&str]) -> Output {
    let folder = std::env::temp_dir().join(format!("tensorvet-rules-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    fs::write(folder.join("model.py"), format!("import torch\nfrom torch import nn\n\n\n{program}"))
        .expect("a temporary file");
    fs::write(folder.join("space.toml"), space).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", "model.py::run", "--space", "space.toml"])
        .args(arguments)
        .output()
        .expect("the binary runs");
    let _ = fs::remove_dir_all(folder);
    output
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The verdicts of all vectors, in their order.
fn verdicts(test: &str, program: &str, space: &str) -> Vec<String> {
    let output = sweep(test, program, space, &["--list", "jsonl"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verdict = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        row["verdict"].as_str().expect("a verdict").to_owned()
    };
    text(&output).lines().map(verdict).collect()
}

#[test]
fn channels_that_fit_by_chance_are_told() {
    let program = "def run(x, moved):\n    if moved:\n        x = x.permute(0, 3, 1, 2)\n    x = nn.Dropout(0.1)(torch.relu(x))\n    return nn.Conv2d(4, 2, 3)(x)\n";
    let space = "[inputs]\nx = \"f32[2,4,4,4]:nchw\"\n[parameters]\n\"x.layout\" = [\"nchw\", \"nhwc\"]\nmoved = [true, false]\n";
    assert_eq!(verdicts("layout", program, space), ["invalid", "valid", "valid", "invalid"]);
    let output = sweep("layout-words", program, space, &[]);
    assert!(text(&output).contains("(unsupported layout)"), "{}", text(&output));
}

#[test]
fn strides_that_skip_data_are_told_apart() {
    let program = "def run(x, kernel, stride):\n    return nn.MaxPool2d(kernel, stride)(nn.Conv2d(3, 2, kernel, stride)(x))\n";
    let space = "[inputs]\nx = \"f32[1,3,9,9]\"\n[parameters]\nkernel = [1, 2]\nstride = [1, 2]\n";
    assert_eq!(verdicts("gaps", program, space), ["valid", "improper", "valid", "valid"]);
    let output = sweep("gaps-words", program, space, &["--improper"]);
    assert!(text(&output).contains("4 vectors, 3 valid, 1 invalid"), "{}", text(&output));
}

#[test]
fn the_version_of_a_framework_selects_its_rules() {
    let program = "def run(x, inputs):\n    return nn.LSTM(inputs, 4)(x)\n";
    let space = |version: &str| {
        format!(
            "framework = \"pytorch\"\nversion = \"{version}\"\n[inputs]\nx = \"f32[3,2,F]\"\n[parameters]\nF = [0, 2]\ninputs = [0, 2]\n"
        )
    };
    assert_eq!(verdicts("new", program, &space("2.15")), ["invalid", "invalid", "invalid", "valid"]);
    assert_eq!(verdicts("old", program, &space("2.5")), ["valid", "invalid", "invalid", "valid"]);
    let output = sweep("version", program, &space("2.5"), &[]);
    assert!(text(&output).contains("by the rules of pytorch 2.5"), "{}", text(&output));
    let other = space("2.5").replace("pytorch", "tensorflow");
    let output = sweep("other", program, &other, &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("imports `torch`: it does not follow the rules of `tensorflow`"), "{told}");
}

#[test]
fn what_came_later_is_not_there_yet() {
    let program = "def run(x, kind):\n    if kind == 'norm':\n        return nn.RMSNorm(4)(x)\n    if kind == 'asked':\n        return nn.RMSNorm(4)(x) if hasattr(nn, 'RMSNorm') else nn.LayerNorm(4)(x)\n    if kind == 'bias':\n        return nn.LayerNorm(4, bias=False)(x)\n    if kind == 'layer':\n        return nn.TransformerEncoderLayer(4, 2, 8)(x)\n    return nn.LSTM(4, 4)(x[0])\n";
    let space = |version: &str| {
        format!(
            "framework = \"pytorch\"\nversion = \"{version}\"\n[inputs]\nx = \"f32[2,3,4]\"\n[parameters]\nkind = [\"norm\", \"asked\", \"bias\", \"layer\", \"unbatched\"]\n"
        )
    };
    let valid = |version: &str| -> Vec<bool> {
        let told = verdicts(&format!("later-{version}"), program, &space(version));
        told.iter().map(|verdict| verdict == "valid").collect()
    };
    assert_eq!(valid("2.15"), [true; 5]);
    assert_eq!(valid("2.3"), [false, true, true, true, true]);
    assert_eq!(valid("2.0"), [false, true, false, true, true]);
    assert_eq!(valid("1.10"), [false, true, false, true, false]);
}

#[test]
fn loops_have_as_many_rounds_as_a_vector_says() {
    // Without a round nothing is asked of the kernel; with some, channels add up.
    let program = "def run(x, layers, kernel, width):\n    channels = 4\n    for _ in range(layers):\n        x = torch.cat([x, nn.Conv2d(channels, 2, kernel)(x)], 1)\n        channels += 2\n    return nn.Conv2d(width, 1, 1)(x)\n";
    let space = "[inputs]\nx = \"f32[1,4,5,5]\"\n[parameters]\nlayers = [0, 1, 2]\nkernel = [1, 3]\nwidth = [4, 6, 8]\n";
    let expected: Vec<&str> = (0..3)
        .flat_map(|layers| [1, 3].map(|kernel| (layers, kernel)))
        .flat_map(|(layers, kernel)| [4, 6, 8].map(|width| (layers, kernel, width)))
        .map(|(layers, kernel, width)| {
            let runs = (layers == 0 || kernel == 1) && width == 4 + 2 * layers;
            if runs { "valid" } else { "invalid" }
        })
        .collect();
    assert_eq!(verdicts("loops", program, space), expected);
}

#[test]
fn what_cannot_be_done_is_told_and_nothing_written() {
    let program = "def run(x, kernel, stride, width):\n    return nn.Conv2d(3, width, kernel, stride)(x)\n";
    let inputs = "[inputs]\nx = \"f32[1,3,9,9]\"\n[parameters]\n";
    for (test, space, arguments, part) in [
        (
            "none",
            format!("requires = [\"kernel > 5\"]\n{inputs}kernel = [1, 2]\nstride = 1\nwidth = 1\n"),
            &[][..],
            "none fulfils `kernel > 5`",
        ),
        (
            "many",
            format!("{inputs}kernel = \"1..3000\"\nstride = \"1..3000\"\nwidth = \"1..3000\"\n"),
            &["--list", "csv"],
            "27,000,000,000 vectors are too many to list",
        ),
        (
            "never",
            format!("{inputs}kernel = [1, 2]\nstride = 1\nwidth = 1\n"),
            &["--check", "kernel=9"],
            "`kernel` is never 9 in the space",
        ),
    ] {
        let output = sweep(test, program, &space, arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains(part), "{told}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

/// The verdicts of all vectors of a whole program, in their order.
fn of_program(test: &str, program: &str, space: &str) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("tensorvet-rules-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    fs::write(folder.join("train.py"), program).expect("a temporary file");
    fs::write(folder.join("space.toml"), space).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", "train.py", "--space", "space.toml", "--list", "jsonl"])
        .output()
        .expect("the binary runs");
    let _ = fs::remove_dir_all(folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verdict = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        row["verdict"].as_str().expect("a verdict").to_owned()
    };
    text(&output).lines().map(verdict).collect()
}

#[test]
fn an_axis_that_goes_away_for_some_vectors_stays_for_the_others() {
    let program = "def run(x, y):\n    return x.squeeze(-1) + y\n";
    let space =
        "[inputs]\nx = \"f32[B,C]\"\ny = \"f32[M]\"\n[parameters]\nB = [1, 4]\nM = [4]\nC = [1, 3, 4]\n";
    let expected = ["valid", "invalid", "valid", "valid", "invalid", "valid"];
    assert_eq!(verdicts("squeeze", program, space), expected);
}

#[test]
fn entries_of_configurations_are_tuned() {
    let layer = "import torch\nfrom torch import nn\n";
    let dictionary = "CONFIG = {\"model\": {\"width\": 4, \"heads\": 2}}\nm = CONFIG[\"model\"]\nnn.MultiheadAttention(m[\"width\"], m[\"heads\"])\n";
    let fields = "from dataclasses import dataclass\n@dataclass\nclass Config:\n    width: int = 4\n    heads: int = 2\nc = Config()\nnn.MultiheadAttention(c.width, c.heads)\n";
    let class =
        "class Config:\n    width = 4\n    heads = 2\nnn.MultiheadAttention(Config.width, Config.heads)\n";
    for (number, program) in [dictionary, fields, class].into_iter().enumerate() {
        let found = of_program(
            &format!("config{number}"),
            &format!("{layer}{program}"),
            "width = [4, 6]\nheads = [2, 3]\n",
        );
        assert_eq!(found, ["valid", "invalid", "valid", "valid"], "{program}");
    }
}

#[test]
fn options_that_a_program_refuses_are_invalid() {
    let program = "import argparse\np = argparse.ArgumentParser()\np.add_argument(\"--kernel\", type=int, default=3, choices=[1, 3])\np.add_argument(\"--width\", type=int, default=3)\na = p.parse_args()\nif a.width > 4:\n    raise SystemExit(2)\nif a.width == 2:\n    raise SystemExit(0)\n";
    let found = of_program("choices", program, "kernel = [1, 2]\nwidth = [2, 5]\n");
    assert_eq!(found, ["valid", "invalid", "invalid", "invalid"]);
}

#[test]
fn an_input_of_which_nothing_is_said_is_asked_for() {
    let program = "class run(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n        self.fc = nn.Linear(4, width)\n    def forward(self, x):\n        return self.fc(x) + x\n";
    let output = sweep("no-inputs", program, "width = [2, 4]\n", &[]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("nothing is said of the input `x`"), "{told}");
    assert_eq!(output.status.code(), Some(2));
}
