//! Findings in words: every output format, and nowhere else the choice of words around a finding.

mod concise;
mod full;
mod github;
mod json;
mod listing;
mod numerics;
mod paint;
mod plain;
mod sarif;
mod snippet;
mod summary;
mod unknowns;

pub use paint::Paint;
pub use plain::plain;

use engines::validity::Answer;
use std::collections::BTreeMap;

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Like a compiler: the place, both sides, where they come from, what to do.
    Full,
    /// One line each.
    Concise,
    /// One stable object.
    Json,
    /// The format that code-scanning services read.
    Sarif,
    /// Annotations of a workflow run on GitHub.
    Github,
}

/// What was found about one file.
pub struct Checked {
    pub file: String,
    pub answer: Answer,
    /// The texts of the sources that findings point into, by file.
    pub sources: BTreeMap<String, String>,
    /// Findings that the user does not want to hear.
    pub ignored: usize,
}

/// Everything a user should see of a check; `unread` says of each file that could not be checked why.
pub fn render(results: &[Checked], unread: &[String], format: Format, options: &Options) -> String {
    let plain = || results.iter().map(plain::checked).collect::<Vec<Checked>>();
    match format {
        Format::Full => full::render(&plain(), options),
        Format::Concise => concise::render(&plain(), options),
        Format::Json => json::render(results, unread),
        Format::Sarif => sarif::render(results),
        Format::Github => github::render(results),
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    pub paint: Paint,
    /// Nothing but findings.
    pub quiet: bool,
    /// Also the shapes of all values, and where knowledge was lost.
    pub verbose: bool,
    /// How many questions each layer of the solver settled.
    pub stats: bool,
    /// Where knowledge was lost, first what most depends on.
    pub unknowns: bool,
}
