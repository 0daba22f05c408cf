//! Numerical bugs of the labelled set: every one is found, and at most one report in twenty is a false alarm.

#[allow(dead_code, reason = "a part of it is for `cargo xtask numerics`")]
mod sites;

use std::path::Path;

#[test]
fn labelled_sites() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sites");
    let scratch = std::env::temp_dir().join(format!("tensorvet-sites-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder");
    let (mut bugs, mut reported, mut false_alarms, mut confirmed) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for sites in sites::all(&folder, &scratch) {
        for told in sites.told(Path::new(env!("CARGO_BIN_EXE_tensorvet"))) {
            bugs += usize::from(told.is_bug);
            reported += usize::from(told.is_reported);
            confirmed += usize::from(told.is_bug && told.is_confirmed);
            false_alarms += usize::from(told.is_reported && !told.is_bug);
            if told.is_reported != told.is_bug {
                let what = if told.is_bug { "is not reported" } else { "is a false alarm" };
                wrong.push(format!("{} {:?}: {what}", sites.name, told.line));
            }
        }
    }
    std::fs::remove_dir_all(&scratch).expect("the folder is ours");
    let summary = format!(
        "{bugs} bugs, {reported} reports, {false_alarms} false alarms, {confirmed} confirmed\n{}",
        wrong.join("\n")
    );
    println!("{summary}");
    assert!(!wrong.iter().any(|line| line.ends_with("not reported")), "{summary}");
    assert!(false_alarms * 20 <= reported, "{summary}");
    assert!(confirmed * 10 >= bugs * 6, "{summary}");
}
