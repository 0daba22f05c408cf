//! Which entry of `docs/found.md` a finding belongs to: one whose cause is there in every small case of it.

mod keras;
mod keras_tensorflow;
mod keras_torch;
mod onnxruntime;
mod torch;
mod windows;

use crate::fuzzer::{Example, Finding};

/// A known disagreement; `applies` looks for its cause.
struct Entry {
    /// The heading in `docs/found.md`.
    heading: &'static str,
    /// The backends that show it, by the beginning of their names.
    backend: &'static str,
    applies: fn(&Seen) -> bool,
}

/// A small case of a finding.
struct Seen<'f> {
    found: &'f Finding,
    case: &'f Example,
}

/// The heading of the entry that explains a finding, all of its cases.
pub fn entry(backend: &str, finding: &Finding) -> Option<&'static str> {
    let mut entries = finding.examples.iter().map(|case| {
        let seen = Seen { found: finding, case };
        let applies = |entry: &&&Entry| backend.starts_with(entry.backend) && (entry.applies)(&seen);
        all().find(applies).map(|entry| entry.heading)
    });
    let first = entries.next()??;
    entries.all(|entry| entry.is_some()).then_some(first)
}

fn all() -> impl Iterator<Item = &'static &'static Entry> {
    const ALL: &[&[&Entry]] =
        &[keras_tensorflow::KNOWN, keras_torch::KNOWN, keras::KNOWN, torch::KNOWN, onnxruntime::KNOWN];
    ALL.iter().copied().flatten()
}

impl Seen<'_> {
    fn layer(&self) -> &str {
        &self.found.layer
    }
    fn is(&self, kind: &str) -> bool {
        self.found.kind == kind
    }
    fn is_about_values(&self) -> bool {
        self.is("wrong value") || self.is("ignored argument")
    }
    fn is_refused(&self) -> bool {
        self.is("valid model rejected")
    }
    /// Whether that is how it was refused.
    fn says(&self, words: &str) -> bool {
        self.is_refused() && (self.found.detail.contains(words) || self.case.observed.contains(words))
    }
    fn is_by_build(&self) -> bool {
        !self.found.ways.is_empty() && self.found.ways.iter().all(|way| way == "build")
    }
    fn is_by_predict(&self) -> bool {
        !self.found.ways.is_empty() && self.found.ways.iter().all(|way| way == "predict")
    }
    /// Whether it computes in that type.
    fn computes_in(&self, dtype: &str) -> bool {
        self.case.tensors.iter().any(|tensor| tensor.dtype == dtype)
    }
    fn is_half(&self) -> bool {
        self.computes_in("f16") || self.computes_in("bf16")
    }
    /// Whether the call is given a tensor of that name, by itself or along with another.
    fn takes(&self, name: &str) -> bool {
        self.case.tensors.iter().any(|tensor| tensor.name == name)
    }
    /// Whether there is a tensor without elements.
    fn is_empty(&self) -> bool {
        self.case.tensors.iter().chain(&self.case.outputs).any(|tensor| tensor.shape.contains(&0))
    }
    /// Whether a tensor that the call was given holds such a number: `nan`, `inf`, `zero`.
    fn is_given(&self, special: &str) -> bool {
        self.case.tensors.iter().any(|tensor| tensor.holds.iter().any(|held| held == special))
    }
    /// Whether NaN was seen where it was not expected, or the other way round.
    fn is_about_nan(&self) -> bool {
        self.case.values().is_some_and(|(expected, observed)| expected.is_nan() != observed.is_nan())
    }
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_entry_is_there() {
        let path = crate::data::root().join("docs/found.md");
        let text = std::fs::read_to_string(path).expect("docs/found.md");
        for entry in all() {
            let heading = format!("## {}", entry.heading);
            assert!(text.lines().any(|line| line == heading), "{heading}");
        }
    }
}
