//! Python programs as a whole: what is said of them, and where.

use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn check(file: &Path) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .args(["check", "--color", "never", "--z3", "off"])
        .arg(file)
        .output()
        .expect("the binary runs");
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn a_training_program_is_verified() {
    let (code, text) = check(&programs().join("digits.py"));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("verified, 54 of 54 operator calls verified"), "{text}");
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
                   x = torch.no_such_function(torch.zeros(2, pin_memory=True))\ny = x.no_such_method()\n";
    std::fs::write(&file, program).expect("writable");
    let (code, shown) = check(&file);
    std::fs::remove_dir_all(&folder).expect("removable");
    assert_eq!(code, 0, "{shown}");
    assert!(shown.contains("unknown") && shown.contains("not modelled"), "{shown}");
}
