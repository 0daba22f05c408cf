//! Reads the text form of a message into its wire format, so that there is one reader for both.

mod fields;
mod tokens;

use crate::similar::Hints;
use arrays::error::{Place, ReadError};
use fields::{Field, Form, IGNORED, Message};
use prost::encoding::{WireType, encode_key, encode_varint};
use std::path::Path;
use tokens::{Complaint, Token, Tokens, complain};

/// Messages within messages are followed this deep.
const DEEPEST: usize = 100;

/// The first field that a text names, which tells what message it is.
pub fn first_field(text: &str) -> Option<String> {
    match Tokens::new(text).ok()?.next().ok()? {
        Token::Word(word) => Some(word.to_string()),
        _ => None,
    }
}

/// The wire format of a text that holds a message of a type: `GraphDef`.
pub fn encode(text: &str, message: &str, path: &Path) -> Result<Vec<u8>, ReadError> {
    let located = |complaint: Complaint| {
        let (line, column) = place(text, complaint.at);
        ReadError { path: path.to_owned(), place: Place::Text { line, column }, message: complaint.message }
    };
    let mut encoder = Encoder { tokens: Tokens::new(text).map_err(located)?, depth: 0 };
    let mut wire = Vec::with_capacity(text.len() / 4);
    let name = format!(".graphdef.{message}");
    let message = Message::find(&name).unwrap_or_else(|| panic!("no message is called {name}"));
    encoder.body(message, None, &mut wire).map_err(located)?;
    Ok(wire)
}

/// Line and column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..text.floor_char_boundary(at.min(text.len()))];
    let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    (line, column)
}

struct Encoder<'t> {
    tokens: Tokens<'t>,
    depth: usize,
}

impl<'t> Encoder<'t> {
    /// The fields of a message, up to its closing bracket or the end of the file.
    fn body(&mut self, message: &Message, closing: Option<u8>, wire: &mut Vec<u8>) -> Result<(), Complaint> {
        loop {
            let at = self.tokens.start;
            match (self.tokens.next()?, closing) {
                (Token::End, None) => return Ok(()),
                (Token::Sign(sign), Some(closing)) if sign == closing => return Ok(()),
                (Token::End, Some(closing)) => {
                    return complain(
                        at,
                        format!("a message is not closed: `{}` is missing", char::from(closing)),
                    );
                }
                (Token::Word(name), _) => {
                    let Some(field) = message.fields.iter().find(|field| field.name == name) else {
                        return complain(at, unknown_field(message, name));
                    };
                    self.field(field, wire)?;
                }
                (other, _) => {
                    return complain(
                        at,
                        format!("the name of a field is expected, not {}", other.describe()),
                    );
                }
            }
            if !self.tokens.take(b',')? {
                self.tokens.take(b';')?;
            }
        }
    }

    fn field(&mut self, field: &Field, wire: &mut Vec<u8>) -> Result<(), Complaint> {
        let at = self.tokens.start;
        let colon = self.tokens.take(b':')?;
        let is_message = matches!(field.form, Form::Message(_));
        if !colon && !is_message {
            return complain(at, format!("`:` is expected after `{}`", field.name));
        }
        if !field.repeated || !self.tokens.take(b'[')? {
            return self.value(field, wire);
        }
        if self.tokens.take(b']')? {
            return Ok(());
        }
        loop {
            self.value(field, wire)?;
            let at = self.tokens.start;
            if self.tokens.take(b']')? {
                return Ok(());
            }
            if !self.tokens.take(b',')? {
                return complain(
                    at,
                    format!("`,` or `]` is expected, not {}", self.tokens.peek().describe()),
                );
            }
        }
    }

    fn value(&mut self, field: &Field, wire: &mut Vec<u8>) -> Result<(), Complaint> {
        let at = self.tokens.start;
        match field.form {
            Form::Message(name) => {
                let Some(closing) = self.opened()? else {
                    let found = self.tokens.peek().describe();
                    return complain(at, format!("`{{` is expected after `{}`, not {found}", field.name));
                };
                self.depth += 1;
                if self.depth > DEEPEST {
                    return complain(at, format!("messages lie more than {DEEPEST} deep in each other"));
                }
                let mut content = Vec::new();
                match Message::find(name) {
                    Some(message) if name != IGNORED => self.body(message, Some(closing), &mut content)?,
                    _ => self.skip(closing, at)?,
                }
                self.depth -= 1;
                delimited(field.number, &content, wire);
            }
            Form::Text | Form::Bytes => {
                let mut content = match self.tokens.next()? {
                    Token::Text(content) => content,
                    other => return complain(at, format!("a string is expected, not {}", other.describe())),
                };
                // Strings one after the other are one string.
                while let Token::Text(_) = self.tokens.peek() {
                    if let Token::Text(more) = self.tokens.next()? {
                        content.extend(more);
                    }
                }
                if field.form == Form::Text && std::str::from_utf8(&content).is_err() {
                    return complain(at, "this string is not UTF-8");
                }
                delimited(field.number, &content, wire);
            }
            Form::Flag => {
                let flag = match self.tokens.next()? {
                    Token::Word("true" | "True" | "t" | "1") => 1,
                    Token::Word("false" | "False" | "f" | "0") => 0,
                    other => {
                        return complain(
                            at,
                            format!("`true` or `false` is expected, not {}", other.describe()),
                        );
                    }
                };
                encode_key(field.number, WireType::Varint, wire);
                encode_varint(flag, wire);
            }
            Form::Type => {
                let (negative, word) = self.number(at, "the name of an element type")?;
                let named =
                    fields::TYPES.iter().find(|(name, _)| *name == word).map(|(_, code)| i64::from(*code));
                let Some(code) = named.or_else(|| integer(word, negative)) else {
                    let names = fields::TYPES.iter().map(|(name, _)| *name);
                    let hint = match Hints::default().nearest(word, names) {
                        Some(meant) => format!("; did you mean `{meant}`?"),
                        None => String::new(),
                    };
                    return complain(at, format!("`{word}` is no element type{hint}"));
                };
                encode_key(field.number, WireType::Varint, wire);
                encode_varint(code as u64, wire);
            }
            Form::Integer => {
                let (negative, word) = self.number(at, "an integer")?;
                let Some(number) = integer(word, negative) else {
                    return complain(at, format!("an integer of 64 bits is expected, not `{word}`"));
                };
                encode_key(field.number, WireType::Varint, wire);
                encode_varint(number as u64, wire);
            }
            Form::Float | Form::Double => {
                let (negative, word) = self.number(at, "a number")?;
                let Some(number) = float(word).map(|number| if negative { -number } else { number }) else {
                    return complain(at, format!("a number is expected, not `{word}`"));
                };
                if field.form == Form::Float {
                    encode_key(field.number, WireType::ThirtyTwoBit, wire);
                    wire.extend_from_slice(&(number as f32).to_le_bytes());
                } else {
                    encode_key(field.number, WireType::SixtyFourBit, wire);
                    wire.extend_from_slice(&number.to_le_bytes());
                }
            }
        }
        Ok(())
    }

    /// The bracket that closes the message that opens here.
    fn opened(&mut self) -> Result<Option<u8>, Complaint> {
        for (open, close) in [(b'{', b'}'), (b'<', b'>')] {
            if self.tokens.take(open)? {
                return Ok(Some(close));
            }
        }
        Ok(None)
    }

    /// A word, perhaps after a minus.
    fn number(&mut self, at: usize, expected: &str) -> Result<(bool, &'t str), Complaint> {
        let negative = self.tokens.take(b'-')?;
        match self.tokens.next()? {
            Token::Word(word) => Ok((negative, word)),
            other => complain(at, format!("{expected} is expected, not {}", other.describe())),
        }
    }

    /// Passes over a message of which nothing is read.
    fn skip(&mut self, closing: u8, opened: usize) -> Result<(), Complaint> {
        let mut open = vec![closing];
        while let Some(&innermost) = open.last() {
            let at = self.tokens.start;
            match self.tokens.next()? {
                Token::End => return complain(opened, "this message is not closed"),
                Token::Sign(b'{') => open.push(b'}'),
                Token::Sign(b'<') => open.push(b'>'),
                Token::Sign(sign) if sign == innermost => drop(open.pop()),
                Token::Sign(sign @ (b'}' | b'>')) => {
                    let (found, meant) = (char::from(sign), char::from(innermost));
                    return complain(at, format!("`{meant}` is expected, not `{found}`"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn unknown_field(message: &Message, name: &str) -> String {
    let hint = match Hints::default().nearest(name, message.fields.iter().map(|field| field.name)) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => String::new(),
    };
    format!("{} has no field `{name}`{hint}", message.short_name())
}

fn delimited(number: u32, content: &[u8], wire: &mut Vec<u8>) {
    encode_key(number, WireType::LengthDelimited, wire);
    encode_varint(content.len() as u64, wire);
    wire.extend_from_slice(content);
}

/// A decimal, hexadecimal or octal integer of 64 bits, with or without a sign.
fn integer(word: &str, negative: bool) -> Option<i64> {
    let magnitude = match word.as_bytes() {
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(&word[2..], 16).ok()?,
        [b'0', _, ..] => u64::from_str_radix(&word[1..], 8).ok()?,
        _ => word.parse::<u64>().ok()?,
    };
    match negative {
        true => 0i64.checked_sub_unsigned(magnitude),
        // Numbers without a sign of 64 bits have the same bits.
        false => Some(magnitude as i64),
    }
}

fn float(word: &str) -> Option<f64> {
    let word = word
        .strip_suffix(['f', 'F'])
        .filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit() || c == '.'))
        .unwrap_or(word);
    match word.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" => Some(f64::NAN),
        lower if lower.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            lower.parse().ok().or_else(|| integer(lower, false).map(|number| number as f64))
        }
        _ => None,
    }
}
