//! Disagreements with Keras that are not ours: what it does, and whether that is a fault of it or said nowhere.

use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whose {
    Ours,
    Keras,
    Undocumented,
}

impl Whose {
    pub fn word(self) -> &'static str {
        match self {
            Whose::Ours => "ours",
            Whose::Keras => "Keras's",
            Whose::Undocumented => "undocumented",
        }
    }
}

/// A known disagreement; `applies` tells its calls from others.
pub struct Explanation {
    pub whose: Whose,
    /// On which backend; on every one if it is empty.
    backend: &'static str,
    pub words: &'static str,
    applies: fn(&Seen) -> bool,
}

/// A disagreement as it was seen.
struct Seen<'a> {
    row: &'a Value,
    layer: &'a str,
    why: &'a str,
}

impl Seen<'_> {
    fn argument(&self, name: &str) -> &Value {
        &self.row["arguments"][name]
    }
    fn is_value(&self) -> bool {
        self.why.starts_with("another value")
    }
}

/// What is known of the disagreement.
pub fn of(row: &Value, layer: &str, backend: &str, why: &str) -> Option<&'static Explanation> {
    let seen = Seen { row, layer, why };
    let applies = |known: &&Explanation| known.backend.is_empty() || known.backend == backend;
    KNOWN.iter().filter(applies).find(|known| (known.applies)(&seen))
}

const KNOWN: &[Explanation] = &[
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "the bias is added along the last axis instead of the channels, which come first, where both are equally long",
        applies: |seen| {
            seen.is_value()
                && seen.layer.contains("Conv")
                && seen.argument("data_format") == "channels_first"
                && seen.argument("use_bias") != false
        },
    },
    Explanation {
        whose: Whose::Keras,
        backend: "tensorflow",
        words: "a tensor with one axis longer than 1 is taken for a bias, and added along another axis than the one that it has",
        applies: |seen| ["Add", "Average"].contains(&seen.layer),
    },
    Explanation {
        whose: Whose::Keras,
        backend: "",
        words: "a number equal to the threshold becomes 0, where the documentation says that it stays",
        applies: |seen| seen.is_value() && seen.layer == "ReLU" && seen.argument("threshold") != 0.0,
    },
];
