//! Where hyper-parameters stand in programs: arguments with defaults, tables, files of settings; and what is not known of
//! them is said.

use std::fs;
use std::process::{Command, Output};

/// A sweep of a program, which may have a file of settings beside it.
fn sweep(test: &str, target: &str, files: &[(&str, &str)], arguments: &[&str]) -> Output {
    let folder = std::env::temp_dir().join(format!("tensorvet-settings-{test}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a temporary folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a temporary file");
    }
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["sweep", target, "--space", "space.toml"])
        .args(arguments)
        .output()
        .expect("the binary runs");
    let _ = fs::remove_dir_all(folder);
    output
}

/// The verdicts of all vectors, in their order.
fn verdicts(test: &str, target: &str, files: &[(&str, &str)]) -> Vec<String> {
    let output = sweep(test, target, files, &["--list", "jsonl"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let verdict = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a row");
        row["verdict"].as_str().expect("a verdict").to_owned()
    };
    String::from_utf8_lossy(&output.stdout).lines().map(verdict).collect()
}

const CONDITIONAL: &str = "import torch\nfrom torch import nn\n\n\ndef run(x, norm, groups=2, **more):\n    x = nn.Conv2d(3, 6, 3)(x)\n    return nn.GroupNorm(groups, 6)(x) if norm else nn.GroupNorm(groups, more.get(\"width\", 6))(x)\n";

#[test]
fn what_is_not_there_keeps_the_default() {
    let space = "inputs = { x = \"f32[2,3,8,8]\" }\n[parameters]\nnorm = [true, false]\ngroups = { values = [4, 3], when = \"norm\" }\n";
    let files = [("model.py", CONDITIONAL), ("space.toml", space)];
    // With `groups=2` of the program itself where there is no norm, in spite of 3 and 4.
    assert_eq!(verdicts("default", "model.py::run", &files), ["valid", "invalid", "valid"]);
    let otherwise = space.replace("when", "otherwise = 4, when");
    let files = [("model.py", CONDITIONAL), ("space.toml", otherwise.as_str())];
    assert_eq!(verdicts("otherwise", "model.py::run", &files), ["valid", "invalid", "invalid"]);
    // Names that only `**more` takes.
    let space =
        "inputs = { x = \"f32[2,3,8,8]\" }\n[parameters]\nnorm = [false]\ngroups = [3]\nwidth = [4, 6]\n";
    let files = [("model.py", CONDITIONAL), ("space.toml", space)];
    assert_eq!(verdicts("further", "model.py::run", &files), ["invalid", "valid"]);
}

#[test]
fn what_has_no_default_is_asked_for() {
    let program = CONDITIONAL.replace("groups=2", "groups");
    let space = "inputs = { x = \"f32[2,3,8,8]\" }\n[parameters]\nnorm = [true, false]\ngroups = { values = [4, 3], when = \"norm\" }\n";
    let files = [("model.py", program.as_str()), ("space.toml", space)];
    let output = sweep("required", "model.py::run", &files, &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        told.contains("`groups`: the program has no default for it") && told.contains("otherwise"),
        "{told}"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn tables_and_files_of_settings_are_tuned() {
    let program = "import json\nfrom pathlib import Path\nimport torch\nfrom torch import nn\n\nWIDTHS = [4, 6]\nCONFIG = {\"first\": {\"out\": 6}, \"second\": {\"out\": 6}}\nsettings = json.loads(Path(\"settings.json\").read_text())\nx = nn.Linear(8, WIDTHS[0])(torch.zeros(2, 8))\nx = nn.Linear(WIDTHS[-1], CONFIG[\"first\"][\"out\"])(x)\nx = nn.Linear(CONFIG[\"second\"][\"out\"], 3)(x)\nnn.Linear(settings[\"model\"][\"head\"], 1)(x)\n";
    let space = "WIDTHS = [[4, 4], [4, 6, 4], [4, 5]]\n\"first.out\" = [5, 6]\nhead = [3, 4]\n";
    let files =
        [("train.py", program), ("settings.json", "{\"model\": {\"head\": 3}}"), ("space.toml", space)];
    let valid: Vec<bool> =
        verdicts("tables", "train.py", &files).iter().map(|verdict| verdict == "valid").collect();
    let expected: Vec<bool> = [true, true, false]
        .into_iter()
        .flat_map(|widths| [false, true].map(|first| widths && first))
        .flat_map(|fits| [true, false].map(|head| fits && head))
        .collect();
    // Tables of a space file come after its plain names.
    assert_eq!(valid.iter().filter(|valid| **valid).count(), expected.iter().filter(|valid| **valid).count());
    assert_eq!(valid.len(), 12);
}

#[test]
fn what_is_chosen_by_number_is_followed() {
    let program = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, depth=1, tap=0, head=0):\n        super().__init__()\n        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(depth)])\n        self.tap = tap\n        self.head = [self.narrow, self.wide][head]\n        self.last = nn.Linear(4, 2)\n\n    def narrow(self, x):\n        return self.last(x)\n\n    def wide(self, x):\n        return self.last(torch.cat([x, x], 1))\n\n    def forward(self, x):\n        seen = []\n        for block in self.blocks:\n            x = block(x)\n            seen.append(x)\n        return self.head(seen[self.tap])\n";
    let space =
        "inputs = { x = \"f32[2,4]\" }\n[parameters]\ndepth = [1, 3]\ntap = [-2, 0, 2]\nhead = [0, 1]\n";
    let files = [("model.py", program), ("space.toml", space)];
    let (valid, invalid) = ("valid", "invalid");
    let expected = [
        [invalid, invalid, valid, invalid, invalid, invalid],
        [valid, invalid, valid, invalid, valid, invalid],
    ];
    assert_eq!(verdicts("chosen", "model.py::Net", &files), expected.concat());
}

#[test]
fn a_cause_is_told_once_with_where_it_strikes() {
    let program = "import torch\nfrom torch import nn\n\n\ndef run(x, kernel, depth, norm):\n    for _ in range(depth):\n        x = nn.Conv2d(3, 3, kernel)(x)\n    if norm == \"none\":\n        raise ValueError(\"norm\")\n    return x\n";
    let space = "inputs = { x = \"f32[2,3,9,9]\" }\n[parameters]\nkernel = \"1..9\"\ndepth = [1, 2, 3]\nnorm = [\"batch\", \"none\"]\n";
    let files = [("model.py", program), ("space.toml", space)];
    let told = String::from_utf8_lossy(&sweep("told", "model.py::run", &files, &[]).stdout).into_owned();
    assert_eq!(told.matches("the kernel fits the padded input").count(), 1, "{told}");
    assert!(told.contains("where kernel >= 6, depth >= 2"), "{told}");
    assert!(told.contains("where norm = none"), "{told}");
}

const LAYERED: &str = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, width=64, heads=4, act=\"relu\"):\n        super().__init__()\n        self.layer = nn.TransformerEncoderLayer(width, heads, 8, activation=act)\n\n    def forward(self, tokens, mask=None):\n        return self.layer(tokens)\n";

#[test]
fn inputs_that_nobody_has_are_an_error() {
    let space = |name: &str| {
        format!("[inputs]\n{name} = \"f32[5,2,64]\"\n[parameters]\nheads = [4, 3]\nact = \"relu\"\n")
    };
    for (name, part) in [
        ("tokenz", "`tokenz` is no input of `Net`: did you mean `tokens`?"),
        ("image", "`image` is no input of `Net`: there is `tokens`, `mask`"),
    ] {
        let (written, files) = (space(name), |space| [("model.py", LAYERED), ("space.toml", space)]);
        let output = sweep(&format!("input-{name}"), "model.py::Net", &files(&written), &[]);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(part), "{told}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
    let written = space("tokens");
    let files = [("model.py", LAYERED), ("space.toml", written.as_str())];
    assert_eq!(verdicts("input-known", "model.py::Net", &files), ["invalid", "valid"]);
    // A program is called with nothing.
    let output = sweep("input-program", "model.py", &files, &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("a program is called with no tensor"), "{told}");
    // Of a model file, too.
    let model = "{\"class_name\": \"Sequential\", \"config\": {\"name\": \"s\", \"layers\": [{\"class_name\": \"InputLayer\", \"config\": {\"batch_shape\": [null, 4], \"name\": \"pixels\"}}, {\"class_name\": \"Dense\", \"config\": {\"name\": \"head\", \"units\": 2}}]}}";
    let written = "[inputs]\npixel = \"f32[N,4]\"\n[parameters]\n\"head.units\" = [2, 0]\n";
    let output = sweep("input-file", "model.json", &[("model.json", model), ("space.toml", written)], &[]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("`pixel` is no input of the model: did you mean `pixels`?"), "{told}");
}

#[test]
fn one_vector_keeps_what_the_model_says_itself() {
    let space = "[inputs]\ntokens = \"f32[5,2,F]\"\n[parameters]\nF = [64, 32]\nwidth = \"16..128 step 16\"\nheads = [3, 5, 4]\nact = [\"gelu\", \"relu\"]\n";
    let files = [("model.py", LAYERED), ("space.toml", space)];
    let output = sweep("kept", "model.py::Net", &files, &["--check", "act=gelu"]);
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("not named: width=64, heads=4 (what the model says itself)"), "{told}");
    assert!(told.contains("not named: F=64 (the first value of the space)"), "{told}");
    assert_eq!(output.status.code(), Some(0), "{told}");
    let output = sweep("kept-heads", "model.py::Net", &files, &["--check", "heads=5"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn exit_codes_say_whether_anything_is_valid() {
    let space = |heads: &str| format!("[inputs]\ntokens = \"f32[5,2,64]\"\n[parameters]\nheads = {heads}\n");
    for (heads, arguments, code) in
        [("[3, 4]", &[][..], 0), ("[3, 5]", &[], 1), ("[3, 5]", &["--list", "csv"], 0), ("[]", &[], 2)]
    {
        let written = space(heads);
        let files = [("model.py", LAYERED), ("space.toml", written.as_str())];
        assert_eq!(sweep("codes", "model.py::Net", &files, arguments).status.code(), Some(code), "{heads}");
    }
}

#[test]
fn exceptions_are_caught_by_their_class() {
    let program = "import contextlib\nimport torch\nfrom torch import nn\n\n\ndef run(x, kind, size):\n    if kind == \"other\":\n        try:\n            return nn.Conv2d(3, 3, 1, groups=size)(x)\n        except RuntimeError:\n            return x\n    if kind == \"same\":\n        try:\n            return nn.Conv2d(3, 3, 1, groups=size)(x)\n        except ValueError:\n            return x\n    if kind == \"suppressed\":\n        with contextlib.suppress(IndexError):\n            return x.sum(size)\n        return x\n    try:\n        return nn.MultiheadAttention(4, size)(x[0], x[0], x[0])\n    except (TypeError, AssertionError):\n        return x\n";
    let space = "[inputs]\nx = \"f32[1,3,4,4]\"\n[parameters]\nkind = [\"other\", \"same\", \"suppressed\", \"asserted\"]\nsize = [3, 5]\n";
    let files = [("model.py", program), ("space.toml", space)];
    let expected = ["valid", "invalid", "valid", "valid", "valid", "valid", "valid", "valid"];
    assert_eq!(verdicts("caught", "model.py::run", &files), expected);
}
