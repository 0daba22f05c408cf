//! What Keras is known for, whoever computes for it.

use super::{Entry, Seen};

pub(super) const KNOWN: &[&Entry] = &[
    &Entry {
        heading: "Keras 3.15.1: `ReLU` drops what is exactly at its threshold",
        backend: "keras",
        applies: |seen| {
            let (Some(threshold), Some((expected, observed))) =
                (argument_of(seen, "ReLU", "threshold"), seen.case.values())
            else {
                return false;
            };
            // In the type of the input the threshold may be rounded.
            let at = (expected - threshold).abs() <= 1e-2 * threshold.abs();
            seen.is_about_values() && at && observed == 0.0
        },
    },
    &Entry {
        heading: "Keras 3.15.1: layers in float64 read their arguments in float32",
        backend: "keras",
        applies: |seen| {
            let coarse = |x: f64| f64::from(x as f32) != x;
            let read = match seen.layer() {
                // What is masked is equal or is not.
                "Masking" => seen.case.float("mask_value").is_some_and(coarse),
                "ReLU" | "LeakyReLU" | "Rescaling" => seen.case.as_float32,
                _ => false,
            };
            read && seen.is_about_values() && seen.computes_in("f64")
        },
    },
    &Entry {
        heading: "Keras 3.15.1: `RMSNormalization` scales along the wrong axis",
        backend: "keras",
        applies: |seen| seen.layer() == "RMSNormalization" && seen.is_refused() && !is_last_axis(seen),
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: recurrent layers cannot be made in half precision",
        backend: "keras",
        applies: |seen| {
            seen.is_half() && (seen.says("geqrf_cpu") || seen.says("not in the list of allowed values"))
        },
    },
    &Entry {
        heading: "Types and empty tensors that one backend does not have",
        backend: "keras",
        applies: |seen| {
            let other = seen.is_half() || seen.computes_in("f64");
            let no_kernel = other && NO_KERNEL.iter().any(|words| seen.says(words));
            no_kernel || seen.is_empty() && NO_EMPTY.iter().any(|words| seen.says(words))
        },
    },
    &Entry {
        heading: "Keras 3.15.1: `Softmax` over several axes loses digits of large numbers",
        backend: "keras",
        applies: |seen| {
            let several = seen.case.numbers("axis").is_some_and(|axes| axes.len() > 1);
            let near = seen.case.values().is_some_and(|(a, b)| (a - b).abs() <= 0.05 * a.abs());
            seen.layer() == "Softmax" && seen.is_about_values() && several && near
        },
    },
    &Entry {
        heading: "Keras 3.15.1: unit vectors of zeros are not a number in float16",
        backend: "keras",
        applies: |seen| {
            let wrapped = wrapped(seen).is_some_and(|layer| layer.starts_with("UnitNormalization"));
            let normalizes = seen.layer() == "UnitNormalization" || wrapped || seen.case.is_set("normalize");
            seen.is_about_values() && seen.computes_in("f16") && normalizes && seen.is_about_nan()
        },
    },
    &Entry {
        heading: "Keras 3.15.1: `soft_shrink` and `hard_shrink` of what is not a number",
        backend: "keras",
        applies: |seen| {
            let shrinks = ["soft_shrink", "hard_shrink"].into_iter().any(|name| activates_with(seen, name));
            seen.is_about_values() && shrinks && seen.is_about_nan()
        },
    },
    &Entry {
        heading: "Keras 3.15.1: attention along the axis of features",
        backend: "keras",
        applies: |seen| {
            let rank = seen.case.tensors.first().map_or(0, |tensor| tensor.shape.len() as i64);
            let along = seen.case.numbers("attention_axes").is_some_and(|axes| axes.contains(&(rank - 1)));
            seen.layer() == "MultiHeadAttention" && seen.says("must be broadcastable") && along
        },
    },
    &Entry {
        heading: "Keras 3.15.1: shapes that a symbolic build expects and no call gives",
        backend: "keras",
        applies: |seen| {
            let shape = seen.is("wrong shape") || seen.is("wrong type") || seen.is_refused();
            let unknown = [
                "NoneType",
                "Undefined shapes",
                "a defined dimension",
                "only support static",
                "fully-defined",
                "axis values None",
            ]
            .iter()
            .any(|words| seen.says(words));
            let leaves_open = |other: &String| other == "EinsumDense" || other.contains("Cell");
            let left_open = unknown && seen.case.beside.iter().any(leaves_open);
            seen.is_by_build() && shape && (is_misjudged(seen) || is_of_integers(seen) || left_open)
        },
    },
    &Entry {
        heading: "Keras 3.15.1: attention changes the masks of what it is given, and of its scores",
        backend: "keras",
        applies: |seen| {
            let attends =
                |name: &String| ["MultiHeadAttention", "GroupQueryAttention"].contains(&name.as_str());
            seen.case.beside.iter().any(attends) && heeds_masks(seen.layer()) && !seen.is_by_build()
        },
    },
    &Entry {
        heading: "Keras 3.15.1: `SpectralNormalization` passes on a mask that it says it destroys",
        backend: "keras",
        applies: |seen| {
            let passes = seen.case.beside.iter().any(|other| other == "SpectralNormalization");
            passes && heeds_masks(seen.layer()) && !seen.is_by_build()
        },
    },
    &Entry {
        heading: "Keras 3.15.1: a mask is dropped where an initial state is given",
        backend: "keras",
        applies: |seen| {
            let walks = [
                "SimpleRNN",
                "GRU",
                "LSTM",
                "RNN",
                "Bidirectional",
                "ConvLSTM1D",
                "ConvLSTM2D",
                "ConvLSTM3D",
            ];
            // A mask that the call names is heeded: it comes from another layer.
            walks.contains(&seen.layer())
                && seen.is_about_values()
                && seen.takes("initial_state")
                && seen.takes("mask")
                && !seen.case.beside.is_empty()
        },
    },
    &Entry {
        heading: "Keras 3.15.1: `MultiHeadAttention` does not heed `query_mask`",
        backend: "keras",
        applies: |seen| {
            let refused = seen.says("must be broadcastable") || seen.says("must match the size of tensor");
            seen.layer() == "MultiHeadAttention"
                && (seen.is_about_values() || refused)
                && seen.takes("query_mask")
        },
    },
    &Entry {
        heading: "Keras 3.15.1: stacks of cells that cannot be walked with",
        backend: "keras",
        applies: |seen| {
            let stack =
                |name: &str| seen.case.word(name).is_some_and(|cell| cell.contains("StackedRNNCells"));
            let alone = (seen.says("list index out of range") || seen.says("the same nested structure"))
                && (seen.takes("mask") || seen.case.is_set("unroll"));
            let nested = seen.says("Undefined shapes are not supported") && seen.case.is_set("return_state");
            let walks =
                seen.layer() == "RNN" && stack("cell") || seen.layer() == "Bidirectional" && stack("layer");
            // The mask is put beside states that lie deeper than it looks.
            let deep = seen.takes("mask")
                && (seen.says("must match the size of tensor") || seen.says("too many indices for tensor"));
            let walked = walks && (alone || nested || deep);
            walked
                || seen.layer() == "StackedRNNCells"
                    && seen.says("Could not automatically infer the output shape")
        },
    },
];

/// What libraries say that have no kernel for a type.
const NO_KERNEL: &[&str] = &[
    "not implemented for",
    "only supports the NHWC tensor format",
    "only supports NHWC",
    "only supports NDHWC",
    "is not in the list of allowed values",
    "only supports equal length strides",
    "do not yet support dilation rates larger than",
    "No OpKernel was registered",
    "Could not find device",
    "Could not find valid device",
];

/// What libraries say that do not go on from nothing.
const NO_EMPTY: &[&str] = &[
    "non-zero size for non-batch dimensions",
    "other non-zero dimensions",
    "tensor with optional",
    "batch mode) tensor",
    "expected weight to be at least",
    "Only zero batch or zero channel inputs",
    "non-positive groups",
    "integer modulo by zero",
    "is out of bounds for dimension",
    "of dimension # out of bounds",
    "stack expects a non-empty TensorList",
    "cannot reshape tensor of # elements",
    "max of an empty tensor",
    "must have positive height and width",
    "data tensor expected but got a tensor with sizes",
];

/// Whether a layer does something with the masks of its inputs.
fn heeds_masks(layer: &str) -> bool {
    let heeds = ["Softmax", "Maximum", "Minimum", "Multiply", "Concatenate", "BatchNormalization"];
    let walks =
        ["SimpleRNN", "GRU", "LSTM", "RNN", "Bidirectional", "TimeDistributed", "GlobalAveragePooling1D"];
    heeds.contains(&layer)
        || walks.contains(&layer)
        || layer.contains("Attention")
        || layer.starts_with("ConvLSTM")
}

/// The layer inside of one that wraps another.
pub(super) fn wrapped<'s>(seen: &'s Seen) -> Option<&'s str> {
    seen.case.word("layer")
}

/// Whether an activation of the layer, or of one inside it, is the one of that name.
pub(super) fn activates_with(seen: &Seen, name: &str) -> bool {
    let own = ["activation", "recurrent_activation"].into_iter().filter_map(|given| seen.case.word(given));
    let inside = ["layer", "cell", "cells"].into_iter().filter_map(|given| seen.case.word(given));
    own.into_iter().any(|own| own == name)
        || inside.into_iter().any(|layer| layer.contains(&format!("\"{name}\"")))
}

/// A number that is an argument of a layer of that class: of the blamed one, or of the one inside it.
fn argument_of(seen: &Seen, class: &str, name: &str) -> Option<f64> {
    if seen.layer() == class {
        return seen.case.float(name);
    }
    let inside = seen.case.word("layer")?.strip_prefix(class)?.strip_prefix('(')?;
    let given = inside.split([',', ')']).find_map(|given| given.trim().strip_prefix(name)?.strip_prefix('='));
    given?.parse().ok()
}

/// Whether a normalization is along the last axis alone.
pub(super) fn is_last_axis(seen: &Seen) -> bool {
    let rank = seen.case.tensors.first().map_or(0, |tensor| tensor.shape.len() as i64);
    seen.case.numbers("axis").is_none_or(|axes| axes == [-1] || axes == [rank - 1])
}

/// Whether floats are promised of what is no floats.
fn is_of_integers(seen: &Seen) -> bool {
    let is_float = |tensor: &crate::fuzzer::Tensor| tensor.dtype.contains('f');
    seen.is("wrong type") && seen.case.tensors.first().is_some_and(|tensor| !is_float(tensor))
}

/// Whether a symbolic build is known to expect another shape or type of such a layer.
fn is_misjudged(seen: &Seen) -> bool {
    let word = |name: &str| seen.case.word(name);
    match seen.layer() {
        "EinsumDense" => word("equation").is_some_and(|equation| equation.contains("...")),
        "Bidirectional" => word("backward_layer").is_some(),
        "Rescaling" => {
            [word("scale"), word("offset")].into_iter().flatten().any(|list| list.starts_with('['))
        }
        "MultiHeadAttention" => seen.case.is_set("return_attention_scores"),
        "RMSNormalization" => !is_last_axis(seen),
        "SpectralNormalization" => word("layer").is_some_and(|layer| layer.contains("Embedding")),
        "TimeDistributed" => word("layer").is_some_and(|layer| {
            layer.contains("return_state=True")
                || ["EinsumDense", "Bidirectional", "Rescaling", "MultiHeadAttention", "RMSNormalization"]
                    .iter()
                    .any(|inner| layer.starts_with(inner))
        }),
        _ => false,
    }
}
