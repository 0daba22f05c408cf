//! What is said of a fault: both sides, where their numbers come from, and what would mend it.

use std::process::Command;

/// What is said of a program, with the options of a test.
fn said(name: &str, text: &str, options: &[&str]) -> (i32, String) {
    let folder = std::env::temp_dir().join(format!("tensorvet-messages-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("train.py"), text).expect("writable");
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .current_dir(&folder)
        .args(["check", "--color", "never", "--z3", "off", "train.py"])
        .args(options)
        .output()
        .expect("the binary runs");
    std::fs::remove_dir_all(&folder).expect("removable");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text.into_owned())
}

/// Checks that every part is said.
fn says(name: &str, text: &str, parts: &[&str]) {
    let (_, shown) = said(name, text, &[]);
    for part in parts {
        assert!(shown.contains(part), "`{part}` is missing in\n{shown}");
    }
}

#[test]
fn a_layer_that_does_not_fit_is_told_with_the_layer_that_would() {
    let text = "\
import torch
from torch import nn

fc = nn.Linear(9215, 128)
x = torch.zeros(64, 9216)
y = fc(x)
";
    let parts = [
        "`x` has as many features as `weight` takes, but `x` is f32[64, 9216] and `weight` is f32[128, 9215]",
        "from line 4: `nn.Linear(9215, 128)`",
        "needs: 9216 = 9215",
        "help: make it `nn.Linear(9216, 128)` in line 4",
    ];
    says("linear", text, &parts);
    // A square layer: only the first of two equal numbers helps.
    says("square", &text.replace("9215, 128", "128, 128"), &["make it `nn.Linear(9216, 128)` in line 4"]);
    // What is written as a name is told as a name.
    let named =
        text.replace("fc = nn.Linear(9215, 128)", "n = 9215; fc = nn.Linear(in_features=n, out_features=2)");
    says("named", &named, &["with 9216 for `n` in `nn.Linear(in_features=n, out_features=2)`, line 4"]);
}

#[test]
fn a_condition_of_the_library_is_told_with_its_numbers() {
    let text = "from torch import nn\nattention = nn.MultiheadAttention(60, 8)\n";
    let parts = [
        "the features divide into the heads, but `embed_dim` is 60 and `num_heads` is 8",
        "60 % 8 = 0, but it is 4",
    ];
    says("heads", text, &parts);
    let text = "import torch\nx = torch.rand(2, 3).mean(2)\n";
    says("axis", text, &["`dim` is one of the axes, but `dim` is 2", "-2 <= 2 < 2", "f32[2, 3]"]);
    let text = "import torch\nx = torch.zeros(10)\ny = x[-11]\n";
    says("index", text, &["needs: -10 <= -11 < 10"]);
}

#[test]
fn tensors_have_the_names_of_the_source() {
    let text = "\
import torch

rows = torch.randn(6, 4)
mean = rows.mean(dim=1)
centred = rows - mean
";
    let parts = [
        "`rows` and `mean` broadcast, but `rows` is f32[6, 4] and `mean` is f32[6]",
        "needs: 4 = 6 (axis -1)",
        "help: `mean.unsqueeze(-1)` would fit",
    ];
    says("names", text, &parts);
    let text = "\
import torch
from torch import nn

image = torch.rand(1, 32, 48, 3)
out = nn.Conv2d(3, 8, 3)(image)
";
    says("channels", text, &["channels last? `image.movedim(-1, 1)` would fit"]);
    let text = "\
import torch
import torch.nn.functional as F

scores, target = torch.randn(2, 7, 11), torch.randint(11, (2, 7))
loss = F.cross_entropy(scores, target)
";
    says("classes", text, &["classes last? `scores.movedim(-1, 1)` would fit"]);
    let text = "\
import torch

a, b = torch.zeros(2, 13, 4), torch.zeros(2, 12, 4)
c = torch.cat((a, b), 2)
";
    says("cat", text, &["needs: 13 = 12 (axis 1)"]);
}

#[test]
fn exceptions_of_python_come_with_help() {
    says("name", "hidden_size = 3\nprint(hiden_size)\n", &["did you mean `hidden_size`?"]);
    says("import", "layer = nn.Linear(3, 1)\n", &["`import torch.nn as nn` is missing"]);
    says(
        "key",
        "config = {'width': 3, 'depth': 2}\nprint(config['epochs'])\n",
        &["there is 'width', 'depth'"],
    );
    let text = "import torch\nx = torch.rand(3, 4)\ny = x / x.max(dim=1)\n";
    says("pair", text, &["it is (values, indices), (f32[3], i64[3]): take `.values` or `[0]`"]);
    let text = "import torch\nn, c, h, w = torch.zeros(8, 3, 32).shape\n";
    says("unpack", text, &["what is unpacked is (8, 3, 32)"]);
    let text = "for i in range(0):\n    last = i\nprint(last)\n";
    says("unbound", text, &["`last` gets its value in line 2, which was not executed"]);
}

#[test]
fn a_smaller_last_batch_is_told_as_the_cause() {
    let text = "\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(
    TensorDataset(torch.zeros(1000, 12)),
    batch_size=64,
)
state = torch.zeros(64, 12)
for (rows,) in loader:
    state = state + rows
";
    says("last", text, &["because: the last batch has 40 of 64 rows: drop_last is not set in line 5"]);
    let (code, shown) =
        said("dropped", &text.replace("batch_size=64,", "batch_size=64, drop_last=True"), &[]);
    assert_eq!(code, 0, "{shown}");
    // What goes wrong with every batch is not blamed on the last one.
    let (_, shown) = said("every", &text.replace("zeros(64, 12)", "zeros(63, 12)"), &[]);
    assert!(shown.contains("error[TV101]") && !shown.contains("because"), "{shown}");
    // Of how many samples there are nothing is known.
    let text = text.replace("TensorDataset(torch.zeros(1000, 12))", "Rows()").replace(
        "loader =",
        "import os\n\nclass Rows(torch.utils.data.Dataset):\n    def __len__(self):\n        \
         return len(os.listdir('rows'))\n    def __getitem__(self, i):\n        return (torch.zeros(12),)\n\nloader =",
    );
    let (code, shown) = said("unknown", &text, &[]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("warning[TV101]") && shown.contains("drop_last is not set in line 13"), "{shown}");
    assert!(shown.contains("fails for: last_batch = "), "{shown}");
}

const OPTIONS: &str = "\
import argparse

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument('--batch-size', type=int, default=64)
parser.add_argument('--norm', choices=['batch', 'layer'], default='batch')
parser.add_argument('--wide', action='store_true')
parser.add_argument('--save', action='store_true')
args = parser.parse_args()

norm = nn.BatchNorm1d(32) if args.norm == 'batch' else nn.LayerNorm(32)
net = nn.Sequential(nn.Linear(16, 32), norm, nn.Linear(64 if args.wide else 32, 10))
x = torch.zeros(args.batch_size, 16)
y = net(x)
z = y.view(64, 10)
table = np.load('table.npy')
w = torch.from_numpy(table) @ torch.zeros(7, 3)
if args.save:
    torch.save(net, 'net.pt')
";

#[test]
fn branches_that_a_default_excludes_are_looked_at() {
    let (code, shown) = said("ways", OPTIONS, &[]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("warning[TV101]: with `--wide`: Linear requires that "), "{shown}");
    assert!(shown.contains("because: `--wide` is not the default"), "{shown}");
    // The norm of layers fits, and what only saves is not tried.
    assert!(!shown.contains("with `--norm") && shown.contains("2 other options tried"), "{shown}");
    // What the user chose is an error.
    let (_, shown) = said("wide", OPTIONS, &["--", "--wide"]);
    assert!(shown.contains("error[TV101]: Linear requires that ") && !shown.contains("with `--"), "{shown}");
}

#[test]
fn an_option_may_be_a_range() {
    let (code, shown) = said("range", OPTIONS, &["--assume", "batch-size=2..512"]);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("`y` is f32[batch_size, 10]"), "{shown}");
    assert!(shown.contains("fails for: batch_size = 2"), "{shown}");
}

#[test]
fn what_cannot_be_known_is_assumed() {
    for assumption in ["table=f32[N,8]", "train.py:19=f32[N,8]"] {
        let (_, shown) = said("table", OPTIONS, &["--assume", assumption]);
        assert!(
            shown.contains("error[TV101]: matmul requires that ") && shown.contains("needs: 8 = 7"),
            "{shown}"
        );
    }
    let (_, shown) = said("fits", OPTIONS, &["--assume", "table=f32[N,7]", "--ignore", "TV101"]);
    assert!(shown.contains("verified, "), "{shown}");
    let rows = "\
import os
import torch
from torch.utils.data import DataLoader, Dataset

class Photos(Dataset):
    def __len__(self):
        return len(os.listdir('photos'))
    def __getitem__(self, i):
        return torch.zeros(12)

for rows in DataLoader(Photos(), batch_size=64):
    rows.view(64, 12)
";
    let (_, shown) = said("photos", rows, &["--assume", "len(Photos)=1000"]);
    assert!(shown.contains("error[TV101]") && shown.contains("the last batch has 40 of 64 rows"), "{shown}");
    let (code, shown) = said("even", rows, &["--assume", "len(Photos)=640"]);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn assumptions_that_are_wrong_are_complained_of() {
    for (assumption, complaint) in [
        ("batch_sise=1..512", "did you mean `batch_size`?"),
        ("nothing=3", "there is `batch_size`"),
        ("batch_size=5..2", "5..2 is empty"),
        ("norm=group", "`--norm` takes `layer` or `batch`"),
        ("train.py:1=3", "no value is assigned in this line"),
        ("table=f33[2]", "`f33` is not an element type"),
        ("batch_size", "`NAME=VALUE` expected"),
    ] {
        let (code, shown) = said("wrong", OPTIONS, &["--assume", assumption]);
        assert_eq!(code, 2, "{shown}");
        assert!(shown.contains(complaint), "{assumption}: {shown}");
    }
    let (code, shown) = said("twice", OPTIONS, &["--assume", "wide=true", "--assume", "wide=false"]);
    assert!(code == 2 && shown.contains("given twice"), "{shown}");
}

#[test]
fn shapes_are_shown_beside_the_program() {
    let text = "\
import torch

def halves(x):
    a, b = x.chunk(2, dim=1)
    return a * b

for n in (4, 6):
    x = torch.zeros(n, 8)
    y = halves(x)
";
    let (code, shown) = said("shapes", text, &["--show-shapes"]);
    assert_eq!(code, 0, "{shown}");
    for part in [
        " 3 | def halves(x):                # x f32[4, 8] or f32[6, 8]",
        " 4 |     a, b = x.chunk(2, dim=1)  # a f32[4, 4] or f32[6, 4], b f32[4, 4] or f32[6, 4]",
        "return f32[4, 4] or f32[6, 4]",
    ] {
        assert!(shown.contains(part), "`{part}` is missing in\n{shown}");
    }
}

#[test]
fn what_is_not_known_is_listed_with_what_depends_on_it() {
    let text = "\
import torch
import unheard_of

a = unheard_of.features(3)
b = torch.relu(a)
c = torch.tanh(b)
";
    let (_, shown) = said("unknowns", text, &["--show-unknowns"]);
    assert!(shown.contains("where knowledge was lost") && shown.contains("unheard_of"), "{shown}");
    let (_, shown) = said("known", "import torch\nx = torch.zeros(3)\n", &["--show-unknowns"]);
    assert!(shown.contains("no knowledge was lost"), "{shown}");
}
