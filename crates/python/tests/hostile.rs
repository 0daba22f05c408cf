//! Programs that want to crash, hang or eat the memory.

use program::path::Path;
use python::interpreter::{Budget, Flow, Interpreter};
use python::library::Libraries;
use python::syntax::read;
use semantics::arena;
use solver::Limits;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How a program ends: an exception's class, why it was given up, or nothing.
fn ends(text: &str) -> String {
    let text = text.to_owned();
    let run = move || {
        arena::scope(|| {
            let libraries = Rc::new(Libraries::new(Vec::new()));
            let budget = Budget { steps: 300_000, ..Budget::default() };
            let mut run = Interpreter::new(libraries, Path::new(Limits::default()), Vec::new(), budget);
            let module = match read("test.py", text, false) {
                Ok(module) => module,
                Err((_, error)) => return format!("SyntaxError: {}", error.message),
            };
            let (_, scope) = run.new_module("__main__");
            match run.execute_module(&module, scope, "__main__") {
                Err(Flow::Raise(exception)) => run.describe_exception(exception),
                Err(Flow::Stop(why)) => format!("stopped: {why}"),
                _ => String::new(),
            }
        })
    };
    let started = Instant::now();
    let worker = std::thread::Builder::new().stack_size(1 << 28).spawn(run).expect("a thread");
    let ended = worker.join().expect("no panic");
    assert!(started.elapsed() < Duration::from_secs(20), "too slow");
    ended
}

#[test]
fn hostile_programs_end() {
    for program in [
        "while True: pass",
        "def f(): return f()\nf()",
        "l = []\nl.append(l)\nprint(l, str(l), l == [l])",
        "d = {}\nd['d'] = d\nrepr(d)",
        "x = ()\nfor i in range(100000): x = (x,)\nprint(x == (x,), hash(x))",
        "class A:\n    def __bool__(self): return self\nbool(A())",
        "class A:\n    def __hash__(self): return self\nhash(A())",
        "class A: pass\nA.__call__ = A()\nA()()",
        "class A:\n    def __getattr__(self, n): return getattr(self, n)\nA().x",
        "class A:\n    def __repr__(self): return repr(self)\nrepr(A())",
        "class A:\n    def __iter__(self): return self\n    def __next__(self): return self\nlist(A())",
        "class A:\n    def __eq__(self, o): return self == o\nA() == A()",
        "class A:\n    def __await__(self): return self\nasync def f(): await A()\nf().send(None)",
        "[0] * 10 ** 9",
        "'a' * 10 ** 12",
        "x = 'a'\nwhile True: x = x + x",
        "x = [1]\nwhile True: x = x + x",
        "x = [1]\nwhile True: x += x",
        "while True: y = [0] * 100000",
        "l = []\nwhile True: l.append('a' * 1000000)",
        "x = 2\nwhile True: x = x ** x",
        "list(iter(int, 1))",
        "import itertools\nlist(itertools.count())",
        "import itertools\nlist(itertools.product(range(100), repeat=9))",
        "sum(range(10 ** 18))",
        "list(range(10 ** 12))",
        "f'{1:>1000000000}'",
        "'%1000000000d' % 1",
        "1 << 10 ** 9",
        "10 ** 10 ** 10",
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        "import json\njson.loads('[' * 100000)",
        "class A(A): pass",
        "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n): return [f(n + 1) for _ in range(2)]\nf(0)",
        "def g():\n    yield from g()\nlist(g())",
        "g = (next(g) for _ in [1])\nnext(g)",
        "exec('x' * 1000)",
        "x = [[]]\nfor i in range(50): x = [x, x]\nprint(x)\nimport copy\ncopy.deepcopy(x)",
        "match [[1]]:\n    case [[*a], *b]: pass",
        "-9223372036854775808 // -1",
        "x = -9223372036854775807 - 1\nabs(x), -x, x // -1, x % -1, x - 1, x * -1",
        "[1, 2, 3][-9223372036854775807 - 1:9223372036854775807:9223372036854775807]",
        "range(0, 9223372036854775807, 9223372036854775807)[5:9223372036854775807]",
        "[].insert(9223372036854775807, 1)\n[1].pop(-9223372036854775807)",
        "'abc'.find('b', -9223372036854775807 - 1, 9223372036854775807)",
        "round(1, -9223372036854775807)\nround(1.5, 10 ** 18)\nround(5, -18)",
        "(1).to_bytes(9223372036854775807, 'big')",
        "slice(9223372036854775807, -9223372036854775807 - 1, -1).indices(9223372036854775807)",
    ] {
        eprintln!("{program:.60?} → {:.80}", ends(program));
    }
}

#[test]
fn deep_nesting_is_refused() {
    for open in ["(", "[", "-", "not ", "a.b(", "lambda: ", "{1:"] {
        eprintln!("{:.80}", ends(&open.repeat(5000)));
    }
    let nested: String = (0..300).map(|depth| format!("{}if 1:\n", " ".repeat(depth))).collect();
    eprintln!("{:.80}", ends(&format!("{nested}{}pass", " ".repeat(300))));
}
