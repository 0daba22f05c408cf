//! Branches on sizes that nobody knows: one path where both sides can be told by one state, else two.

use program::path::Path;
use python::interpreter::{Budget, Flow, Interpreter};
use python::library::Libraries;
use python::syntax::{Name, read};
use python::value::Value;
use semantics::arena;
use solver::Limits;
use std::rc::Rc;

/// The value of `result` on each path.
fn paths(body: &str) -> Vec<String> {
    let body = body.to_owned();
    let worker = std::thread::Builder::new().stack_size(1 << 28).spawn(move || paths_here(&body));
    worker.expect("a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
fn paths_here(body: &str) -> Vec<String> {
    let text = format!(
        "import _tensorvet\nn = _tensorvet.symbol('n', 1, 100, 'a test')\n\
         unknown = _tensorvet.unknown('a test', 'object')\n{body}"
    );
    let mut results = Vec::new();
    let mut waiting = vec![Vec::new()];
    while let Some(script) = waiting.pop().filter(|_| results.len() < 8) {
        arena::scope(|| {
            let libraries = Rc::new(Libraries::new(Vec::new()));
            let mut run =
                Interpreter::new(libraries, Path::new(Limits::default()), script, Budget::default());
            let Ok(module) = read("test.py", text.clone(), false) else { panic!("no Python: {text}") };
            let (_, scope) = run.new_module("__main__");
            match run.execute_module(&module, scope, "__main__") {
                Ok(()) => {}
                Err(Flow::Raise(exception)) => panic!("{}: {text}", run.describe_exception(exception)),
                Err(Flow::Stop(why)) if why.contains("decisions") => {}
                Err(Flow::Stop(why)) => panic!("{why}: {text}"),
                Err(_) => panic!("left: {text}"),
            }
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

#[test]
fn one_side_that_returns_is_still_one_path() {
    let results =
        paths("def f(x):\n    if n > x:\n        return 1\n    y = 2\n    return y\nresult = f(3) <= 2");
    assert_eq!(results, ["True"]);
}

#[test]
fn one_side_that_continues_is_still_one_path() {
    let results = paths(
        "x = 0\nfor i in range(10):\n    if n == i:\n        continue\n    x = x + 1\nresult = 0 <= x <= 10",
    );
    assert_eq!(results, ["True"]);
}

#[test]
fn a_chain_of_returns_is_one_path() {
    let chain: String = (0..20).map(|i| format!("    if n == {i}:\n        return {i}\n")).collect();
    let results = paths(&format!("def f():\n{chain}    return 99\nresult = f() >= 0"));
    assert_eq!(results, ["True"]);
}

#[test]
fn leaving_a_loop_somewhere_is_one_path() {
    let results = paths(
        "k, last = 7, None\nfor i in range(1000):\n    last = i\n    if unknown:\n        break\nresult = (k, last is None)",
    );
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].starts_with("(7, "), "{results:?}");
}

#[test]
fn what_a_loop_of_unknown_length_changes_is_not_known() {
    let results = paths(
        "count, same, items, box = 0, 5, [], {'k': 1}\nfor x in unknown:\n    count += 1\n    same = 5\n    items.append(x)\n    box['k'] = 1\nresult = (count, same, len(items), box['k'], [y for y in items])",
    );
    assert_eq!(results, ["(round + 2, 5, round + 2, 1, [<unknown>, ...])"]);
}

#[test]
fn unknown_loops_behind_other_iterators_are_unknown() {
    let results = paths(
        "count = 0\nfor i, x in enumerate(unknown):\n    count += 1\nresult = (count, list(zip(unknown, unknown)), sum(1 for x in unknown))",
    );
    assert_eq!(results, ["(round + 2, <unknown>, <unknown>)"]);
}

#[test]
fn a_condition_of_which_nothing_is_known_ends_a_loop_somewhere() {
    let results = paths("k, i = 3, 0\nwhile unknown:\n    i += 1\nresult = (k, i)");
    assert_eq!(results, ["(3, <unknown>)"]);
}

#[test]
fn a_loop_that_depends_on_a_size_ends() {
    let results = paths("i, m = 0, n\nwhile m > 1:\n    m = m // 2\n    i += 1\nresult = i >= 0");
    assert!(!results.is_empty() && results.len() < 8, "{results:?}");
}

#[test]
fn unknown_things_are_no_errors() {
    let body = "a, b = list(unknown)\nc = list(unknown)[3]\nd = max(unknown)\ne = {**unknown}\nf = print(*unknown)\n\
                g = dict(unknown)\nh = ', '.join(unknown)\ni = sorted(unknown)\nj = set(unknown) | {1}\n\
                for k, (l, m) in unknown: pass\nwith unknown as o: pass\nunknown.x = 1\nunknown['k'] = 2\ndel unknown['z']\nresult = 1";
    let results = paths(body);
    assert_eq!(results, ["1"]);
}

#[test]
fn recursion_on_something_unknown_ends() {
    let results = paths(
        "def f(x):\n    if unknown:\n        return f(x)\n    return 1\ntry:\n    result = f(0)\nexcept RecursionError:\n    result = 2",
    );
    assert!(results.len() <= 8, "{results:?}");
}
