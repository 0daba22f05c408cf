//! Packages of the user's environment: their source is read where no model stands for them, and nothing goes wrong if
//! it is more than is followed.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// An environment with packages, and a program beside it.
struct Environment(PathBuf);

impl Environment {
    fn new(name: &str, files: &[(&str, &str)]) -> Environment {
        let folder = std::env::temp_dir().join(format!("tensorvet-packages-{name}-{}", std::process::id()));
        let packages = folder.join("env/lib/python3.12/site-packages");
        for (path, text) in files {
            let path = packages.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        std::fs::create_dir_all(folder.join("env/bin")).expect("made");
        std::fs::write(folder.join("env/bin/python"), "").expect("written");
        Environment(folder)
    }
    fn run(&self, program: &str, options: &[&str], active: Option<&str>) -> Output {
        std::fs::write(self.0.join("main.py"), program).expect("written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_tensorvet"));
        command.args(["check", "--color", "never", "--z3", "off", "-v", "main.py"]).args(options);
        command.current_dir(&self.0).env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
        if let Some(active) = active {
            command.env(active, self.0.join("env"));
        }
        command.output().expect("the binary runs")
    }
    fn said(&self, program: &str, options: &[&str], active: Option<&str>) -> String {
        String::from_utf8_lossy(&self.run(program, options, active).stdout).into_owned()
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const BLOCKS: &[(&str, &str)] = &[
    ("toolbox/__init__.py", "from .blocks import Block\nfrom . import _version\nimport elsewhere\n"),
    ("toolbox/_version.py", "number = '1.0'\n"),
    (
        "toolbox/blocks.py",
        "from __future__ import annotations\nfrom torch import Tensor, nn\n\nclass Block(nn.Module):\n\
         \x20   def __init__(self, width: int, depth: int = 2) -> None:\n        super().__init__()\n\
         \x20       self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))\n\
         \x20   def forward(self, x: Tensor) -> Tensor:\n        for layer in self.layers:\n\
         \x20           x = x + layer(x).relu()\n        return x\n\ndef strange(x):\n    return x.no_such_thing.at_all\n",
    ),
];

const PROGRAM: &str = "import torch\nfrom toolbox import Block\n\nnet = Block(8, depth=3)\n\
    assert net(torch.zeros(2, 8)).shape == (2, 8)\nassert len(net.state_dict()) == 6\nnet(torch.zeros(2, 9))\n";

#[test]
fn layers_of_a_package_are_followed_and_findings_point_at_the_users_line() {
    let environment = Environment::new("layers", BLOCKS);
    for (options, active) in [
        (&["--python", "env"][..], None),
        (&["--python", "env/bin/python"], None),
        (&["--python", "env/lib/python3.12/site-packages"], None),
        (&[], Some("VIRTUAL_ENV")),
        (&[], Some("CONDA_PREFIX")),
    ] {
        let said = environment.said(PROGRAM, options, active);
        assert!(said.contains("main.py:7:1") && said.contains("9 = 8"), "{options:?} {active:?}\n{said}");
    }
    let said = environment.said(PROGRAM, &[], None);
    assert!(said.contains("the module `toolbox` is not modelled"), "{said}");
}

#[test]
fn an_environment_that_is_not_there_is_bad_usage() {
    let environment = Environment::new("missing", BLOCKS);
    let output = environment.run(PROGRAM, &["--python", "nowhere"], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere"));
}

/// What the source of a package does that is not followed is no error of the program.
#[test]
fn what_is_not_followed_is_unknown() {
    let endless =
        "n = 0\nwhile n >= 0:\n    n = n + 1 if n % 3 else n + 2\n    if n > 10 ** 9:\n        break\n";
    let files = [
        ("raising/__init__.py", "raise ImportError('there is no compiler')\n"),
        ("endless/__init__.py", endless),
        ("wrong/__init__.py", "def f(:\n"),
        ("compiled/__init__.py", "value = 3\n"),
        ("compiled/_core.so", ""),
    ];
    let environment = Environment::new("unknown", &[BLOCKS, &files].concat());
    let start = Instant::now();
    for name in ["raising", "endless", "wrong", "compiled"] {
        let program = format!("import torch\nimport {name}\nx = {name}.make(torch.zeros(2))\n");
        let said = environment.said(&program, &["--python", "env"], None);
        assert!(!said.contains("error") || said.contains("not decided"), "{said}");
        assert!(said.contains(&format!("the module `{name}` is not modelled")), "{said}");
    }
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    let program = "import torch\nfrom toolbox.blocks import strange\nstrange(torch.zeros(2))\n";
    let output = environment.run(program, &["--python", "env"], None);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("was not followed to its end"), "{said}");
}
