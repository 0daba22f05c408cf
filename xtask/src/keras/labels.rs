//! The labels of what Keras must refuse, and which of them a draw has broken alone.

use super::Seen;
use semantics::arena;
use semantics::example::{self, Expected};
use semantics::operator::Backend;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// A layer and a label of its requirements.
pub type Label = (String, String);

/// What binds on this backend: each label has an example that breaks it and no other.
fn binding(backend: Backend) -> BTreeSet<Label> {
    let mut found = BTreeSet::new();
    for layer in layers::layers::ALL.iter().chain(layers::preparing::ALL) {
        for text in layer.operator.examples {
            arena::scope(|| {
                let Ok(mut example) = example::parse_call(text, &layer.operator) else { return };
                let Expected::Fails(label) = example.expected else { return };
                example.call.backend = backend;
                let _ = example.call.run(layer.operator.define);
                let is_broken = example.call.requirements.iter().any(|requirement| {
                    requirement.label == label
                        && requirement.category.binds()
                        && requirement.prop.known() == Some(false)
                });
                if is_broken {
                    found.insert((layer.operator.name.to_string(), label));
                }
            });
        }
    }
    found
}

/// How many labels of the layers that were drawn a call has broken alone, how many more only an example of the
/// definition, and which none has.
pub fn summary(backend: Backend, drawn: &BTreeSet<&str>, seen: &Seen) -> String {
    let mut labels = binding(backend);
    labels.retain(|(layer, _)| drawn.contains(layer.as_str()));
    let (mut by_draws, mut by_examples) = (0, 0);
    let mut never: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for label in &labels {
        if seen.measured.broken_alone.contains(label) {
            by_draws += 1;
        } else if seen.asked.contains(label) {
            by_examples += 1;
        } else {
            let what = if seen.taken.contains(label) { "takes it" } else { "was not asked" };
            never.entry((&label.1, what)).or_default().push(&label.0);
        }
    }
    let mut text = format!(
        "Of {} labels of requirements {by_draws} were broken alone by a drawn call that Keras refused, too, \
         and {by_examples} more by the example of the definition.\n",
        labels.len(),
    );
    if !never.is_empty() {
        text.push_str("\n| never broken alone | layers | Keras, of the example |\n|---|---|---|\n");
        for ((label, what), layers) in never {
            let _ = writeln!(text, "| {label} | {} | {what} |", layers.join(", "));
        }
    }
    text
}
