//! What Keras is known for where TensorFlow computes.

use super::keras::{activates_with, wrapped};
use super::windows::windows;
use super::{Entry, Seen};

pub(super) const KNOWN: &[&Entry] = &[
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
        heading: "TensorFlow 2.21 on x86-64: the largest of a window larger than the input ends the process",
        backend: "keras-tensorflow",
        applies: |seen| {
            seen.layer().starts_with("Adaptive") && (seen.is("crash") || seen.says("Negative dimension size"))
        },
    },
    &Entry {
        heading: "TensorFlow 2.21 on x86-64: a product over nothing with a bias ends the process when a model predicts",
        backend: "keras-tensorflow",
        applies: |seen| {
            let biased = seen.case.word("use_bias") != Some("False");
            let product = seen.case.observed.contains("inner product");
            seen.is("crash") && product && seen.is_empty() && biased
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
        heading: "TensorFlow 2.21: weights of cubic resizing come from a table",
        backend: "keras-tensorflow",
        applies: |seen| {
            ["UpSampling2D", "Resizing"].contains(&seen.layer())
                && seen.is_about_values()
                && seen.case.word("interpolation") == Some("bicubic")
                && seen.case.values().is_some_and(|(a, b)| (a - b).abs() <= a.abs().max(1.0) / 1024.0)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, TensorFlow backend: a state that is broadcast works by call only",
        backend: "keras-tensorflow",
        applies: |seen| {
            let in_loop = seen.is_by_predict() && seen.says("enters the loop with shape");
            let unrolled = seen.case.is_set("unroll") && seen.says("Expected multiples argument");
            seen.takes("initial_state") && (in_loop || unrolled)
        },
    },
    &Entry {
        heading: "Keras 3.15.1, TensorFlow backend: unrolled backwards, zeros for what is masked lie at the other end",
        backend: "keras-tensorflow",
        applies: |seen| {
            let both = seen.layer() == "Bidirectional";
            let inside = wrapped(seen).unwrap_or_default();
            let says =
                |name: &str| seen.case.word(name) == Some("True") || inside.contains(&format!("{name}=True"));
            let backwards = both || says("go_backwards");
            seen.is_about_values() && says("unroll") && backwards && (both || says("zero_output_for_mask"))
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
