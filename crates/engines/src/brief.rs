//! Expressions as text that fits a message: what a hostile file makes long is cut, and no more is written than shown.

use std::fmt::{self, Display, Write};

/// Longer texts are cut.
const LONGEST: usize = 500;

/// The text of something, cut with an ellipsis where it is too long to read.
pub fn brief(what: &dyn Display) -> String {
    let mut text = Limited(String::new());
    // Writing fails where the text is full: then the rest is not even formatted.
    if write!(text, "{what}").is_err() {
        text.0.push('…');
    }
    text.0
}

struct Limited(String);

impl Write for Limited {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let room = LONGEST - self.0.len();
        if part.len() <= room {
            self.0.push_str(part);
            return Ok(());
        }
        self.0.push_str(&part[..part.floor_char_boundary(room)]);
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(brief(&"short"), "short");
        assert_eq!(brief(&"é".repeat(250)), "é".repeat(250));
        let cut = brief(&format!("a{}", "é".repeat(400)));
        assert_eq!(cut, format!("a{}…", "é".repeat(249)));
    }
}
