//! What the file system tells: small files are read, nothing is written. A file that is not here may be there
//! where the program runs, so absence is not known.

use crate::interpreter::{Interpreter, Outcome};
use crate::native::{Keywords, Native, required};
use crate::value::{BuiltIn, Value};
use semantics::prop::Prop;
use std::path::{Path, PathBuf};

pub static FUNCTIONS: &[Native] = &[
    Native { name: "read_text", call: read_text },
    Native { name: "is_there", call: is_there },
    Native { name: "entries_of", call: entries_of },
    Native { name: "folder", call: folder },
];

/// Longer files are data, not configuration.
const LARGEST: u64 = 1 << 20;

/// The file that is meant: from the folder the analysis runs in, or else from that of the program.
pub(super) fn path(interpreter: &mut Interpreter, values: &[Value]) -> Outcome<Option<PathBuf>> {
    let given = required(interpreter, values, 0, "path")?;
    let text = match interpreter.unwrapped(&given) {
        Value::Text(text) => text.to_string(),
        Value::Object(_) => match interpreter.try_special(&given, "__fspath__", Vec::new())? {
            Some(Value::Text(text)) => text.to_string(),
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    // Devices and pipes may never end: only what is written down counts.
    if text.contains('\0') {
        return Ok(None);
    }
    let path = PathBuf::from(text);
    if path.is_relative() && !path.exists() {
        let program = interpreter.arguments.first().map(PathBuf::from);
        let beside = program.and_then(|program| Some(program.parent()?.join(&path)));
        let is_meant = |beside: &PathBuf| {
            let folder = |path: &Path| path.parent().is_some_and(Path::is_dir);
            beside.exists() || names_folder(&path) && folder(beside) && !folder(&path)
        };
        if let Some(beside) = beside.filter(is_meant) {
            return Ok(Some(beside));
        }
    }
    Ok(Some(path))
}
/// Whether a file is told together with a folder that has a name.
pub(super) fn names_folder(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.file_name().is_some())
}

/// The text of a file, or None if it cannot be known.
fn read_text(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(path) = path(interpreter, &values)? else { return Ok(Value::None) };
    let is_small = std::fs::metadata(&path).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
    let text = is_small.then(|| std::fs::read_to_string(&path).ok()).flatten();
    Ok(text.map_or(Value::None, |text| Value::Text(text.into())))
}
/// A statement that is open.
pub(crate) const FILE_IS_THERE: &str = "a file is there when the program runs";
/// Whether there is a file (`"file"`), a folder (`"folder"`) or anything.
fn is_there(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let kind = values.get(1).and_then(Value::as_text).cloned().unwrap_or_default();
    values.first().into_iter().for_each(|asked| interpreter.note_text(asked));
    let found = match path(interpreter, &values)? {
        None => false,
        Some(path) => match &*kind {
            "file" => path.is_file(),
            "folder" => path.is_dir(),
            _ => path.exists(),
        },
    };
    // The run that writes a file is the one that did not find it.
    if !found && interpreter.asked.written {
        return Ok(Value::bool(false));
    }
    Ok(Value::Bool(if found { true.into() } else { Prop::unknown(FILE_IS_THERE) }))
}
/// The names in a folder, or None if it is not here.
fn entries_of(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(path) = path(interpreter, &values)? else { return Ok(Value::None) };
    let Ok(entries) = std::fs::read_dir(path) else { return Ok(Value::None) };
    let mut names: Vec<String> =
        entries.flatten().take(10_000).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let names = names.iter().map(|name| Value::text(name)).collect();
    Ok(interpreter.new_list(names))
}
fn folder(_: &mut Interpreter, _: Vec<Value>, _: Keywords) -> Outcome {
    Ok(match std::env::current_dir() {
        Ok(folder) => Value::text(&folder.display().to_string()),
        Err(_) => Value::unknown_of(BuiltIn::Text, "the folder the program runs in"),
    })
}
