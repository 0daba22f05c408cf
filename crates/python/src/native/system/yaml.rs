//! YAML as PyYAML reads it: version 1.1, where `1e-3` is a text and `yes` is true.

use crate::interpreter::{Interpreter, Outcome};
use crate::value::{BuiltIn, Pairs, Value};
use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle};

/// The first document; `None` if it cannot be told.
pub fn read(interpreter: &mut Interpreter, text: &str) -> Outcome<Option<Value>> {
    let mut events = Vec::new();
    for event in Parser::new_from_str(text) {
        match event {
            Ok((event, _)) => events.push(event),
            Err(error) => return interpreter.raise("ValueError", error.to_string()),
        }
    }
    let mut reader = Reader { events, place: 0, anchors: FxHashMap::default() };
    reader.value(interpreter, 0)
}

struct Reader<'t> {
    events: Vec<Event<'t>>,
    place: usize,
    anchors: FxHashMap<usize, Value>,
}

impl Reader<'_> {
    fn value(&mut self, interpreter: &mut Interpreter, depth: usize) -> Outcome<Option<Value>> {
        if depth > 100 {
            return Ok(None);
        }
        loop {
            let Some(event) = self.events.get(self.place).cloned() else { return Ok(Some(Value::None)) };
            self.place += 1;
            let (value, anchor) = match event {
                Event::Scalar(_, _, _, Some(_)) | Event::SequenceStart(_, Some(_)) => return Ok(None),
                Event::MappingStart(_, Some(_)) => return Ok(None),
                Event::Scalar(text, ScalarStyle::Plain, anchor, None) => (plain(&text), anchor),
                Event::Scalar(text, _, anchor, None) => (Value::text(&text), anchor),
                Event::Alias(anchor) => return Ok(self.anchors.get(&anchor).cloned()),
                Event::SequenceStart(anchor, None) => {
                    let mut items = Vec::new();
                    while !matches!(self.events.get(self.place), None | Some(Event::SequenceEnd)) {
                        match self.value(interpreter, depth + 1)? {
                            Some(item) => items.push(item),
                            None => return Ok(None),
                        }
                    }
                    self.place += 1;
                    (interpreter.new_list(items), anchor)
                }
                Event::MappingStart(anchor, None) => match self.mapping(interpreter, depth)? {
                    Some(mapping) => (mapping, anchor),
                    None => return Ok(None),
                },
                Event::StreamEnd | Event::DocumentEnd => return Ok(Some(Value::None)),
                _ => continue,
            };
            self.anchors.insert(anchor, value.clone());
            return Ok(Some(value));
        }
    }
    fn mapping(&mut self, interpreter: &mut Interpreter, depth: usize) -> Outcome<Option<Value>> {
        let (mut pairs, mut merged) = (Pairs::default(), Pairs::default());
        while !matches!(self.events.get(self.place), None | Some(Event::MappingEnd)) {
            let (Some(key), Some(value)) =
                (self.value(interpreter, depth + 1)?, self.value(interpreter, depth + 1)?)
            else {
                return Ok(None);
            };
            if key.as_text().is_some_and(|key| &**key == "<<") {
                for (key, value) in interpreter.pairs_of(&value)? {
                    merged.insert(interpreter.key(&key)?, (key, value));
                }
                continue;
            }
            pairs.insert(interpreter.key(&key)?, (key, value));
        }
        self.place += 1;
        merged.extend(pairs);
        Ok(Some(interpreter.new_dict(merged)))
    }
}

/// What a text without quotes means.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::None,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => return Value::bool(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            return Value::bool(false);
        }
        ".inf" | ".Inf" | ".INF" | "+.inf" => return Value::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Value::Float(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Value::Float(f64::NAN),
        _ => {}
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let clean = digits.replace('_', "");
    if digits.starts_with(|letter: char| letter.is_ascii_digit()) {
        let based = match clean.get(..2) {
            Some("0x") => Some((&clean[2..], 16)),
            Some("0b") => Some((&clean[2..], 2)),
            _ if clean.len() > 1 && clean.starts_with('0') => Some((&clean[1..], 8)),
            _ => Some((clean.as_str(), 10)),
        };
        if let Some((digits, base)) = based
            && !digits.is_empty()
            && digits.chars().all(|digit| digit.is_digit(base))
        {
            return match i64::from_str_radix(digits, base) {
                Ok(number) => Value::int(sign * number),
                Err(_) => Value::unknown_of(BuiltIn::Int, "a number beyond 64 bits"),
            };
        }
    }
    // A float has a point, and its exponent a sign.
    let is_float = clean.contains('.')
        && clean.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.')
        && clean.contains(|letter: char| letter.is_ascii_digit())
        && clean.split_once(['e', 'E']).is_none_or(|(_, exponent)| exponent.starts_with(['+', '-']));
    match clean.parse::<f64>() {
        Ok(number) if is_float => Value::Float(sign as f64 * number),
        _ => Value::text(text),
    }
}
