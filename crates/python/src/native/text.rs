//! Methods of texts.

use super::{Keywords, Native, argument, required};
use crate::interpreter::{Interpreter, Outcome};
use crate::syntax::Name;
use crate::value::{BuiltIn, Value};
use std::rc::Rc;

pub static TEXT: &[Native] = &[
    Native { name: "join", call: join },
    Native { name: "split", call: split },
    Native { name: "rsplit", call: rsplit },
    Native { name: "splitlines", call: splitlines },
    Native { name: "format", call: format },
    Native { name: "upper", call: |run, values, _| mapped(run, &values, |text| text.to_uppercase()) },
    Native { name: "lower", call: |run, values, _| mapped(run, &values, |text| text.to_lowercase()) },
    Native { name: "casefold", call: |run, values, _| mapped(run, &values, |text| text.to_lowercase()) },
    Native { name: "title", call: |run, values, _| mapped(run, &values, title) },
    Native { name: "capitalize", call: |run, values, _| mapped(run, &values, capitalize) },
    Native { name: "strip", call: |run, values, _| trimmed(run, &values, true, true) },
    Native { name: "lstrip", call: |run, values, _| trimmed(run, &values, true, false) },
    Native { name: "rstrip", call: |run, values, _| trimmed(run, &values, false, true) },
    Native { name: "replace", call: replace },
    Native {
        name: "startswith",
        call: |run, values, _| starts(run, &values, |text, part| text.starts_with(part)),
    },
    Native {
        name: "endswith",
        call: |run, values, _| starts(run, &values, |text, part| text.ends_with(part)),
    },
    Native { name: "removeprefix", call: |run, values, _| removed(run, &values, true) },
    Native { name: "removesuffix", call: |run, values, _| removed(run, &values, false) },
    Native { name: "find", call: |run, values, _| found(run, &values, |text, part| text.find(part), false) },
    Native {
        name: "rfind",
        call: |run, values, _| found(run, &values, |text, part| text.rfind(part), false),
    },
    Native { name: "index", call: |run, values, _| found(run, &values, |text, part| text.find(part), true) },
    Native { name: "count", call: count },
    Native { name: "partition", call: |run, values, _| parted(run, &values, false) },
    Native { name: "rpartition", call: |run, values, _| parted(run, &values, true) },
    Native { name: "zfill", call: |run, values, _| filled(run, &values, '>', Some('0')) },
    Native { name: "ljust", call: |run, values, _| filled(run, &values, '<', None) },
    Native { name: "rjust", call: |run, values, _| filled(run, &values, '>', None) },
    Native { name: "center", call: |run, values, _| filled(run, &values, '^', None) },
    Native { name: "isdigit", call: |run, values, _| tested(run, &values, |letter| letter.is_numeric()) },
    Native { name: "isnumeric", call: |run, values, _| tested(run, &values, |letter| letter.is_numeric()) },
    Native {
        name: "isdecimal",
        call: |run, values, _| tested(run, &values, |letter| letter.is_ascii_digit()),
    },
    Native { name: "isalpha", call: |run, values, _| tested(run, &values, char::is_alphabetic) },
    Native { name: "isalnum", call: |run, values, _| tested(run, &values, char::is_alphanumeric) },
    Native { name: "isspace", call: |run, values, _| tested(run, &values, char::is_whitespace) },
    Native { name: "isupper", call: |run, values, _| tested(run, &values, |letter| !letter.is_lowercase()) },
    Native { name: "islower", call: |run, values, _| tested(run, &values, |letter| !letter.is_uppercase()) },
    Native {
        name: "isidentifier",
        call: |run, values, _| tested(run, &values, |l| l.is_alphanumeric() || l == '_'),
    },
    Native { name: "encode", call: encode },
    Native { name: "translate", call: |run, values, _| mapped(run, &values, str::to_owned) },
];
pub static BYTES: &[Native] = &[Native { name: "decode", call: decode }];

/// The text a method is called on; `None` if it is not known.
fn receiver(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<Option<Rc<str>>> {
    let value = required(interpreter, values, 0, "method")?;
    match interpreter.unwrapped(&value) {
        Value::Text(text) => Ok(Some(text)),
        Value::Unknown(_) => Ok(None),
        other => {
            let message = format!("expected a str, not {}", interpreter.type_name(&other));
            interpreter.raise("TypeError", message)
        }
    }
}
fn part(interpreter: &mut Interpreter, values: &[Value], place: usize) -> Option<Rc<str>> {
    match values.get(place).map(|value| interpreter.unwrapped(value)) {
        Some(Value::Text(text)) => Some(text),
        _ => None,
    }
}
fn unknown() -> Value {
    Value::unknown_of(BuiltIn::Text, "a text that is not known")
}

fn mapped(interpreter: &mut Interpreter, values: &[Value], f: impl Fn(&str) -> String) -> Outcome {
    Ok(receiver(interpreter, values)?.map_or_else(unknown, |text| Value::Text(f(&text).into())))
}
fn title(text: &str) -> String {
    text.split(' ').map(capitalize).collect::<Vec<_>>().join(" ")
}
fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect()
    })
}
fn trimmed(interpreter: &mut Interpreter, values: &[Value], left: bool, right: bool) -> Outcome {
    let letters = part(interpreter, values, 1);
    mapped(interpreter, values, |text| {
        let is_trimmed = |letter: char| match &letters {
            Some(letters) => letters.contains(letter),
            None => letter.is_whitespace(),
        };
        let text = if left { text.trim_start_matches(is_trimmed) } else { text };
        (if right { text.trim_end_matches(is_trimmed) } else { text }).to_owned()
    })
}
fn removed(interpreter: &mut Interpreter, values: &[Value], prefix: bool) -> Outcome {
    let affix = part(interpreter, values, 1).unwrap_or_default();
    mapped(interpreter, values, |text| {
        let cut = if prefix { text.strip_prefix(&*affix) } else { text.strip_suffix(&*affix) };
        cut.unwrap_or(text).to_owned()
    })
}
fn starts(interpreter: &mut Interpreter, values: &[Value], f: impl Fn(&str, &str) -> bool) -> Outcome {
    let Some(text) = receiver(interpreter, values)? else {
        return Ok(Value::unknown_of(BuiltIn::Bool, "a part of a text that is not known"));
    };
    let parts = match values.get(1) {
        Some(Value::Tuple(parts)) => parts.to_vec(),
        Some(part) => vec![part.clone()],
        None => Vec::new(),
    };
    let any = parts.iter().filter_map(Value::as_text).any(|part| f(&text, part));
    Ok(Value::bool(any))
}
fn found(
    interpreter: &mut Interpreter,
    values: &[Value],
    f: impl Fn(&str, &str) -> Option<usize>,
    must: bool,
) -> Outcome {
    let (Some(text), Some(part)) = (receiver(interpreter, values)?, part(interpreter, values, 1)) else {
        return Ok(Value::unknown_of(BuiltIn::Int, "a place in a text that is not known"));
    };
    match f(&text, &part) {
        Some(place) => Ok(Value::int(text[..place].chars().count() as i64)),
        None if must => interpreter.raise("ValueError", "substring not found"),
        None => Ok(Value::int(-1)),
    }
}
fn count(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (Some(text), Some(part)) = (receiver(interpreter, &values)?, part(interpreter, &values, 1)) else {
        return Ok(Value::unknown_of(BuiltIn::Int, "a count in a text that is not known"));
    };
    Ok(Value::int(text.matches(&*part).count() as i64))
}
fn parted(interpreter: &mut Interpreter, values: &[Value], last: bool) -> Outcome {
    let (Some(text), Some(part)) = (receiver(interpreter, values)?, part(interpreter, values, 1)) else {
        return Ok(Value::tuple([unknown(), unknown(), unknown()]));
    };
    let split = if last { text.rsplit_once(&*part) } else { text.split_once(&*part) };
    let parts = match split {
        Some((before, after)) => [before, &*part, after],
        None if last => ["", "", &*text],
        None => [&*text, "", ""],
    };
    Ok(Value::tuple(parts.map(Value::text)))
}
fn filled(interpreter: &mut Interpreter, values: &[Value], align: char, fill: Option<char>) -> Outcome {
    let width = values.get(1).and_then(Value::as_int).unwrap_or(0).clamp(0, 1 << 12);
    let given = part(interpreter, values, 2).and_then(|fill| fill.chars().next());
    let specification = format!("{}{align}{width}", fill.or(given).unwrap_or(' '));
    match receiver(interpreter, values)? {
        Some(text) => Ok(Value::Text(interpreter.format_value(&Value::Text(text), &specification).into())),
        None => Ok(unknown()),
    }
}
fn tested(interpreter: &mut Interpreter, values: &[Value], f: impl Fn(char) -> bool) -> Outcome {
    Ok(match receiver(interpreter, values)? {
        Some(text) => Value::bool(!text.is_empty() && text.chars().all(f)),
        None => Value::unknown_of(BuiltIn::Bool, "a test of a text that is not known"),
    })
}
fn encode(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match receiver(interpreter, &values)? {
        Some(text) => Value::Bytes(text.as_bytes().into()),
        None => Value::unknown_of(BuiltIn::Bytes, "a text that is not known"),
    })
}
fn decode(_: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match values.first() {
        Some(Value::Bytes(bytes)) => Value::Text(String::from_utf8_lossy(bytes).into()),
        _ => unknown(),
    })
}
fn replace(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (Some(old), Some(new)) = (part(interpreter, &values, 1), part(interpreter, &values, 2)) else {
        return Ok(unknown());
    };
    mapped(interpreter, &values, |text| text.replace(&*old, &new))
}
fn join(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let separator = receiver(interpreter, &values)?;
    let items = required(interpreter, &values, 1, "join")?;
    let items = interpreter.items_of(&items)?;
    let mut texts = Vec::with_capacity(items.len());
    for item in &items {
        match interpreter.unwrapped(item) {
            Value::Text(text) => texts.push(text),
            Value::Unknown(_) => return Ok(unknown()),
            other => {
                let what = interpreter.type_name(&other);
                let place = texts.len();
                let message = format!("sequence item {place}: expected str instance, {what} found");
                return interpreter.raise("TypeError", message);
            }
        }
    }
    Ok(separator.map_or_else(unknown, |separator| Value::Text(texts.join(&*separator).into())))
}
fn split(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    split_by(interpreter, &values, &keywords, false)
}
fn rsplit(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    split_by(interpreter, &values, &keywords, true)
}
fn split_by(interpreter: &mut Interpreter, values: &[Value], keywords: &Keywords, last: bool) -> Outcome {
    let Some(text) = receiver(interpreter, values)? else {
        return Ok(Value::unknown_of(BuiltIn::List, "the parts of a text that is not known"));
    };
    let separator = argument(values, keywords, 1, "sep").and_then(|value| value.as_text().cloned());
    let most = argument(values, keywords, 2, "maxsplit").and_then(|value| value.as_int()).unwrap_or(-1);
    let limit = usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
    let mut parts: Vec<&str> = match (&separator, last) {
        (Some(separator), false) => text.splitn(limit, &**separator).collect(),
        (Some(separator), true) => text.rsplitn(limit, &**separator).collect(),
        (None, _) if limit == usize::MAX => text.split_whitespace().collect(),
        (None, _) => text.trim().splitn(limit, char::is_whitespace).collect(),
    };
    if last && separator.is_some() {
        parts.reverse();
    }
    let parts = parts.into_iter().map(Value::text).collect();
    Ok(interpreter.new_list(parts))
}
fn splitlines(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let lines = receiver(interpreter, &values)?.unwrap_or_default();
    let lines = lines.lines().map(Value::text).collect();
    Ok(interpreter.new_list(lines))
}

/// `"{} of {n:.2f}".format(…)`.
fn format(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let Some(text) = receiver(interpreter, &values)? else { return Ok(unknown()) };
    let mut result = String::new();
    let mut next = 1;
    let mut rest = &*text;
    while let Some(place) = rest.find(['{', '}']) {
        result.push_str(&rest[..place]);
        let letter = &rest[place..place + 1];
        if rest[place + 1..].starts_with(letter) {
            result.push_str(letter);
            rest = &rest[place + 2..];
            continue;
        }
        let Some(end) = rest[place..].find('}') else { break };
        let field = &rest[place + 1..place + end];
        rest = &rest[place + end + 1..];
        let (name, specification) = field.split_once(':').unwrap_or((field, ""));
        let (name, conversion) = name.split_once('!').unwrap_or((name, ""));
        let head = name.split(['.', '[']).next().unwrap_or("");
        let mut value = match head.parse::<usize>() {
            _ if head.is_empty() => {
                next += 1;
                values.get(next - 1).cloned()
            }
            Ok(place) => values.get(place + 1).cloned(),
            Err(_) => argument(&[], &keywords, 0, head),
        };
        for attribute in
            name[head.len()..].split('.').filter(|part| !part.is_empty() && !part.starts_with('['))
        {
            if let Some(object) = value {
                value = Some(interpreter.attribute(&object, Name::new(attribute))?);
            }
        }
        match value {
            None => {
                return interpreter
                    .raise("IndexError", "Replacement index out of range for positional args tuple");
            }
            Some(Value::Unknown(_)) => return Ok(unknown()),
            Some(value) if conversion == "r" => result.push_str(&interpreter.represent(&value)),
            Some(value) => result.push_str(&interpreter.format_value(&value, specification)),
        }
    }
    result.push_str(rest);
    Ok(Value::Text(result.into()))
}
