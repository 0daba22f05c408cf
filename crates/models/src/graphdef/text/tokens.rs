//! The words of a text proto: names, numbers, strings and punctuation, each with its place.

/// A complaint, and the byte at which it stands.
pub struct Complaint {
    pub at: usize,
    pub message: String,
}

pub fn complain<T>(at: usize, message: impl Into<String>) -> Result<T, Complaint> {
    Err(Complaint { at, message: message.into() })
}

#[derive(Clone, Debug, PartialEq)]
pub enum Token<'t> {
    /// A name, or a number as it is written.
    Word(&'t str),
    Text(Vec<u8>),
    Sign(u8),
    End,
}

impl Token<'_> {
    pub fn describe(&self) -> String {
        match self {
            Token::Word(word) => format!("`{}`", shortened(word)),
            Token::Text(_) => "a string".into(),
            Token::Sign(sign) => format!("`{}`", char::from(*sign)),
            Token::End => "the end of the file".into(),
        }
    }
}

fn shortened(word: &str) -> String {
    let mut short: String = word.chars().take(40).collect();
    if short.len() < word.len() {
        short.push('…');
    }
    short
}

/// Walks through a text, one token ahead.
pub struct Tokens<'t> {
    text: &'t str,
    position: usize,
    /// The next token and where it starts.
    ahead: Token<'t>,
    pub start: usize,
}

impl<'t> Tokens<'t> {
    pub fn new(text: &'t str) -> Result<Tokens<'t>, Complaint> {
        let mut tokens = Tokens { text, position: 0, ahead: Token::End, start: 0 };
        tokens.advance()?;
        Ok(tokens)
    }
    pub fn peek(&self) -> &Token<'t> {
        &self.ahead
    }
    pub fn next(&mut self) -> Result<Token<'t>, Complaint> {
        let token = std::mem::replace(&mut self.ahead, Token::End);
        self.advance()?;
        Ok(token)
    }
    /// Takes a punctuation mark if it comes next.
    pub fn take(&mut self, sign: u8) -> Result<bool, Complaint> {
        let is_next = self.ahead == Token::Sign(sign);
        if is_next {
            self.next()?;
        }
        Ok(is_next)
    }

    fn advance(&mut self) -> Result<(), Complaint> {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.position) {
            match byte {
                b'#' => {
                    let rest = &bytes[self.position..];
                    self.position += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.position += 1,
                _ => break,
            }
        }
        self.start = self.position;
        self.ahead = match bytes.get(self.position) {
            None => Token::End,
            Some(quote @ (b'"' | b'\'')) => Token::Text(self.string(*quote)?),
            Some(&byte) if is_word(byte) => {
                let rest = &bytes[self.position..];
                let mut length = rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
                // The sign of an exponent belongs to the number.
                let is_number = byte.is_ascii_digit() || byte == b'.';
                if is_number
                    && matches!(rest[length - 1], b'e' | b'E')
                    && !rest.starts_with(b"0x")
                    && matches!(rest.get(length), Some(b'+' | b'-'))
                {
                    let digits = &rest[length + 1..];
                    length += 1 + digits.iter().position(|&byte| !is_word(byte)).unwrap_or(digits.len());
                }
                self.position += length;
                Token::Word(&self.text[self.start..self.position])
            }
            Some(&byte) if byte.is_ascii_graphic() => {
                self.position += 1;
                Token::Sign(byte)
            }
            Some(_) => {
                let odd = self.text[self.position..].chars().next().unwrap_or('?');
                return complain(self.position, format!("`{}` has no place here", odd.escape_debug()));
            }
        };
        Ok(())
    }

    /// A quoted string, its escapes resolved.
    fn string(&mut self, quote: u8) -> Result<Vec<u8>, Complaint> {
        let bytes = self.text.as_bytes();
        let opened = self.position;
        self.position += 1;
        let mut content = Vec::new();
        loop {
            let rest = &bytes[self.position..];
            let plain = rest.iter().position(|&byte| byte == quote || matches!(byte, b'\\' | b'\n'));
            let Some(plain) = plain else { return complain(opened, "this string does not end") };
            content.extend_from_slice(&rest[..plain]);
            self.position += plain;
            match rest[plain] {
                b'\\' => self.escape(&mut content)?,
                b'\n' => return complain(opened, "this string does not end in its line"),
                _ => {
                    self.position += 1;
                    return Ok(content);
                }
            }
        }
    }

    fn escape(&mut self, content: &mut Vec<u8>) -> Result<(), Complaint> {
        let bytes = self.text.as_bytes();
        let at = self.position;
        let digits = |from: usize, most: usize, base: u32| {
            let rest = bytes.get(from..).unwrap_or_default();
            rest.iter().take(most).take_while(|&&byte| char::from(byte).is_digit(base)).count()
        };
        let number = |from: usize, count: usize, base: u32| {
            u32::from_str_radix(self.text.get(from..from + count).unwrap_or_default(), base).unwrap_or(0)
        };
        let simple = match bytes.get(at + 1) {
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'v') => 11,
            Some(&same @ (b'"' | b'\'' | b'\\' | b'?')) => same,
            Some(b'0'..=b'7') => {
                let count = digits(at + 1, 3, 8);
                content.push(number(at + 1, count, 8) as u8);
                self.position = at + 1 + count;
                return Ok(());
            }
            Some(b'x' | b'X') if digits(at + 2, 2, 16) > 0 => {
                let count = digits(at + 2, 2, 16);
                content.push(number(at + 2, count, 16) as u8);
                self.position = at + 2 + count;
                return Ok(());
            }
            Some(&form @ (b'u' | b'U')) => {
                let count = if form == b'u' { 4 } else { 8 };
                let letter = char::from_u32(number(at + 2, count, 16));
                let Some(letter) = letter.filter(|_| digits(at + 2, count, 16) == count) else {
                    return complain(at, "this is no escape of a character");
                };
                content.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                self.position = at + 2 + count;
                return Ok(());
            }
            _ => return complain(at, "there is no such escape in a string"),
        };
        content.push(simple);
        self.position = at + 2;
        Ok(())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')
}
