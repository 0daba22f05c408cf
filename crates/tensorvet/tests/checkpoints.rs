//! Programs that load files which the real libraries wrote.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a program and the files of the `arrays` crate in `files/`.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("tensorvet-checkpoints-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("files")).expect("a folder");
        let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arrays/tests/files");
        for entry in std::fs::read_dir(files).expect("the files").flatten() {
            std::fs::copy(entry.path(), folder.join("files").join(entry.file_name())).expect("copied");
        }
        Folder(folder)
    }
    /// What is said of a program, and the exit code.
    fn check(&self, program: &str) -> (String, Option<i32>) {
        std::fs::write(self.0.join("main.py"), program).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
            .args(["check", "--color", "never", "--z3", "off", "--output-format", "concise", "main.py"])
            .args(["--require-verified"])
            .current_dir(&self.0)
            .output()
            .expect("the binary runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
    }
    /// States that exactly one thing is found, in the last line, with these words.
    fn fails(&self, program: &str, words: &[&str]) {
        let (said, code) = self.check(program);
        let last = program.trim_end().lines().count();
        assert_eq!(code, Some(1), "{program}\n{said}");
        assert!(said.starts_with(&format!("main.py: {last}:")), "line {last}:\n{program}\n{said}");
        for word in words {
            assert!(said.contains(word), "{word:?} is not in {said}");
        }
    }
    fn passes(&self, program: &str) {
        let (said, code) = self.check(program);
        assert_eq!((said.as_str(), code), ("", Some(0)), "{program}");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const START: &str =
    "import torch\nfrom torch import nn\nnet = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))\n";

#[test]
fn states_that_fit() {
    let folder = Folder::new("fit");
    for load in [
        "net.load_state_dict(torch.load('files/state.pt'))",
        "net.load_state_dict(torch.load('./files/legacy.pt', map_location='cpu', weights_only=True))",
        "import pathlib\nnet.load_state_dict(torch.load(pathlib.Path('files') / 'state.pt'))",
        "with open('files/state.pt', 'rb') as f:\n    net.load_state_dict(torch.load(f))",
        "saved = torch.load('files/training.pt', weights_only=False)\nnet.load_state_dict(saved['model'])\n\
         assert saved['epoch'] + 1 == 8 and saved['arch'] == 'mlp' and saved['kind'] is torch.float16\n\
         assert saved['again'] is saved['history'] and saved['self']['epoch'] == 7\n\
         assert saved['array'].shape == (4, 5) and saved['turned'].stride() == (1, 4)\n\
         assert saved['parameter'].requires_grad and not saved['model']['0.weight'].requires_grad\n\
         lr = saved['args'].lr",
        "from safetensors.torch import load_file\nstate = load_file('files/state.safetensors')\n\
         result = net.load_state_dict(state, strict=False)\nassert result.unexpected_keys == ['half']\n\
         assert state['half'].dtype is torch.bfloat16",
        "from safetensors import safe_open\nwith safe_open('files/state.safetensors', framework='pt') as f:\n\
         \x20   state = {name: f.get_tensor(name) for name in f.keys() if name != 'half'}\n\
         net.load_state_dict(state)",
        "state = torch.load('files/state.pt')\nstate.pop('1.num_batches_tracked')\nnet.load_state_dict(dict(state))",
    ] {
        let program = format!("{START}{load}\n");
        if load.contains("args") {
            // What is not read is not known, and nothing is found.
            assert!(!folder.check(&program).0.contains("error"), "{}", folder.check(&program).0);
        } else {
            folder.passes(&program);
        }
    }
}

#[test]
fn states_that_do_not_fit() {
    let folder = Folder::new("clash");
    let wide =
        "import torch\nfrom torch import nn\nnet = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(2))\n";
    folder.fails(
        &format!("{wide}state = torch.load('files/state.pt')\nnet.load_state_dict(state, strict=False)\n"),
        &["TV101", "`0.weight`", "`module` is f32[4, 3]", "`state` is f32[2, 3]"],
    );
    let deep =
        "import torch\nfrom torch import nn\nnet = nn.Sequential(*[nn.Linear(3, 2) for _ in range(5)])\n";
    folder.fails(
        &format!("{deep}net.load_state_dict(torch.load('files/legacy.pt'))\n"),
        &[
            "TV201",
            "Missing key(s) in state_dict: \"2.weight\"",
            "and 2 more",
            "Unexpected key(s)",
            "1.running_mean",
        ],
    );
    folder.fails(
        &format!("{START}from safetensors.torch import load_file\nnet.load_state_dict(load_file('files/state.safetensors'))\n"),
        &["Unexpected key(s) in state_dict: \"half\""],
    );
    folder.fails(
        &format!("{START}net.load_state_dict(torch.load('files/training.pt', weights_only=False))\n"),
        &["Unexpected key(s)", "\"model\""],
    );
    folder.fails(
        "import torch\nstate = torch.load('files/training.pt', weights_only=False)['state_dict']\n",
        &["KeyError", "state_dict"],
    );
}

#[test]
fn files_that_are_broken_or_not_there() {
    let folder = Folder::new("broken");
    let half = std::fs::read(folder.0.join("files/state.pt")).expect("read");
    std::fs::write(folder.0.join("files/half.pt"), &half[..half.len() / 2]).expect("written");
    folder.fails("import torch\ntorch.load('files/half.pt')\n", &["files/half.pt", "cut short or damaged"]);
    folder.fails("import torch\ntorch.load('files/state.safetensors')\n", &["is a safetensors file"]);
    folder.fails("import torch\ntorch.load('files/best.pt')\n", &["FileNotFoundError", "files/best.pt"]);
    // Where somebody else may have made it, or asks before, nothing is found.
    for open in [
        "torch.load('best.pt')",
        "torch.load('elsewhere/best.pt')",
        "import os\nif os.path.exists('files/best.pt'):\n    torch.load('files/best.pt')",
        "import fetching\nfetching.get('files/best.pt')\ntorch.load('files/best.pt')",
        "try:\n    torch.load('files/best.pt')\nexcept FileNotFoundError:\n    pass",
    ] {
        let (said, _) = folder.check(&format!("import torch\n{open}\n"));
        assert!(!said.contains("error"), "{open}\n{said}");
    }
}

#[test]
fn arrays_of_numpy() {
    let folder = Folder::new("numpy");
    folder.passes(
        "import numpy as np\nimport torch\nx = np.load('files/array.npy')\nassert x.shape == (2, 3, 4) and x.dtype == np.float32\n\
         data = np.load('files/arrays.npz')\nassert data['images'].shape == (10, 8, 8) and sorted(data.files) == ['images', 'labels']\n\
         packed = np.load('files/packed.npz')\nassert len(packed['images']) == 1000\n\
         pixels = torch.from_numpy(data['images']).float().flatten(1)\nassert torch.nn.Linear(64, 10)(pixels).shape == (10, 10)\n",
    );
    folder.fails(
        "import numpy as np\nimport torch\npixels = torch.from_numpy(np.load('files/arrays.npz')['images'])\n\
         torch.nn.Linear(32, 10)(pixels.float().flatten(1))\n",
        &["TV101", "f32[10, 64]"],
    );
    folder.fails("import numpy as np\nnp.load('files/arrays.npz')['pixels']\n", &["KeyError"]);
}
