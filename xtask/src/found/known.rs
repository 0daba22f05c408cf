//! Which entry of `docs/found.md` a finding belongs to.

use crate::fuzzer::Finding;

/// A known disagreement; `applies` tells its findings from others.
struct Entry {
    /// The heading in `docs/found.md`.
    heading: &'static str,
    /// The backends that show it, by the beginning of their names.
    backend: &'static str,
    applies: fn(&Finding) -> bool,
}

/// The heading of the entry that explains a finding.
pub fn entry(backend: &str, finding: &Finding) -> Option<&'static str> {
    let applies = |entry: &&Entry| backend.starts_with(entry.backend) && (entry.applies)(finding);
    KNOWN.iter().find(applies).map(|entry| entry.heading)
}

const KNOWN: &[Entry] = &[
    // Keras.
    Entry {
        heading: "Keras 3.15.1: `ReLU` drops what is exactly at its threshold",
        backend: "keras",
        applies: |found| found.layer == "ReLU" && found.is("wrong value") && found.has("threshold"),
    },
    Entry {
        heading: "Keras 3.15.1: layers in float64 read their arguments in float32",
        backend: "keras",
        applies: |found| {
            found.has("dtype=f64")
                && found.is_about_values()
                && ["Masking", "ReLU", "LeakyReLU"].contains(&found.layer.as_str())
        },
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: layers in float64 compute in float32",
        backend: "keras-torch",
        applies: |found| found.has("dtype=f64") && (found.is_about_values() || found.is("wrong type")),
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: averages at the border count the last element more than once",
        backend: "keras-torch",
        applies: |found| {
            found.layer.starts_with("AveragePooling") && found.is("wrong value") && found.has("padding=same")
        },
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: averages of windows larger than the volume are refused",
        backend: "keras-torch",
        applies: |found| found.layer == "AveragePooling3D" && found.says("smaller than kernel size"),
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: a normalization along no axis is refused",
        backend: "keras-torch",
        applies: |found| found.says("normalized_shape to be at least"),
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: `LayerNormalization` and `RMSNormalization` ignore their axis",
        backend: "keras-torch",
        applies: |found| {
            found.says("Given normalized_shape=")
                || found.layer.ends_with("Normalization") && found.has("axis") && found.is_about_values()
        },
    },
    Entry {
        heading: "Keras 3.15.1: `RMSNormalization` scales along the wrong axis",
        backend: "keras",
        applies: |found| found.layer == "RMSNormalization" && found.has("axis") && found.is_refused(),
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: recurrent layers cannot be made in half precision",
        backend: "keras",
        applies: |found| found.says("geqrf_cpu") || found.says("not in the list of allowed values"),
    },
    Entry {
        heading: "Half precision and empty tensors that one backend does not have",
        backend: "keras",
        applies: |found| found.is_refused() && ABSENT.iter().any(|words| found.detail.contains(words)),
    },
    Entry {
        heading: "Keras 3.15.1, torch backend: a slope beyond float32 is refused",
        backend: "keras-torch",
        applies: |found| found.says("cannot be converted to type float without overflow"),
    },
    Entry {
        heading: "Keras 3.15.1: `Softmax` over several axes loses digits of large numbers",
        backend: "keras",
        applies: |found| found.layer == "Softmax" && found.is("wrong value") && found.has("axis"),
    },
    Entry {
        heading: "Keras 3.15.1: unit vectors of zeros are not a number in float16",
        backend: "keras",
        applies: |found| {
            found.is("wrong value")
                && found.has("dtype=f16")
                && (found.layer == "UnitNormalization" || found.has("normalize=true"))
        },
    },
    Entry {
        heading: "Keras 3.15.1: `soft_shrink` and `hard_shrink` of what is not a number",
        backend: "keras",
        applies: |found| {
            found.is_about_values() && found.arguments.iter().any(|given| given.ends_with("_shrink"))
        },
    },
    Entry {
        heading: "Keras 3.15.1: shapes that a symbolic build expects and no call gives",
        backend: "keras",
        applies: |found| {
            found.is_by_build() && (found.is("wrong shape") || found.is("wrong type") || found.is_refused())
        },
    },
    Entry {
        heading: "Keras 3.15.1, TensorFlow backend: the bias of a convolution lies along the wrong axis",
        backend: "keras-tensorflow",
        applies: |found| {
            found.layer.contains("Conv") && found.is("wrong value") && found.has("data_format=channels_first")
        },
    },
    Entry {
        heading: "Keras 3.15.1, TensorFlow backend: adding a column adds a row",
        backend: "keras-tensorflow",
        applies: |found| ["Add", "Average"].contains(&found.layer.as_str()) && !found.is("crash"),
    },
    Entry {
        heading: "TensorFlow 2.21: three axes padded to the same size take the middle where a window is smaller than its step",
        backend: "keras-tensorflow",
        applies: |found| found.layer.ends_with("3D") && found.is("wrong value") && found.has("padding=same"),
    },
    Entry {
        heading: "TensorFlow 2.21 on x86-64: `Softmax` over more than five axes",
        backend: "keras-tensorflow",
        applies: |found| found.says("Input dims must be"),
    },
    Entry {
        heading: "TensorFlow 2.21 on x86-64: `mish` is wrong in the third digit when a model predicts",
        backend: "keras-tensorflow",
        applies: |found| found.is("wrong value") && found.ways == ["predict"] && found.has("activation=mish"),
    },
    Entry {
        heading: "TensorFlow 2.21 on x86-64: `einsum` with a trailing ellipsis writes where it should not",
        backend: "keras-tensorflow",
        applies: |found| found.layer == "EinsumDense" && (found.is("crash") || found.is("wrong value")),
    },
    // ONNX Runtime.
    Entry {
        heading: "ONNX Runtime 1.31.1: `QuantizeLinear` in blocks of an empty tensor ends the process",
        backend: "onnxruntime",
        applies: |found| found.layer == "quantize_linear" && found.is("crash"),
    },
];

/// What libraries say that have no kernel for a type or for nothing at all.
const ABSENT: &[&str] = &[
    "not implemented for",
    "non-zero size for non-batch dimensions",
    "other non-zero dimensions",
    "tensor with optional",
    "batch mode) tensor",
    "expected weight to be at least",
    "Only zero batch or zero channel inputs",
    "non-positive groups",
    "integer modulo by zero",
    "is out of bounds for dimension",
    "stack expects a non-empty TensorList",
    "cannot reshape tensor of # elements",
    "max of an empty tensor",
    "must have positive height and width",
    "No OpKernel was registered",
    "Could not find device",
    "Could not find valid device",
];

impl Finding {
    fn is(&self, kind: &str) -> bool {
        self.kind == kind
    }
    fn is_about_values(&self) -> bool {
        self.is("wrong value") || self.is("ignored argument")
    }
    fn is_refused(&self) -> bool {
        self.is("valid model rejected")
    }
    /// Whether an argument is given, or has that value.
    fn has(&self, argument: &str) -> bool {
        self.arguments.iter().any(|given| given == argument)
    }
    /// Whether that is how it was refused.
    fn says(&self, words: &str) -> bool {
        self.is_refused() && self.detail.contains(words)
    }
    fn is_by_build(&self) -> bool {
        !self.ways.is_empty() && self.ways.iter().all(|way| way == "build")
    }
}

#[cfg(test)]
mod tests {
    use super::KNOWN;

    #[test]
    fn every_entry_is_there() {
        let path = crate::data::root().join("docs/found.md");
        let text = std::fs::read_to_string(path).expect("docs/found.md");
        for entry in KNOWN {
            let heading = format!("## {}", entry.heading);
            assert!(text.lines().any(|line| line == heading), "{heading}");
        }
    }
}
