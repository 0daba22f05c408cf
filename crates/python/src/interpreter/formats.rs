//! Format specifications: `[[fill]align][sign][#][0][width][,][.precision][type]`.

use crate::value::Value;

pub(crate) fn float(number: f64) -> String {
    if number.is_nan() {
        "nan".into()
    } else if number.is_infinite() {
        if number > 0.0 { "inf".into() } else { "-inf".into() }
    } else if number != 0.0 && (number.abs() >= 1e16 || number.abs() < 1e-4) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = exponent.strip_prefix('-').map_or(("+", exponent), |digits| ("-", digits));
        format!("{mantissa}e{sign}{digits:0>2}")
    } else if number.fract() == 0.0 {
        format!("{number:.1}")
    } else {
        number.to_string()
    }
}

/// A number in the scientific form that Python writes: two digits of exponent at least.
fn scientific(size: f64, digits: usize) -> String {
    let text = format!("{size:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = exponent.strip_prefix('-').map_or(("+", exponent), |digits| ("-", digits));
    format!("{mantissa}e{sign}{digits:0>2}")
}

/// `g`: so many digits that count, without zeros at the end, scientific where that is shorter.
fn general(size: f64, precision: usize, keep_zeros: bool) -> String {
    let digits = precision.max(1);
    if !size.is_finite() {
        return float(size);
    }
    let shown = scientific(size, digits - 1);
    let exponent: i32 = shown.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let (mantissa, end) = if exponent < -4 || exponent >= digits as i32 {
        let (mantissa, exponent) = shown.split_once('e').unwrap_or((&shown, ""));
        (mantissa.to_owned(), format!("e{exponent}"))
    } else {
        let places = usize::try_from(digits as i32 - 1 - exponent).unwrap_or(0);
        (format!("{size:.places$}"), String::new())
    };
    let mantissa = match mantissa.contains('.') && !keep_zeros {
        true => mantissa.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => mantissa,
    };
    mantissa + &end
}

#[derive(Default)]
pub(super) struct Format {
    fill: Option<char>,
    align: Option<char>,
    sign: Option<char>,
    alternate: bool,
    zero: bool,
    width: usize,
    separator: Option<char>,
    pub(super) precision: Option<usize>,
    kind: Option<char>,
}

impl Format {
    pub(super) fn parse(text: &str) -> Option<Format> {
        let letters: Vec<char> = text.chars().collect();
        let mut format = Format::default();
        let mut place = 0;
        let is_align = |letter: Option<&char>| letter.is_some_and(|letter| "<>^=".contains(*letter));
        if is_align(letters.get(1)) {
            (format.fill, format.align) = (letters.first().copied(), letters.get(1).copied());
            place = 2;
        } else if is_align(letters.first()) {
            format.align = letters.first().copied();
            place = 1;
        }
        while let Some(letter @ ('+' | '-' | ' ' | '#' | 'z')) = letters.get(place) {
            match letter {
                '#' => format.alternate = true,
                'z' => {}
                sign => format.sign = Some(*sign),
            }
            place += 1;
        }
        if letters.get(place) == Some(&'0') {
            format.zero = true;
            place += 1;
        }
        let digits = |place: &mut usize| {
            let start = *place;
            while letters.get(*place).is_some_and(char::is_ascii_digit) {
                *place += 1;
            }
            letters[start..*place].iter().collect::<String>().parse::<usize>().ok()
        };
        format.width = digits(&mut place).unwrap_or(0).min(1 << 12);
        if let Some(separator @ (',' | '_')) = letters.get(place) {
            format.separator = Some(*separator);
            place += 1;
        }
        if letters.get(place) == Some(&'.') {
            place += 1;
            format.precision = Some(digits(&mut place)?.min(60));
        }
        format.kind = letters.get(place).copied();
        (place + usize::from(format.kind.is_some()) == letters.len()).then_some(format)
    }

    /// Why a value cannot be written like this.
    pub(super) fn refuses(&self, value: &Value) -> Option<String> {
        let (kind, allowed, what) = match (self.kind?, value) {
            (kind, Value::Text(_)) => (kind, "s", "str"),
            (kind, Value::Int(_) | Value::Bool(_)) => (kind, "bcdoxXneEfFgG%", "int"),
            (kind, Value::Float(_)) => (kind, "eEfFgGn%", "float"),
            _ => return None,
        };
        (!allowed.contains(kind)).then(|| format!("Unknown format code '{kind}' for object of type '{what}'"))
    }

    pub(super) fn integer(&self, number: i64) -> String {
        let size = number.unsigned_abs();
        let text = match self.kind {
            Some('f' | 'F' | 'e' | 'E' | 'g' | 'G' | '%') => return self.number(number as f64),
            Some('c') => {
                let letter = u32::try_from(number).ok().and_then(char::from_u32);
                return letter.map_or(String::new(), |letter| letter.to_string());
            }
            Some('x') => self.prefixed("0x", format!("{size:x}")),
            Some('X') => self.prefixed("0X", format!("{size:X}")),
            Some('b') => self.prefixed("0b", format!("{size:b}")),
            Some('o') => self.prefixed("0o", format!("{size:o}")),
            _ => self.grouped(&size.to_string(), 3),
        };
        self.signed(text, number < 0)
    }
    fn prefixed(&self, prefix: &str, digits: String) -> String {
        let digits = self.grouped(&digits, 4);
        if self.alternate { format!("{prefix}{digits}") } else { digits }
    }
    pub(super) fn number(&self, number: f64) -> String {
        let size = number.abs();
        let precision = self.precision.unwrap_or(6);
        let text = match self.kind {
            _ if !size.is_finite() => float(size),
            Some('f' | 'F') => self.grouped(&format!("{size:.precision$}"), 3),
            Some('%') => format!("{:.precision$}%", size * 100.0),
            Some('e') => scientific(size, precision),
            Some('E') => scientific(size, precision).to_uppercase(),
            Some('g' | 'n') => self.grouped(&general(size, precision, self.alternate), 3),
            Some('G') => self.grouped(&general(size, precision, self.alternate).to_uppercase(), 3),
            _ => match self.precision {
                Some(digits) => {
                    let text = general(size, digits, false);
                    let is_whole = !text.contains(['.', 'e']);
                    if is_whole && digits > text.len() { format!("{text}.0") } else { text }
                }
                None => self.grouped(&float(size), 3),
            },
        };
        self.signed(text, number.is_sign_negative() && !number.is_nan())
    }
    fn signed(&self, text: String, negative: bool) -> String {
        match (negative, self.sign) {
            (true, _) => format!("-{text}"),
            (false, Some(sign @ ('+' | ' '))) => format!("{sign}{text}"),
            (false, _) => text,
        }
    }
    fn grouped(&self, text: &str, size: usize) -> String {
        let Some(separator) = self.separator else { return text.to_owned() };
        let (whole, rest) = text.split_at(text.find(['.', 'e']).unwrap_or(text.len()));
        let mut grouped = String::new();
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place).is_multiple_of(size) {
                grouped.push(separator);
            }
            grouped.push(digit);
        }
        grouped + rest
    }
    pub(super) fn padded(&self, text: &str, is_number: bool) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let fill: String =
            std::iter::repeat_n(self.fill.unwrap_or(if self.zero { '0' } else { ' ' }), missing).collect();
        let after_sign = || {
            let (sign, digits) = text.split_at(usize::from(text.starts_with(['-', '+', ' '])));
            let (prefix, digits) = match digits.get(..2) {
                Some(prefix @ ("0x" | "0X" | "0b" | "0o")) => (prefix, &digits[2..]),
                _ => ("", digits),
            };
            format!("{sign}{prefix}{fill}{digits}")
        };
        match self.align {
            Some('<') => format!("{text}{fill}"),
            Some('^') => {
                let half = missing / 2;
                let (left, right): (String, String) =
                    (fill.chars().take(half).collect(), fill.chars().skip(half).collect());
                format!("{left}{text}{right}")
            }
            Some('=') => after_sign(),
            Some(_) => format!("{fill}{text}"),
            None if self.zero && is_number => after_sign(),
            None if is_number => format!("{fill}{text}"),
            None => format!("{text}{fill}"),
        }
    }
}
