//! Where execution begins: the program as a whole, or one class or function of it.
//!
//! A target is called with what the user says of it; whatever is left open stays open. A module class is built and its
//! `forward` is run, a builder (a function that returns a module) is called and so is what it returns.

use crate::heap::{Function, Id, Payload};
use crate::interpreter::{Flow, Frame, Interpreter, Outcome};
use crate::native::Keywords;
use crate::syntax::{
    Argument, Expr, ExprKind, FunctionDef, Module, Name, Parameter, Span, Stmt, StmtKind, read,
};
use crate::value::Value;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{Dim, LARGEST_SIZE, Origin};
use semantics::dtype::{DType, Kind};
use semantics::layout::Layout;
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use std::path::Path;
use std::rc::Rc;

pub enum Entry {
    /// As `python file arguments…` would.
    Program {
        arguments: Vec<String>,
        /// Of long loops only the first rounds are run: what the others would leave is not known.
        brief: bool,
    },
    Target(Target),
}

/// A class or function by name, and what is known of its arguments.
#[derive(Clone, Default)]
pub struct Target {
    pub name: String,
    pub inputs: Vec<Input>,
    /// Arguments of the constructor, or of a function, as Python would spell them.
    pub init: Vec<(String, String)>,
    /// Named sizes that are bounded.
    pub sizes: Vec<(String, i64, i64)>,
    /// The type and the number of axes of the first tensor of which nothing is said; without them both stay open.
    pub trial: Option<(Kind, usize)>,
    /// As of [`Entry::Program`].
    pub brief: bool,
}

/// A tensor that the user describes.
#[derive(Clone)]
pub struct Input {
    pub name: String,
    pub kind: Kind,
    /// Numbers and names.
    pub sizes: Vec<Result<i64, String>>,
    pub layout: Option<Layout>,
}

/// The classes and functions that a file defines at its top, which are what a target can name.
pub fn names(module: &Module) -> Vec<String> {
    let mut names = Vec::new();
    collect(&module.body, &mut names);
    names
}

fn collect(body: &[Stmt], names: &mut Vec<String>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Function(def) => names.push(def.name.to_string()),
            StmtKind::Class(def) => names.push(def.name.to_string()),
            StmtKind::Assign { targets, .. } => {
                names.extend(targets.iter().filter_map(|target| match &target.kind {
                    ExprKind::Name(name) => Some(name.to_string()),
                    _ => None,
                }))
            }
            StmtKind::If { body, orelse, .. } => {
                collect(body, names);
                collect(orelse, names);
            }
            StmtKind::Try { body, .. } => collect(body, names),
            StmtKind::ImportFrom { names: imported, .. } => {
                names.extend(imported.iter().map(|(name, alias, _)| alias.unwrap_or(*name).to_string()));
            }
            _ => {}
        }
    }
}

/// What a class or function can be called with.
#[derive(Clone, Debug, Default)]
pub struct Takes {
    pub names: Vec<String>,
    /// Those of them that it cannot do without.
    pub required: Vec<String>,
    /// Whether it takes arguments of any other name, too.
    pub anything: bool,
}

/// What a class or function at the top of a file can be called with.
pub fn takes(module: &Module, target: &str) -> Takes {
    let Some(def) = constructor(module, target, 0) else { return Takes::default() };
    let parameters = &def.parameters;
    let all = parameters.positional.iter().chain(&parameters.keyword_only);
    let all = all.filter(|parameter| &*parameter.name.text() != "self");
    let required = all.clone().filter(|parameter| parameter.default.is_none());
    Takes {
        required: required.map(|parameter| parameter.name.to_string()).collect(),
        names: all.map(|parameter| parameter.name.to_string()).collect(),
        anything: parameters.keywords.is_some(),
    }
}

/// A function, or that which makes objects of a class: its own, or that of a class of the file that it is made from.
fn constructor<'m>(module: &'m Module, target: &str, depth: usize) -> Option<&'m FunctionDef> {
    // Classes that are made from each other are a mistake of the program.
    const DEEPEST: usize = 16;
    module.body.iter().find_map(|statement| match &statement.kind {
        StmtKind::Function(def) if &*def.name.text() == target => Some(&**def),
        StmtKind::Class(class) if &*class.name.text() == target && depth < DEEPEST => {
            let own = class.body.iter().find_map(|statement| match &statement.kind {
                StmtKind::Function(def) if &*def.name.text() == "__init__" => Some(&**def),
                _ => None,
            });
            let inherited = || {
                class.bases.iter().find_map(|base| match base {
                    Argument::Positional(Expr { kind: ExprKind::Name(base), .. }) => {
                        constructor(module, &base.text(), depth + 1)
                    }
                    _ => None,
                })
            };
            own.or_else(inherited)
        }
        _ => None,
    })
}

/// The classes with a `forward` and the functions at the top of a file that no path has called.
pub fn uncalled(module: &Module, called: &FxHashSet<*const FunctionDef>) -> Vec<String> {
    let is_called = |def: &Rc<FunctionDef>| called.contains(&Rc::as_ptr(def));
    let mut names = Vec::new();
    for statement in module.body.iter() {
        match &statement.kind {
            StmtKind::Function(def) if !is_called(def) => names.push(def.name.to_string()),
            StmtKind::Class(class) => {
                let forward = class.body.iter().find_map(|statement| match &statement.kind {
                    StmtKind::Function(def) if &*def.name.text() == "forward" => Some(def),
                    _ => None,
                });
                if forward.is_some_and(|forward| !is_called(forward)) {
                    names.push(class.name.to_string());
                }
            }
            _ => {}
        }
    }
    names
}

/// Executes a file from an entry. A target gives what it returned.
pub(crate) fn start(
    run: &mut Interpreter,
    module: &Module,
    file: &Path,
    package: Option<&str>,
    entry: &Entry,
) -> Outcome<Option<Value>> {
    match entry {
        Entry::Program { arguments, .. } => {
            run.set_arguments(
                [file.display().to_string()].into_iter().chain(arguments.iter().cloned()).collect(),
            );
            let (_, scope) = run.new_module("__main__");
            belongs(run, scope, package);
            run.execute_module(module, scope, "__main__")?;
            Ok(None)
        }
        Entry::Target(target) => {
            run.set_arguments(vec![file.display().to_string()]);
            let name = file.file_stem().map_or("module".into(), |stem| stem.to_string_lossy().into_owned());
            let (_, scope) = run.new_module(&name);
            belongs(run, scope, package);
            run.execute_module(module, scope, &name)?;
            let Some(callee) = run.heap.get(scope).attributes.get(&Name::new(&target.name)).cloned() else {
                return Err(Flow::Stop(
                    format!("the file defines no `{}` when it is run", target.name).into(),
                ));
            };
            run.frames.push(Frame::of_module(module, scope));
            let stands_at = stands_at(module, &target.name);
            let sizes = FxHashMap::default();
            let result = Launch { run, target, trial: target.trial, sizes, stands_at }.call(&callee);
            run.frames.pop();
            result.map(Some)
        }
    }
}

/// A file of a package may import its neighbours by relative names.
fn belongs(run: &mut Interpreter, scope: Id, package: Option<&str>) {
    if let Some(package) = package {
        run.set_name(scope, Name::new("__package__"), Value::text(package));
    }
}

/// The calls of one target.
struct Launch<'r> {
    run: &'r mut Interpreter,
    target: &'r Target,
    /// See [`Target::trial`]; none once a tensor has it.
    trial: Option<(Kind, usize)>,
    /// Named sizes that have been met: one name is one size.
    sizes: FxHashMap<String, Dim>,
    /// Where the target stands.
    stands_at: Option<Span>,
}

/// Where a class or function of a file stands.
fn stands_at(module: &Module, name: &str) -> Option<Span> {
    let is_meant = |statement: &&Stmt| match &statement.kind {
        StmtKind::Function(def) => &*def.name.text() == name,
        StmtKind::Class(class) => &*class.name.text() == name,
        _ => false,
    };
    module.body.iter().rfind(is_meant).map(|statement| statement.at)
}

impl Launch<'_> {
    fn call(mut self, callee: &Value) -> Outcome {
        if self.run.is_class(callee) {
            let class = callee.as_object();
            // What a program makes of an object may go wrong before it is called.
            if let Some(forward) = class.and_then(|class| self.called(class))
                && let Some(function) = self.function(&forward)
            {
                self.check_names(&function, 1);
            }
            let init = class.and_then(|class| self.run.in_order(class, Name::INIT));
            let arguments = self.init_arguments(init.as_ref(), 1)?;
            let object = self.run.call(callee, Vec::new(), arguments)?;
            return self.run_object(object);
        }
        let takes_inputs = match self.function(callee) {
            Some(function) => {
                let parameters = &function.def.parameters;
                let own = parameters.positional.iter().chain(&parameters.keyword_only);
                let named: Vec<String> = own.map(|parameter| parameter.name.to_string()).collect();
                self.target.inputs.iter().any(|input| named.contains(&input.name))
            }
            None => false,
        };
        if takes_inputs {
            if let Some(function) = self.function(callee) {
                self.check_names(&function, 0);
            }
            let mut arguments = self.inputs()?;
            let init = self.init_arguments(Some(callee), 0)?;
            arguments.extend(init.into_iter().filter(|(name, _)| !self.is_input(*name)));
            return self.run.call(callee, Vec::new(), arguments);
        }
        // What stands in the place of the function takes anything, and what it is for nobody says.
        let stands_in = self.function(callee).is_some_and(|function| {
            function.def.parameters.variadic.is_some() && *function.def.name.text() != *self.target.name
        });
        if stands_in && self.target.init.is_empty() {
            self.run.open = true;
            return Ok(Value::None);
        }
        let arguments = self.init_arguments(Some(callee), 0)?;
        let made = self.run.call(callee, Vec::new(), arguments)?;
        let is_module = self
            .run
            .class_of(&made)
            .is_some_and(|class| self.run.in_order(class, Name::new("forward")).is_some());
        if is_module {
            return self.run_object(made);
        }
        if let Some(function) = self.function(callee) {
            self.check_names(&function, 0);
        }
        Ok(made)
    }
    /// What runs when an object of a class is called.
    fn called(&self, class: Id) -> Option<Value> {
        let forward = self.run.in_order(class, Name::new("forward"));
        forward.or_else(|| self.run.in_order(class, Name::CALL))
    }
    /// Notes an input that a function has no parameter for; what layers of a library call theirs is nobody's business.
    fn check_names(&mut self, function: &Function, skipped: usize) {
        let parameters = &function.def.parameters;
        if parameters.variadic.is_some() || parameters.keywords.is_some() || function.source.is_library {
            return;
        }
        let own = parameters.positional.iter().skip(skipped).chain(&parameters.keyword_only);
        let own: Vec<String> = own.map(|parameter| parameter.name.to_string()).collect();
        let strange = self.target.inputs.iter().find(|input| !own.contains(&input.name));
        if let Some(strange) = strange {
            self.run.misnamed.get_or_insert((strange.name.clone(), own));
        }
    }

    /// Calls a module on the inputs, or an object of another class as it is.
    fn run_object(&mut self, object: Value) -> Outcome {
        self.run.target = object.as_object();
        let Some(class) = self.run.class_of(&object) else { return Ok(object) };
        let Some(forward) = self.called(class) else { return Ok(object) };
        let Some(function) = self.function(&forward) else {
            let inputs = self.inputs()?.into_iter().map(|(_, value)| value).collect();
            return self.run.call(&object, inputs, Keywords::new());
        };
        self.check_names(&function, 1);
        // What fails in a layer of a library that nobody calls fails where it is made.
        if function.source.is_library
            && let (Some(at), Some(frame)) = (self.stands_at, self.run.frames.last_mut())
        {
            frame.at = at;
        }
        let parameters = &function.def.parameters;
        let own: Vec<&Parameter> =
            parameters.positional.iter().skip(1).chain(&parameters.keyword_only).collect();
        let given = self.inputs()?;
        // Inputs go by name where the names fit, else in their order.
        let fits = given.iter().all(|(name, _)| own.iter().any(|parameter| parameter.name == *name));
        if !fits {
            let inputs = given.into_iter().map(|(_, value)| value).collect();
            return self.run.call(&object, inputs, Keywords::new());
        }
        let mut arguments = given;
        let positional = parameters.positional.iter().zip(&function.defaults).skip(1);
        let keyword_only =
            parameters.keyword_only.iter().zip(&function.defaults[parameters.positional.len()..]);
        for (parameter, default) in positional.chain(keyword_only) {
            if default.is_none() && !arguments.iter().any(|(name, _)| *name == parameter.name) {
                let tensor = match self.described(&function, parameter)? {
                    Some(tensor) => tensor,
                    None => self.open_tensor(&parameter.name.to_string()),
                };
                arguments.push((parameter.name, tensor));
            }
        }
        self.run.call(&object, Vec::new(), arguments)
    }

    /// The function whose parameters are meant: one that stands for another tells which.
    fn function(&self, value: &Value) -> Option<Rc<Function>> {
        let wrapped = value
            .as_object()
            .and_then(|id| self.run.heap.get(id).attributes.get(&Name::new("__wrapped__")).cloned());
        if let Some(wrapped) = wrapped.filter(|wrapped| !wrapped.is(value)) {
            return self.function(&wrapped);
        }
        match self.run.payload(value) {
            Some(Payload::Function(function)) => Some(function.clone()),
            _ => None,
        }
    }
    fn is_input(&self, name: Name) -> bool {
        self.target.inputs.iter().any(|input| *input.name == *name.text())
    }

    /// What `--init` gives, and something open for every parameter that needs a value and has none.
    fn init_arguments(&mut self, function: Option<&Value>, skipped: usize) -> Outcome<Keywords> {
        let mut arguments = Keywords::new();
        for (name, text) in &self.target.init {
            let value = self.spelled(name, text)?;
            arguments.push((Name::new(name), value));
        }
        let Some(function) = function.and_then(|function| self.function(function)) else {
            return Ok(arguments);
        };
        let parameters = &function.def.parameters;
        let all = parameters.positional.iter().chain(&parameters.keyword_only).zip(&function.defaults);
        for (parameter, default) in all.skip(skipped) {
            let is_given = arguments.iter().any(|(name, _)| *name == parameter.name);
            if let (true, Some(default)) = (is_given, default) {
                self.run.note_default(&parameter.name.text(), default);
            }
            if default.is_none() && !is_given && !self.is_input(parameter.name) {
                let argument = match self.described(&function, parameter)? {
                    Some(tensor) => tensor,
                    None => self.open_argument(parameter),
                };
                arguments.push((parameter.name, argument));
            }
        }
        Ok(arguments)
    }

    /// A value as Python would spell it; a word that is no Python is a text, and `1..64` is a whole number between.
    fn spelled(&mut self, name: &str, text: &str) -> Outcome {
        if let Some((low, high)) = text.split_once("..")
            && let (Ok(low), Ok(high)) = (low.trim().parse(), high.trim().parse())
        {
            return Ok(Value::Int(Dim::symbol_from(name, low, high, Origin::input(name))));
        }
        let module = read("--init", text.to_owned(), false);
        let Ok(module) = module else { return Ok(Value::text(text)) };
        match &module.body[..] {
            [Stmt { kind: StmtKind::Expr(expression), .. }]
                if !matches!(expression.kind, ExprKind::Name(_)) =>
            {
                self.run.evaluate(expression)
            }
            _ => Ok(Value::text(text)),
        }
    }

    fn inputs(&mut self) -> Outcome<Keywords> {
        let mut inputs = Keywords::new();
        if !self.target.inputs.is_empty() {
            self.run.know_tensors();
        }
        for input in &self.target.inputs {
            let mut sizes = Vec::new();
            for size in &input.sizes {
                sizes.push(match size {
                    Ok(number) => Dim::from(*number),
                    Err(name) => self.size(name),
                });
            }
            let mut tensor = Tensor::given(&input.name, DType::from(input.kind), Shape::new(sizes));
            if let Some(layout) = &input.layout {
                tensor = tensor.laid_out(Rc::new(layout.clone()));
            }
            self.run.described.push((input.name.clone(), tensor));
            let value = self.run.new_tensor(tensor);
            inputs.push((Name::new(&input.name), value));
        }
        Ok(inputs)
    }
    fn size(&mut self, name: &str) -> Dim {
        if let Some(known) = self.sizes.get(name) {
            return *known;
        }
        let bounds = self.target.sizes.iter().find(|(bounded, ..)| bounded == name);
        let (low, high) = bounds.map_or((1, LARGEST_SIZE), |(_, low, high)| (*low, *high));
        let size = Dim::symbol_from(name, low, high, Origin::input(name));
        self.sizes.insert(name.to_owned(), size);
        size
    }

    fn open_tensor(&mut self, name: &str) -> Value {
        let (dtype, shape) = match self.trial.take() {
            Some((kind, rank)) => {
                (kind.into(), Shape::new((0..rank).map(|axis| self.size(&format!("{name}.{axis}")))))
            }
            None => (DType::unknown(), Shape::unknown(name)),
        };
        self.run.open = true;
        let tensor = Tensor::given(name, dtype, shape);
        self.run.described.push((name.to_owned(), tensor));
        self.run.new_tensor(tensor)
    }
    /// The tensor that an annotation describes in full: `Float[Tensor, "batch channels"]`.
    fn described(&mut self, function: &Rc<Function>, parameter: &Parameter) -> Outcome<Option<Value>> {
        let is_candidate = matches!(
            parameter.annotation.as_ref().map(|annotation| &annotation.kind),
            Some(ExprKind::Subscript(..) | ExprKind::Name(_))
        );
        if !is_candidate || !self.run.modules.contains_key("jaxtyping") {
            return Ok(None);
        }
        let hints = self.run.annotations_of(function);
        let name = parameter.name.text();
        let hints = self.run.pairs_of(&hints)?.into_iter();
        let hint = hints.filter(|(key, _)| key.as_text() == Some(&name)).map(|(_, hint)| hint).next();
        let Some(hint) = hint.filter(|hint| self.run.type_name(hint) == "Described") else { return Ok(None) };
        let sizes = self.run.call_special(&hint, "sizes", Vec::new())?;
        let kind = self.run.call_special(&hint, "kind", Vec::new())?;
        let dtype = self.run.kind_of(&kind).map_or_else(DType::unknown, DType::from);
        if sizes.is_none() {
            return Ok(None);
        }
        let mut dims = Vec::new();
        for (axis, size) in self.run.items_of(&sizes)?.iter().enumerate() {
            dims.push(match (size.as_int(), size.as_text()) {
                (Some(number), _) => Dim::from(number),
                (None, Some(name)) => self.size(name),
                (None, None) => self.size(&format!("{}.{axis}", parameter.name)),
            });
        }
        let tensor = Tensor::given(&parameter.name.to_string(), dtype, Shape::new(dims));
        Ok(Some(self.run.new_tensor(tensor)))
    }
    /// An argument of which only the annotation tells something.
    fn open_argument(&mut self, parameter: &Parameter) -> Value {
        self.run.open = true;
        let name = parameter.name.to_string();
        match parameter.annotation.as_ref().map(|annotation| &annotation.kind) {
            Some(ExprKind::Name(kind)) if &*kind.text() == "int" => {
                Value::Int(Dim::symbol_from(&name, 1, LARGEST_SIZE, Origin::input(&name)))
            }
            Some(ExprKind::Name(kind)) if &*kind.text() == "Tensor" => self.open_tensor(&name),
            Some(ExprKind::Attribute(_, kind)) if &*kind.text() == "Tensor" => self.open_tensor(&name),
            _ => Value::unknown(format!("nothing is said of `{name}`; `--init {name}=…` would")),
        }
    }
}

/// The tensors in what a target returned, with the words that reach them.
pub(crate) fn tensors_in(run: &Interpreter, value: &Value) -> Vec<(String, Tensor)> {
    let mut found = Vec::new();
    reach(run, value, "output", 0, &mut found);
    found
}

fn reach(run: &Interpreter, value: &Value, name: &str, depth: usize, found: &mut Vec<(String, Tensor)>) {
    // What a message lists; nobody reads more.
    const MOST: usize = 32;
    if depth > 4 || found.len() >= MOST {
        return;
    }
    let items = |items: &[Value], found: &mut Vec<(String, Tensor)>| {
        for (number, item) in items.iter().enumerate() {
            reach(run, item, &format!("{name}[{number}]"), depth + 1, found);
        }
    };
    if let Some(tensor) = run.as_tensor(value) {
        found.push((name.to_owned(), tensor));
        return;
    }
    match (value, run.payload(value)) {
        (Value::Tuple(values), _) => items(values, found),
        (_, Some(Payload::List(values))) => items(values, found),
        (_, Some(Payload::Dict(pairs))) => {
            for (key, value) in pairs.values() {
                if let Some(key) = key.as_text() {
                    reach(run, value, &format!("{name}[{:?}]", key), depth + 1, found);
                }
            }
        }
        _ => {}
    }
}
