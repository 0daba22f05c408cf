//! Layers of Keras that are not defined here, and why.

/// By class, what stands in the way.
pub const REASONS: &[(&str, &str)] = &[
    ("FlaxLayer", "it holds a module of another framework"),
    ("JaxLayer", "it holds a function of another framework"),
    ("Lambda", "what it does is code, which is not executed"),
    ("Layer", "it is what others are made from, and computes nothing"),
    ("StringLookup", "it reads text"),
    ("TFSMLayer", "it holds a graph of TensorFlow"),
    ("TextVectorization", "it reads text"),
    ("TorchModuleWrapper", "it holds a module of PyTorch"),
    ("Wrapper", "it is what others are made from, and computes nothing"),
];
