//! What PyTorch is known for.

use super::Entry;

pub(super) const KNOWN: &[&Entry] = &[
    &Entry {
        heading: "PyTorch 2.15: `group_norm` of equal numbers loses digits",
        backend: "torch",
        applies: |seen| {
            // Both give an answer, which is off by less than what a variance of nothing blows up.
            let near = seen.case.values().is_some_and(|(a, b)| a.is_finite() && b.is_finite());
            ["group_normalization", "layer_normalization", "instance_normalization"].contains(&seen.layer())
                && seen.is("wrong value")
                && near
        },
    },
    &Entry {
        heading: "PyTorch 2.15: `instance_norm` without an epsilon gives 0 where the others give NaN",
        backend: "torch",
        applies: |seen| {
            let zero = seen.case.values().is_some_and(|(a, b)| a.is_nan() && b == 0.0);
            seen.layer() == "instance_normalization" && seen.case.float("epsilon") == Some(0.0) && zero
        },
    },
    &Entry {
        heading: "PyTorch 2.15: normalizing one number is refused, as if it were training",
        backend: "torch",
        applies: |seen| {
            let one = seen.says("Expected more than 1 value per channel when training")
                || seen.says("Expected more than 1 spatial element when training");
            one && seen
                .case
                .tensors
                .first()
                .is_some_and(|input| input.shape.iter().skip(1).product::<i64>() >= 1)
        },
    },
    &Entry {
        heading: "PyTorch 2.15: a convolution over no channels has no filters",
        backend: "torch",
        applies: |seen| seen.layer() == "conv" && seen.is("wrong shape") && seen.is_empty(),
    },
    &Entry {
        heading: "PyTorch 2.15: `gelu` of infinity is not a number",
        backend: "torch",
        applies: |seen| {
            seen.layer() == "gelu" && seen.is_about_values() && seen.is_about_nan() && seen.is_given("inf")
        },
    },
    &Entry {
        heading: "PyTorch 2.15: what is not a number passes thresholds",
        backend: "torch",
        applies: |seen| {
            ["shrink", "thresholded_relu"].contains(&seen.layer())
                && seen.is_about_values()
                && seen.is_given("nan")
        },
    },
    &Entry {
        heading: "PyTorch 2.15: `softplus` is linear above 20",
        backend: "torch",
        applies: |seen| {
            let above = seen.case.values().is_some_and(|(a, b)| a > 20.0 && (a - b).abs() < 1e-8);
            seen.layer() == "softplus" && seen.is_about_values() && seen.computes_in("f64") && above
        },
    },
    &Entry {
        heading: "PyTorch 2.15: arguments that float16 cannot hold are refused",
        backend: "torch",
        applies: |seen| seen.is_half() && seen.says("cannot be converted to type"),
    },
    &Entry {
        heading: "PyTorch 2.15: empty tensors that are refused",
        backend: "torch",
        applies: |seen| seen.is_empty() && REFUSED.iter().any(|words| seen.says(words)),
    },
];

/// What is said of tensors without elements.
const REFUSED: &[&str] = &[
    "Expected number of channels to be greater than",
    "out of range for tensor of size",
    "narrow(): length must be non-negative",
    "expected weight to be at least",
    "Expected HxW to be greater than",
];
