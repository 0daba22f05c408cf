//! What Keras is known for where PyTorch computes.

use super::keras::{activates_with, is_last_axis, wrapped};
use super::windows::windows;
use super::{Entry, Seen};

pub(super) const KNOWN: &[&Entry] = &[
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
        heading: "Keras 3.15.1, torch backend: unrolled steps past a mask cannot be walked backwards",
        backend: "keras-torch",
        applies: |seen| {
            let inside = wrapped(seen).unwrap_or_default();
            let unrolled = seen.case.is_set("unroll") || inside.contains("unroll=True");
            seen.says("'tuple' object has no attribute 'shape'") && unrolled
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: a slope beyond float32 is refused",
        backend: "keras-torch",
        applies: |seen| seen.says("cannot be converted to type float without overflow"),
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
        heading: "Keras 3.15.1, torch backend: `Attention` in float16 of what is masked throughout is not a number",
        backend: "keras-torch",
        applies: |seen| {
            let nan = seen.case.values().is_some_and(|(a, b)| a.is_finite() && b.is_nan());
            ["Attention", "AdditiveAttention"].contains(&seen.layer())
                && seen.is_about_values()
                && seen.computes_in("f16")
                && (seen.takes("value_mask") || seen.case.is_set("use_causal_mask"))
                && nan
        },
    },
    &Entry {
        heading: "PyTorch 2.15: what is not a number passes the mask of attention",
        backend: "keras-torch",
        applies: |seen| {
            let nan = seen.case.values().is_some_and(|(a, b)| a.is_finite() && b.is_nan());
            let is_masked = ["query_mask", "value_mask", "key_mask", "attention_mask"]
                .into_iter()
                .any(|mask| seen.takes(mask));
            ["MultiHeadAttention", "GroupQueryAttention"].contains(&seen.layer())
                && seen.is_about_values()
                && (is_masked || seen.case.is_set("use_causal_mask"))
                && (seen.is_given("nan") || seen.is_given("inf"))
                && nan
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
        heading: "PyTorch 2.15: `group_norm` of equal numbers loses digits",
        backend: "keras-torch",
        applies: |seen| {
            // The mean is a running one: an element that is equal to it is not taken from it without a rest.
            let rest = seen.case.values().is_some_and(|(a, b)| a == 0.0 && b.abs() <= 2f64.powi(-22));
            seen.layer() == "LayerNormalization" && seen.is_about_values() && rest
        },
    },
    &Entry {
        heading: "Keras 3.15.1, torch backend: normalizing large numbers gives what is not a number",
        backend: "keras-torch",
        applies: |seen| {
            let squares = ["GroupNormalization", "BatchNormalization", "LayerNormalization"];
            let overflow = if seen.computes_in("f16") { 65504.0 } else { f64::from(f32::MAX) };
            let largest = seen.case.tensors.iter().map(|tensor| tensor.largest.powi(2)).fold(0.0, f64::max);
            // What rounding of the squares may take from the variance is more than the epsilon.
            let swallowed =
                seen.case.float("epsilon").is_some_and(|epsilon| epsilon < 2f64.powi(-23) * largest);
            let is_cause = largest >= overflow || seen.layer() == "GroupNormalization" && swallowed;
            squares.contains(&seen.layer()) && seen.is_about_values() && seen.is_about_nan() && is_cause
        },
    },
    &Entry {
        heading: "PyTorch 2.15: a dilated convolution in half precision that is padded by more than the image ends the process",
        backend: "keras-torch",
        applies: |seen| {
            let dilated =
                seen.case.word("padding") == Some("same") && seen.case.word("dilation_rate").is_some();
            seen.is("crash") && seen.is_half() && seen.layer().contains("Conv") && dilated
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
];

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
