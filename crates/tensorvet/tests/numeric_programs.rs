//! Literate programs about numbers: every marked line is reported with its code, and no other.

#[allow(dead_code, reason = "a part of it is for `cargo xtask numerics`")]
#[path = "numerics/programs.rs"]
mod programs;

use programs::all;
use std::path::Path;

#[test]
fn numbers_of_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numerics");
    let scratch = std::env::temp_dir().join(format!("tensorvet-numbers-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder");
    let (mut bugs, mut confirmed, mut wrong) = (0, 0, Vec::new());
    for program in all(&folder) {
        let told = program.told(Path::new(env!("CARGO_BIN_EXE_tensorvet")), &scratch);
        bugs += told.marked.len();
        confirmed += told.confirmed;
        if told.found != told.marked {
            wrong.push(format!("{}: marked {:?}, found {:?}", program.title, told.marked, told.found));
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(confirmed * 10 >= bugs * 6, "{confirmed} of {bugs} are confirmed");
}
