//! What Keras is known for.

use super::windows::windows;
use super::{Entry, Seen};

pub(super) const KNOWN: &[&Entry] = &[
    &Entry {
        heading: "Keras 3.15.1: `ReLU` drops what is exactly at its threshold",
        backend: "keras",
        applies: |seen| {
            let (Some(threshold), Some((expected, observed))) =
                (seen.case.float("threshold"), seen.case.values())
            else {
                return false;
            };
            // In the type of the input the threshold may be rounded.
            let at = (expected - threshold).abs() <= 1e-2 * threshold.abs();
            seen.layer() == "ReLU" && seen.is_about_values() && at && observed == 0.0
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
        heading: "Keras 3.15.1, torch backend: layers in float64 compute in float32",
        backend: "keras-torch",
        applies: |seen| {
            let is_type = seen.is("wrong type") && seen.case.observed.starts_with("f32");
            seen.computes_in("f64") && (is_type || seen.is_about_values() && seen.case.as_float32)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: averages at the border count the last element more than once",
        backend: "keras-torch",
        applies: |seen| {
            let own = seen.layer().starts_with("AveragePooling")
                && windows(seen, "pool_size").iter().any(|window| window.padded() % 2 == 1);
            let wrapped = wrapped(seen).is_some_and(|layer| {
                layer.starts_with("AveragePooling") && layer.contains("padding=\"same\"")
            });
            seen.is_about_values() && (own || wrapped)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: averages of windows larger than the volume are refused",
        backend: "keras-torch",
        applies: |seen| {
            let own = windows(seen, "pool_size").iter().any(|window| window.length > window.size);
            let wrapped = wrapped(seen).is_some_and(|layer| {
                layer.starts_with("AveragePooling3D") && layer.contains("padding=\"same\"")
            });
            seen.says("smaller than kernel size") && (seen.layer() == "AveragePooling3D" && own || wrapped)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: a normalization along no axis is refused",
        backend: "keras-torch",
        applies: |seen| {
            let along_none = seen.case.numbers("axis").is_some_and(|axes| axes.is_empty());
            let inside = seen.case.word("layer").is_some_and(|layer| layer.contains("axis=[]"));
            seen.says("normalized_shape to be at least") && (along_none || inside)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: `LayerNormalization` and `RMSNormalization` ignore their axis",
        backend: "keras-torch",
        applies: |seen| {
            let norms = ["LayerNormalization", "RMSNormalization"];
            let wrapped = wrapped(seen).is_some_and(|layer| {
                norms.iter().any(|norm| layer.starts_with(norm)) && !is_last_axis_inside(seen, layer)
            });
            let own = norms.contains(&seen.layer()) && !is_last_axis(seen);
            (own || wrapped) && (seen.says("Given normalized_shape=") || seen.is_about_values())
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
        heading: "Keras 3.15.1, torch backend: a slope beyond float32 is refused",
        backend: "keras-torch",
        applies: |seen| seen.says("cannot be converted to type float without overflow"),
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
        heading: "PyTorch 2.15: `gelu` of infinity is not a number",
        backend: "keras-torch",
        applies: |seen| seen.is_about_values() && seen.is_about_nan() && activates_with(seen, "gelu"),
    },
    &Entry {
        heading: "PyTorch 2.15: attention to a query that is not a number is 0",
        backend: "keras-torch",
        applies: |seen| {
            let zero = seen.case.values().is_some_and(|(a, b)| a.is_nan() && b.is_finite());
            ["MultiHeadAttention", "GroupQueryAttention"].contains(&seen.layer())
                && seen.is_about_values()
                && zero
        },
    },
    &Entry {
        heading: "PyTorch 2.15: a depthwise convolution in bfloat16 leaves zeros",
        backend: "keras-torch",
        applies: |seen| {
            // One axis of space is the width of an image that is one high.
            let differ = |steps: Vec<i64>| match steps[..] {
                [step] => step > 1 && seen.layer().ends_with("1D"),
                _ => steps.windows(2).any(|pair| pair[0] != pair[1]),
            };
            let steps = seen.case.numbers("strides").is_some_and(differ);
            let several = seen.case.numbers("depth_multiplier").is_some_and(|several| several[0] > 1);
            (seen.layer().starts_with("Depthwise") || seen.layer().starts_with("Separable"))
                && seen.is_about_values()
                && seen.computes_in("bf16")
                && steps
                && several
        },
    },
    &Entry {
        heading: "PyTorch 2.15: infinity spoils its neighbours in a convolution of bfloat16",
        backend: "keras-torch",
        applies: |seen| {
            // What such a layer walks with may become infinite by itself.
            let grows = seen.layer().starts_with("ConvLSTM");
            seen.layer().contains("Conv")
                && seen.is_about_values()
                && seen.is_about_nan()
                && seen.computes_in("bf16")
                && (seen.is_given("inf") || grows)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: `Conv3D` in bfloat16 reads memory that nothing was written to",
        backend: "keras-torch",
        applies: |seen| {
            seen.layer() == "Conv3D"
                && seen.is_about_values()
                && seen.computes_in("bf16")
                && windows(seen, "kernel_size").iter().any(|window| window.length > window.size)
        },
    },
    &Entry {
        heading: "TensorFlow 2.21: the largest of what is not a number is the lowest number",
        backend: "keras-tensorflow",
        applies: |seen| {
            let lowest = seen.case.values().is_some_and(|(a, b)| a.is_nan() && b <= -65504.0);
            seen.layer().contains("MaxPooling") && seen.is_about_values() && lowest
        },
    },
    &Entry {
        heading: "TensorFlow 2.21: sums of several tensors are reordered when a model predicts",
        backend: "keras-tensorflow",
        applies: |seen| {
            ["Add", "Average"].contains(&seen.layer())
                && seen.is_about_values()
                && seen.is_by_predict()
                && seen.case.tensors.len() > 2
        },
    },
    &Entry {
        heading: "TensorFlow 2.21 on x86-64: `softmax` of what is barely above the least number is 0",
        backend: "keras-tensorflow",
        applies: |seen| {
            let least = |x: f64| x.abs() < 2.0 * f64::from(f32::MIN_POSITIVE);
            let attends = seen.layer() == "Softmax" || seen.layer().contains("Attention");
            attends && seen.is_about_values() && seen.case.values().is_some_and(|(a, b)| least(a) && b == 0.0)
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
        heading: "Keras 3.15.1, torch backend: normalizing large numbers gives what is not a number",
        backend: "keras-torch",
        applies: |seen| {
            let squares = ["GroupNormalization", "BatchNormalization", "LayerNormalization"];
            let overflow = if seen.computes_in("f16") { 65504.0 } else { f64::from(f32::MAX) };
            let large = seen.case.tensors.iter().any(|tensor| tensor.largest.powi(2) >= overflow);
            squares.contains(&seen.layer()) && seen.is_about_values() && seen.is_about_nan() && large
        },
    },
    &Entry {
        heading: "TensorFlow 2.21 on x86-64: the largest of a window larger than the input ends the process",
        backend: "keras-tensorflow",
        applies: |seen| {
            seen.layer().starts_with("Adaptive") && (seen.is("crash") || seen.says("Negative dimension size"))
        },
    },
    &Entry {
        heading: "TensorFlow 2.21: `gelu` of doubles has a constant in float32",
        backend: "keras-tensorflow",
        applies: |seen| {
            seen.is_about_values()
                && seen.computes_in("f64")
                && (activates_with(seen, "gelu") || activates_with(seen, "leaky_relu"))
                && seen.case.as_float32
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
        heading: "PyTorch 2.15: `conv3d` of one channel that lies last is wrong at times",
        backend: "keras-torch",
        applies: |seen| {
            let one_channel = seen.case.tensors.first().is_some_and(|input| {
                let is_last = seen.case.word("data_format") != Some("channels_first");
                is_last && input.shape.last() == Some(&1)
            });
            ["Conv3D", "ConvLSTM3D"].contains(&seen.layer()) && seen.is_about_values() && one_channel
        },
    },
    &Entry {
        heading: "Keras 3.15.1, TensorFlow backend: a state that is broadcast works by call only",
        backend: "keras-tensorflow",
        applies: |seen| {
            seen.takes("initial_state") && seen.is_by_predict() && seen.says("enters the loop with shape")
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
                && seen.takes("mask");
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
    &Entry {
        heading: "Keras 3.15.1, TensorFlow backend: a stack of one cell in a stack cannot be built",
        backend: "keras-tensorflow",
        applies: |seen| seen.is_by_build() && seen.says("len is not well defined for a symbolic Tensor"),
    },
    &Entry {
        heading: "Keras 3.15.1, TensorFlow backend: the bias of a convolution lies along the wrong axis",
        backend: "keras-tensorflow",
        applies: |seen| {
            let output = seen.case.outputs.first().map_or(&[][..], |output| output.shape.as_slice());
            let alike = output.len() > 2 && output.get(1) == output.last();
            seen.layer().contains("Conv")
                && seen.is_about_values()
                && seen.case.word("data_format") == Some("channels_first")
                && seen.case.word("use_bias") != Some("False")
                && alike
        },
    },
    &Entry {
        heading: "Keras 3.15.1, TensorFlow backend: adding a column adds a row",
        backend: "keras-tensorflow",
        applies: |seen| {
            let merges = ["Add", "Average"].contains(&seen.layer()) && !seen.is("crash");
            let biased = ["EinsumDense", "MultiHeadAttention"].contains(&seen.layer());
            merges && sums_rows(seen) || biased && seen.is_about_values() && adds_bias_as_row(seen)
        },
    },
    &Entry {
        heading: "TensorFlow 2.21: three axes padded to the same size take the middle where a window is smaller than its step",
        backend: "keras-tensorflow",
        applies: |seen| {
            let sizes = if seen.layer().contains("Pool") { "pool_size" } else { "kernel_size" };
            let short = windows(seen, sizes).iter().any(|window| window.length < window.step);
            seen.layer().ends_with("3D") && seen.is_about_values() && short
        },
    },
    &Entry {
        heading: "TensorFlow 2.21 on x86-64: `Softmax` over more than five axes",
        backend: "keras-tensorflow",
        applies: |seen| {
            let rank = seen.case.tensors.iter().map(|tensor| tensor.shape.len()).max().unwrap_or(0);
            // The scores of an attention have an axis of heads.
            let rank = rank + usize::from(seen.layer() == "MultiHeadAttention");
            seen.says("Input dims must be") && rank > 5
        },
    },
    &Entry {
        heading: "TensorFlow 2.21 on x86-64: `mish` is wrong in the third digit when a model predicts",
        backend: "keras-tensorflow",
        applies: |seen| {
            let near = seen.case.values().is_some_and(|(a, b)| (a - b).abs() <= 0.02 * a.abs());
            seen.is_about_values() && seen.is_by_predict() && activates_with(seen, "mish") && near
        },
    },
    &Entry {
        heading: "TensorFlow 2.21 on x86-64: `einsum` with a trailing ellipsis writes where it should not",
        backend: "keras-tensorflow",
        applies: |seen| {
            let input = seen.case.word("equation").and_then(|equation| equation.split([',', '-']).next());
            let ellipsis = input.is_some_and(|input| input.trim().ends_with("..."));
            seen.layer() == "EinsumDense" && (seen.is("crash") || seen.is("wrong value")) && ellipsis
        },
    },
];

/// What libraries say that have no kernel for a type.
const NO_KERNEL: &[&str] = &[
    "not implemented for",
    "only supports the NHWC tensor format",
    "only supports NHWC",
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
fn wrapped<'s>(seen: &'s Seen) -> Option<&'s str> {
    seen.case.word("layer")
}

/// Whether the sum of the first of these tensors and a later one takes that one for a bias, along another axis.
fn sums_rows(seen: &Seen) -> bool {
    let rank = seen.case.tensors.iter().map(|tensor| tensor.shape.len()).max().unwrap_or(0);
    let mut shapes = seen.case.tensors.iter().map(|tensor| widened(&tensor.shape, rank));
    let Some(mut sum) = shapes.next() else { return false };
    shapes.any(|shape| {
        let is_row = is_taken_for_bias(&sum, &shape);
        sum = sum.iter().zip(&shape).map(|(&a, &b)| if a == 1 { b } else { a }).collect();
        is_row
    })
}

/// Whether a bias of several axes is taken for one along another axis: of the output, or of what a tensor that is
/// attended to is projected to.
fn adds_bias_as_row(seen: &Seen) -> bool {
    let biases = seen.case.tensors.iter().filter(|tensor| tensor.name.ends_with("bias"));
    biases.filter(|bias| bias.shape.len() > 1).any(|bias| {
        let attended =
            seen.case.tensors.iter().filter(|tensor| ["query", "value", "key"].contains(&&*tensor.name));
        let projected = attended.map(|tensor| {
            let places = tensor.shape.len().saturating_sub(1);
            [&tensor.shape[..places], &bias.shape[..]].concat()
        });
        let given =
            seen.case.outputs.iter().chain(seen.case.tensors.first()).map(|tensor| tensor.shape.clone());
        given.chain(projected).any(|shape| {
            let mut aligned = vec![1; shape.len().saturating_sub(bias.shape.len())];
            aligned.extend(&bias.shape);
            is_taken_for_bias(&shape, &aligned)
        })
    })
}

/// Whether what is added has a single axis that is not 1, as long as the last or the second one of the sum so far, and
/// lies elsewhere.
fn is_taken_for_bias(sum: &[i64], added: &[i64]) -> bool {
    let long: Vec<usize> = (0..added.len()).filter(|axis| added[*axis] != 1).collect();
    let [axis] = long[..] else { return false };
    let last = sum.len().saturating_sub(1);
    let taken = match added[axis] {
        size if sum.last() == Some(&size) => last,
        size if sum.get(1) == Some(&size) => 1,
        _ => return false,
    };
    taken != axis
}

/// A shape with new axes behind its batch, until there are so many.
fn widened(shape: &[i64], rank: usize) -> Vec<i64> {
    let mut wide = shape.to_vec();
    while !wide.is_empty() && wide.len() < rank {
        wide.insert(1, 1);
    }
    wide
}

/// Whether an activation of the layer, or of one inside it, is the one of that name.
fn activates_with(seen: &Seen, name: &str) -> bool {
    let own = ["activation", "recurrent_activation"].into_iter().filter_map(|given| seen.case.word(given));
    let inside = ["layer", "cell", "cells"].into_iter().filter_map(|given| seen.case.word(given));
    own.into_iter().any(|own| own == name)
        || inside.into_iter().any(|layer| layer.contains(&format!("\"{name}\"")))
}

/// Whether a normalization is along the last axis alone.
fn is_last_axis(seen: &Seen) -> bool {
    let rank = seen.case.tensors.first().map_or(0, |tensor| tensor.shape.len() as i64);
    seen.case.numbers("axis").is_none_or(|axes| axes == [-1] || axes == [rank - 1])
}

/// The same of a layer inside another, whose input has no axis of time.
fn is_last_axis_inside(seen: &Seen, layer: &str) -> bool {
    let Some((_, axes)) = layer.split_once("axis=") else { return true };
    let axes = match axes.strip_prefix('[') {
        Some(list) => list.split(']').next(),
        None => axes.split([',', ')']).next(),
    };
    let rank = seen.case.tensors.first().map_or(0, |tensor| tensor.shape.len());
    axes.is_some_and(|axes| axes == "-1" || axes.parse() == Ok(rank.saturating_sub(2)))
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
