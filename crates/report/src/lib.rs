//! Findings in words: every output format, and nowhere else the choice of words around a finding.

mod concise;
mod full;
mod json;
mod paint;
mod plain;
mod summary;

pub use paint::Paint;
pub use plain::plain;

use engines::validity::Answer;

/// How results are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Like a compiler: the place, both sides, where they come from, what to do.
    Full,
    /// One line each.
    Concise,
    /// One stable object.
    Json,
}

/// What was found about one file.
pub struct Checked {
    pub file: String,
    pub answer: Answer,
}

/// Everything a user should see of a check.
pub fn render(results: &[Checked], format: Format, options: &Options) -> String {
    if format == Format::Json {
        return json::render(results);
    }
    let results: Vec<Checked> = results.iter().map(plain::checked).collect();
    match format {
        Format::Concise => concise::render(&results, options),
        Format::Full | Format::Json => full::render(&results, options),
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
}
