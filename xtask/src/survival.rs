//! Bar 6 of reading Python: real files, and random changes of them, are analysed one by one. A crash or more than
//! ten seconds is a failure.

use crate::{data, document, frameworks};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const DEFAULT_FILES: usize = 3000;
/// One file in so many is also changed at random.
const CHANGED: usize = 3;
/// A word is said after so many files.
const PROGRESS: usize = 200;
const LIMIT: Duration = Duration::from_secs(10);

struct Outcome {
    file: PathBuf,
    time: Duration,
    /// Why it is a failure.
    failure: Option<String>,
}

/// `[--files N] [FOLDER…]`: without folders, the library of Python and the packages of the frameworks.
pub fn run(arguments: &[&str]) -> Result<()> {
    let (count, folders) = match arguments {
        ["--files", count, rest @ ..] => (count.parse().context("--files takes a number")?, rest),
        rest => (DEFAULT_FILES, rest),
    };
    let is_usual = folders.is_empty();
    let folders: Vec<PathBuf> = match folders {
        [] => usual_folders()?,
        folders => folders.iter().map(PathBuf::from).collect(),
    };
    let mut files = Vec::new();
    for folder in &folders {
        collect(folder, &mut files)?;
    }
    files.sort();
    let mut random = Random(7);
    let found = files.len();
    let chosen: Vec<PathBuf> =
        (0..count.min(found)).map(|_| files.swap_remove(random.below(files.len()))).collect();
    let binary = std::env::var_os("TENSORVET").map_or_else(build, |binary| Ok(binary.into()))?;
    let scratch = data::scratch("survival")?;
    println!("analysing {} of {found} files …", chosen.len());
    let started = Instant::now();
    let mut outcomes = Vec::new();
    let (mut plain, mut changed) = (0, 0);
    for (place, file) in chosen.iter().enumerate() {
        if place % PROGRESS == 0 && place > 0 {
            let slowest = outcomes.iter().map(|outcome: &Outcome| outcome.time).max().unwrap_or_default();
            let failed = outcomes.iter().filter(|outcome| outcome.failure.is_some()).count();
            println!("  {place} files, {failed} failures, the slowest took {:.1} s", slowest.as_secs_f64());
        }
        outcomes.push(analysed(&binary, file)?);
        plain += 1;
        if place % CHANGED == 0
            && let Ok(text) = std::fs::read_to_string(file)
        {
            let copy = scratch.join(format!("changed_{place}.py"));
            std::fs::write(&copy, mutated(&text, &mut random))?;
            let outcome = analysed(&binary, &copy)?;
            if outcome.failure.is_none() {
                std::fs::remove_file(&copy)?;
            }
            outcomes.push(outcome);
            changed += 1;
        }
    }
    outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.time));
    let failures: Vec<&Outcome> = outcomes.iter().filter(|outcome| outcome.failure.is_some()).collect();
    for outcome in &failures {
        println!("{}: {}", outcome.file.display(), outcome.failure.as_deref().unwrap_or_default());
    }
    let slow = outcomes.iter().filter(|outcome| outcome.time.as_secs_f64() > 1.0);
    let slow_count = slow.clone().count();
    for outcome in slow.take(10) {
        println!("{:.1} s: {}", outcome.time.as_secs_f64(), outcome.file.display());
    }
    let slowest = outcomes.first().map_or(0.0, |outcome| outcome.time.as_secs_f64());
    let middle = outcomes.get(outcomes.len() / 2).map_or(0.0, |outcome| outcome.time.as_secs_f64());
    let text = format!(
        "## Files that are read\n\n\
         `cargo xtask survival`: {plain} files of Python's own library and of installed packages, and {changed} random \
         changes of them, each analysed by `tensorvet check` with its usual budgets.\n\n\
         | files | crashes and hangs | slowest | over a second | median | in all |\n|---|---|---|---|---|---|\n\
         | {} | {} | {slowest:.2} s | {slow_count} | {middle:.3} s | {:.0} s |\n",
        outcomes.len(),
        failures.len(),
        started.elapsed().as_secs_f64(),
    );
    println!("{text}");
    if is_usual {
        document::section("conformance.md", "survival", &text)?;
    }
    if failures.is_empty() { Ok(()) } else { bail!("{} files are not survived", failures.len()) }
}

fn usual_folders() -> Result<Vec<PathBuf>> {
    let ask = |python: &Path, program: &str| -> Result<PathBuf> {
        let output = Command::new(python).args(["-c", program]).output().context("running Python")?;
        Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()))
    };
    let mut folders = Vec::new();
    match ask(Path::new("python3"), "import os; print(os.path.dirname(os.__file__))") {
        Ok(folder) if folder.is_dir() => folders.push(folder),
        _ => println!("SKIPPED: no python3, whose library could be read"),
    }
    if let Some(python) = frameworks::python()? {
        folders.push(ask(&python, "import sysconfig; print(sysconfig.get_paths()['purelib'])")?);
    }
    Ok(folders)
}

pub fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
    Ok(())
}

pub fn build() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["build", "--release", "-p", "tensorvet", "--message-format", "json"])
        .stderr(Stdio::inherit())
        .current_dir(data::root())
        .output()
        .context("running cargo")?;
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages.lines().rev().find_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    });
    executable.context("the binary does not build")
}

/// Exit codes up to 2 are answers; anything else, and taking too long, is a failure.
fn analysed(binary: &Path, file: &Path) -> Result<Outcome> {
    let started = Instant::now();
    let mut child = Command::new(binary)
        .args(["check", "--color", "never", "--quiet"])
        .arg(file)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("starting the check")?;
    let failure = loop {
        match child.try_wait()? {
            Some(status) => match status.code() {
                Some(0..=2) => break None,
                _ => break Some(status.to_string()),
            },
            None if started.elapsed() > LIMIT => {
                child.kill()?;
                child.wait()?;
                break Some(format!("more than {} s", LIMIT.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    Ok(Outcome { file: file.to_owned(), time: started.elapsed(), failure })
}

/// A text with a few lines moved, doubled, cut, joined or filled with odd things.
fn mutated(text: &str, random: &mut Random) -> String {
    const ODD: [&str; 12] = [
        "while True: pass",
        "x = x * 2 ** 100",
        "def f(*a, **k): return f(*a, **k)",
        "f = lambda: f()\nf()",
        "[0] * 10 ** 9",
        "'%d' % 'a'",
        "for i in iter(int, 1): print(i)",
        "class A(A): pass",
        "raise",
        "yield",
        "x = [x]",
        "from os import *",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..1 + random.below(6) {
        if lines.is_empty() {
            break;
        }
        let (at, to) = (random.below(lines.len()), random.below(lines.len()));
        match random.below(7) {
            0 => drop(lines.remove(at)),
            1 => lines.swap(at, to),
            2 => {
                let line = lines[at].clone();
                lines.insert(to, line);
            }
            3 => {
                let indent: String = lines[at].chars().take_while(|letter| *letter == ' ').collect();
                let odd = ODD[random.below(ODD.len())].replace('\n', &format!("\n{indent}"));
                lines.insert(at, format!("{indent}{odd}"));
            }
            4 => {
                let cut = random.below(lines[at].chars().count() + 1);
                lines[at] = lines[at].chars().take(cut).collect();
            }
            5 => lines[at] = lines[at].trim_start().to_owned(),
            _ => {
                let number = ["0", "-1", "10 ** 12", "None", "[]", "1e308"][random.below(6)];
                let digits = |letter: char| letter.is_ascii_digit();
                if let Some(place) = lines[at].find(digits) {
                    let end = lines[at][place..]
                        .find(|letter| !digits(letter))
                        .map_or(lines[at].len(), |end| place + end);
                    lines[at].replace_range(place..end, number);
                }
            }
        }
    }
    lines.join("\n")
}

/// SplitMix64: the same seed gives the same numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }
}
