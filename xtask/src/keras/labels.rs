//! The labels of what Keras must refuse, and which of them a draw has broken alone.

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

/// How many labels of the layers that were drawn a call has broken alone, and which none has.
pub fn summary(backend: Backend, drawn: &BTreeSet<&str>, broken_alone: &BTreeSet<Label>) -> String {
    let mut labels = binding(backend);
    labels.retain(|(layer, _)| drawn.contains(layer.as_str()));
    let mut never: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (layer, label) in labels.difference(broken_alone) {
        never.entry(label).or_default().push(layer);
    }
    let missing: usize = never.values().map(Vec::len).sum();
    let mut text = format!(
        "Of {} labels of requirements {} were broken alone by a call that Keras refused, too.\n",
        labels.len(),
        labels.len() - missing
    );
    if missing > 0 {
        text.push_str("\n| never broken alone | layers |\n|---|---|\n");
        for (label, layers) in never {
            let _ = writeln!(text, "| {label} | {} |", layers.join(", "));
        }
    }
    text
}
