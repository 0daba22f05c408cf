//! JSON, YAML and TOML to values, and values to JSON.

use crate::heap::Payload;
use crate::interpreter::{Interpreter, Outcome};
use crate::native::{Keywords, Native, required};
use crate::value::{BuiltIn, Key, Pairs, Value};
use serde_json::Value as Json;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "json_value", call: json_value },
    Native { name: "yaml_value", call: yaml_value },
    Native { name: "toml_value", call: toml_value },
    Native { name: "json_text", call: json_text },
];

/// The text that a function is given; `None` if it is not known.
fn text(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<Option<String>> {
    let value = required(interpreter, values, 0, "loads")?;
    match interpreter.unwrapped(&value) {
        Value::Text(text) => Ok(Some(text.to_string())),
        Value::Bytes(bytes) => Ok(String::from_utf8(bytes.to_vec()).ok()),
        _ => Ok(None),
    }
}
fn unknown() -> Value {
    Value::unknown("what a file says")
}

fn json_value(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(text) = text(interpreter, &values)? else { return Ok(unknown()) };
    match serde_json::from_str::<Json>(&text) {
        Ok(json) => {
            let settings = value(interpreter, &json);
            interpreter.configure_file(&settings);
            Ok(settings)
        }
        Err(error) => interpreter.raise("ValueError", error.to_string()),
    }
}
fn toml_value(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(text) = text(interpreter, &values)? else { return Ok(unknown()) };
    match toml::from_str::<Json>(&text) {
        Ok(json) => {
            let settings = value(interpreter, &json);
            interpreter.configure_file(&settings);
            Ok(settings)
        }
        Err(error) => interpreter.raise("ValueError", error.to_string()),
    }
}
fn yaml_value(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(text) = text(interpreter, &values)? else { return Ok(unknown()) };
    match super::yaml::read(interpreter, &text)? {
        Some(settings) => {
            interpreter.configure_file(&settings);
            Ok(settings)
        }
        None => Ok(unknown()),
    }
}

fn value(interpreter: &mut Interpreter, json: &Json) -> Value {
    match json {
        Json::Null => Value::None,
        Json::Bool(truth) => Value::bool(*truth),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Value::int(whole),
            (None, Some(float)) => Value::Float(float),
            _ => Value::unknown_of(BuiltIn::Int, "a number beyond 64 bits"),
        },
        Json::String(text) => Value::text(text),
        Json::Array(items) => {
            let items = items.iter().map(|item| value(interpreter, item)).collect();
            interpreter.new_list(items)
        }
        Json::Object(fields) => {
            let mut pairs = Pairs::default();
            for (name, field) in fields {
                let field = value(interpreter, field);
                pairs.insert(Key::Text(name.as_str().into()), (Value::text(name), field));
            }
            interpreter.new_dict(pairs)
        }
    }
}

/// `json_text(value, indent, sort_keys)`.
fn json_text(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let value = required(interpreter, &values, 0, "dumps")?;
    let indent = values.get(1).and_then(Value::as_int).and_then(|indent| usize::try_from(indent).ok());
    let sorted = values.get(2).is_some_and(|sorted| sorted.as_int() == Some(1));
    let mut writer = Writer { text: String::new(), indent, sorted };
    Ok(match writer.write(interpreter, &value, 0)? {
        true => Value::Text(writer.text.into()),
        false => Value::unknown_of(BuiltIn::Text, "a text with something unknown in it"),
    })
}

struct Writer {
    text: String,
    indent: Option<usize>,
    sorted: bool,
}

impl Writer {
    /// Writes a value; false if something in it is not known.
    fn write(&mut self, interpreter: &mut Interpreter, value: &Value, depth: usize) -> Outcome<bool> {
        if depth > 100 {
            return interpreter.raise("ValueError", "Circular reference detected");
        }
        let plain = interpreter.unwrapped(value);
        match &plain {
            Value::None => self.text.push_str("null"),
            Value::Bool(prop) => match prop.known() {
                Some(true) => self.text.push_str("true"),
                Some(false) => self.text.push_str("false"),
                None => return Ok(false),
            },
            Value::Int(dim) => match dim.known() {
                Some(number) => self.text.push_str(&number.to_string()),
                None => return Ok(false),
            },
            Value::Float(number) if number.is_nan() => self.text.push_str("NaN"),
            Value::Float(number) if number.is_infinite() => {
                self.text.push_str(if *number > 0.0 { "Infinity" } else { "-Infinity" });
            }
            Value::Float(_) => self.text.push_str(&interpreter.represent(&plain)),
            Value::Text(text) => self.text.push_str(&quoted(text)),
            Value::Tuple(items) => return self.list(interpreter, items, depth),
            Value::Unknown(_) => return Ok(false),
            value => match interpreter.payload(value).cloned() {
                Some(Payload::List(items)) => return self.list(interpreter, &items, depth),
                Some(Payload::Dict(pairs)) => return self.dict(interpreter, &pairs, depth),
                _ => {
                    let what = interpreter.type_name(value);
                    return interpreter
                        .raise("TypeError", format!("Object of type {what} is not JSON serializable"));
                }
            },
        }
        Ok(true)
    }
    fn list(&mut self, interpreter: &mut Interpreter, items: &[Value], depth: usize) -> Outcome<bool> {
        self.text.push('[');
        for (place, item) in items.iter().enumerate() {
            self.between(place, depth + 1);
            if !self.write(interpreter, item, depth + 1)? {
                return Ok(false);
            }
        }
        self.end(items.is_empty(), depth, ']');
        Ok(true)
    }
    fn dict(&mut self, interpreter: &mut Interpreter, pairs: &Pairs, depth: usize) -> Outcome<bool> {
        self.text.push('{');
        let mut pairs: Vec<&(Value, Value)> = pairs.values().collect();
        if self.sorted {
            pairs.sort_by_cached_key(|(key, _)| interpreter.display(key));
        }
        for (place, (key, value)) in pairs.iter().enumerate() {
            self.between(place, depth + 1);
            let key = match interpreter.unwrapped(key) {
                Value::None => "null".into(),
                Value::Bool(prop) => prop.to_string().to_lowercase(),
                key => interpreter.display(&key),
            };
            self.text.push_str(&quoted(&key));
            self.text.push_str(": ");
            if !self.write(interpreter, value, depth + 1)? {
                return Ok(false);
            }
        }
        self.end(pairs.is_empty(), depth, '}');
        Ok(true)
    }
    fn between(&mut self, place: usize, depth: usize) {
        match (place, self.indent) {
            (0, Some(_)) => self.line(depth),
            (_, Some(_)) => {
                self.text.push(',');
                self.line(depth);
            }
            (0, None) => {}
            (_, None) => self.text.push_str(", "),
        }
    }
    fn line(&mut self, depth: usize) {
        let spaces = self.indent.unwrap_or(0).min(16) * depth;
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', spaces));
    }
    fn end(&mut self, is_empty: bool, depth: usize, letter: char) {
        if self.indent.is_some() && !is_empty {
            self.line(depth);
        }
        self.text.push(letter);
    }
}

/// A text as JSON, with everything beyond ASCII escaped, as Python does.
fn quoted(text: &str) -> String {
    let mut result = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            ' '..='~' => result.push(letter),
            letter => {
                let mut units = [0; 2];
                letter.encode_utf16(&mut units).iter().for_each(|unit| result += &format!("\\u{unit:04x}"));
            }
        }
    }
    result.push('"');
    result
}
