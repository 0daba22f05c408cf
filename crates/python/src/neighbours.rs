//! Files that are read but are not there: another program of the same folder may write them, or the same one in an
//! earlier run, and what it writes is found by analysing it, as any program is.

use crate::analyse::{Program, analyse};
use crate::asked::Asked;
use crate::deadline::Deadline;
use crate::entry::Entry;
use crate::written::Written;
use rustc_hash::FxHashMap;
use solver::{Context, Limits};
use std::cell::RefCell;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// Programs that are looked through for one file that is not there, and files of a folder that are considered.
const MOST_PROGRAMS: usize = 4;
const MOST_FILES: usize = 200;
/// Longer sources are not looked through.
const LONGEST: u64 = 1 << 18;
/// Work and time for one program that may write a file.
const STEPS: u64 = 600_000;
const TIME: Duration = Duration::from_millis(800);
/// A file may be written by a program that reads what another one writes.
const DEEPEST: usize = 3;

/// A program, and what it is called with.
type Called = (PathBuf, Vec<String>);

/// What the programs of a folder write, each analysed once, and only if somebody misses a file.
#[derive(Default)]
pub struct Neighbours {
    folder: PathBuf,
    /// Where libraries are looked for: see [`Program::open`].
    stubs: Vec<PathBuf>,
    packages: Vec<PathBuf>,
    /// The programs that are being analysed: they wait for what they read themselves.
    running: Vec<PathBuf>,
    written: RefCell<FxHashMap<Called, Rc<Vec<Written>>>>,
}

impl Neighbours {
    /// The other programs in the folder of a program that is being analysed.
    pub fn of(program: &Path, stubs: &[PathBuf], packages: &[PathBuf]) -> Neighbours {
        let folder = program.parent().map(Path::to_path_buf).unwrap_or_default();
        let (stubs, packages) = (stubs.to_vec(), packages.to_vec());
        Neighbours { folder, stubs, packages, running: vec![program.to_owned()], written: RefCell::default() }
    }
    /// With programs that read what this one writes.
    pub(crate) fn waited_for_by(&self, waiting: &[PathBuf]) -> Neighbours {
        let running = waiting.iter().chain(&self.running).cloned().collect();
        let (folder, stubs, packages) = (self.folder.clone(), self.stubs.clone(), self.packages.clone());
        Neighbours { folder, stubs, packages, running, written: RefCell::default() }
    }

    /// Whether two names are those of one file.
    pub fn is_same(&self, place: &str, other: &str) -> bool {
        normal(&self.folder, place) == normal(&self.folder, other)
    }

    /// What is in a file by that name after another program has run; none if no program plainly writes it.
    /// `arguments` are those that the program itself was called with.
    pub fn find(&self, place: &str, arguments: &[String], until: Option<Deadline>) -> Option<Written> {
        if self.running.len() > DEEPEST {
            return None;
        }
        let wanted = normal(&self.folder, place);
        let mut found: Option<Written> = None;
        for program in self.candidates(&wanted) {
            let is_own = self.running.last() == Some(&program);
            let written = self.written_by(&program, if is_own { arguments } else { &[] }, until);
            let Some(here) = written.iter().find(|written| normal(&self.folder, &written.place) == wanted)
            else {
                continue;
            };
            // What a program writes itself, on another path or in an earlier run, is what it reads.
            if is_own {
                return Some(here.clone());
            }
            match &found {
                // Two programs that write it differently: nobody knows which ran last.
                Some(other) if other.content != here.content => return None,
                _ => found = Some(here.clone()),
            }
        }
        found
    }

    /// The programs that speak of such a file and write something: the program itself first, then those that name it.
    fn candidates(&self, wanted: &Path) -> Vec<PathBuf> {
        let Some(name) = wanted.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
        let stem = name.split('.').next().filter(|stem| stem.len() > 2).unwrap_or(name);
        let ending = wanted.extension().and_then(|ending| ending.to_str()).map(|ending| format!(".{ending}"));
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_FILES);
        let mut files: Vec<PathBuf> = entries.map(|entry| self.folder.join(entry.file_name())).collect();
        files.sort();
        let mut candidates = Vec::new();
        for file in files {
            let is_short = std::fs::metadata(&file).is_ok_and(|data| data.is_file() && data.len() <= LONGEST);
            let is_python = file.extension().is_some_and(|extension| extension == "py");
            let (own, waiting) = match self.running.split_last() {
                Some((own, waiting)) => (*own == file, waiting.contains(&file)),
                None => (false, false),
            };
            if !is_python || !is_short || waiting {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let names = text.contains(name);
            // Some functions add the ending themselves, and some programs the stem.
            let speaks =
                names || text.contains(stem) || ending.as_ref().is_some_and(|it| text.contains(&**it));
            if speaks && writes(&text) {
                candidates.push((!own, !names, file));
            }
        }
        candidates.sort();
        candidates.into_iter().take(MOST_PROGRAMS).map(|(.., file)| file).collect()
    }

    /// All that a program writes, on every path alike.
    fn written_by(&self, file: &Path, arguments: &[String], until: Option<Deadline>) -> Rc<Vec<Written>> {
        let called = (file.to_owned(), arguments.to_vec());
        if let Some(known) = self.written.borrow().get(&called) {
            return known.clone();
        }
        let written = Rc::new(self.analysed(file, arguments, until).unwrap_or_default());
        self.written.borrow_mut().insert(called, written.clone());
        written
    }
    fn analysed(&self, file: &Path, arguments: &[String], until: Option<Deadline>) -> Option<Vec<Written>> {
        let mut program = Program::open(file, &self.stubs, &self.packages).ok()?.waited_for_by(&self.running);
        program.asked = Asked { written: true, ..Asked::default() }.into();
        program.grant(STEPS, Deadline::after(TIME).or_before(until));
        let mut paths: Vec<Vec<Written>> = Vec::new();
        let entry = Entry::Program { arguments: arguments.to_vec(), brief: false };
        let context = || Context::new(Limits::default());
        analyse(&program, &entry, &context, &mut |_, ended| {
            // A run that fails is not the one that wrote the file.
            if ended.raised.is_none() {
                paths.push(ended.written);
            }
            true
        });
        Some(agreed(paths))
    }
}

/// What is written on some path, and nowhere otherwise.
fn agreed(paths: Vec<Vec<Written>>) -> Vec<Written> {
    let mut written: Vec<Written> = Vec::new();
    let mut doubtful: Vec<String> = Vec::new();
    for one in paths.into_iter().flat_map(last_of_each) {
        match written.iter().find(|other| other.place == one.place) {
            Some(other) if other.content != one.content => doubtful.push(one.place),
            Some(_) => {}
            None => written.push(one),
        }
    }
    written.retain(|one| !doubtful.contains(&one.place));
    written
}

/// What is written later is what stays.
fn last_of_each(written: Vec<Written>) -> Vec<Written> {
    let mut last: Vec<Written> = Vec::new();
    for one in written {
        last.retain(|other| other.place != one.place);
        last.push(one);
    }
    last
}

/// Whether a program calls something that writes what another can read: `torch.save(…)`, `json.dump(…)`.
fn writes(text: &str) -> bool {
    let calls = |verb: &str| {
        text.match_indices(verb).any(|(at, _)| {
            let name = text[at..].split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            let name = name.into_iter().next().unwrap_or_default();
            name != "savefig" && text[at + name.len()..].starts_with('(')
        })
    };
    calls("save") || calls("dump")
}

/// A path without detours.
fn normal(folder: &Path, place: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in folder.join(place).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(path.components().next_back(), Some(Component::Normal(_))) => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plot_is_nothing_that_a_program_reads() {
        assert!(writes("torch.save(net, 'a.pt')"));
        assert!(writes("np.savez_compressed('a.npz', x=x)"));
        assert!(writes("json.dump(sizes, file)"));
        assert!(!writes("plt.savefig('a.pdf')"));
        assert!(!writes("save_path = 'a.pt'"));
    }
}
