//! The outline of a text: every body of a function is `...` at the same place and a comment up to where it ended; the
//! rest is as it was. Those of the libraries inside the binary are made when it is built (`build.rs`).

/// Where a function stands whose body was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The beginning of the line of `def`.
    pub start: usize,
    /// Where the body begins in the outline.
    pub body: usize,
    pub end: usize,
}

/// Shorter bodies are not worth the trouble.
const SHORTEST: usize = 40;

/// The outline of a text, and the functions whose bodies it leaves out, in their order.
pub fn outline(text: &str) -> (String, Vec<LeftOut>) {
    let lines = Lines::of(text);
    let mut outline = text.as_bytes().to_vec();
    let mut found = Vec::new();
    let mut number = 0;
    while number < lines.count() {
        let Some(first) = lines.first_of_body(number) else {
            number += 1;
            continue;
        };
        let indent = lines.indent(number);
        let after = (first..lines.count()).find(|&line| lines.is_code(line) && lines.indent(line) <= indent);
        let after = after.unwrap_or(lines.count());
        let (start, body, end) = (lines.starts[number], lines.starts[first], lines.starts[after]);
        if end - body >= SHORTEST {
            let place = body + lines.indent(first);
            outline[place..end].fill(b'#');
            outline[place..place + 3].copy_from_slice(b"...");
            if text.as_bytes()[end - 1] == b'\n' {
                outline[end - 1] = b'\n';
            }
            found.push(LeftOut { start, body: place, end });
        }
        number = after;
    }
    match String::from_utf8(outline) {
        Ok(outline) => (outline, found),
        // A letter of several bytes was cut: as it is, then.
        Err(_) => (text.to_owned(), Vec::new()),
    }
}

/// The lines of a text, and whether each begins outside of texts and brackets.
struct Lines<'t> {
    text: &'t str,
    /// The beginning of each line, and the end of the text.
    starts: Vec<usize>,
    begins_outside: Vec<bool>,
}

impl Lines<'_> {
    fn of(text: &str) -> Lines<'_> {
        let bytes = text.as_bytes();
        let (mut starts, mut begins_outside) = (vec![0], vec![true]);
        let mut depth = 0_usize;
        let mut at = 0;
        while at < bytes.len() {
            match bytes[at] {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'#' => at = line_end(bytes, at) - 1,
                quote @ (b'"' | b'\'') => {
                    let end = text_end(bytes, at, quote);
                    for (offset, _) in bytes[at..end].iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
                        starts.push(at + offset + 1);
                        begins_outside.push(false);
                    }
                    at = end - 1;
                }
                b'\n' => {
                    starts.push(at + 1);
                    begins_outside.push(depth == 0 && (at == 0 || bytes[at - 1] != b'\\'));
                }
                _ => {}
            }
            at += 1;
        }
        starts.push(bytes.len());
        Lines { text, starts, begins_outside }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }
    fn line(&self, number: usize) -> &str {
        &self.text[self.starts[number]..self.starts[number + 1]]
    }
    fn indent(&self, number: usize) -> usize {
        let line = self.line(number);
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }
    /// Whether a statement can begin in the line.
    fn is_code(&self, number: usize) -> bool {
        let line = self.line(number).trim();
        self.begins_outside[number] && !line.is_empty() && !line.starts_with('#')
    }
    /// If a function begins in the line: the line in which its body does.
    fn first_of_body(&self, number: usize) -> Option<usize> {
        let line = self.line(number).trim_start();
        if !self.begins_outside[number] || !line.starts_with("def ") {
            return None;
        }
        // The signature may take several lines; what stands behind its colon is a body of one line.
        let last =
            (number..self.count()).find(|&line| line + 1 == self.count() || self.begins_outside[line + 1])?;
        let ends_with_colon = self.line(last).trim_end().ends_with(':');
        let first = (last + 1..self.count()).find(|&line| self.is_code(line))?;
        (ends_with_colon && self.indent(first) > self.indent(number)).then_some(first)
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| from + length)
}

/// Where a text that begins at a quote is over.
fn text_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let is_long = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if is_long { 3 } else { 1 };
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            byte if byte == quote && is_long && bytes[at..].starts_with(&[quote; 3]) => return at + 3,
            byte if byte == quote && !is_long => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::outline;

    const TEXT: &str = "import a\n\n\ndef f(x,\n      y=(1, 2)):\n    \"\"\"Text: with\n def g(): not here\n    \"\"\"\n    return x + y\n\n\
                        class C:\n    z = 'def h():'\n\n    def m(self):  # a comment\n        if self:\n            return 1\n        return 2\n\n    \
                        def short(self): return 1\n\n    def last(self):\n        return [self.m() for _ in range(10)]\nw = f(1)\n";

    #[test]
    fn bodies_are_left_out_and_nothing_moves() {
        let (outline, found) = outline(TEXT);
        assert_eq!(outline.len(), TEXT.len());
        assert_eq!(outline.matches("...").count(), 2);
        assert!(
            outline.contains("def f(x,\n      y=(1, 2)):\n") && outline.contains("def short(self): return 1")
        );
        assert!(outline.ends_with("w = f(1)\n") && outline.contains("return 2"));
        for each in found {
            assert!(TEXT[each.start..].trim_start().starts_with("def "));
            assert_eq!(&outline[each.body..each.body + 3], "...");
        }
    }
}
