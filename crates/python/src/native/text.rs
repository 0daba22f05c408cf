//! Methods of texts.

use super::{Keywords, Native, argument, required};
use crate::interpreter::operators::{LONGEST, too_long};
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
    Native {
        name: "casefold",
        call: |run, values, _| mapped(run, &values, |text| text.to_lowercase().replace('ß', "ss")),
    },
    Native { name: "swapcase", call: |run, values, _| mapped(run, &values, swapped) },
    Native { name: "expandtabs", call: expandtabs },
    Native { name: "maketrans", call: maketrans },
    Native { name: "__contains__", call: contains },
    Native { name: "__len__", call: super::functions::len },
    Native { name: "__getitem__", call: item },
    Native { name: "__iter__", call: super::functions::iter },
    Native { name: "__str__", call: |run, values, _| mapped(run, &values, str::to_owned) },
    Native { name: "__repr__", call: shown },
    Native { name: "__format__", call: formatted },
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
    Native {
        name: "rindex",
        call: |run, values, _| found(run, &values, |text, part| text.rfind(part), true),
    },
    Native { name: "count", call: count },
    Native { name: "partition", call: |run, values, _| parted(run, &values, false) },
    Native { name: "rpartition", call: |run, values, _| parted(run, &values, true) },
    Native { name: "zfill", call: |run, values, _| filled(run, &values, '>', Some('0')) },
    Native { name: "ljust", call: |run, values, _| filled(run, &values, '<', None) },
    Native { name: "rjust", call: |run, values, _| filled(run, &values, '>', None) },
    Native { name: "center", call: |run, values, _| filled(run, &values, '^', None) },
    Native { name: "isdigit", call: |run, values, _| tested(run, &values, |letter| letter.is_ascii_digit()) },
    Native { name: "isascii", call: |run, values, _| judged(run, &values, |text| text.is_ascii()) },
    Native {
        name: "isprintable",
        call: |run, values, _| judged(run, &values, |text| !text.contains(char::is_control)),
    },
    Native {
        name: "istitle",
        call: |run, values, _| {
            judged(run, &values, |text| text.contains(char::is_alphabetic) && title(text) == text)
        },
    },
    Native { name: "isnumeric", call: |run, values, _| tested(run, &values, |letter| letter.is_numeric()) },
    Native {
        name: "isdecimal",
        call: |run, values, _| tested(run, &values, |letter| letter.is_ascii_digit()),
    },
    Native { name: "isalpha", call: |run, values, _| tested(run, &values, char::is_alphabetic) },
    Native { name: "isalnum", call: |run, values, _| tested(run, &values, char::is_alphanumeric) },
    Native { name: "isspace", call: |run, values, _| tested(run, &values, char::is_whitespace) },
    Native {
        name: "isupper",
        call: |run, values, _| {
            judged(run, &values, |text| {
                text.contains(char::is_uppercase) && !text.contains(char::is_lowercase)
            })
        },
    },
    Native {
        name: "islower",
        call: |run, values, _| {
            judged(run, &values, |text| {
                text.contains(char::is_lowercase) && !text.contains(char::is_uppercase)
            })
        },
    },
    Native { name: "isidentifier", call: |run, values, _| judged(run, &values, is_identifier) },
    Native { name: "encode", call: encode },
    Native { name: "translate", call: translate },
];

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
    let mut inside = false;
    let mut result = String::new();
    for letter in text.chars() {
        match inside {
            true => result.extend(letter.to_lowercase()),
            false => result.extend(letter.to_uppercase()),
        }
        inside = letter.is_alphabetic();
    }
    result
}
fn swapped(text: &str) -> String {
    let other = |letter: char| match letter.is_uppercase() {
        true => letter.to_lowercase().to_string(),
        false => letter.to_uppercase().to_string(),
    };
    text.chars().map(other).collect()
}
fn is_identifier(text: &str) -> bool {
    let is_start = |letter: char| letter.is_alphabetic() || letter == '_';
    text.starts_with(is_start) && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}
fn judged(interpreter: &mut Interpreter, values: &[Value], f: impl Fn(&str) -> bool) -> Outcome {
    Ok(match receiver(interpreter, values)? {
        Some(text) => Value::bool(f(&text)),
        None => Value::unknown_of(BuiltIn::Bool, "a test of a text that is not known"),
    })
}
fn expandtabs(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let size = values.get(1).and_then(Value::as_int).unwrap_or(8).clamp(0, 64) as usize;
    mapped(interpreter, &values, |text| {
        let mut result = String::new();
        let mut column = 0;
        for letter in text.chars() {
            let width = if letter == '\t' && size > 0 { size - column % size } else { 1 };
            match letter {
                '\t' => result.extend(std::iter::repeat_n(' ', if size > 0 { width } else { 0 })),
                letter => result.push(letter),
            }
            column = if letter == '\n' { 0 } else { column + width };
        }
        result
    })
}
/// `str.maketrans`: a dictionary from codes to what they become.
fn maketrans(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let table = interpreter.new_dict(Default::default());
    let code = |letter: char| Value::int(letter as i64);
    let texts: Vec<Rc<str>> = values.iter().filter_map(|value| value.as_text().cloned()).collect();
    match texts.as_slice() {
        [from, to, rest @ ..] => {
            for (from, to) in from.chars().zip(to.chars()) {
                interpreter.set_item(&table, &code(from), code(to))?;
            }
            for gone in rest.iter().flat_map(|rest| rest.chars()) {
                interpreter.set_item(&table, &code(gone), Value::None)?;
            }
        }
        _ => {
            if let Some(given) = values.first() {
                for (key, value) in interpreter.pairs_of(given)? {
                    let key = match key.as_text().and_then(|text| text.chars().next()) {
                        Some(letter) => code(letter),
                        None => key,
                    };
                    interpreter.set_item(&table, &key, value)?;
                }
            }
        }
    }
    Ok(table)
}
fn translate(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(text) = receiver(interpreter, &values)? else { return Ok(unknown()) };
    let table = required(interpreter, &values, 1, "translate")?;
    let mut changes = rustc_hash::FxHashMap::default();
    for (key, value) in interpreter.pairs_of(&table)? {
        if let Some(key) = key.as_int() {
            let new = match interpreter.unwrapped(&value) {
                Value::None => String::new(),
                Value::Text(text) => text.to_string(),
                number => match number.as_int().and_then(|code| char::from_u32(u32::try_from(code).ok()?)) {
                    Some(letter) => letter.to_string(),
                    None => return Ok(unknown()),
                },
            };
            changes.insert(key, new);
        }
    }
    let new = text
        .chars()
        .map(|letter| changes.get(&(letter as i64)).cloned().unwrap_or_else(|| letter.to_string()));
    Ok(Value::Text(new.collect::<String>().into()))
}
fn contains(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (Some(text), Some(part)) = (receiver(interpreter, &values)?, part(interpreter, &values, 1)) else {
        return Ok(Value::unknown_of(BuiltIn::Bool, "a part of a text that is not known"));
    };
    Ok(Value::bool(text.contains(&*part)))
}
fn item(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let index = required(interpreter, &values, 1, "item")?;
    match receiver(interpreter, &values)? {
        Some(text) => interpreter.item(&Value::Text(text), &index),
        None => Ok(unknown()),
    }
}
fn shown(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    match receiver(interpreter, &values)? {
        Some(text) => Ok(Value::Text(interpreter.represent(&Value::Text(text)).into())),
        None => Ok(unknown()),
    }
}
fn formatted(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let format = part(interpreter, &values, 1).unwrap_or_default();
    match receiver(interpreter, &values)? {
        Some(text) => Ok(Value::Text(interpreter.format_value(&Value::Text(text), &format)?.into())),
        None => Ok(unknown()),
    }
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
    let (low, high) = limits(&text, values);
    let text = text.get(low..high).unwrap_or("");
    let any = parts.iter().filter_map(Value::as_text).any(|part| f(text, part));
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
    let (low, high) = limits(&text, values);
    match text.get(low..high).and_then(|inside| f(inside, &part)) {
        Some(place) => Ok(Value::int(text[..low + place].chars().count() as i64)),
        None if must => interpreter.raise("ValueError", "substring not found"),
        None => Ok(Value::int(-1)),
    }
}
fn count(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (Some(text), Some(part)) = (receiver(interpreter, &values)?, part(interpreter, &values, 1)) else {
        return Ok(Value::unknown_of(BuiltIn::Int, "a count in a text that is not known"));
    };
    let (low, high) = limits(&text, &values);
    let inside = text.get(low..high).unwrap_or("");
    let count = if part.is_empty() { inside.chars().count() + 1 } else { inside.matches(&*part).count() };
    Ok(Value::int(count as i64))
}
/// The bytes between the start and the stop that `find` and its like are given.
fn limits(text: &str, values: &[Value]) -> (usize, usize) {
    let length = text.chars().count() as i64;
    let byte = |place: usize, default: i64| {
        let wanted = values.get(place).and_then(Value::as_int).unwrap_or(default);
        let wanted = if wanted < 0 { (wanted + length).max(0) } else { wanted.min(length) };
        text.char_indices().nth(wanted as usize).map_or(text.len(), |(at, _)| at)
    };
    (byte(2, 0), byte(3, length))
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
    let width = values.get(1).and_then(Value::as_int).unwrap_or(0).clamp(0, 1 << 12) as usize;
    let given = part(interpreter, values, 2).and_then(|fill| fill.chars().next());
    let letter = fill.or(given).unwrap_or(' ');
    mapped(interpreter, values, |text| {
        let missing = width.saturating_sub(text.chars().count());
        let left = match align {
            '<' => 0,
            '>' => missing,
            // Where it cannot be the middle, Python leans left or right by the width.
            _ => missing / 2 + (missing & width & 1),
        };
        let fill = |count: usize| std::iter::repeat_n(letter, count).collect::<String>();
        let (sign, digits) = match fill_is_zero(letter, align) {
            true => text.split_at(usize::from(text.starts_with(['-', '+']))),
            false => ("", text),
        };
        format!("{sign}{}{digits}{}", fill(left), fill(missing - left))
    })
}
/// `zfill` puts its zeros behind a sign.
fn fill_is_zero(letter: char, align: char) -> bool {
    letter == '0' && align == '>'
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
fn replace(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let (Some(old), Some(new)) = (part(interpreter, &values, 1), part(interpreter, &values, 2)) else {
        return Ok(unknown());
    };
    let most = values.get(3).and_then(Value::as_int).and_then(|most| usize::try_from(most).ok());
    let places = receiver(interpreter, &values)?.map_or(0, |text| text.matches(&*old).count());
    if places.saturating_mul(new.len()) > LONGEST {
        return Ok(too_long());
    }
    mapped(interpreter, &values, |text| match most {
        Some(most) => text.replacen(&*old, &new, most),
        None => text.replace(&*old, &new),
    })
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
    let Some(separator) = separator else { return Ok(unknown()) };
    let length = texts.iter().map(|text| text.len() + separator.len()).sum::<usize>();
    Ok(if length > LONGEST { too_long() } else { Value::Text(texts.join(&*separator).into()) })
}
fn split(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    split_by(interpreter, &values, &keywords, false)
}
fn rsplit(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    split_by(interpreter, &values, &keywords, true)
}
fn split_by(interpreter: &mut Interpreter, values: &[Value], keywords: &Keywords, last: bool) -> Outcome {
    let Some(text) = receiver(interpreter, values)? else {
        let part = Value::unknown_of(BuiltIn::Text, "a part of a text that is not known");
        // By a separator there is always one; of blanks there may be none.
        let has_separator = argument(values, keywords, 1, "sep").is_some_and(|value| !value.is_none());
        return Ok(interpreter.some_of(part, i64::from(has_separator)));
    };
    let separator = argument(values, keywords, 1, "sep").and_then(|value| value.as_text().cloned());
    let most = argument(values, keywords, 2, "maxsplit").and_then(|value| value.as_int()).unwrap_or(-1);
    let limit = usize::try_from(most).map_or(usize::MAX, |most| most.saturating_add(1));
    let mut parts: Vec<&str> = match (&separator, last) {
        (Some(separator), false) => text.splitn(limit, &**separator).collect(),
        (Some(separator), true) => text.rsplitn(limit, &**separator).collect(),
        (None, _) if limit == usize::MAX => text.split_whitespace().collect(),
        (None, false) => {
            let mut parts = Vec::new();
            let mut rest = text.trim_start();
            while parts.len() + 1 < limit
                && let Some((part, more)) = rest.split_once(char::is_whitespace)
            {
                parts.push(part);
                rest = more.trim_start();
            }
            parts.extend((!rest.is_empty()).then_some(rest));
            parts
        }
        (None, true) => {
            let mut parts = Vec::new();
            let mut rest = text.trim_end();
            while parts.len() + 1 < limit
                && let Some((more, part)) = rest.rsplit_once(char::is_whitespace)
            {
                parts.push(part);
                rest = more.trim_end();
            }
            parts.extend((!rest.is_empty()).then_some(rest));
            parts.reverse();
            parts
        }
    };
    if last && separator.is_some() {
        parts.reverse();
    }
    let parts = parts.into_iter().map(Value::text).collect();
    Ok(interpreter.new_list(parts))
}
fn splitlines(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(lines) = receiver(interpreter, &values)? else {
        let line = Value::unknown_of(BuiltIn::Text, "a line of a text that is not known");
        return Ok(interpreter.some_of(line, 0));
    };
    let lines = lines.lines().map(Value::text).collect();
    Ok(interpreter.new_list(lines))
}

/// `"{} of {n:.2f}".format(…)`.
fn format(interpreter: &mut Interpreter, values: Vec<Value>, keywords: Keywords) -> Outcome {
    let Some(text) = receiver(interpreter, &values)? else { return Ok(unknown()) };
    let given = values.get(1..).unwrap_or_default();
    let mut next = 0;
    Ok(match filled_in(interpreter, &text, given, &keywords, &mut next, 0)? {
        Some(text) => Value::Text(text.into()),
        None => unknown(),
    })
}
/// A text with its fields filled in; `None` if one of them is not known.
fn filled_in(
    interpreter: &mut Interpreter,
    text: &str,
    given: &[Value],
    keywords: &Keywords,
    next: &mut usize,
    depth: usize,
) -> Outcome<Option<String>> {
    let mut result = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(['{', '}']) {
        result.push_str(&rest[..place]);
        let (letter, after) = rest[place..].split_at(1);
        if let Some(after) = after.strip_prefix(letter).filter(|_| depth == 0) {
            result.push_str(letter);
            rest = after;
            continue;
        }
        let Some(end) = end_of_field(after).filter(|_| letter == "{") else {
            return interpreter
                .raise("ValueError", format!("Single '{letter}' encountered in format string"));
        };
        let (field, after) = (&after[..end], &after[end + 1..]);
        rest = after;
        let (name, specification) = field.split_once(':').unwrap_or((field, ""));
        let (name, conversion) = name.split_once('!').unwrap_or((name, ""));
        let Some(value) = field_value(interpreter, name, given, keywords, next)? else { return Ok(None) };
        if let Value::Unknown(_) = value {
            return Ok(None);
        }
        let specification = match specification.contains('{') && depth < 2 {
            true => match filled_in(interpreter, specification, given, keywords, next, depth + 1)? {
                Some(specification) => specification,
                None => return Ok(None),
            },
            false => specification.to_owned(),
        };
        let value = match conversion {
            "r" | "a" => Value::Text(interpreter.represent(&value).into()),
            "s" => Value::Text(interpreter.display(&value).into()),
            _ => value,
        };
        result.push_str(&interpreter.format_value(&value, &specification)?);
    }
    result.push_str(rest);
    Ok(Some(result))
}
/// Where the `}` is that ends a field; a specification may hold fields itself.
fn end_of_field(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (place, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(place),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}
/// What a field names: `0`, `name`, `0.attribute`, `name[key]`.
fn field_value(
    interpreter: &mut Interpreter,
    name: &str,
    given: &[Value],
    keywords: &Keywords,
    next: &mut usize,
) -> Outcome<Option<Value>> {
    let head = name.split(['.', '[']).next().unwrap_or("");
    let place = if head.is_empty() {
        *next += 1;
        Some(*next - 1)
    } else {
        head.parse::<usize>().ok()
    };
    let mut value = match place {
        Some(place) => match given.get(place) {
            Some(value) => value.clone(),
            None => {
                let message = format!("Replacement index {place} out of range for positional args tuple");
                return interpreter.raise("IndexError", message);
            }
        },
        None => match argument(&[], keywords, 0, head) {
            Some(value) => value,
            None => return interpreter.raise_missing(&Value::text(head)),
        },
    };
    let mut path = &name[head.len()..];
    while !path.is_empty() {
        if let Some(inside) = path.strip_prefix('[') {
            let (key, after) = inside.split_once(']').unwrap_or((inside, ""));
            let key = key.parse::<i64>().map_or_else(|_| Value::text(key), Value::int);
            value = interpreter.item(&value, &key)?;
            path = after;
        } else {
            let inside = path.trim_start_matches('.');
            let end = inside.find(['.', '[']).unwrap_or(inside.len());
            value = interpreter.attribute(&value, Name::new(&inside[..end]))?;
            path = &inside[end..];
        }
    }
    Ok(Some(value))
}
