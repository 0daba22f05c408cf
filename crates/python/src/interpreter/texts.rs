//! Values as text: `str`, `repr`, format specifications and the `%` operator.

use super::Interpreter;
use crate::heap::Payload;
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

impl Interpreter {
    /// `str(value)`.
    pub fn display(&mut self, value: &Value) -> String {
        match value {
            Value::Text(text) => text.to_string(),
            Value::Object(id) => {
                for word in ["__str__", "__repr__"] {
                    if let Ok(Some(Value::Text(text))) = self.try_special(value, word, Vec::new()) {
                        return text.to_string();
                    }
                }
                if self.is_instance_of_named(value, "BaseException") {
                    let shown = self.describe_exception(*id);
                    return shown.split_once(": ").map_or(String::new(), |(_, message)| message.to_owned());
                }
                self.represent(value)
            }
            value => self.represent(value),
        }
    }

    /// `repr(value)`.
    pub fn represent(&mut self, value: &Value) -> String {
        match value {
            Value::None => "None".into(),
            Value::Ellipsis => "Ellipsis".into(),
            Value::NotImplemented => "NotImplemented".into(),
            Value::Bool(prop) => match prop.known() {
                Some(true) => "True".into(),
                Some(false) => "False".into(),
                None => prop.to_string(),
            },
            Value::Int(dim) => dim.to_string(),
            Value::Float(number) => float(*number),
            Value::Text(text) => quoted(text),
            Value::Bytes(bytes) => format!("b{}", quoted(&String::from_utf8_lossy(bytes))),
            Value::Tuple(items) => {
                let shown = self.represent_all(items);
                if items.len() == 1 { format!("({shown},)") } else { format!("({shown})") }
            }
            Value::Slice(parts) => format!("slice({})", self.represent_all(parts.as_ref())),
            Value::Native(native) => format!("<built-in function {}>", native.name),
            Value::Method(_) => "<bound method>".into(),
            Value::Unknown(_) => "<unknown>".into(),
            Value::Object(id) => {
                if let Ok(Some(Value::Text(text))) = self.try_special(value, "__repr__", Vec::new()) {
                    return text.to_string();
                }
                match self.heap.get(*id).payload.clone() {
                    Payload::List(items) => format!("[{}]", self.represent_all(&items)),
                    Payload::Dict(pairs) => {
                        let shown: Vec<String> = pairs
                            .values()
                            .map(|(key, value)| format!("{}: {}", self.represent(key), self.represent(value)))
                            .collect();
                        format!("{{{}}}", shown.join(", "))
                    }
                    Payload::Set(pairs) if pairs.is_empty() => "set()".into(),
                    Payload::Set(pairs) => {
                        let keys: Vec<Value> = pairs.values().map(|(key, _)| key.clone()).collect();
                        format!("{{{}}}", self.represent_all(&keys))
                    }
                    Payload::Wrapped(inner) => self.represent(&inner),
                    Payload::Class(class) => format!("<class '{}'>", class.name),
                    Payload::Function(function) => format!("<function {}>", function.name),
                    Payload::Module { name, .. } => format!("<module '{name}'>"),
                    Payload::Tensor(tensor) => format!("tensor({tensor})"),
                    _ if self.is_instance_of_named(value, "BaseException") => {
                        let class = self.type_name(value);
                        let arguments = self.heap.get(*id).attributes.get(&Name::new("args")).cloned();
                        match arguments {
                            Some(Value::Tuple(items)) => format!("{class}({})", self.represent_all(&items)),
                            _ => format!("{class}()"),
                        }
                    }
                    _ => format!("<{} object>", self.type_name(value)),
                }
            }
        }
    }
    fn represent_all(&mut self, items: &[Value]) -> String {
        let shown: Vec<String> = items.iter().map(|item| self.represent(item)).collect();
        shown.join(", ")
    }

    /// A value under a format specification; one that is not understood leaves the text plain.
    pub fn format_value(&mut self, value: &Value, specification: &str) -> String {
        let plain = self.unwrapped(value);
        if specification.is_empty() {
            return self.display(value);
        }
        let Some(format) = Format::parse(specification) else { return self.display(value) };
        let body = match &plain {
            Value::Float(number) => format.number(*number, false),
            Value::Int(_) | Value::Bool(_) => match plain.as_int() {
                Some(number) => format.integer(number),
                None => self.display(&plain),
            },
            _ => {
                let text = self.display(value);
                match format.precision {
                    Some(most) => text.chars().take(most).collect(),
                    None => text,
                }
            }
        };
        let is_number = matches!(plain, Value::Float(_) | Value::Int(_));
        format.padded(&body, is_number)
    }

    /// `"%d of %s" % values`.
    pub(super) fn percent(&mut self, format: &str, arguments: &Value) -> Value {
        let mut positional = match arguments {
            Value::Tuple(items) => items.to_vec(),
            other => vec![other.clone()],
        }
        .into_iter();
        let mut text = String::new();
        let mut letters = format.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                text.push(letter);
                continue;
            }
            let mut specification = String::new();
            let mut key = None;
            if letters.peek() == Some(&'(') {
                letters.next();
                key = Some(letters.by_ref().take_while(|letter| *letter != ')').collect::<String>());
            }
            let conversion = loop {
                match letters.next() {
                    Some(letter) if letter.is_ascii_alphabetic() || letter == '%' => break letter,
                    Some(letter) => specification.push(letter),
                    None => break 's',
                }
            };
            if conversion == '%' {
                text.push('%');
                continue;
            }
            let value = match key {
                Some(key) => self.item(arguments, &Value::text(&key)).unwrap_or(Value::None),
                None => positional.next().unwrap_or(Value::None),
            };
            if let Value::Unknown(unknown) = &value {
                return Value::unknown_of(BuiltIn::Text, unknown.reason.clone());
            }
            let shown = match conversion {
                'r' => self.represent(&value),
                's' => self.display(&value),
                'd' | 'i' => {
                    let whole = match self.unwrapped(&value) {
                        Value::Float(number) => Value::int(number as i64),
                        other => other,
                    };
                    self.format_value(&whole, &specification)
                }
                other => self.format_value(&value, &format!("{specification}{other}")),
            };
            text.push_str(&shown);
        }
        Value::Text(text.into())
    }
}

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

fn quoted(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut result = String::from(quote);
    for letter in text.chars() {
        match letter {
            '\n' => result.push_str("\\n"),
            '\t' => result.push_str("\\t"),
            '\r' => result.push_str("\\r"),
            '\\' => result.push_str("\\\\"),
            letter if letter == quote => {
                result.push('\\');
                result.push(letter);
            }
            letter => result.push(letter),
        }
    }
    result.push(quote);
    result
}

/// `[[fill]align][sign][#][0][width][,][.precision][type]`.
#[derive(Default)]
struct Format {
    fill: Option<char>,
    align: Option<char>,
    plus: bool,
    zero: bool,
    width: usize,
    comma: bool,
    precision: Option<usize>,
    kind: Option<char>,
}

impl Format {
    fn parse(text: &str) -> Option<Format> {
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
        while let Some(letter @ ('+' | '-' | ' ' | '#')) = letters.get(place) {
            format.plus |= *letter == '+';
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
        if matches!(letters.get(place), Some(',' | '_')) {
            format.comma = true;
            place += 1;
        }
        if letters.get(place) == Some(&'.') {
            place += 1;
            format.precision = Some(digits(&mut place)?.min(60));
        }
        format.kind = letters.get(place).copied();
        (place + usize::from(format.kind.is_some()) == letters.len()).then_some(format)
    }

    fn integer(&self, number: i64) -> String {
        match self.kind {
            Some('f' | 'F' | 'e' | 'E' | 'g' | 'G' | '%') => self.number(number as f64, true),
            Some('x') => format!("{number:x}"),
            Some('X') => format!("{number:X}"),
            Some('b') => format!("{number:b}"),
            Some('o') => format!("{number:o}"),
            _ => self.signed(self.grouped(&number.abs().to_string()), number < 0),
        }
    }
    fn number(&self, number: f64, is_integer: bool) -> String {
        let size = number.abs();
        let text = match self.kind {
            Some('f' | 'F') => self.grouped(&format!("{size:.*}", self.precision.unwrap_or(6))),
            Some('%') => format!("{:.*}%", self.precision.unwrap_or(6), size * 100.0),
            Some('e' | 'E') => {
                let text = format!("{size:.*e}", self.precision.unwrap_or(6));
                let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
                let (sign, digits) =
                    exponent.strip_prefix('-').map_or(("+", exponent), |digits| ("-", digits));
                format!("{mantissa}e{sign}{digits:0>2}")
            }
            _ => match self.precision {
                Some(digits) => {
                    let places = digits.saturating_sub(1 + size.max(1.0).log10().floor() as usize);
                    let text = format!("{size:.places$}");
                    if text.contains('.') {
                        text.trim_end_matches('0').trim_end_matches('.').to_owned()
                    } else {
                        text
                    }
                }
                None if is_integer => size.to_string(),
                None => self.grouped(&float(size)),
            },
        };
        self.signed(text, number < 0.0)
    }
    fn signed(&self, text: String, negative: bool) -> String {
        match (negative, self.plus) {
            (true, _) => format!("-{text}"),
            (false, true) => format!("+{text}"),
            (false, false) => text,
        }
    }
    fn grouped(&self, text: &str) -> String {
        if !self.comma {
            return text.to_owned();
        }
        let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
        let mut grouped = String::new();
        for (place, digit) in whole.chars().enumerate() {
            if place > 0 && (whole.len() - place) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped + rest
    }
    fn padded(&self, text: &str, is_number: bool) -> String {
        let missing = self.width.saturating_sub(text.chars().count());
        let fill: String =
            std::iter::repeat_n(self.fill.unwrap_or(if self.zero { '0' } else { ' ' }), missing).collect();
        match self.align {
            Some('<') => format!("{text}{fill}"),
            Some('^') => {
                let half = fill.chars().count() / 2;
                let (left, right): (String, String) =
                    (fill.chars().take(half).collect(), fill.chars().skip(half).collect());
                format!("{left}{text}{right}")
            }
            Some(_) => format!("{fill}{text}"),
            None if self.zero && text.starts_with('-') => format!("-{fill}{}", &text[1..]),
            None if is_number => format!("{fill}{text}"),
            None => format!("{text}{fill}"),
        }
    }
}
