//! A line of the user's source with the failing part marked.

use crate::plain::plain;
use crate::{Checked, Paint};
use engines::finding::SpotFrame;
use std::fmt::Write as _;

/// A line longer than this is shown in part.
const WIDEST: usize = 120;

/// Room for the number of the line.
pub(crate) fn margin(frame: Option<&SpotFrame>) -> usize {
    frame.map_or(2, |frame| frame.line.to_string().len().max(2))
}

/// Nothing is written when the source is not at hand: the place has been told already.
pub(crate) fn write(text: &mut String, frame: &SpotFrame, margin: usize, result: &Checked, paint: Paint) {
    let Some(line) = line_of(frame, result) else { return };
    let bar = paint.place("|");
    let letters: Vec<char> = line.chars().collect();
    let start = (frame.column.max(1) as usize - 1).min(letters.len());
    // What goes on in the next line is marked up to the end of this one.
    let end = if frame.end_line == frame.line { frame.end_column.max(1) as usize - 1 } else { letters.len() };
    let end = end.clamp(start, letters.len());
    let cut = if letters.len() > WIDEST { start.saturating_sub(WIDEST / 4) } else { 0 };
    let shown = |part: &[char]| plain(&part.iter().collect::<String>().replace('\t', " "));
    let last = letters.len().min(cut + WIDEST);
    let before = shown(&letters[cut..start.min(last)]);
    let marked = shown(&letters[start.min(last)..end.min(last)]);
    let after = shown(&letters[end.min(last)..last]);
    let underline = "^".repeat(marked.chars().count().max(1));
    let number = paint.place(&format!("{:>margin$}", frame.line));
    let indent = " ".repeat(before.chars().count());
    let _ = writeln!(text, "{:margin$} {bar}", "");
    let _ = writeln!(text, "{number} {bar} {before}{marked}{after}");
    let _ = writeln!(text, "{:margin$} {bar} {indent}{}", "", paint.error(&underline));
}

fn line_of<'r>(frame: &SpotFrame, result: &'r Checked) -> Option<&'r str> {
    let source = result.sources.get(&frame.file)?;
    source.lines().nth(frame.line.checked_sub(1)? as usize)
}
