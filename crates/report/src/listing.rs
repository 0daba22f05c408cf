//! `--show-shapes`: a program with the shapes of the tensors that each line names.

use crate::{Checked, Paint};
use engines::validity::Seen;
use std::fmt::Write as _;

/// Lines longer than this do not push the shapes of others to the right.
const WIDEST: usize = 64;

/// Every file in which tensors were named, the checked one first.
pub(crate) fn write(text: &mut String, result: &Checked, paint: Paint) {
    let mut files: Vec<&String> = Vec::new();
    for seen in &result.answer.assigned {
        if !files.contains(&&seen.file) {
            files.push(&seen.file);
        }
    }
    files.sort_by_key(|file| **file != result.file);
    for file in files {
        let Some(source) = result.sources.get(file) else { continue };
        let of_file: Vec<&Seen> = result.answer.assigned.iter().filter(|seen| seen.file == *file).collect();
        let lines: Vec<&str> = source.lines().collect();
        let margin = lines.len().to_string().len().max(2);
        let told: Vec<String> = (1..=lines.len()).map(|number| words(&of_file, number as u32)).collect();
        let annotated = lines.iter().zip(&told).filter(|(_, told)| !told.is_empty());
        let width = annotated.map(|(line, _)| line.chars().count()).filter(|width| *width <= WIDEST).max();
        let width = width.unwrap_or(WIDEST);
        let _ = writeln!(text, "{:margin$} {} {file}", "", paint.place("-->"));
        for (number, (line, told)) in lines.iter().zip(&told).enumerate() {
            let line = crate::plain(&line.replace('\t', "    "));
            let place = paint.place(&format!("{:>margin$} |", number + 1));
            let _ = match told.as_str() {
                "" => writeln!(text, "{place} {line}"),
                told => writeln!(text, "{place} {line:width$}  {}", paint.note(&format!("# {told}"))),
            };
        }
        text.push('\n');
    }
}

/// `q f32[2, 5, 8], k f32[2, 5, 8]`; shapes that differ from round to round, or from path to path, are all told.
fn words(seen: &[&Seen], line: u32) -> String {
    let of_line = seen.iter().filter(|seen| seen.line == line);
    let told: Vec<String> =
        of_line.map(|seen| crate::plain(&format!("{} {}", seen.name, seen.shapes.join(" or ")))).collect();
    told.join(", ")
}
