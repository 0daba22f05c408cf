//! The windows that layers of Keras slide over padded inputs.

use super::Seen;

/// A window along one axis of space that is padded to the same size.
pub(super) struct Window {
    pub size: i64,
    pub length: i64,
    pub step: i64,
}

impl Window {
    pub fn padded(&self) -> i64 {
        let places = (self.size + self.step - 1) / self.step.max(1);
        ((places - 1) * self.step + self.length - self.size).max(0)
    }
}

/// The windows of a layer, if it pads to the same size.
pub(super) fn windows(seen: &Seen, lengths: &str) -> Vec<Window> {
    let Some(input) = seen.case.tensors.first().map(|tensor| &tensor.shape) else { return Vec::new() };
    // A recurrent one has an axis of time.
    let skipped = if seen.layer().starts_with("ConvLSTM") { 2 } else { 1 };
    if seen.case.word("padding") != Some("same") || input.len() < skipped + 2 {
        return Vec::new();
    }
    let axes = input.len() - skipped - 1;
    let first = skipped + usize::from(seen.case.word("data_format") == Some("channels_first"));
    let default = if lengths == "pool_size" { 2 } else { 1 };
    let lengths = seen.case.per_axis(lengths, axes).unwrap_or(vec![default; axes]);
    // Pools step by their size unless told.
    let steps = seen.case.per_axis("strides", axes);
    let steps = steps.unwrap_or(if default == 2 { lengths.clone() } else { vec![1; axes] });
    let sizes = &input[first..first + axes];
    sizes
        .iter()
        .zip(lengths.iter().zip(&steps))
        .map(|(&size, (&length, &step))| Window { size, length, step })
        .collect()
}
