//! What a program does with its hyper-parameters on the way: loops of as many rounds as they say, divisions by them, and
//! variables that are called like them.

use std::fs;
use std::process::Command;

/// What `--list` says of all vectors.
fn rows(test: &str, program: &str, space: &str, target: &str) -> Vec<serde_json::Value> {
    let folder = std::env::temp_dir().join(format!("tensorvet-rounds-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    fs::write(folder.join("model.py"), program).expect("a temporary file");
    fs::write(folder.join("space.toml"), space).expect("a temporary file");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", target, "--space", "space.toml", "--list", "jsonl"])
        .output()
        .expect("the binary runs");
    let _ = fs::remove_dir_all(folder);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        assert_ne!(row["verdict"], "unknown", "{line}");
        row
    };
    String::from_utf8_lossy(&output.stdout).lines().map(row).collect()
}

/// The verdicts of all vectors of two numbers, in their order.
fn verdicts(test: &str, program: &str, space: &str, target: &str) -> Vec<(i64, i64, bool)> {
    let row = |row: serde_json::Value| {
        let numbers: Vec<i64> = row["vector"]
            .as_object()
            .expect("a vector")
            .values()
            .map(|value| value.as_i64().expect("a number"))
            .collect();
        (numbers[0], numbers[1], row["verdict"] != "invalid")
    };
    rows(test, program, space, target).into_iter().map(row).collect()
}

const SPACE: &str =
    "[inputs]\nx = \"f32[2,8]\"\n[parameters]\ndepth = [1, 2, 4, 6]\nlimit = [1, 2, 3, 5, 9]\n";

fn function(test: &str, body: &str, runs: fn(i64, i64) -> bool) {
    let program = format!("import torch\nfrom torch import nn\n\n\ndef run(x, depth, limit):\n{body}");
    for (depth, limit, is_valid) in verdicts(test, &program, SPACE, "model.py::run") {
        assert_eq!(is_valid, runs(depth, limit), "{test}: depth {depth}, limit {limit}");
    }
}

#[test]
fn rounds_that_are_not_there_ask_nothing() {
    function(
        "range",
        "    for i in range(depth):\n        shift = 0 if i % 2 == 0 else limit\n        assert shift < 3\n    return x\n",
        |depth, limit| depth == 1 || limit < 3,
    );
}

#[test]
fn later_rounds_of_a_loop_ask_for_what_they_need() {
    function(
        "while",
        "    i = 0\n    while i < depth:\n        assert i < limit\n        i += 1\n    return x\n",
        |depth, limit| depth <= limit,
    );
    function(
        "narrower",
        "    for i in range(depth):\n        x = x[:, 1:]\n        assert x.shape[1] >= limit\n    return x\n",
        |depth, limit| 8 - depth >= limit,
    );
}

#[test]
fn nothing_divides_by_zero() {
    let division = |test: &str, body: &str| {
        let program = format!("import torch\nfrom torch import nn\n\n\ndef run(x, width, ratio):\n{body}");
        let space = SPACE
            .replace("depth = [1, 2, 4, 6]", "width = [8, 9]")
            .replace("limit = [1, 2, 3, 5, 9]", "ratio = [0, 1, 4]");
        verdicts(test, &program, &space, "model.py::run")
    };
    for (width, ratio, is_valid) in division("whole", "    return nn.Linear(width, width // ratio)(x)\n") {
        assert_eq!(is_valid, width == 8 && ratio > 0, "width {width}, ratio {ratio}");
    }
    for (width, ratio, is_valid) in division("rest", "    return x[:, : width % ratio]\n") {
        assert_eq!(is_valid, ratio > 0, "width {width}, ratio {ratio}");
    }
    let dealt_with = "    try:\n        many = width // ratio\n    except ZeroDivisionError:\n        many = 3\n    assert many != 3\n    return x\n";
    for (width, ratio, is_valid) in division("caught", dealt_with) {
        assert_eq!(is_valid, ratio > 0, "width {width}, ratio {ratio}");
    }
}

#[test]
fn a_variable_that_is_computed_is_no_option() {
    let program = "import argparse\nimport torch\nfrom torch import nn\n\nparser = argparse.ArgumentParser(description=__doc__)\nparser.add_argument('--width', type=int, default=16)\nparser.add_argument('--halves', type=int, default=1)\n\n\ndef build(width, halves):\n    layers = [nn.Linear(8, width)]\n    for i in range(halves):\n        layers.append(nn.Linear(width, width // 2))\n        width = width // 2\n    return nn.Sequential(*layers, nn.Linear(4, 1))\n\n\nargs = parser.parse_args()\nbuild(args.width, args.halves)(torch.zeros(2, 8))\n";
    let space = "[parameters]\nhalves = [1, 2, 3]\nwidth = [8, 16, 17, 32]\n";
    for (halves, width, is_valid) in verdicts("option", program, space, "model.py") {
        assert_eq!(is_valid, width >> halves == 4, "halves {halves}, width {width}");
    }
    let program = "import torch\nfrom torch import nn\n\nWIDTH = 16\nSHARE = 2\nWIDTH = WIDTH // SHARE\nnn.Linear(WIDTH, 1)(torch.zeros(2, 8))\n";
    let space = "[parameters]\nSHARE = [1, 2]\nWIDTH = [8, 16]\n";
    for (share, width, is_valid) in verdicts("constant", program, space, "model.py") {
        assert_eq!(is_valid, width / share == 8, "share {share}, width {width}");
    }
}

#[test]
fn indices_that_are_repeated_are_the_same_indices() {
    for (test, made) in [
        ("repeat", "torch.arange(limit).repeat(2, 1)"),
        ("interleave", "torch.arange(limit).repeat_interleave(3)"),
        ("grid", "torch.meshgrid(torch.arange(limit), torch.arange(2), indexing='ij')[0]"),
        ("backwards", "torch.arange(limit - 1, -1, -1)"),
    ] {
        let body = format!("    return nn.Embedding(depth + 2, 4)({made})\n");
        function(test, &body, |depth, limit| limit <= depth + 2);
    }
    function(
        "differences",
        "    t = torch.arange(limit)\n    return nn.Embedding(depth + 2, 4)(t[:, None] - t[None] + limit - 1)\n",
        |depth, limit| 2 * limit - 1 <= depth + 2,
    );
}

#[test]
fn schedulers_state_what_they_take() {
    function(
        "scheduler",
        "    opt = torch.optim.SGD(nn.Linear(8, 1).parameters(), momentum=0.9)\n    torch.optim.lr_scheduler.OneCycleLR(opt, 0.1, total_steps=limit - 1)\n    step = torch.optim.lr_scheduler.StepLR(opt, depth - 1)\n    step.step()\n    return x\n",
        |depth, limit| limit > 1 && depth > 1,
    );
}

#[test]
fn what_the_program_fails_before_is_no_mistake() {
    let program = "import torch\n\nHEADS = 4\nassert 16 % HEADS == 0\nLENGTH = 6\nassert LENGTH > 4\n";
    let space = "[parameters]\nHEADS = [3, 4]\nLENGTH = [4, 6]\n";
    for (heads, length, is_valid) in verdicts("unmet", program, space, "model.py") {
        assert_eq!(is_valid, heads == 4 && length == 6, "heads {heads}, length {length}");
    }
}

/// Indices that only the run will tell leave a doubt in every part; what a few parts are in doubt about beside it is
/// looked at all the same.
#[test]
fn doubts_that_no_number_decides_hide_no_others() {
    let program = r#"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, kernel, causal, gate, crop):
        super().__init__()
        self.embed = nn.Embedding(16, 4)
        self.dilations = [2 ** i for _ in range(2) for i in range(4)]
        self.convs = nn.ModuleList(nn.Conv1d(4, 8 if gate else 4, kernel, dilation=d) for d in self.dilations)
        self.kernel, self.causal, self.gate, self.crop = kernel, causal, gate, crop

    def forward(self, wave):
        x = self.embed(wave).transpose(1, 2)
        for conv, dilation in zip(self.convs, self.dilations):
            y = x
            if self.causal:
                y = nn.functional.pad(y, ((self.kernel - 1) * dilation, 0))
            y = conv(y)
            if self.gate:
                a, b = y.chunk(2, dim=1)
                y = torch.tanh(a) * torch.sigmoid(b)
            x = y + (x[:, :, -y.size(2):] if self.crop else x)
        return x


def run(wave, kernel, time, causal, gate, crop):
    return Net(kernel, bool(causal), bool(gate), bool(crop))(wave)
"#;
    let space = "[inputs]\nwave = \"i64[2,time]\"\n[parameters]\nkernel = [1, 2, 3]\ntime = [4, 20]\n";
    for fixed in ["causal = [0]", "causal = [true, false]"] {
        let space = format!("{space}{fixed}\ngate = [true, false]\ncrop = [true, false]\n");
        let rows = rows("doubts", program, &space, "model.py::run");
        assert!(rows.len() == 24 || rows.len() == 48, "{}", rows.len());
        for row in rows {
            let vector = &row["vector"];
            let number = |name: &str| vector[name].as_i64().expect("a number");
            let shrinks = (number("kernel") - 1) * !(vector["causal"] == true) as i64;
            let mut left = number("time");
            let fits = [1, 2, 4, 8, 1, 2, 4, 8].into_iter().all(|dilation| {
                left -= shrinks * dilation;
                left > 0
            });
            let runs = fits && (vector["crop"] == true || shrinks == 0);
            assert_eq!(row["verdict"] != "invalid", runs, "{row}");
        }
    }
}
