//! Branches on sizes that nobody knows: one path where both sides can be told by one state, else two.

use program::path::Path;
use python::interpreter::{Budget, Interpreter};
use python::library::Libraries;
use python::syntax::{Name, read};
use python::value::Value;
use semantics::arena;
use solver::Limits;
use std::rc::Rc;

/// The value of `result` on each path.
fn paths(body: &str) -> Vec<String> {
    let text = format!("import _tensorvet\nn = _tensorvet.symbol('n', 1, 100, 'a test')\n{body}");
    let mut results = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(script) = waiting.pop() {
        arena::scope(|| {
            let libraries = Rc::new(Libraries::new(Vec::new()));
            let mut run =
                Interpreter::new(libraries, Path::new(Limits::default()), script, Budget::default());
            let Ok(module) = read("test.py", text.clone(), false) else { panic!("no Python: {text}") };
            let (_, scope) = run.new_module("__main__");
            assert!(run.execute_module(&module, scope, "__main__").is_ok(), "{text}");
            let result = run.heap.get(scope).attributes.get(&Name::new("result")).cloned();
            results.push(run.represent(&result.unwrap_or(Value::None)));
            waiting.append(&mut run.decisions.others);
        });
    }
    results
}

#[test]
fn numbers_merge() {
    let results = paths("if n > 10:\n    k = 2\nelse:\n    k = 3\nresult = k * 2 >= 4");
    assert_eq!(results, ["True"], "both sides are one path, and what holds for both is known");
}

#[test]
fn attributes_and_lists_merge() {
    let results = paths(
        "class Box: pass\nbox = Box()\nbox.items = [n]\nif n > 10:\n    box.items[0] = n + 1\nresult = len(box.items)",
    );
    assert_eq!(results, ["1"]);
}

#[test]
fn what_cannot_be_merged_makes_two_paths() {
    let mut results =
        paths("def f():\n    if n > 10:\n        return 'large'\n    return 'small'\nresult = f()");
    results.sort();
    assert_eq!(results, ["'large'", "'small'"]);
}

#[test]
fn twenty_branches_are_one_path() {
    let results =
        paths("x = 0\nfor i in range(20):\n    if n > i:\n        x = x + 1\nresult = x >= 0 and x <= 20");
    assert_eq!(results.len(), 1);
}
