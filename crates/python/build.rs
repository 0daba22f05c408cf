//! Lists the Python files of `library`, with their outlines, so that they travel inside the binary.

#[path = "src/syntax/outline.rs"]
mod outline;

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=library");
    println!("cargo::rerun-if-changed=src/syntax/outline.rs");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?).join("library");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    let mut entries = Vec::new();
    for file in files {
        let relative = file.strip_prefix(&root)?.with_extension("");
        let mut parts: Vec<String> =
            relative.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let shown = format!("<library>/{}.py", parts.join("/"));
        if parts.last().is_some_and(|last| last == "__init__") {
            parts.pop();
        }
        entries.push((parts.join("."), shown, file));
    }
    entries.sort();
    let mut text = String::from("static FILES: &[File] = &[\n");
    for (name, path, file) in entries {
        let (outline, left_out) = outline::outline(&std::fs::read_to_string(&file)?);
        let file = file.display().to_string();
        writeln!(text, "    File {{ name: {name:?}, path: {path:?}, text: include_str!({file:?}),")?;
        writeln!(text, "        outline: {outline:?}, left_out: &{left_out:?} }},")?;
    }
    text += "];\n";
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("library.rs"), text)?;
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "py") {
            files.push(path);
        }
    }
    Ok(())
}
