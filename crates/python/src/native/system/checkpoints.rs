//! Files that hold arrays, by their headers: checkpoints and NumPy's files. No element is read, nothing is executed.

use super::files::{names_folder, path};
use crate::gradient::Gradient;
use crate::interpreter::{Interpreter, Outcome};
use crate::native::{Keywords, Native};
use crate::syntax::Name;
use crate::tape::Trace;
use crate::value::{BuiltIn, Pairs, Value};
use arrays::checkpoint::{Checkpoint, Node, Stored, Trouble, read_safetensors, read_torch};
use arrays::npy::{Described, NpzFile};
use rustc_hash::FxHashMap;
use semantics::dim::Dim;
use semantics::dtype::DType;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use std::path::Path;

pub static FUNCTIONS: &[Native] = &[
    Native { name: "read_checkpoint", call: read_checkpoint },
    Native { name: "read_arrays", call: read_arrays },
    Native { name: "is_surely_absent", call: is_surely_absent },
    Native { name: "mention", call: mention },
];

/// Containers inside containers that are followed.
const DEEPEST: usize = 100;

/// `read_checkpoint(path, form, make)`: None if there is no such file, else how it went and what is in it.
/// `make("array", tensor)` and `make("global", name)` give what is no plain data.
fn read_checkpoint(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(path) = path(interpreter, &values)?.filter(|path| path.exists()) else { return Ok(Value::None) };
    let is_safe = values.get(1).and_then(Value::as_text).is_some_and(|form| &**form == "safetensors");
    let make = values.get(2).cloned().unwrap_or(Value::None);
    let read = if is_safe { read_safetensors(&path) } else { read_torch(&path) };
    let (how, what) = match read {
        Ok(checkpoint) => {
            let root = checkpoint.root;
            let mut unpacking = Unpacking { checkpoint, make, made: FxHashMap::default() };
            ("read", unpacking.value(interpreter, root, 0)?)
        }
        Err(Trouble::Broken(why)) => ("broken", Value::text(&why)),
        Err(Trouble::NotRead(why)) => ("unread", Value::text(&why)),
    };
    Ok(Value::tuple([Value::text(how), what]))
}

/// A checkpoint on its way to values: what is shared stays shared.
struct Unpacking {
    checkpoint: Checkpoint,
    make: Value,
    made: FxHashMap<usize, Value>,
}

impl Unpacking {
    fn value(&mut self, run: &mut Interpreter, place: usize, depth: usize) -> Outcome {
        if let Some(value) = self.made.get(&place) {
            return Ok(value.clone());
        }
        if depth > DEEPEST {
            return Ok(Value::unknown("a structure that is too deep to follow"));
        }
        let at = run.frame().at;
        run.step(at)?;
        let value = match self.checkpoint.nodes[place].clone() {
            Node::None => Value::None,
            Node::Bool(truth) => Value::bool(truth),
            Node::Int(number) => Value::int(number),
            Node::Float(number) => Value::Float(number),
            Node::Text(text) => Value::text(&text),
            Node::Bytes => Value::unknown_of(BuiltIn::Bytes, "bytes in a checkpoint"),
            Node::Storage { .. } => Value::unknown("the elements of a tensor"),
            Node::Tensor(stored) => tensor(run, &stored),
            Node::Array(stored) => {
                let tensor = tensor(run, &stored);
                run.call(&self.make.clone(), vec![Value::text("array"), tensor], Keywords::new())?
            }
            Node::Global(name) => run.call(
                &self.make.clone(),
                vec![Value::text("global"), Value::text(&name)],
                Keywords::new(),
            )?,
            Node::Opaque(name) => {
                let kind = BuiltIn::ALL.into_iter().find(|kind| kind.name() == name);
                match kind {
                    Some(kind) => Value::unknown_of(kind, "a number in a checkpoint"),
                    None => Value::unknown(format!("`{name}` in a checkpoint, which is not read")),
                }
            }
            Node::Tuple(items) => {
                let items: Outcome<Vec<Value>> =
                    items.iter().map(|&item| self.value(run, item, depth + 1)).collect();
                Value::Tuple(items?.into())
            }
            // What may hold itself is known before it is full.
            Node::List(items) => {
                let list = run.new_list(Vec::new());
                self.made.insert(place, list.clone());
                let items: Outcome<Vec<Value>> =
                    items.iter().map(|&item| self.value(run, item, depth + 1)).collect();
                let items = items?;
                if let Some(id) = list.as_object() {
                    run.heap.get_mut(id).payload = crate::heap::Payload::List(items);
                }
                list
            }
            Node::Set(items) => {
                let items: Outcome<Vec<Value>> =
                    items.iter().map(|&item| self.value(run, item, depth + 1)).collect();
                run.set_of(items?)?
            }
            Node::Dict(entries) => {
                let dict = run.new_dict(Pairs::default());
                self.made.insert(place, dict.clone());
                let mut pairs = Pairs::default();
                for (key, value) in entries {
                    let key = self.value(run, key, depth + 1)?;
                    let value = self.value(run, value, depth + 1)?;
                    if matches!(key, Value::Unknown(_)) {
                        return Ok(Value::unknown("a dictionary whose keys are not known"));
                    }
                    pairs.insert(run.key(&key)?, (key, value));
                }
                if let Some(id) = dict.as_object() {
                    run.heap.get_mut(id).payload = crate::heap::Payload::Dict(pairs);
                }
                dict
            }
        };
        self.made.insert(place, value.clone());
        Ok(value)
    }
}

fn tensor(run: &mut Interpreter, stored: &Stored) -> Value {
    let gradient =
        if stored.needs_grad { Gradient::Leaf(Trace::of(&[], false, false)) } else { Gradient::No };
    let dtype = stored.kind.map_or_else(DType::unknown, DType::from);
    // Sizes beyond 64 bits are no sizes of a file.
    let sizes = stored.sizes.iter().map(|&size| Dim::from(i64::try_from(size).unwrap_or(i64::MAX)));
    let value = run.new_tensor_with(Tensor::given("", dtype, Shape::new(sizes)), gradient);
    if let (Some(strides), Some(id)) = (&stored.strides, value.as_object()) {
        let strides = strides.iter().map(|&step| Value::int(i64::try_from(step).unwrap_or(i64::MAX)));
        run.heap.get_mut(id).attributes.insert(Name::STRIDES, Value::tuple(strides));
    }
    value
}

/// `read_arrays(path)`: None if there is no such file; a tensor for `.npy`, a dictionary of tensors for `.npz`, or a
/// text that says what is wrong.
fn read_arrays(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let Some(path) = path(interpreter, &values)?.filter(|path| path.exists()) else { return Ok(Value::None) };
    let is_archive = std::fs::File::open(&path).is_ok_and(|mut file| {
        let mut start = [0; 2];
        std::io::Read::read_exact(&mut file, &mut start).is_ok() && &start == b"PK"
    });
    if !is_archive {
        return Ok(match Described::read(&path) {
            Ok(described) => array(interpreter, &described),
            Err(error) => Value::text(&error.message),
        });
    }
    let mut archive = match NpzFile::open(&path) {
        Ok(archive) => archive,
        Err(error) => return Ok(Value::text(&error.message)),
    };
    let mut pairs = Pairs::default();
    for name in archive.names() {
        let value = match archive.describe(&name) {
            Ok(described) => array(interpreter, &described),
            Err(error) => Value::unknown(error.message),
        };
        pairs.insert(crate::value::Key::Text(name.as_str().into()), (Value::text(&name), value));
    }
    Ok(interpreter.new_dict(pairs))
}
fn array(run: &mut Interpreter, described: &Described) -> Value {
    let sizes = described.shape.iter().map(|&size| size as u64).collect();
    tensor(run, &Stored { kind: described.kind, sizes, strides: None, needs_grad: false })
}

/// Whether a file that is read is not there for sure: its folder is here and named, and neither the program nor
/// anything that it calls can have made the file or asked for it.
fn is_surely_absent(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    let given = values.first().and_then(Value::as_text).is_some_and(|text| names_folder(Path::new(&**text)));
    let Some(path) = path(interpreter, &values)?.filter(|_| given) else { return Ok(Value::bool(false)) };
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Ok(Value::bool(false));
    };
    let is_mentioned = interpreter.mentioned.iter().any(|text| text.contains(name));
    let makes_files =
        interpreter.frames.iter().any(|frame| frame.source.is_own() && makes_files(&frame.source.text));
    Ok(Value::bool(folder.is_dir() && !path.exists() && !is_mentioned && !makes_files))
}
/// Programs that save or fetch files may have made one before.
fn makes_files(text: &str) -> bool {
    ["save", "download", "subprocess", "os.system", "copy", "rename"].iter().any(|word| text.contains(word))
}
/// Notes that a program asks for a file, or has something else write it.
fn mention(interpreter: &mut Interpreter, values: Vec<Value>, _: Keywords) -> Outcome {
    values.iter().for_each(|value| interpreter.note_text(value));
    Ok(Value::None)
}
