//! The language itself: what programs print is what Python would print.

use program::path::Path;
use python::interpreter::{Budget, Flow, Interpreter};
use python::library::Libraries;
use python::syntax::{Name, read};
use python::value::Value;
use semantics::arena;
use solver::Limits;
use std::rc::Rc;

/// Runs a program and shows the value of `result`, or the exception it ends with.
fn run(text: &str) -> String {
    arena::scope(|| {
        let libraries = Rc::new(Libraries::new(Vec::new()));
        let mut run =
            Interpreter::new(libraries, Path::new(Limits::default()), Vec::new(), Budget::default());
        let module = match read("test.py", text.to_owned(), false) {
            Ok(module) => module,
            Err((_, error)) => return format!("SyntaxError: {} in line {}", error.message, error.at.line),
        };
        let (_, scope) = run.new_module("__main__");
        match run.execute_module(&module, scope, "__main__") {
            Ok(()) => {}
            Err(Flow::Raise(exception)) => {
                let line = run.traces[&exception].here.line;
                return format!("{} in line {line}", run.describe_exception(exception));
            }
            Err(Flow::Stop(why)) => return format!("stopped: {why}"),
            Err(_) => return "left".into(),
        }
        let result = run.heap.get(scope).attributes.get(&Name::new("result")).cloned().unwrap_or(Value::None);
        run.represent(&result)
    })
}

macro_rules! programs {
    ($($name:ident: $text:expr => $expected:expr;)*) => {
        $(#[test] fn $name() { assert_eq!(run($text), $expected); })*
    };
}

programs! {
    arithmetic: "result = (7 // 2, -7 // 2, 7 % -3, 2 ** 10, 1 / 4, 5 & 3, 1 << 4, 0.1 + 0.2)"
        => "(3, -4, -2, 1024, 0.25, 1, 16, 0.30000000000000004)";
    texts: "n = 3\nresult = f'{n:02d} {1.5:.2f} {\"a\"!r} {n=}' + ' %d of %s' % (1, 'x') + ' {} {k}'.format(1, k=2)"
        => "\"03 1.50 'a' n=3 1 of x 1 2\"";
    containers: "d = {'a': 1}\nd['b'] = [1, 2]\nd['b'].append(3)\nresult = [*d.items(), sorted([3, 1, 2], reverse=True), {1, 2} | {3}]"
        => "[('a', 1), ('b', [1, 2, 3]), [3, 2, 1], {1, 2, 3}]";
    slicing: "x = list(range(10))\nresult = (x[2:5], x[::-3], x[-1], 'hello'[1:3], (1, 2, 3)[:2])"
        => "([2, 3, 4], [9, 6, 3, 0], 9, 'el', (1, 2))";
    functions: "def f(a, b=2, *args, c, d=4, **kw):\n    return (a, b, args, c, d, kw)\nresult = f(1, 5, 6, 7, c=3, e=9)"
        => "(1, 5, (6, 7), 3, 4, {'e': 9})";
    closures: "def counter():\n    n = 0\n    def inc():\n        nonlocal n\n        n += 1\n        return n\n    return inc\nc = counter()\nc()\nresult = c()"
        => "2";
    classes: "class A:\n    kind = 'a'\n    def __init__(self, x): self.x = x\n    @property\n    def twice(self): return 2 * self.x\n    @classmethod\n    def make(cls): return cls(5)\n    @staticmethod\n    def three(): return 3\nclass B(A):\n    def __init__(self):\n        super().__init__(7)\n    def __getattr__(self, name): return name + '?'\nresult = (B().twice, A.make().x, A.three(), B().kind, B().nope, isinstance(B(), A))"
        => "(14, 5, 3, 'a', 'nope?', True)";
    order: "class A: pass\nclass B(A): pass\nclass C(A): pass\nclass D(B, C): pass\nresult = [c.__name__ for c in D.__mro__]"
        => "['D', 'B', 'C', 'A', 'object']";
    operators: "class V:\n    def __init__(self, x): self.x = x\n    def __add__(self, o): return V(self.x + o.x)\n    def __radd__(self, o): return V(self.x + o)\n    def __eq__(self, o): return self.x == o.x\n    def __len__(self): return self.x\n    def __getitem__(self, i): return i * 2\n    def __call__(self, y): return y + self.x\nresult = ((V(1) + V(2)).x, (1 + V(2)).x, V(1) == V(1), len(V(4)), V(0)[3], V(1)(2))"
        => "(3, 3, True, 4, 6, 3)";
    exceptions: "log = []\ntry:\n    try:\n        {}['k']\n    except ValueError:\n        log.append('no')\n    finally:\n        log.append('finally')\nexcept (KeyError, IndexError) as e:\n    log.append(type(e).__name__)\nelse:\n    log.append('else')\nresult = log"
        => "['finally', 'KeyError']";
    raising: "def f():\n    raise ValueError('bad')\n\nf()" => "ValueError: bad in line 2";
    generators: "def gen(n):\n    for i in range(n):\n        yield i * i\nresult = (list(gen(4)), sum(x for x in gen(3)), next(iter(gen(2))))"
        => "([0, 1, 4, 9], 5, 0)";
    comprehensions: "result = ([x * y for x in range(3) for y in range(x)], {k: v for k, v in zip('ab', (1, 2))}, {x % 2 for x in range(5)})"
        => "([0, 0, 2], {'a': 1, 'b': 2}, {0, 1})";
    unpacking: "a, (b, *c), d = 1, (2, 3, 4), 5\nresult = (a, b, c, d)" => "(1, 2, [3, 4], 5)";
    matching: "def f(x):\n    match x:\n        case 0: return 'zero'\n        case [a, *rest]: return rest\n        case {'k': v}: return v\n        case str(): return 'text'\n        case _: return None\nresult = (f(0), f([1, 2, 3]), f({'k': 9}), f('s'), f(1.5))"
        => "('zero', [2, 3], 9, 'text', None)";
    context: "class M:\n    def __enter__(self): return 'in'\n    def __exit__(self, *e): return True\nwith M() as m:\n    raise ValueError()\nresult = m" => "'in'";
    walrus: "result = [y for x in range(5) if (y := x * 2) > 4]" => "[6, 8]";
    undefined: "def f():\n    return missing\nf()" => "NameError: name 'missing' is not defined in line 2";
    unbound: "def f():\n    print(x)\n    x = 1\nf()"
        => "UnboundLocalError: cannot access local variable 'x' where it is not associated with a value in line 2";
    wrong_arguments: "def f(a): pass\nf()" => "TypeError: f() missing 1 required positional argument: 'a' in line 2";
    wrong_types: "1 + 'a'" => "TypeError: unsupported operand type(s) for +: 'int' and 'str' in line 1";
    not_iterable: "for x in 3: pass" => "TypeError: 'int' object is not iterable in line 1";
    too_few: "a, b = 1," => "ValueError: not enough values to unpack (expected 2, got 1) in line 1";
    missing_attribute: "class A: pass\nA().x" => "AttributeError: 'A' object has no attribute 'x' in line 2";
    zero: "x = 0\n1 / x" => "ZeroDivisionError: division by zero in line 2";
    syntax: "def f(:\n  pass" => "SyntaxError: Expected a parameter or the end of the parameter list in line 1";
    metaclass: "class Meta(type):\n    def __call__(cls, *a): return 'made'\nclass A(metaclass=Meta): pass\nresult = A()" => "'made'";
    loops: "result = 0\nfor i in range(10):\n    if i == 3: continue\n    if i == 6: break\n    result += i\nelse:\n    result = -1\nn = 0\nwhile n < 3: n += 1\nresult = (result, n)" => "(12, 3)";
    decorators: "def twice(f):\n    def g(*a, **k): return f(*a, **k) * 2\n    return g\n@twice\ndef f(x): return x + 1\nresult = f(3)" => "8";
}
