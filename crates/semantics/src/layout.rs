//! What the axes of a tensor stand for, as the user declared it: a letter each, `nchw` or `nhwc`.
//!
//! Sizes cannot tell whether an image comes channels first or last; whoever says it is told where it does not fit.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout(String);

/// The letters that name an axis: batch, channels, time or length, depth, height, width.
const LETTERS: &str = "nctldhw";

impl Layout {
    /// Each letter once, and the channels among them.
    pub fn parse(text: &str) -> Result<Layout, String> {
        let text = text.to_ascii_lowercase();
        if let Some(odd) = text.chars().find(|letter| !LETTERS.contains(*letter)) {
            return Err(format!("`{odd}` names no axis; the letters are n, c, t, l, d, h and w"));
        }
        if let Some((_, twice)) = text.char_indices().find(|(k, letter)| text[..*k].contains(*letter)) {
            return Err(format!("`{twice}` stands for two axes"));
        }
        if !text.contains('c') {
            return Err("no axis is named `c`, the channels".into());
        }
        Ok(Layout(text))
    }
    pub fn rank(&self) -> usize {
        self.0.len()
    }
    /// The axis of the channels.
    pub fn channels(&self) -> usize {
        self.0.find('c').unwrap_or(0)
    }
    /// The layout after axis `order[k]` has been put at position `k`.
    pub fn transposed(&self, order: &[usize]) -> Layout {
        let letters: Vec<char> = self.0.chars().collect();
        Layout(order.iter().map(|&axis| letters[axis]).collect())
    }
    /// The order that puts the channels behind the batch.
    pub fn to_channels_first(&self) -> Vec<usize> {
        let channels = self.channels();
        let others: Vec<usize> = (0..self.rank()).filter(|&axis| axis != channels).collect();
        others[..1].iter().copied().chain([channels]).chain(others[1..].iter().copied()).collect()
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_ascii_uppercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_follow_a_transposition() {
        let last = Layout::parse("NHWC").expect("a layout");
        assert_eq!(last.channels(), 3);
        assert_eq!(last.to_channels_first(), [0, 3, 1, 2]);
        assert_eq!(last.transposed(&last.to_channels_first()).to_string(), "NCHW");
        for wrong in ["nhw", "nhhc", "nhwx"] {
            assert!(Layout::parse(wrong).is_err(), "{wrong}");
        }
    }
}
