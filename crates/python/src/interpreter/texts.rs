//! Values as text: `str`, `repr`, format specifications and the `%` operator.

use super::formats::{Format, float};
use super::{Interpreter, Outcome};
use crate::heap::Payload;
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};

/// Objects inside objects that are shown.
const DEEPEST: usize = 100;
/// Longer texts are not made.
const LONGEST: usize = 1 << 20;

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
        if let Value::Object(id) = value {
            // What holds itself is not shown twice.
            if self.showing.contains(id) || self.showing.len() > DEEPEST {
                return match self.heap.get(*id).payload {
                    Payload::List(_) => "[...]".into(),
                    Payload::Dict(_) => "{...}".into(),
                    _ => "...".into(),
                };
            }
            self.showing.push(*id);
            let shown = self.represent_value(value);
            self.showing.pop();
            return shown;
        }
        self.represent_value(value)
    }
    fn represent_value(&mut self, value: &Value) -> String {
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
            Value::Bytes(bytes) => quoted_bytes(bytes),
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
                    Payload::Many { element, .. } => format!("[{}, ...]", self.represent(&element)),
                    Payload::Dict(pairs) => {
                        let shown: Vec<String> = pairs
                            .values()
                            .map(|(key, value)| format!("{}: {}", self.represent(key), self.represent(value)))
                            .collect();
                        format!("{{{}}}", shown.join(", "))
                    }
                    Payload::Set(pairs) => {
                        let keys: Vec<Value> = pairs.values().map(|(key, _)| key.clone()).collect();
                        let shown = self.represent_all(&keys);
                        let class = self.type_name(value);
                        match (class.as_str(), keys.is_empty()) {
                            ("set", false) => format!("{{{shown}}}"),
                            (_, true) => format!("{class}()"),
                            _ => format!("{class}({{{shown}}})"),
                        }
                    }
                    Payload::View(dict, part) => {
                        let shown = self.viewed(dict, part);
                        format!("{}([{}])", self.type_name(value), self.represent_all(&shown))
                    }
                    Payload::Wrapped(inner) => self.represent(&inner),
                    Payload::Class(class) => format!("<class '{}'>", class.name),
                    Payload::Function(function) => format!("<function {}>", function.name),
                    Payload::Module { name, .. } => format!("<module '{name}'>"),
                    Payload::Tensor(tensor, _) => format!("tensor({tensor})"),
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
        let mut shown = String::new();
        for (place, item) in items.iter().enumerate() {
            if shown.len() > LONGEST {
                return shown + ", ...";
            }
            shown.push_str(if place > 0 { ", " } else { "" });
            shown.push_str(&self.represent(item));
        }
        shown
    }

    /// A value under a format specification; one that is not understood leaves the text plain.
    pub fn format_value(&mut self, value: &Value, specification: &str) -> Outcome<String> {
        if let Some(Value::Text(text)) =
            self.try_special(value, "__format__", vec![Value::text(specification)])?
        {
            return Ok(text.to_string());
        }
        let plain = self.unwrapped(value);
        if specification.is_empty() {
            return Ok(self.display(value));
        }
        let Some(format) = Format::parse(specification) else {
            return match plain {
                Value::Text(_) | Value::Int(_) | Value::Float(_) => {
                    self.raise("ValueError", format!("Invalid format specifier '{specification}'"))
                }
                _ => Ok(self.display(value)),
            };
        };
        if let Some(complaint) = format.refuses(&plain) {
            return self.raise("ValueError", complaint);
        }
        if matches!(plain, Value::None | Value::Tuple(_))
            || matches!(self.payload(&plain), Some(Payload::List(_) | Payload::Dict(_) | Payload::Set(_)))
        {
            let what = self.type_name(value);
            return self.raise("TypeError", format!("unsupported format string passed to {what}.__format__"));
        }
        let body = match &plain {
            Value::Float(number) => format.number(*number),
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
        let is_number = matches!(plain, Value::Float(_) | Value::Int(_) | Value::Bool(_));
        Ok(format.padded(&body, is_number))
    }

    /// `"%d of %s" % values`.
    pub(super) fn percent(&mut self, format: &str, arguments: &Value) -> Outcome {
        let mut positional = match arguments {
            Value::Tuple(items) => items.to_vec(),
            other => vec![other.clone()],
        }
        .into_iter();
        let mut by_name = matches!(arguments, Value::Object(_) | Value::Unknown(_));
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
                Some(key) => {
                    by_name = true;
                    self.item(arguments, &Value::text(&key))?
                }
                None => match positional.next() {
                    Some(value) => value,
                    None => return self.raise("TypeError", "not enough arguments for format string"),
                },
            };
            if let Value::Unknown(unknown) = &value {
                return Ok(Value::unknown_of(BuiltIn::Text, unknown.reason.clone()));
            }
            let plain = self.unwrapped(&value);
            let is_number = matches!(plain, Value::Float(_) | Value::Int(_) | Value::Bool(_));
            // A minus means to the left here, and texts stand on the right.
            let left = specification.contains('-');
            let mut specification = specification.replace('-', "");
            if left {
                specification = format!("<{}", specification.trim_start_matches('0'));
            } else if !is_number || matches!(conversion, 'r' | 's' | 'a') {
                specification = format!(">{specification}");
            }
            let shown = match conversion {
                'r' | 'a' => {
                    let shown = Value::Text(self.represent(&value).into());
                    self.format_value(&shown, &specification)?
                }
                's' => {
                    let shown = Value::Text(self.display(&value).into());
                    self.format_value(&shown, &specification)?
                }
                'c' => match plain {
                    Value::Text(letter) => letter.to_string(),
                    number => number
                        .as_int()
                        .and_then(|code| char::from_u32(u32::try_from(code).ok()?))
                        .map_or(String::new(), |letter| letter.to_string()),
                },
                _ if !is_number && matches!(value, Value::Text(_) | Value::None | Value::Tuple(_)) => {
                    let what = self.type_name(&value);
                    let message = match conversion {
                        'd' | 'i' | 'u' => {
                            format!("%{conversion} format: a real number is required, not {what}")
                        }
                        _ => format!("must be real number, not {what}"),
                    };
                    return self.raise("TypeError", message);
                }
                'd' | 'i' | 'u' => {
                    let whole = match plain {
                        Value::Float(number) => Value::int(number as i64),
                        other => other,
                    };
                    self.format_value(&whole, &format!("{specification}d"))?
                }
                other => self.format_value(&value, &format!("{specification}{other}"))?,
            };
            text.push_str(&shown);
        }
        if positional.next().is_some() && !by_name {
            return self.raise("TypeError", "not all arguments converted during string formatting");
        }
        Ok(Value::Text(text.into()))
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
            letter if letter.is_control() && (letter as u32) < 0x100 => {
                result.push_str(&format!("\\x{:02x}", letter as u32));
            }
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
fn quoted_bytes(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut result = format!("b{quote}");
    for &byte in bytes {
        match byte {
            b'\n' => result.push_str("\\n"),
            b'\t' => result.push_str("\\t"),
            b'\r' => result.push_str("\\r"),
            b'\\' => result.push_str("\\\\"),
            byte if byte as char == quote => result.push_str(&format!("\\{quote}")),
            b' '..=b'~' => result.push(byte as char),
            byte => result.push_str(&format!("\\x{byte:02x}")),
        }
    }
    result.push(quote);
    result
}
