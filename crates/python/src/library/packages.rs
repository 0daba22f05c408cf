//! The source of packages that are installed in the user's environment: read, never executed by Python.

use super::{Found, read_package};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A longer file is no code that anybody wrote.
const LONGEST: u64 = 2 << 20;
/// Entries that are looked at to see whether a package is all Python.
const MOST_ENTRIES: usize = 3000;

/// A module in one of the folders; nothing if it is not there, or if its package is in part machine code.
pub(super) fn find(folders: &[PathBuf], dotted: &str) -> Option<Found> {
    let relative: PathBuf = dotted.split('.').collect();
    let first = dotted.split('.').next().unwrap_or(dotted);
    for folder in folders {
        for path in [folder.join(&relative).join("__init__.py"), folder.join(&relative).with_extension("py")]
        {
            if path.is_file() {
                let mut left = MOST_ENTRIES;
                return is_python(&folder.join(first), 3, &mut left).then(|| read(&path));
            }
        }
    }
    None
}

fn read(path: &Path) -> Found {
    let shown = path.display().to_string();
    let size = std::fs::metadata(path).map_err(|error| format!("{shown}: {error}"))?.len();
    if size > LONGEST {
        return Err(format!("{shown}: the file is longer than is read"));
    }
    let bytes = std::fs::read(path).map_err(|error| format!("{shown}: {error}"))?;
    let text = super::decoded(bytes).map_err(|why| format!("{shown}: {why}"))?;
    match read_package(&shown, text) {
        Ok(module) => Ok(Rc::new(module)),
        Err((_, error)) => Err(format!("{shown}: {} in line {}", error.message, error.at.line)),
    }
}

/// Whether a folder holds no compiled modules, as far down as is looked.
fn is_python(folder: &Path, depth: usize, left: &mut usize) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return true };
    for entry in entries.flatten() {
        if *left == 0 {
            return true;
        }
        *left -= 1;
        let path = entry.path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("so" | "pyd" | "dylib")) {
            return false;
        }
        let is_folder = extension.is_none() && entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && !is_python(&path, depth - 1, left) {
            return false;
        }
    }
    true
}
