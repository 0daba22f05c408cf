//! Results kept in `docs/`: generated, not typed. Each command owns one section of a page.

use crate::data;
use anyhow::{Context, Result};

/// Replaces the section `name` of `docs/PAGE`, or adds it.
pub fn section(page: &str, name: &str, text: &str) -> Result<()> {
    let path = data::root().join("docs").join(page);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let (begin, end) = (format!("<!-- begin {name} -->"), format!("<!-- end {name} -->"));
    let block = format!("{begin}\n{}\n{end}", text.trim_end());
    let new = match (old.find(&begin), old.find(&end)) {
        (Some(from), Some(to)) if from < to => format!("{}{block}{}", &old[..from], &old[to + end.len()..]),
        _ => format!("{}\n{block}\n", old.trim_end()).trim_start().to_string(),
    };
    std::fs::write(&path, new).with_context(|| format!("writing {}", path.display()))
}
