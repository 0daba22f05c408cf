//! House rules as tests: formatting, dependency edges, what operator files may see, pages for findings.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn code_is_formatted() {
    let output = Command::new(env!("CARGO")).args(["fmt", "--all", "--check"]).current_dir(root()).output();
    let output = output.expect("cargo fmt runs");
    assert!(output.status.success(), "run `cargo fmt`:\n{}", String::from_utf8_lossy(&output.stdout));
}

/// Arrows point one way; see the table in ARCHITECTURE.md.
#[test]
fn dependencies_point_one_way() {
    let allowed: &[(&str, &[&str])] = &[
        ("semantics", &[]),
        ("memory", &[]),
        ("layers", &["semantics"]),
        ("solver", &["semantics"]),
        ("program", &["semantics", "layers", "solver"]),
        ("arrays", &["semantics"]),
        ("models", &["semantics", "layers", "program", "arrays"]),
        ("engines", &["semantics", "layers", "solver", "program"]),
        ("report", &["engines"]),
        ("python", &["semantics", "memory", "solver", "program", "arrays"]),
        ("spaces", &["semantics", "layers", "solver", "program", "models", "python", "engines"]),
        (
            "tensorvet",
            &[
                "semantics",
                "memory",
                "layers",
                "solver",
                "program",
                "arrays",
                "models",
                "python",
                "engines",
                "report",
                "spaces",
            ],
        ),
    ];
    let crates: Vec<&str> = allowed.iter().map(|(name, _)| *name).collect();
    for entry in std::fs::read_dir(root().join("crates")).expect("the crates") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(crates.contains(&name.as_str()), "the crate `{name}` is not in the table of edges");
    }
    for (name, may_use) in allowed {
        let manifest = root().join("crates").join(name).join("Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("a manifest");
        // Tests may use more than the product does.
        let product = manifest.split("[dev-dependencies]").next().unwrap_or(&manifest);
        for other in &crates {
            let uses = product.lines().any(|line| {
                line.split(['.', '=', ' ']).next().is_some_and(|key| key == *other)
                    && !line.starts_with("name")
            });
            assert!(!uses || may_use.contains(other), "`{name}` may not depend on `{other}`");
        }
    }
}

/// An operator cannot branch on a size: what would let it do so stays out of its files.
#[test]
fn operator_files_cannot_look_into_sizes() {
    let forbidden =
        [".known()", ".id()", ".bounds()", ".known_rank().unwrap()", ".as_atom()", ".terms()", "unsafe"];
    for path in rust_files(&root().join("crates/semantics/src/operators")) {
        let text = std::fs::read_to_string(&path).expect("an operator file");
        for word in forbidden {
            assert!(!text.contains(word), "{} uses `{word}`", path.display());
        }
    }
}

#[test]
fn every_finding_has_a_page() {
    for rule in engines::finding::Rule::ALL {
        let page = root().join(format!("docs/findings/{}.md", rule.code()));
        let text = std::fs::read_to_string(&page).unwrap_or_else(|_| panic!("{} is missing", page.display()));
        assert!(text.starts_with(&format!("# {} {}\n", rule.code(), rule.name())), "{}", page.display());
    }
}

/// Reported, not enforced: a file beyond 600 lines wants splitting along an idea.
#[test]
fn file_sizes_are_reported() {
    let mut sizes: Vec<(usize, PathBuf)> = Vec::new();
    for path in rust_files(&root().join("crates")).into_iter().chain(rust_files(&root().join("xtask"))) {
        sizes.push((std::fs::read_to_string(&path).expect("a source file").lines().count(), path));
    }
    sizes.sort();
    println!("{} files, median {} lines", sizes.len(), sizes[sizes.len() / 2].0);
    for (lines, path) in sizes.iter().rev().take_while(|(lines, _)| *lines > 600) {
        println!("{lines} lines: {}", path.display());
    }
    assert!(!sizes.is_empty());
}

#[test]
fn no_machine_is_named() {
    let output = Command::new("git").args(["ls-files"]).current_dir(root()).output();
    // Outside a checkout there is nothing to look at.
    let Ok(output) = output else { return };
    let marks = [["/", "work/"].concat(), ["/", "root/"].concat(), ["/", "home/"].concat()];
    for name in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(text) = std::fs::read_to_string(root().join(name)) else { continue };
        for mark in &marks {
            assert!(!text.contains(mark.as_str()), "{name} names a path of a machine: {mark}");
        }
    }
}
