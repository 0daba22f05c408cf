//! The Python environment that programs run in: where its packages stand, and its interpreter.
//! To check a program nothing there is executed; only `fuzz` runs the frameworks.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The folders of packages: of the environment that is named, or else of the one that is active, of the project's own
/// (`.venv`), or of conda's.
pub fn packages(named: Option<&Path>, file: &Path) -> Result<Vec<PathBuf>> {
    if let Some(named) = named {
        let found = site_packages(named);
        if found.is_empty() {
            bail!("--python {}: there is no folder `site-packages`", named.display());
        }
        return Ok(found);
    }
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from);
    let start = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let projects = start.ancestors().skip(1).map(|folder| folder.join(".venv"));
    let candidates = variable("VIRTUAL_ENV").into_iter().chain(projects).chain(variable("CONDA_PREFIX"));
    Ok(candidates.map(|folder| site_packages(&folder)).find(|found| !found.is_empty()).unwrap_or_default())
}

/// The interpreter of the environment that is named, or else of the active one or of the one with the frameworks.
pub fn interpreter(named: Option<&Path>) -> Result<PathBuf> {
    let variables = ["VIRTUAL_ENV", "TENSORVET_FRAMEWORKS"];
    let named = match named {
        Some(named) => named.to_owned(),
        None => match variables.iter().find_map(std::env::var_os) {
            Some(folder) => folder.into(),
            None => bail!("no Python is named: --python PATH, VIRTUAL_ENV or TENSORVET_FRAMEWORKS"),
        },
    };
    // A name alone would be looked for among the commands.
    let named = std::path::absolute(&named).unwrap_or(named);
    if named.is_file() {
        return Ok(named);
    }
    let inside = ["bin/python", "bin/python3", "Scripts/python.exe"].map(|inside| named.join(inside));
    match inside.into_iter().find(|path| path.is_file()) {
        Some(found) => Ok(found),
        None => bail!("{}: there is no Python interpreter", named.display()),
    }
}

/// The folders of packages of an environment, which is named by its folder, by its interpreter, or by themselves.
fn site_packages(environment: &Path) -> Vec<PathBuf> {
    if environment.ends_with("site-packages") && environment.is_dir() {
        return vec![environment.to_owned()];
    }
    // `.venv/bin/python`
    let folder = match environment.is_file() {
        true => environment.parent().and_then(Path::parent).unwrap_or(environment),
        false => environment,
    };
    let mut found = Vec::new();
    for library in ["lib", "lib64"] {
        let versions = std::fs::read_dir(folder.join(library)).into_iter().flatten().flatten();
        let versions = versions.filter(|entry| entry.file_name().to_string_lossy().starts_with("python3"));
        found.extend(versions.map(|entry| entry.path().join("site-packages")));
    }
    found.push(folder.join("Lib").join("site-packages"));
    found.retain(|folder| folder.is_dir());
    found.sort();
    // The one is often a link to the other.
    found.dedup_by(|a, b| a.canonicalize().ok() == b.canonicalize().ok());
    found
}
