//! Layers of Keras that are not defined here, and why.

/// By class, what stands in the way.
pub const REASONS: &[(&str, &str)] = &[
    ("Lambda", "what it does is code, which is not executed"),
    ("StringLookup", "it reads text"),
    ("TextVectorization", "it reads text"),
];
