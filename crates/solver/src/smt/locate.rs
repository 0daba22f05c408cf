//! Where a Z3 library may be.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

const NAMES: [&str; 4] = ["libz3.so", "libz3.so.4", "libz3.dylib", "libz3.dll"];

/// Where to look, in this order: the explicit path, `TENSORVET_Z3`, the system's libraries, the package
/// `z3-solver` in `VIRTUAL_ENV`, `CONDA_PREFIX` and the given Python environments.
#[derive(Clone, Debug, Default)]
pub struct SmtPlaces {
    pub explicit: Option<PathBuf>,
    pub environments: Vec<PathBuf>,
}

pub(super) fn candidates(places: &SmtPlaces) -> Vec<OsString> {
    let named = places.explicit.clone().or_else(|| std::env::var_os("TENSORVET_Z3").map(PathBuf::from));
    if let Some(path) = named {
        // Whoever names a library means that one.
        return vec![path.into()];
    }
    let active = ["VIRTUAL_ENV", "CONDA_PREFIX"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let packages = active.chain(places.environments.iter().cloned()).flat_map(|root| in_environment(&root));
    NAMES.iter().map(OsString::from).chain(packages.map(OsString::from)).collect()
}

fn in_environment(root: &Path) -> Vec<PathBuf> {
    let mut sites = vec![root.join("Lib/site-packages")];
    for folder in std::fs::read_dir(root.join("lib")).into_iter().flatten().flatten() {
        if folder.file_name().to_string_lossy().starts_with("python3") {
            sites.push(folder.path().join("site-packages"));
        }
    }
    let files = sites.iter().flat_map(|site| NAMES.iter().map(move |name| site.join("z3/lib").join(name)));
    files.filter(|file| file.is_file()).collect()
}
