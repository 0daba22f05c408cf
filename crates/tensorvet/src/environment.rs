//! The Python environment that programs run in: where its packages stand. Nothing there is executed.

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
