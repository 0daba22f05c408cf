//! Where test data and generated things are.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of third-party test data, if it is there.
pub fn shared() -> Option<PathBuf> {
    let folder =
        std::env::var_os("TENSORVET_DATA").map_or_else(|| root().join("../shared/data"), PathBuf::from);
    folder.is_dir().then_some(folder)
}

/// A folder for what commands make; kept between runs.
pub fn scratch(name: &str) -> Result<PathBuf> {
    let folder = root().join("target/xtask").join(name);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    Ok(folder)
}

/// Unpacks an archive of the test data once. `None`, and a word to the user, if it is not there.
pub fn unpacked(archive: &str) -> Result<Option<PathBuf>> {
    let Some(path) = shared().map(|folder| folder.join(archive)).filter(|path| path.is_file()) else {
        println!("SKIPPED: {archive} is not there (TENSORVET_DATA names its folder)");
        return Ok(None);
    };
    let folder = scratch(archive.trim_end_matches(".tar.gz"))?;
    let mark = folder.join(".complete");
    if !mark.exists() {
        let file = std::fs::File::open(&path).with_context(|| format!("opening {}", path.display()))?;
        tar::Archive::new(flate2::read::GzDecoder::new(file)).unpack(&folder)?;
        std::fs::write(mark, "")?;
    }
    Ok(Some(folder))
}
