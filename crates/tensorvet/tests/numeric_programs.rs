//! Literate programs about numbers: every marked line is reported with its code, and no other.

mod numerics {
    pub mod programs;
}

use numerics::programs::{all, scratch};
use std::path::Path;

#[test]
fn numbers_of_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numerics");
    let scratch = scratch();
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
