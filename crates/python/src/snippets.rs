//! Runs many small programs with libraries that are loaded once: each starts from the same state.

use crate::heap::Payload;
use crate::interpreter::{Budget, Flow, Interpreter};
use crate::library::Libraries;
use crate::syntax::{Name, read};
use crate::value::Value;
use program::path::Path;
use semantics::arena;
use semantics::dtype::DType;
use solver::Limits;
use std::fmt;
use std::rc::Rc;

/// Work granted to one program, in accesses to the arena.
const WORK: u64 = 5_000_000;
/// Programs that share an arena before it is dropped.
const BATCH: usize = 100;

/// What is known of a program without running it.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// It ends with an exception that nobody catches.
    Raises(String),
    /// It runs, and this is what it binds to `result`.
    Gives(Shown),
    Unknown(String),
}

/// A value by its shape and type.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    Tensor {
        sizes: Vec<i64>,
        kind: &'static str,
    },
    Sequence(Vec<Shown>),
    Int(Option<i64>),
    /// Anything else, by the name of its class.
    Object(String),
    Unknown(String),
}

impl fmt::Display for Told {
    /// `raises ValueError`, `f32[2, 3]`, `(f32[2], i64[2])`, `unknown: why`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Told::Raises(what) => write!(f, "raises {}", what.split(':').next().unwrap_or_default()),
            Told::Gives(shown) => shown.fmt(f),
            Told::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}
impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shown::Tensor { sizes, kind } => write!(f, "{kind}{sizes:?}"),
            Shown::Sequence(items) => {
                let items: Vec<String> = items.iter().map(Shown::to_string).collect();
                write!(f, "({})", items.join(", "))
            }
            Shown::Int(Some(number)) => number.fmt(f),
            Shown::Int(None) => f.write_str("int"),
            Shown::Object(class) => f.write_str(class),
            Shown::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// Executes each program after `preamble`, as if it were the only one.
pub fn each<'a>(
    libraries: &Rc<Libraries>,
    preamble: &str,
    programs: impl IntoIterator<Item = &'a str>,
    mut after: impl FnMut(Told),
) -> Result<(), String> {
    let mut programs = programs.into_iter().peekable();
    while programs.peek().is_some() {
        arena::scope(|| -> Result<(), String> {
            arena::allow(WORK);
            let path = Path::new(Limits::default());
            let mut run = Interpreter::new(libraries.clone(), path, Vec::new(), Budget::default());
            let (_, scope) = run.new_module("__main__");
            let module =
                read("preamble.py", preamble.to_owned(), false).map_err(|(_, error)| error.message)?;
            if let Err(Flow::Raise(exception)) = run.execute_module(&module, scope, "__main__") {
                return Err(run.describe_exception(exception));
            }
            let start = run.snapshot();
            for text in programs.by_ref().take(BATCH) {
                arena::allow(WORK);
                run.restore(&start, Path::new(Limits::default()));
                let module = match read("call.py", text.to_owned(), false) {
                    Ok(module) => module,
                    Err((_, error)) => {
                        after(Told::Raises(format!("SyntaxError: {}", error.message)));
                        continue;
                    }
                };
                let ended = run.execute_module(&module, scope, "__main__");
                after(told(&mut run, ended, scope));
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn told(run: &mut Interpreter, ended: Result<(), Flow>, scope: crate::heap::Id) -> Told {
    match ended {
        Err(Flow::Raise(exception)) => return Told::Raises(run.describe_exception(exception)),
        Err(Flow::Stop(why)) => return Told::Unknown(why.to_string()),
        _ => {}
    }
    if let Some((_, why)) = run.lost.first() {
        return Told::Unknown(why.clone());
    }
    for entry in &run.path.record {
        if let Some(why) = entry.lost.first() {
            return Told::Unknown(why.clone());
        }
        if !entry.is_verified() {
            let label = entry.open.first().map_or("", |judged| judged.requirement.label);
            return Told::Unknown(format!("left open: {label}"));
        }
    }
    if !run.decisions.others.is_empty() {
        return Told::Unknown("a branch depends on what only the run will tell".into());
    }
    let result = run.heap.get(scope).attributes.get(&Name::new("result")).cloned();
    Told::Gives(shown(run, &result.unwrap_or(Value::None)))
}

fn shown(run: &Interpreter, value: &Value) -> Shown {
    if let Some(tensor) = run.as_tensor(value) {
        let sizes: Option<Vec<i64>> =
            tensor.shape().sizes().and_then(|sizes| sizes.iter().map(|size| size.known()).collect());
        return match (sizes, tensor.dtype()) {
            (Some(sizes), DType::Known(kind)) => Shown::Tensor { sizes, kind: kind.name() },
            (None, _) => Shown::Unknown("the shape".into()),
            (_, DType::Unknown(_)) => Shown::Unknown("the element type".into()),
        };
    }
    match run.unwrapped(value) {
        Value::Tuple(items) => Shown::Sequence(items.iter().map(|item| shown(run, item)).collect()),
        Value::Int(dim) => Shown::Int(dim.known()),
        Value::Unknown(unknown) if unknown.kind.is_none() => Shown::Unknown(unknown.reason.clone()),
        plain => match run.payload(&plain) {
            Some(Payload::List(items)) => {
                Shown::Sequence(items.iter().map(|item| shown(run, item)).collect())
            }
            _ => Shown::Object(run.type_name(&plain)),
        },
    }
}
