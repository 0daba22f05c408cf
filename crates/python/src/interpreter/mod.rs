//! Executes Python symbolically: numbers and texts as Python would, tensors by their shapes.
//!
//! One [`Interpreter`] follows one path. Where a statement about unknown sizes decides, the two sides are followed
//! one after the other and brought together if they agree; else the program is run once more (`decisions`).

mod alike;
mod annotations;
mod arithmetic;
mod assertions;
mod attributes;
mod autocast;
mod calls;
mod choice;
mod classes;
mod comparisons;
mod conditions;
mod configured;
mod decisions;
mod exceptions;
mod explain;
mod expressions;
pub mod failures;
mod flowing;
mod formats;
mod general;
mod generators;
mod given;
pub mod hints;
mod imports;
mod iteration;
mod keys;
mod lengths;
mod looks;
mod loops;
pub mod makers;
mod many;
mod matching;
mod mend;
mod merging;
pub(crate) mod operators;
mod places;
mod quick;
mod repeated;
mod slices;
mod specials;
mod statements;
mod tensors;
mod texts;
mod walking;
mod watch;
mod widening;

use crate::deadline::Deadline;
use crate::heap::{Heap, Id, Object, Payload};
use crate::library::Libraries;
use crate::syntax::{FunctionDef, Module, Name, Source, Span};
use crate::value::{Attributes, BuiltIn, Pairs, Value};
pub use annotations::can_cast;
pub(crate) use arithmetic::floor_division;
pub use autocast::Autocast;
pub use decisions::Decision;
pub use generators::{Sent, Step};
pub use many::Several;
use program::ir::Spot;
use program::path::Path;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::prop::Prop;
use std::rc::Rc;

/// How an expression or statement can end besides its value.
#[derive(Clone)]
pub enum Flow {
    /// An exception object.
    Raise(Id),
    Return(Value),
    /// How many elements there are is not known: whatever is made of them is not known.
    Lost(Rc<str>),
    Break,
    Continue,
    /// The path is given up, and why.
    Stop(Rc<str>),
}

pub type Outcome<T = Value> = Result<T, Flow>;

/// Where execution stands in one function or module.
#[derive(Clone)]
pub struct Frame {
    pub source: Rc<Source>,
    /// The function, or `<module>`.
    pub name: Name,
    pub globals: Id,
    pub scope: Id,
    pub at: Span,
    /// The class in whose method this is, and what it was called on, for `super()`.
    pub class: Option<Id>,
    pub receiver: Option<Value>,
    /// The names that are local here; none for modules and classes.
    pub function: Option<Rc<crate::heap::Function>>,
}

impl Frame {
    /// Whether it stands somewhere in the user's own code.
    pub fn is_own(&self) -> bool {
        self.source.is_own() && self.at != Span::default()
    }
    /// The top level of a module, at its beginning.
    pub fn of_module(module: &Module, scope: Id) -> Frame {
        Frame {
            source: module.source.clone(),
            name: Name::new("<module>"),
            globals: scope,
            scope,
            at: Span::default(),
            class: None,
            receiver: None,
            function: None,
        }
    }
    pub(crate) fn is_class_body(&self) -> bool {
        self.function.is_none() && self.scope != self.globals && self.class.is_some()
    }
}

/// Work and depth granted to one path.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub steps: u64,
    pub depth: usize,
    /// Objects that one path may make.
    pub objects: usize,
    /// Bytes of the stack that may be used.
    pub stack: usize,
    pub until: Option<Deadline>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { steps: 3_000_000, depth: 1000, objects: 2_000_000, stack: 190 << 20, until: None }
    }
}

/// Where a run can start again: see [`Interpreter::restore`].
pub struct Snapshot {
    heap: Heap,
    modules: FxHashMap<Rc<str>, Id>,
    builtins: Id,
    tensor_class: Option<Id>,
}

pub struct Interpreter {
    pub heap: Heap,
    pub path: Path,
    pub frames: Vec<Frame>,
    pub modules: FxHashMap<Rc<str>, Id>,
    pub builtins: Id,
    pub libraries: Rc<Libraries>,
    /// Where each exception was raised first.
    pub traces: FxHashMap<Id, Rc<Spot>>,
    /// What may help with an exception.
    pub hints: FxHashMap<Id, String>,
    /// What an exception does not say of itself.
    pub remarks: FxHashMap<Id, String>,
    /// How many elements of a tensor are true.
    pub selected: crate::native::Selected,
    /// Where knowledge was lost, and why.
    pub lost: Vec<(Rc<Spot>, String)>,
    pub decisions: decisions::Decisions,
    pub budget: Budget,
    pub arguments: Vec<String>,
    /// The name that the latest `yield` gives what is sent.
    waiting: Name,
    /// Whether some class has `__getattribute__`, which few have.
    hooked: bool,
    /// One unknown number per key: equal keys have equal hashes.
    pub hashes: FxHashMap<crate::value::Key, Value>,
    choices: choice::Choices,
    /// Exceptions that are raised by `raise` or `assert` and may be how the program deals with a decision.
    pub explicit: FxHashSet<Id>,
    /// Exceptions of which the class is not known.
    pub nameless: FxHashSet<Id>,
    /// What is said of the truth of something unknown: the same every time.
    truths: FxHashMap<usize, (Rc<crate::value::Unknown>, Prop)>,
    nones: FxHashMap<usize, (Rc<crate::value::Unknown>, Prop)>,
    lengths: FxHashMap<usize, (Rc<crate::value::Unknown>, semantics::dim::Dim)>,
    /// Of those, the ones about something that the program knows better.
    vague: FxHashSet<semantics::prop::PropId>,
    /// How often something of unknown length came to an end, and whether there is any such thing.
    open_ends: u64,
    /// Whether what is being assigned stands there as it is.
    is_written_out: bool,
    /// What has to hold for loops to have as many rounds as were followed, where that is open.
    pub open_rounds: Vec<Prop>,
    has_endless: bool,
    /// How often something gave an element that stands for all, and how many more it may give now.
    generals: u64,
    /// How many elements came from what has no known length.
    given_of_open: u64,
    general_elements: usize,
    /// Objects of the program's own classes that something unknown has got hold of.
    given_away: Vec<Id>,
    /// How often it was supposed that there is one more number in a range.
    supposed: u64,
    /// Calls and other things that are inside one another, and where the stack began.
    nesting: usize,
    stack_start: usize,
    /// Objects that are being shown.
    showing: Vec<Id>,
    /// Elements of all containers made so far, and letters of long texts.
    pub elements: usize,
    /// The exception that is being handled.
    pub handling: Option<Id>,
    /// What the program has printed, if somebody wants to know.
    pub printed: Option<String>,
    steps: u64,
    /// The class of tensors, once the library has said which it is.
    pub tensor_class: Option<Id>,
    /// Exceptions that a broken requirement raised: the call's place in the record of the path.
    pub violations: FxHashMap<Id, usize>,
    /// What is raised where a requirement fails that was taken for granted, by its label.
    raising: FxHashMap<&'static str, Vec<&'static str>>,
    /// The user's functions that were called, by the address of what they were read as.
    pub called: FxHashSet<*const FunctionDef>,
    /// Some argument of the target is made up, because nothing is said of it.
    pub open: bool,
    /// A decision was taken after knowledge was lost.
    pub doubtful: bool,
    /// A requirement was taken for granted inside a `try` that would deal with its failing.
    pub passed_over: bool,
    /// The first call of the user's code that could not be followed because what is called is not known.
    pub unfollowed: Option<(Rc<Spot>, String)>,
    /// The package that is being imported.
    importing: Option<Rc<str>>,
    /// Texts by which files were asked for, or handed to something that may make them.
    pub mentioned: FxHashSet<Rc<str>>,
    /// What was written to files, if asked for; programs that may have written others, and what was granted of these.
    pub written: Vec<crate::written::Written>,
    pub neighbours: Rc<crate::neighbours::Neighbours>,
    pub taken_for_granted: Vec<String>,
    /// Where the user's own code had each tensor made.
    pub makers: makers::Makers,
    /// What the user asks for, and what came of it.
    pub asked: Rc<crate::asked::Asked>,
    pub watched: Vec<crate::asked::Watched>,
    /// The tensors that the target was called with, and the module it is.
    pub described: Vec<(String, semantics::tensor::Tensor)>,
    pub target: Option<Id>,
    pub options: Vec<crate::asked::CommandOption>,
    /// The assumptions that were used, by number, and which are options; what could be assumed, and what cannot be.
    pub assumed: FxHashSet<usize>,
    optional: FxHashSet<usize>,
    pub offered: Vec<String>,
    pub complaints: Vec<String>,
    /// What the program says itself of names of which something else is assumed.
    pub defaults: Vec<(String, crate::asked::Given)>,
    /// An input that the target has no parameter for, and those that it has.
    pub misnamed: Option<(String, Vec<String>)>,
    sizes: FxHashMap<Rc<str>, semantics::dim::Dim>,
    /// A size that is not the usual one.
    circumstance: Option<explain::Circumstance>,
    /// How many broken requirements were explained.
    explained: usize,
    /// How often something was made that keeps the scope it was made in.
    kept_scopes: u64,
    /// What functions of libraries have answered that need not be asked again.
    pub(crate) answered: crate::native::Answered,
    /// What calls of libraries have given that need not be followed again.
    repeated: repeated::Repeated,
    /// Where execution stood when somebody asked last.
    latest_spot: places::Latest,
}

impl Interpreter {
    pub fn new(libraries: Rc<Libraries>, path: Path, script: Vec<bool>, budget: Budget) -> Interpreter {
        let mut heap = Heap::new();
        let builtins = heap.push(Object {
            class: BuiltIn::Object.class(),
            attributes: Attributes::default(),
            payload: Payload::Scope { around: None },
        });
        let mut interpreter = Interpreter::bare(heap, builtins, libraries, path, script, budget);
        for built_in in BuiltIn::ALL {
            interpreter.set_name(builtins, Name::new(built_in.name()), Value::Object(built_in.class()));
        }
        interpreter.set_name(builtins, Name::new("NotImplemented"), Value::NotImplemented);
        interpreter.set_name(builtins, Name::new("Ellipsis"), Value::Ellipsis);
        for native in crate::native::GLOBALS {
            interpreter.set_name(builtins, Name::new(native.name), Value::Native(native));
        }
        let name: Rc<str> = "builtins".into();
        let payload = Payload::Module { name: name.clone(), scope: builtins };
        if let Value::Object(module) = interpreter.new_object(BuiltIn::Module.class(), payload) {
            interpreter.modules.insert(name, module);
        }
        // What library files, and stubs of users, talk to.
        let (_, scope) = interpreter.new_module("_tensorvet");
        for native in crate::native::INTERNAL.iter().copied().flatten() {
            interpreter.set_name(scope, Name::new(native.name), Value::Native(native));
        }
        let (_, scope) = interpreter.new_module("_system");
        for native in crate::native::SYSTEM.iter().copied().flatten() {
            interpreter.set_name(scope, Name::new(native.name), Value::Native(native));
        }
        interpreter.prelude();
        interpreter.heap.changes.load(0, interpreter.heap.len());
        interpreter
    }
    /// Starts where another run stood.
    pub fn starting_from(
        snapshot: &Snapshot,
        libraries: Rc<Libraries>,
        path: Path,
        script: Vec<bool>,
        budget: Budget,
    ) -> Interpreter {
        let heap = snapshot.heap.clone();
        let mut run = Interpreter::bare(heap, snapshot.builtins, libraries, path, script, budget);
        run.modules = snapshot.modules.clone();
        run.tensor_class = snapshot.tensor_class;
        run
    }
    fn bare(
        heap: Heap,
        builtins: Id,
        libraries: Rc<Libraries>,
        path: Path,
        script: Vec<bool>,
        budget: Budget,
    ) -> Interpreter {
        Interpreter {
            heap,
            path,
            frames: Vec::new(),
            modules: FxHashMap::default(),
            builtins,
            libraries,
            traces: FxHashMap::default(),
            hints: FxHashMap::default(),
            remarks: FxHashMap::default(),
            selected: crate::native::Selected::default(),
            lost: Vec::new(),
            decisions: decisions::Decisions::new(script),
            budget,
            arguments: Vec::new(),
            waiting: Name::new("<yield 0>"),
            hooked: false,
            hashes: FxHashMap::default(),
            choices: FxHashMap::default(),
            explicit: Default::default(),
            nameless: Default::default(),
            truths: FxHashMap::default(),
            nones: FxHashMap::default(),
            lengths: FxHashMap::default(),
            vague: FxHashSet::default(),
            open_ends: 0,
            is_written_out: false,
            open_rounds: Vec::new(),
            has_endless: false,
            generals: 0,
            given_of_open: 0,
            general_elements: 0,
            supposed: 0,
            given_away: Vec::new(),
            nesting: 0,
            stack_start: stack_place(),
            showing: Vec::new(),
            elements: 0,
            handling: None,
            printed: None,
            steps: 0,
            tensor_class: None,
            violations: FxHashMap::default(),
            raising: FxHashMap::default(),
            called: FxHashSet::default(),
            open: false,
            doubtful: false,
            passed_over: false,
            unfollowed: None,
            importing: None,
            mentioned: FxHashSet::default(),
            written: Vec::new(),
            neighbours: Rc::default(),
            taken_for_granted: Vec::new(),
            makers: makers::Makers::default(),
            asked: Rc::default(),
            watched: Vec::new(),
            described: Vec::new(),
            target: None,
            options: Vec::new(),
            assumed: FxHashSet::default(),
            optional: FxHashSet::default(),
            offered: Vec::new(),
            complaints: Vec::new(),
            defaults: Vec::new(),
            misnamed: None,
            sizes: FxHashMap::default(),
            circumstance: None,
            explained: 0,
            kept_scopes: 0,
            answered: Default::default(),
            repeated: Default::default(),
            latest_spot: places::Latest::default(),
        }
    }

    /// What the program is called with, its own name first.
    pub fn set_arguments(&mut self, arguments: Vec<String>) {
        let values = arguments.iter().map(|argument| Value::text(argument)).collect();
        self.arguments = arguments;
        // A module that was loaded before this was known has to learn it.
        if let Some(&system) = self.modules.get("sys")
            && let Payload::Module { scope, .. } = self.heap.get(system).payload
        {
            let values = self.new_list(values);
            self.set_name(scope, Name::new("argv"), values);
        }
    }
    /// The state between two programs; what paths know is not part of it.
    pub fn snapshot(&self) -> Snapshot {
        let (mut heap, modules) = (self.heap.clone(), self.modules.clone());
        heap.changes.load(0, heap.len());
        Snapshot { heap, modules, builtins: self.builtins, tensor_class: self.tensor_class }
    }
    /// Goes back to an earlier state, on a path of its own.
    pub fn restore(&mut self, snapshot: &Snapshot, path: Path) {
        self.heap = snapshot.heap.clone();
        self.modules = snapshot.modules.clone();
        self.tensor_class = snapshot.tensor_class;
        self.path = path;
        self.decisions = decisions::Decisions::new(Vec::new());
        self.steps = 0;
        self.frames.clear();
        self.lost.clear();
        self.traces.clear();
        self.hints.clear();
        self.remarks.clear();
        self.selected.clear();
        self.violations.clear();
    }

    /// The rest of the built-in names, written in Python.
    fn prelude(&mut self) {
        let module = match crate::library::builtin("builtins", Some("builtins.py")) {
            Some(Ok(module)) => module,
            Some(Err(why)) => unreachable!("the prelude is Python: {why}"),
            None => return,
        };
        let builtins = self.builtins;
        if let Err(Flow::Raise(exception)) = self.execute_module(&module, builtins, "builtins") {
            unreachable!("the prelude runs: {}", self.describe_exception(exception));
        }
    }

    pub fn new_object(&mut self, class: Id, payload: Payload) -> Value {
        self.elements += match &payload {
            Payload::List(items) => items.len(),
            Payload::Dict(pairs) | Payload::Set(pairs) => 4 * pairs.len(),
            _ => 0,
        };
        Value::Object(self.heap.push(Object { class, attributes: Attributes::default(), payload }))
    }
    pub fn new_list(&mut self, items: Vec<Value>) -> Value {
        self.new_object(BuiltIn::List.class(), Payload::List(items))
    }
    pub fn new_dict(&mut self, pairs: Pairs) -> Value {
        self.new_object(BuiltIn::Dict.class(), Payload::Dict(pairs))
    }
    pub fn new_set(&mut self, pairs: Pairs) -> Value {
        self.new_object(BuiltIn::Set.class(), Payload::Set(pairs))
    }
    pub fn new_scope(&mut self, around: Option<Id>) -> Id {
        self.new_scope_with(around, Attributes::default())
    }
    /// A scope that has names from the start.
    pub fn new_scope_with(&mut self, around: Option<Id>, attributes: Attributes) -> Id {
        let payload = Payload::Scope { around };
        self.heap.push(Object { class: BuiltIn::Object.class(), attributes, payload })
    }
    /// Gives up a scope that is left, unless something was made since that keeps it.
    pub(super) fn leave_scope(&mut self, scope: Id, kept_before: u64) {
        if self.kept_scopes == kept_before {
            self.heap.forget(scope);
        }
    }

    pub fn set_name(&mut self, scope: Id, name: Name, value: Value) {
        self.heap.get_mut(scope).attributes.insert(name, value);
    }

    pub fn frame(&self) -> &Frame {
        &self.frames[self.frames.len() - 1]
    }
    pub fn frame_mut(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// Counts a step of work; a path that takes too many is given up.
    pub fn step(&mut self, at: Span) -> Outcome<()> {
        self.frame_mut().at = at;
        self.steps += 1;
        if self.steps > self.budget.steps || semantics::arena::is_used_up() {
            return Err(Flow::Stop(semantics::arena::USED_UP.into()));
        }
        if self.steps.is_multiple_of(32) || self.elements > MOST_ELEMENTS {
            self.check_budget()?;
        }
        Ok(())
    }

    /// Does something that may lead to itself again; too deep is an error as in Python.
    pub(crate) fn nested<T>(&mut self, f: impl FnOnce(&mut Interpreter) -> Outcome<T>) -> Outcome<T> {
        if self.nesting > DEEPEST {
            return self.raise("RecursionError", "maximum recursion depth exceeded");
        }
        if self.stack_start.abs_diff(stack_place()) > self.budget.stack {
            return Err(Flow::Stop("the program nests deeper than is followed".into()));
        }
        self.nesting += 1;
        let result = f(self);
        self.nesting -= 1;
        result
    }
    fn check_budget(&mut self) -> Outcome<()> {
        if self.heap.len() > self.budget.objects || self.elements > MOST_ELEMENTS {
            return Err(Flow::Stop("the program makes more objects than are followed".into()));
        }
        if memory::taken() > MOST_MEMORY {
            return Err(Flow::Stop("the analysis would take more memory than it is granted".into()));
        }
        if self.budget.until.is_some_and(Deadline::is_over) {
            return Err(Flow::Stop("the time for the analysis is over".into()));
        }
        Ok(())
    }
    /// Steps taken so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Counts steps that were taken before, for an answer that is known from then.
    pub(crate) fn take_steps(&mut self, steps: u64) {
        self.steps += steps;
    }

    pub fn class_name(&self, class: Id) -> Name {
        match &self.heap.get(class).payload {
            Payload::Class(class) => class.name,
            _ => Name::new("object"),
        }
    }
    /// The class of a value.
    pub fn class_of(&self, value: &Value) -> Option<Id> {
        Some(match value {
            Value::Object(id) => self.heap.get(*id).class,
            Value::Unknown(unknown) => unknown.kind?.class(),
            value => built_in_of(value)?.class(),
        })
    }
    /// "int", "Tensor": for messages.
    pub fn type_name(&self, value: &Value) -> String {
        self.class_of(value)
            .map_or_else(|| "something unknown".into(), |class| self.class_name(class).to_string())
    }
    pub fn payload(&self, value: &Value) -> Option<&Payload> {
        value.as_object().map(|id| &self.heap.get(id).payload)
    }
    /// The plain value inside an instance of a subclass of a built-in type.
    pub fn unwrapped(&self, value: &Value) -> Value {
        match self.payload(value) {
            Some(Payload::Wrapped(inner)) => inner.clone(),
            Some(Payload::Opaque(reason)) => {
                let kind = self.class_of(value).map(|class| self.layout(class));
                Value::unknown_of(kind.unwrap_or(BuiltIn::Object), &**reason)
            }
            Some(Payload::Many { .. }) => {
                Value::unknown_of(BuiltIn::List, "a list of which not all elements are known")
            }
            _ => value.clone(),
        }
    }
}

/// Elements that containers may be made of, all in all.
const MOST_ELEMENTS: usize = 6_000_000;
/// Bytes that one process takes for what it remembers.
const MOST_MEMORY: usize = 1 << 30;
/// Calls and other things inside one another, natives included.
const DEEPEST: usize = 4000;

/// Where the stack stands, about.
#[inline(never)]
fn stack_place() -> usize {
    let here = 0u8;
    std::ptr::from_ref(std::hint::black_box(&here)) as usize
}

fn built_in_of(value: &Value) -> Option<BuiltIn> {
    Some(match value {
        Value::None => BuiltIn::NoneType,
        Value::Ellipsis => BuiltIn::Ellipsis,
        Value::NotImplemented => BuiltIn::NotImplemented,
        Value::Bool(_) => BuiltIn::Bool,
        Value::Int(_) => BuiltIn::Int,
        Value::Float(_) => BuiltIn::Float,
        Value::Text(_) => BuiltIn::Text,
        Value::Bytes(_) => BuiltIn::Bytes,
        Value::Tuple(_) => BuiltIn::Tuple,
        Value::Slice(_) => BuiltIn::Slice,
        Value::Native(_) => BuiltIn::Function,
        Value::Method(_) => BuiltIn::Method,
        Value::Object(_) | Value::Unknown(_) => return None,
    })
}
