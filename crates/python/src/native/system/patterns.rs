//! Regular expressions, for `re`.

use crate::interpreter::{Interpreter, Outcome};
use crate::native::{Keywords, Native, required};
use crate::value::{Key, Pairs, Value};
use fancy_regex::Regex;

pub static FUNCTIONS: &[Native] =
    &[Native { name: "search", call: search }, Native { name: "groups", call: groups }];

/// Python writes a few things otherwise.
fn compiled(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<Option<Regex>> {
    let (pattern, flags) = (required(interpreter, values, 0, "re")?, values.get(1).and_then(Value::as_text));
    let flags = flags.cloned().unwrap_or_default();
    let Value::Text(pattern) = interpreter.unwrapped(&pattern) else { return Ok(None) };
    let written = pattern.replace("\\Z", "\\z").replace("(?P=", "\\k<");
    let written = if flags.is_empty() { written } else { format!("(?{flags}){written}") };
    if written.contains("\\k<") && !pattern.contains("(?P=") {
        return Ok(None);
    }
    // Closes what `(?P=name)` opened.
    let written = if pattern.contains("(?P=") { closed(&written) } else { written };
    Ok(Regex::new(&written).ok())
}
fn closed(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\k<") {
        let (name, more) = after.split_once(')').unwrap_or((after, ""));
        result += &format!("{before}\\k<{name}>");
        rest = more;
    }
    result + rest
}

/// `search(pattern, flags, text, start)`: the places of all groups, in letters; None if there is no match, False if
/// the pattern is not understood.
fn search(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(regex) = compiled(interpreter, &values)? else { return Ok(Value::bool(false)) };
    let text = required(interpreter, &values, 2, "re")?;
    let start = values.get(3).and_then(Value::as_int).unwrap_or(0);
    let Value::Text(text) = interpreter.unwrapped(&text) else { return Ok(Value::bool(false)) };
    let Some(from) = usize::try_from(start).ok().and_then(|start| byte_of(&text, start)) else {
        return Ok(Value::None);
    };
    let found = match regex.captures_from_pos(&*text, from) {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(Value::None),
        Err(_) => return Ok(Value::bool(false)),
    };
    let letters = |byte: usize| Value::int(text[..byte].chars().count() as i64);
    let spans = (0..found.len()).map(|group| match found.get(group) {
        Some(part) => Value::tuple([letters(part.start()), letters(part.end())]),
        None => Value::None,
    });
    Ok(Value::tuple(spans.collect::<Vec<_>>()))
}
fn byte_of(text: &str, letter: usize) -> Option<usize> {
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(letter)
}
/// The named groups with their numbers.
fn groups(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let mut pairs = Pairs::default();
    if let Some(regex) = compiled(interpreter, &values)? {
        for (number, name) in regex.capture_names().enumerate() {
            if let Some(name) = name {
                pairs.insert(Key::Text(name.into()), (Value::text(name), Value::int(number as i64)));
            }
        }
    }
    Ok(interpreter.new_dict(pairs))
}
