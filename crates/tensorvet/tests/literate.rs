//! Programs in words: every `python` block of `tests/programs/*.md` is a program of its own.
//!
//! A comment `# error: TV101` (or `warning`) at the end of a line says that exactly this is found there; `"…"` after
//! it must be part of what is said. A program without such comments is valid and every call of it is decided, unless
//! its heading says *(not decided)*. What follows `python` in the first line of the block are the program's arguments.
//! A block that begins `python file NAME` is another program that stands beside the next one, and ran before it.
//! `cargo xtask programs` runs all of them in PyTorch: an error must really be raised in its line, and nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;

struct Literate {
    heading: String,
    arguments: Vec<String>,
    text: String,
    /// Other programs in the same folder, by name.
    beside: Vec<(String, String)>,
}

/// What is expected, or was found, in a line.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
struct Expected {
    line: usize,
    kind: String,
    code: String,
    part: String,
}

#[test]
fn programs_get_the_verdicts_that_are_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let only = std::env::var("TENSORVET_PROGRAM").unwrap_or_default();
    let scratch = std::env::temp_dir().join(format!("tensorvet-literate-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a folder");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for file in documents(&folder) {
        let text = std::fs::read_to_string(&file).expect("readable");
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, program) in programs(&text).into_iter().enumerate() {
            let title = format!("{name}: {}", program.heading);
            if !title.contains(&only) {
                continue;
            }
            count += 1;
            let folder = scratch.join(format!("{name}_{number}"));
            std::fs::create_dir_all(&folder).expect("a folder");
            for (file, text) in &program.beside {
                std::fs::write(folder.join(file), text).expect("writable");
            }
            let path = folder.join("program.py");
            std::fs::write(&path, &program.text).expect("writable");
            if let Err(why) = verdict(&program, &path) {
                wrong.push(format!("## {title}\n{why}"));
            }
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
    assert!(wrong.is_empty(), "{} of {count} programs:\n{}", wrong.len(), wrong.join("\n"));
}

fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the programs").flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    files.sort();
    files
}

fn programs(text: &str) -> Vec<Literate> {
    let (mut found, mut heading, mut open): (Vec<Literate>, String, Option<Literate>) =
        (Vec::new(), String::new(), None);
    let mut beside = Vec::new();
    for line in text.lines() {
        match &mut open {
            Some(_) if line.starts_with("```") => {
                let Some(mut program) = open.take() else { continue };
                match &program.arguments[..] {
                    [word, name] if word == "file" => beside.push((name.clone(), program.text)),
                    _ => {
                        program.beside = std::mem::take(&mut beside);
                        found.push(program);
                    }
                }
            }
            Some(program) => {
                program.text += line;
                program.text.push('\n');
            }
            None => {
                if let Some(title) = line.strip_prefix('#') {
                    heading = title.trim_start_matches('#').trim().to_owned();
                } else if let Some(rest) = line.strip_prefix("```python") {
                    let arguments = rest.split_whitespace().map(str::to_owned).collect();
                    let (heading, text, beside) = (heading.clone(), String::new(), Vec::new());
                    open = Some(Literate { heading, arguments, text, beside });
                }
            }
        }
    }
    found
}

fn expected(text: &str) -> Vec<Expected> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for kind in ["error", "warning"] {
            let Some((_, said)) = line.split_once(&format!("# {kind}: ")) else { continue };
            let code = said.split_whitespace().next().unwrap_or_default().to_owned();
            let part = said.split('"').nth(1).unwrap_or_default().to_owned();
            found.push(Expected { line: number + 1, kind: kind.to_owned(), code, part });
        }
    }
    found
}

fn verdict(program: &Literate, path: &Path) -> Result<(), String> {
    let expected = expected(&program.text);
    let output = Command::new(env!("CARGO_BIN_EXE_tensorvet"))
        .args(["check", "--color", "never", "--z3", "off", "--output-format", "concise"])
        .args(["--require-verified"])
        .arg(path)
        .arg("--")
        .args(&program.arguments)
        .output()
        .expect("the binary runs");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    let mut missing = expected.clone();
    let mut surprising = Vec::new();
    for line in shown.lines().filter(|line| !line.contains(": note[")) {
        let Some((line_number, kind, code)) = parts(line, path) else {
            surprising.push(line.to_owned());
            continue;
        };
        let place = missing.iter().position(|wanted| {
            (wanted.line, &*wanted.kind, &*wanted.code) == (line_number, kind, code)
                && line.contains(&wanted.part)
        });
        match place {
            Some(place) => drop(missing.remove(place)),
            None => surprising.push(line.to_owned()),
        }
    }
    let undecided = expected.is_empty()
        && surprising.is_empty()
        && output.status.code() != Some(0)
        && !program.heading.contains("(not decided)");
    if missing.is_empty() && surprising.is_empty() && !undecided {
        return Ok(());
    }
    let unknown = if undecided { "it is not verified: something is not decided\n" } else { "" };
    let missing: String = missing.iter().map(|wanted| format!("missing: {wanted:?}\n")).collect();
    let surprising: String = surprising.iter().map(|line| format!("surprising: {line}\n")).collect();
    Err(format!("{unknown}{missing}{surprising}{complaint}"))
}

/// `file: line:column: error[TV101] message` taken apart.
fn parts<'l>(line: &'l str, path: &Path) -> Option<(usize, &'l str, &'l str)> {
    let rest = line.strip_prefix(&format!("{}: ", path.display()))?;
    let (place, rest) = rest.split_once(": ")?;
    let number = place.split(':').next()?.parse().ok()?;
    let (kind, rest) = rest.split_once('[')?;
    let (code, _) = rest.split_once(']')?;
    Some((number, kind, code))
}
