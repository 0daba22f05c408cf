//! Python programs as a whole: what is said of them, and where.

use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn check(file: &Path) -> (i32, String) {
    checked(&file.display().to_string(), &[])
}

/// What is said of a file, or of a class or function in it.
fn checked(what: &str, options: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .args(["check", "--color", "never", "--z3", "off", what])
        .args(options)
        .output()
        .expect("the binary runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_training_program_is_verified() {
    let (code, text) = check(&programs().join("digits.py"));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains(": verified, ") && !text.contains("not decided"), "{text}");
}

#[test]
fn a_layer_of_the_wrong_size_is_found_at_the_users_line() {
    let text = std::fs::read_to_string(programs().join("digits.py")).expect("a program");
    let folder = std::env::temp_dir().join(format!("tensorvet-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("broken.py");
    std::fs::write(&file, text.replace("nn.Linear(9216, 128)", "nn.Linear(9215, 128)")).expect("writable");
    let (code, shown) = check(&file);
    std::fs::remove_dir_all(&folder).expect("removable");
    assert_eq!(code, 1, "{shown}");
    let line = 1 + text.lines().position(|line| line.contains("self.fc1(x)")).expect("the line");
    assert!(shown.contains(&format!("broken.py:{line}:")), "{shown}");
    assert!(shown.contains("f32[64, 9216]") && shown.contains("f32[128, 9215]"), "{shown}");
}

/// Our models of libraries know less than the libraries do: that is said, and is no error.
#[test]
fn what_is_not_modelled_is_unknown() {
    let folder = std::env::temp_dir().join(format!("tensorvet-unmodelled-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("unmodelled.py");
    let program = "import torch\nfrom torch.utils.data import DataLoader\nimport some_library\n\
                   x = some_library.function(torch.zeros(2))\ny = x.no_such_method()\n";
    std::fs::write(&file, program).expect("writable");
    let (code, shown) = check(&file);
    std::fs::remove_dir_all(&folder).expect("removable");
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("unknown") && shown.contains("not modelled"), "{shown}");
}

/// A program in a file of its own, gone when the test is over.
struct Written {
    folder: PathBuf,
    file: PathBuf,
}

impl Written {
    fn new(name: &str, text: &str) -> Written {
        let folder = std::env::temp_dir().join(format!("tensorvet-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{name}.py"));
        std::fs::write(&file, text).expect("writable");
        Written { folder, file }
    }
    fn target(&self, name: &str) -> String {
        format!("{}::{name}", self.file.display())
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // Whatever is left is in the folder for temporary files.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

const MODELS: &str = "\
import torch.nn as nn

class Mlp(nn.Module):
    def __init__(self, width: int, classes=10):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(784, width), nn.ReLU(), nn.Linear(width, classes))
    def forward(self, x):
        return self.net(x.flatten(1))

def build(width, classes=10):
    return Mlp(width, classes=classes)
";

#[test]
fn a_class_is_checked_on_inputs_that_are_described() {
    let written = Written::new("models", MODELS);
    let (code, text) = checked(&written.target("Mlp"), &["--input", "x=f32[B,1,28,28]"]);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("gives output f32[B, 10]"), "{text}");
    let options = ["--init", "width=64", "--init", "classes=2..5", "--input", "x=f32[B,28,28]"];
    let (code, text) = checked(&written.target("build"), &options);
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("gives output f32[B, classes]"), "{text}");
    let (code, text) = checked(&written.target("Mlp"), &["--input", "x=f32[B,3,28,28]"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("2352 = 784"), "{text}");
    let (code, _) = checked(&written.target("Missing"), &[]);
    assert_eq!(code, 2);
}

#[test]
fn code_that_nothing_calls_is_checked_for_what_fails_with_any_input() {
    let text = "\
import torch.nn as nn

class Broken(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.a = nn.Linear(width, 32)
        self.b = nn.Linear(33, 10)
    def forward(self, x):
        return self.b(self.a(x))

def helper(a, b):
    return a + undefined_thing

def fine(batch):
    return batch['key'] + 1
";
    let written = Written::new("uncalled", text);
    let (code, shown) = check(&written.file);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("uncalled.py:9:") && shown.contains("32 = 33"), "{shown}");
    assert!(shown.contains("name 'undefined_thing' is not defined"), "{shown}");
    assert_eq!(shown.matches("error[").count(), 2, "{shown}");
}

#[test]
fn scanners_are_told_the_place() {
    let written = Written::new("scanned", "import torch\n\nx = torch.zeros(2, 3) @ torch.zeros(4, 5)\n");
    let name = written.file.display().to_string();
    let (_, text) = checked(&name, &["--output-format", "github"]);
    assert!(text.starts_with("::error file=") && text.contains(",line=3,"), "{text}");
    let (_, text) = checked(&name, &["--output-format", "sarif"]);
    assert!(text.contains("\"startLine\": 3") && text.contains("\"ruleId\": \"TV101\""), "{text}");
}

#[test]
fn what_the_user_does_not_want_to_hear_is_counted() {
    let text = "import torch\nx = torch.zeros(2, 3) @ torch.zeros(4, 5)  # tensorvet: ignore[TV101]\n";
    let written = Written::new("ignored", text);
    let (code, shown) = check(&written.file);
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("1 finding ignored"), "{shown}");
    let other = Written::new("other", &text.replace("TV101", "TV105"));
    assert_eq!(check(&other.file).0, 1);
    let (code, _) = checked(&other.file.display().to_string(), &["--ignore", "incompatible-shape"]);
    assert_eq!(code, 0);
    let (code, _) = checked(&other.file.display().to_string(), &["--ignore", "TV999"]);
    assert_eq!(code, 2);
}

/// A model of an in-house library says what a function requires and gives.
#[test]
fn a_project_brings_stubs_and_settings() {
    let text =
        "import torch\nimport inhouse\ny = inhouse.pairs(torch.zeros(4, 7))\nz = y @ torch.zeros(3, 5)\n";
    let written = Written::new("project", text);
    let write = |name: &str, text: &str| std::fs::write(written.folder.join(name), text).expect("writable");
    write("pyproject.toml", "[tool.tensorvet]\nstubs = \"stubs\"\n");
    std::fs::create_dir_all(written.folder.join("stubs")).expect("a folder");
    write(
        "stubs/inhouse.py",
        "from _tensorvet import require\nimport torch\n\n\ndef pairs(input):\n    \
         require('the features come in pairs', input.shape[-1] % 2 == 0, 'shape', input)\n    \
         return torch.zeros(input.shape[0], input.shape[-1] // 2)\n",
    );
    let (code, shown) = check(&written.file);
    assert_eq!(code, 1, "{shown}");
    assert!(
        shown.contains("pairs requires that the features come in pairs") && shown.contains("project.py:3:"),
        "{shown}"
    );
    std::fs::write(&written.file, text.replace("4, 7", "4, 6")).expect("writable");
    let (code, shown) = check(&written.file);
    assert_eq!(code, 0, "{shown}");
    write("pyproject.toml", "[tool.tensorvet]\nstub = \"stubs\"\n");
    assert_eq!(check(&written.file).0, 2);
}

/// Annotations of arrays are facts of arguments that nobody gives.
#[test]
fn annotations_describe_what_nobody_gives() {
    let text = "import torch\nfrom jaxtyping import Float\nfrom torch import Tensor, nn\n\nclass Head(nn.Module):\n\
        \x20   def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(64, 10)\n\
        \x20   def forward(self, x: Float[Tensor, \"batch 3 8 8\"]) -> Float[Tensor, \"batch 10\"]:\n\
        \x20       return self.fc(x.flatten(1))\n";
    let written = Written::new("annotated", text);
    let (code, shown) = check(&written.file);
    assert_eq!(code, 1, "{shown}");
    assert!(shown.contains("annotated.py:10:") && shown.contains("f32[batch, 192]"), "{shown}");
    let written = Written::new("agreeing", &text.replace("Linear(64", "Linear(192"));
    let (code, shown) = check(&written.file);
    assert_eq!(code, 0, "{shown}");
}

/// A function in the place of another takes whatever the other does.
#[test]
fn what_wraps_a_function_is_not_called_with_nothing() {
    let text = "import torch\ndef traced(function):\n    def wrapper(*given, **named):\n\
        \x20       return function(*given, **named)\n    return wrapper\n\n@traced\ndef add(x, y):\n    return x + y\n";
    let (code, shown) = check(&Written::new("wrapped", text).file);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn what_quotes_itself_comes_to_an_end() {
    let file = std::env::temp_dir().join(format!("tensorvet_quotes_itself_{}.py", std::process::id()));
    let program = "class Version:\n    def __str__(self):\n        return f'<{str(self)!r}>'\n\n\nprint(str(Version()))\n";
    std::fs::write(&file, program).expect("a temporary file");
    let (code, text) = check(&file);
    std::fs::remove_file(&file).expect("the temporary file");
    assert_eq!(code, 0, "{text}");
}
