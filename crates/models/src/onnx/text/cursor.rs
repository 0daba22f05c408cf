//! Tokens of the text format: punctuation, identifiers and literals, with white space and comments skipped.

use super::{Parsed, SyntaxError};

pub(super) struct Cursor<'a> {
    text: &'a [u8],
    position: usize,
}

/// A value written out; numbers keep their text until the wanted type is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal<'a> {
    Int(&'a str),
    Float(&'a str),
    /// Need not be UTF-8.
    String(Vec<u8>),
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, position: 0 }
    }

    /// An error at the next token.
    pub(super) fn error(&mut self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { offset: self.position(), message: message.into() }
    }

    /// The next significant byte, which stays unread.
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.current() {
                Some(b'\t'..=b'\r' | b' ') => self.position += 1,
                Some(b'#') => {
                    let rest = &self.text[self.position..];
                    self.position += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                other => return other,
            }
        }
    }

    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    pub(super) fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.position += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, wanted: u8) -> Parsed<()> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("`{}`", wanted as char))) }
    }

    /// `=>` between inputs and outputs.
    pub(super) fn expect_arrow(&mut self) -> Parsed<()> {
        self.peek();
        if !self.text[self.position..].starts_with(b"=>") {
            return Err(self.expected("`=>`"));
        }
        self.position += 2;
        Ok(())
    }

    /// An error that tells what stands in the place of `wanted`.
    pub(super) fn expected(&mut self, wanted: &str) -> SyntaxError {
        let found = match self.peek() {
            None => "the end of the file".to_owned(),
            Some(_) if !self.peek_identifier().is_empty() => format!("`{}`", self.peek_identifier()),
            Some(byte) if byte.is_ascii_graphic() => format!("`{}`", byte as char),
            Some(byte) => format!("byte 0x{byte:02x}"),
        };
        self.error(format!("expected {wanted}, found {found}"))
    }

    /// The identifier that comes next, or an empty one.
    pub(super) fn peek_identifier(&mut self) -> &'a str {
        self.peek();
        let rest = &self.text[self.position..];
        if rest.first().is_none_or(u8::is_ascii_digit) {
            return "";
        }
        let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = rest.iter().position(|byte| !is_part(byte)).unwrap_or(rest.len());
        std::str::from_utf8(&rest[..length]).unwrap_or_default()
    }

    pub(super) fn optional_identifier(&mut self) -> &'a str {
        let identifier = self.peek_identifier();
        self.position += identifier.len();
        identifier
    }

    pub(super) fn identifier(&mut self, wanted: &str) -> Parsed<&'a str> {
        match self.optional_identifier() {
            "" => Err(self.expected(wanted)),
            identifier => Ok(identifier),
        }
    }

    /// A name, which may be quoted.
    pub(super) fn name(&mut self, wanted: &str) -> Parsed<String> {
        if self.peek() == Some(b'"') { self.string() } else { self.identifier(wanted).map(str::to_owned) }
    }

    /// A quoted string that must be UTF-8.
    pub(super) fn string(&mut self) -> Parsed<String> {
        let start = self.position();
        String::from_utf8(self.string_bytes()?)
            .map_err(|_| SyntaxError { offset: start, message: "the string is not UTF-8".to_owned() })
    }

    /// A quoted string; a backslash takes the next byte as it is.
    pub(super) fn string_bytes(&mut self) -> Parsed<Vec<u8>> {
        if self.peek() != Some(b'"') {
            return Err(self.expected("a quoted string"));
        }
        let start = self.position;
        let mut bytes = Vec::new();
        loop {
            self.position += 1;
            match self.current() {
                Some(b'"') => break,
                Some(b'\\') => {
                    self.position += 1;
                    bytes.extend(self.current());
                }
                Some(byte) => bytes.push(byte),
                None => return Err(SyntaxError { offset: start, message: "unfinished string".to_owned() }),
            }
        }
        self.position += 1;
        Ok(bytes)
    }

    pub(super) fn literal(&mut self) -> Parsed<Literal<'a>> {
        if self.peek() == Some(b'"') { self.string_bytes().map(Literal::String) } else { self.number() }
    }

    /// A number with its sign, or one of `inf`, `infinity` and `nan`.
    pub(super) fn number(&mut self) -> Parsed<Literal<'a>> {
        let start = self.position();
        self.position += usize::from(self.current() == Some(b'-'));
        let word = self.peek_identifier();
        if is_float_word(word) {
            self.position += word.len();
            return Ok(Literal::Float(self.text_since(start)));
        }
        let digits_start = self.position;
        self.skip_digits();
        if self.position == digits_start {
            self.position = start;
            return Err(self.expected("a value"));
        }
        let mut is_float = false;
        if self.current() == Some(b'.') {
            is_float = true;
            self.position += 1;
            self.skip_digits();
        }
        if matches!(self.current(), Some(b'e' | b'E')) {
            is_float = true;
            self.position += 1;
            self.position += usize::from(matches!(self.current(), Some(b'+' | b'-')));
            self.skip_digits();
        }
        let text = self.text_since(start);
        Ok(if is_float { Literal::Float(text) } else { Literal::Int(text) })
    }

    /// An integer of the wanted type.
    pub(super) fn integer<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let start = self.position();
        match self.number()? {
            Literal::Int(text) => text.parse().map_err(|_| SyntaxError {
                offset: start,
                message: format!("the integer {text} is out of range"),
            }),
            _ => Err(SyntaxError { offset: start, message: "expected an integer, found a float".to_owned() }),
        }
    }

    /// A number as a float of the wanted type.
    pub(super) fn float<T: FloatLiteral>(&mut self) -> Parsed<T> {
        let start = self.position();
        match self.number()? {
            Literal::Int(text) | Literal::Float(text) => T::from_text(text).ok_or_else(|| SyntaxError {
                offset: start,
                message: format!("the number {text} is malformed or out of range"),
            }),
            Literal::String(_) => Err(self.error("expected a number")),
        }
    }

    /// Where the next token starts.
    pub(super) fn position(&mut self) -> usize {
        self.peek();
        self.position
    }

    /// Goes back to a position that `position` gave.
    pub(super) fn rewind(&mut self, position: usize) {
        self.position = position;
    }

    fn current(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    fn skip_digits(&mut self) {
        while self.current().is_some_and(|byte| byte.is_ascii_digit()) {
            self.position += 1;
        }
    }

    fn text_since(&self, start: usize) -> &'a str {
        std::str::from_utf8(&self.text[start..self.position]).unwrap_or_default()
    }
}

pub(super) fn is_float_word(word: &str) -> bool {
    ["inf", "infinity", "nan"].iter().any(|special| word.eq_ignore_ascii_case(special))
}

/// Float types that can be written out; a finite number too large for the type is refused, not rounded to infinity.
pub(super) trait FloatLiteral: Sized {
    fn from_text(text: &str) -> Option<Self>;
}

impl FloatLiteral for f32 {
    fn from_text(text: &str) -> Option<Self> {
        let value: Self = text.parse().ok()?;
        (value.is_finite() || !text.contains(|c: char| c.is_ascii_digit())).then_some(value)
    }
}

impl FloatLiteral for f64 {
    fn from_text(text: &str) -> Option<Self> {
        let value: Self = text.parse().ok()?;
        (value.is_finite() || !text.contains(|c: char| c.is_ascii_digit())).then_some(value)
    }
}
