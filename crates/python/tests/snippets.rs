//! Small programs print what CPython prints. `tests/snippets/record.py` wrote down what that is.

use program::path::Path;
use python::interpreter::{Budget, Flow, Interpreter};
use python::library::Libraries;
use python::syntax::read;
use semantics::arena;
use solver::Limits;
use std::path::PathBuf;
use std::rc::Rc;

/// What a program prints, and the exception it ends with.
fn printed(text: &str) -> String {
    arena::scope(|| {
        let libraries = Rc::new(Libraries::new(Vec::new()));
        let mut run =
            Interpreter::new(libraries, Path::new(Limits::default()), Vec::new(), Budget::default());
        run.printed = Some(String::new());
        run.arguments = vec!["snippet.py".into()];
        let module = match read("snippet.py", text.to_owned(), false) {
            Ok(module) => module,
            Err((_, error)) => return format!("SyntaxError: {}\n", error.message),
        };
        let (_, scope) = run.new_module("__main__");
        let ended = match run.execute_module(&module, scope, "__main__") {
            Err(Flow::Raise(exception)) => format!("{}\n", run.describe_exception(exception)),
            Err(Flow::Stop(why)) => format!("stopped: {why}\n"),
            _ => String::new(),
        };
        run.printed.take().unwrap_or_default() + &ended
    })
}

fn sections(text: &str) -> Vec<(String, String)> {
    let parts = text.split("# --- ").skip(1);
    parts
        .map(|part| part.split_once('\n').unwrap_or((part, "")))
        .map(|(name, rest)| (name.trim().to_owned(), rest.to_owned()))
        .collect()
}

#[test]
fn snippets_print_what_python_prints() {
    // As deep as the program itself has it.
    let compare = || {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/snippets");
        let chosen = std::env::var("SNIPPETS").unwrap_or_default();
        let (mut compared, mut wrong) = (0, Vec::new());
        for entry in std::fs::read_dir(folder).expect("the folder of snippets") {
            let file = entry.expect("an entry").path();
            let Ok(expected) = std::fs::read_to_string(file.with_extension("out")) else { continue };
            if file.extension().is_none_or(|extension| extension != "py")
                || !file.display().to_string().contains(&chosen)
            {
                continue;
            }
            let text = std::fs::read_to_string(&file).expect("a snippet");
            let (programs, expected) = (sections(&text), sections(&expected));
            assert_eq!(programs.len(), expected.len(), "{}: run record.py again", file.display());
            for ((name, program), (_, expected)) in programs.into_iter().zip(expected) {
                compared += 1;
                let got = printed(&program);
                if got != expected {
                    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                    wrong.push(format!("=== {stem}: {name}\n--- CPython\n{expected}--- here\n{got}"));
                }
            }
        }
        assert!(wrong.is_empty(), "{} of {compared} differ\n{}", wrong.len(), wrong.join("\n"));
        assert!(compared > 150 || !chosen.is_empty(), "only {compared} snippets");
    };
    let worker = std::thread::Builder::new().stack_size(1 << 28).spawn(compare);
    worker.expect("a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
