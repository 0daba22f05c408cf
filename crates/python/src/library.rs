//! Where modules come from: the user's files, and the models of libraries inside the binary.

use crate::syntax::{LeftOut, Module, decoded, read, read_outlined, read_package};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::OnceLock;

mod packages;

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// A file of a library inside the binary.
struct File {
    /// Its dotted name.
    name: &'static str,
    path: &'static str,
    text: &'static str,
    outline: &'static str,
    left_out: &'static [LeftOut],
}

fn file(dotted: &str) -> Option<&'static File> {
    FILES.binary_search_by_key(&dotted, |file| file.name).ok().map(|place| &FILES[place])
}
/// Whether there is a library file with a dotted name.
pub fn is_builtin(dotted: &str) -> bool {
    file(dotted).is_some()
}
/// A module of a library inside the binary, under a path of its own if one is given.
pub fn builtin(dotted: &str, path: Option<&str>) -> Option<Found> {
    let File { path: own, text, outline, left_out, .. } = file(dotted)?;
    let path = path.unwrap_or(own);
    match read_outlined(path, text, outline, left_out) {
        Ok(module) => Some(Ok(Rc::new(module))),
        Err((_, error)) => Some(Err(format!("{path}: {} in line {}", error.message, error.at.line))),
    }
}

/// Modules, with all that is in them, that have no say in what tensors do: whatever they give is not known, and
/// nothing is lost by that.
static HARMLESS: &[&str] = include!("harmless.in");

/// What modules and layers of PyTorch have, a line each (`xtask/truth/names.py`).
static NAMES: &str = include_str!("names.in");

/// Whether a module (`torch.nn`) or a layer (`class:Linear`) has a name, if that is recorded.
pub fn has_name(owner: &str, name: &str) -> Option<bool> {
    static OWNERS: OnceLock<FxHashMap<&str, &str>> = OnceLock::new();
    let lines = || NAMES.lines().map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
    let mut names = *OWNERS.get_or_init(lines).get(owner)?;
    // The names of a line are sorted.
    while !names.is_empty() {
        let half = names[..names.len() / 2].rfind(' ').map_or(0, |space| space + 1);
        let middle = &names[half..];
        let (found, after) = middle.split_once(' ').unwrap_or((middle, ""));
        match name.cmp(found) {
            Ordering::Equal => return Some(true),
            Ordering::Less => names = names[..half].trim_end_matches(' '),
            Ordering::Greater => names = after,
        }
    }
    Some(false)
}

/// Modules that no file of the user can stand in for.
static EARLY: &[&str] = &[
    "abc",
    "atexit",
    "builtins",
    "codecs",
    "errno",
    "gc",
    "io",
    "itertools",
    "marshal",
    "os",
    "os.path",
    "posixpath",
    "signal",
    "site",
    "stat",
    "sys",
    "time",
];

pub fn is_harmless(dotted: &str) -> bool {
    let mut name = dotted;
    loop {
        if HARMLESS.binary_search(&name).is_ok() {
            return true;
        }
        match name.rsplit_once('.') {
            Some((parent, _)) => name = parent,
            None => return false,
        }
    }
}

/// A module, or why it is no Python.
pub type Found = Result<Rc<Module>, String>;

/// Whether a package is one of those that models stand for, in whole or in part, or that have no say.
fn is_modelled(first: &str) -> bool {
    is_harmless(first) || is_builtin(first)
}

/// Modules by name, each read once however many paths execute it.
#[derive(Default)]
pub struct Libraries {
    /// Folders in which the user's own modules are looked for.
    roots: Vec<PathBuf>,
    /// Folders of models of libraries, which come before those inside the binary.
    stubs: Vec<PathBuf>,
    read: RefCell<FxHashMap<String, Option<Found>>>,
    /// Folders in which the packages of the user's environment stand.
    packages: Vec<PathBuf>,
    read_packages: RefCell<FxHashMap<String, Option<Found>>>,
    /// Libraries of which another version than the newest is meant.
    versions: Vec<(String, String)>,
    /// Packages that are not followed, and why.
    given_up: RefCell<FxHashMap<String, String>>,
}

impl Libraries {
    pub fn new(roots: Vec<PathBuf>) -> Libraries {
        Libraries { roots, ..Libraries::default() }
    }
    /// With models of libraries that stand in folders.
    pub fn with_stubs(self, stubs: Vec<PathBuf>) -> Libraries {
        Libraries { stubs, ..self }
    }
    /// With the versions of some libraries that are meant.
    pub fn with_versions(self, versions: Vec<(String, String)>) -> Libraries {
        Libraries { versions, ..self }
    }
    /// Whether versions of libraries are named at all.
    pub fn names_versions(&self) -> bool {
        !self.versions.is_empty()
    }
    /// The version of a library that is meant, if somebody says so.
    pub fn version(&self, library: &str) -> Option<&str> {
        self.versions.iter().find(|(name, _)| name == library).map(|(_, version)| version.as_str())
    }
    /// With the folders of installed packages, whose source is read where no model stands for them.
    pub fn with_packages(self, packages: Vec<PathBuf>) -> Libraries {
        Libraries { packages, ..self }
    }

    /// A module of the user or of a library.
    pub fn find(&self, dotted: &str) -> Option<Found> {
        if let Some(found) = self.read.borrow().get(dotted) {
            return found.clone();
        }
        // Python has some of its own modules before it looks for files; a stub is there because the user wants it in
        // place of what it stands for.
        let found = match EARLY.contains(&dotted) {
            true => builtin(dotted, None),
            false => self.of_stubs(dotted).or_else(|| self.of_user(dotted)).or_else(|| builtin(dotted, None)),
        };
        self.read.borrow_mut().insert(dotted.to_owned(), found.clone());
        found
    }
    /// A module of a package that is installed and that no model stands for.
    pub fn package(&self, dotted: &str) -> Option<Found> {
        let first = dotted.split('.').next().unwrap_or(dotted);
        if self.packages.is_empty() || is_modelled(first) || self.given_up.borrow().contains_key(first) {
            return None;
        }
        if let Some(found) = self.read_packages.borrow().get(dotted) {
            return found.clone();
        }
        let found = packages::find(&self.packages, dotted);
        self.read_packages.borrow_mut().insert(dotted.to_owned(), found.clone());
        found
    }
    /// Says that a package is not to be tried again.
    pub fn give_up(&self, dotted: &str, why: String) {
        let first = dotted.split('.').next().unwrap_or(dotted);
        self.given_up.borrow_mut().entry(first.to_owned()).or_insert(why);
    }
    /// Why a package is not followed.
    pub fn why_given_up(&self, dotted: &str) -> Option<String> {
        let first = dotted.split('.').next().unwrap_or(dotted);
        self.given_up.borrow().get(first).cloned()
    }
    /// Whether a module is surely not there: one of a package of the user's own.
    pub fn is_missing(&self, dotted: &str) -> bool {
        let first = dotted.split('.').next().unwrap_or(dotted);
        first != dotted && self.of_user(first).is_some()
    }
    /// Whether a module is a model of ours, which may know less than the library does.
    pub fn is_library(&self, dotted: &str) -> bool {
        let is_users = || !EARLY.contains(&dotted) && self.of_user(dotted).is_some();
        self.of_stubs(dotted).is_some() || (is_builtin(dotted) && !is_users())
    }

    fn of_stubs(&self, dotted: &str) -> Option<Found> {
        let relative: PathBuf = dotted.split('.').collect();
        let files = self.stubs.iter().flat_map(|folder| {
            let path = folder.join(&relative);
            [path.join("__init__.py"), path.with_extension("py")]
        });
        files.into_iter().find(|path| path.is_file()).map(|path| read_source(&path, true))
    }
    fn of_user(&self, dotted: &str) -> Option<Found> {
        let relative: PathBuf = dotted.split('.').collect();
        for root in &self.roots {
            for path in [root.join(&relative).join("__init__.py"), root.join(&relative).with_extension("py")]
            {
                if path.is_file() {
                    return Some(read_file(&path));
                }
            }
            // A folder without `__init__.py` is a package, too, if it holds Python files.
            let folder = root.join(&relative);
            if folder.is_dir() && holds_python(&folder) {
                let empty = read(&folder.join("__init__.py").display().to_string(), String::new(), false);
                return empty.ok().map(|module| Ok(Rc::new(module)));
            }
        }
        None
    }
}

fn holds_python(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.into_iter().any(|entry| entry.path().extension().is_some_and(|extension| extension == "py"))
}

/// Reads a Python file.
pub fn read_file(path: &Path) -> Found {
    read_source(path, false)
}
fn read_source(path: &Path, is_library: bool) -> Found {
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
    let text = decoded(bytes).map_err(|why| format!("{shown}: {why}"))?;
    match read(&shown, text, is_library) {
        Ok(module) => Ok(Rc::new(module)),
        Err((_, error)) => Err(format!("{} ({shown}, line {})", error.message, error.at.line)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_name_is_found() {
        for line in NAMES.lines() {
            let (owner, names) = line.split_once(' ').unwrap_or((line, ""));
            assert!(names.split(' ').is_sorted(), "the names of {owner} are sorted");
            assert!(names.split(' ').all(|name| name.is_empty() || has_name(owner, name) == Some(true)));
            assert_eq!(has_name(owner, "no_such_name"), Some(false));
        }
        assert_eq!(has_name("no_such_owner", "relu"), None);
    }
}
