//! What PyTorch is known for.

use super::{Entry, Seen};

pub(super) const KNOWN: &[&Entry] = &[
    &Entry {
        heading: "PyTorch 2.15: `group_norm` of equal numbers loses digits",
        backend: "torch",
        applies: |seen| {
            ["group_normalization", "layer_normalization", "instance_normalization"].contains(&seen.layer())
                && seen.is("wrong value")
                && loses_digits(seen)
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
        heading: "PyTorch 2.15: a dilated convolution in half precision that is padded by more than the image ends the process",
        backend: "torch",
        applies: |seen| {
            let dilated =
                seen.case.numbers("dilations").is_some_and(|axes| axes.iter().any(|&step| step > 1));
            seen.is("crash") && seen.layer() == "conv" && seen.is_half() && dilated
        },
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
                && seen.case.values().is_some_and(|(_, observed)| observed.is_nan())
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
        heading: "PyTorch 2.15: arguments that the type cannot hold are refused",
        backend: "torch",
        applies: |seen| {
            seen.says("cannot be converted to type")
                || seen.layer() == "shrink" && seen.says("lambda must be in range")
        },
    },
    &Entry {
        heading: "PyTorch 2.15: `cosh` and `sinh` of bfloat16 overflow early where there are many",
        backend: "torch",
        applies: |seen| {
            let early = seen.case.values().is_some_and(|(a, b)| a.abs() > 1.7e38 && b.is_infinite());
            let many = seen.case.tensors.iter().any(|tensor| tensor.shape.iter().product::<i64>() >= 64);
            ["cosh", "sinh"].contains(&seen.layer()) && seen.computes_in("bf16") && early && many
        },
    },
    &Entry {
        heading: "PyTorch 2.15: padding meets what is not a number in some convolutions only",
        backend: "torch",
        applies: |seen| {
            let padded = seen.case.numbers("padding").is_some();
            let meets = seen.is_given("nan") || seen.is_given("inf");
            seen.layer() == "conv" && seen.is_about_values() && seen.is_about_nan() && padded && meets
        },
    },
    &Entry {
        heading: "PyTorch 2.15: small things that its documentation does not say",
        backend: "torch",
        applies: |seen| match seen.layer() {
            "sign" => seen.is_about_values() && seen.is_given("nan"),
            "reduce_l2" => {
                let overflows = |(expected, seen): (f64, f64)| expected.is_infinite() && seen > 1e19;
                seen.is_about_values() && seen.case.values().is_some_and(overflows)
            }
            "batch_normalization" => seen.says("eps must be non-negative"),
            "einsum" => seen.is_about_values() && seen.is_about_nan() && seen.is_given("inf"),
            "average_pool" => seen.says("smaller than kernel size") && seen.case.numbers("padding").is_some(),
            _ => false,
        },
    },
    &Entry {
        heading: "PyTorch 2.15: empty tensors that are refused",
        backend: "torch",
        applies: |seen| seen.is_empty() && REFUSED.iter().any(|words| seen.says(words)),
    },
];

/// Whether a normalization is off by no more than `x * a + (β - E[x] * a)` rounds, or overflows on its way. The factor
/// `a` is largest where nothing varies.
fn loses_digits(seen: &Seen) -> bool {
    let case = seen.case;
    let (Some((expected, observed)), Some(input)) = (case.values(), case.tensors.first()) else {
        return false;
    };
    let largest = |name: &str| case.tensors.iter().find(|tensor| tensor.name == name).map(|own| own.largest);
    // Half precision is computed in float32, and then rounded.
    let (unit, own) = match input.dtype.as_str() {
        "f64" => (2f64.powi(-53), 0.0),
        "f16" => (2f64.powi(-24), 2f64.powi(-11)),
        "bf16" => (2f64.powi(-24), 2f64.powi(-8)),
        _ => (2f64.powi(-24), 0.0),
    };
    if observed.is_nan() {
        return expected.is_finite() && input.largest.powi(2) >= f64::from(f32::MAX);
    }
    let factor = largest("scale").unwrap_or(1.0) / case.float("epsilon").unwrap_or(1e-5).max(0.0).sqrt();
    let terms = input.shape.iter().product::<i64>() as f64;
    let lost = (terms + 8.0) * unit * (input.largest * factor + largest("bias").unwrap_or(0.0));
    (expected - observed).abs() <= lost + 2.0 * own * (expected.abs() + lost)
}

/// What is said of tensors without elements.
const REFUSED: &[&str] = &[
    "Expected number of channels to be greater than",
    "out of range for tensor of size",
    "narrow(): length must be non-negative",
    "expected weight to be at least",
    "Expected HxW to be greater than",
    "Only zero batch or zero channel inputs are supported",
];
