//! Calls of library functions and layers that have been followed before with arguments that look the same, and layers
//! that are made of the same numbers.
//!
//! The rounds of a training loop, and the blocks of a network, ask the same of the same layers again and again. A call
//! that told nothing, asked the solver nothing, made no symbol and changed nothing that was there before depends on no
//! more than what its arguments look like, all that they hold included, and on what libraries hold themselves. It is
//! not executed again: tensors that look like its results are made instead, and its work is counted as if it had been.
//! Unknown sizes, such as that of a last batch, are told apart by their ranges only.

use super::Autocast;
use super::looks::{Look, Looking, is_given};
use super::{Interpreter, Outcome};
use crate::gradient::Gradient;
use crate::heap::{Function, Heap, Id, Payload};
use crate::kept::Kept;
use crate::native::{Keywords, Told};
use crate::syntax::Name;
use crate::tape::{Passes, Trace};
use crate::value::{Key, Value};
use program::path::Plain;
use rustc_hash::{FxBuildHasher, FxHashMap};
use semantics::between::Between;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::dtype::{DType, Kind};
use semantics::shape::Shape;
use semantics::tensor::Tensor;
use smallvec::SmallVec;
use std::hash::{BuildHasher, Hash, Hasher};
use std::rc::Rc;

/// Results that hold others deeper than this are not taken apart.
const DEEPEST: usize = 60;

/// What calls have given so far.
#[derive(Default)]
pub struct Repeated(FxHashMap<Question, Rc<Known>>);

/// A call as far as its answer can depend on it.
#[derive(PartialEq, Eq)]
struct Question {
    /// Of all the rest, found once: questions are long.
    hash: u64,
    /// None where a class is called, which is the first thing looked at.
    function: Option<*const Function>,
    /// What libraries hold, whether gradients are followed, and how types are cast.
    state: u64,
    modes: (Option<bool>, Option<Autocast>),
    looks: Vec<Look>,
}

impl Hash for Question {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.hash);
    }
}

/// What a call gave, and what it took.
struct Known {
    result: Made,
    /// The unknown integers of its arguments that others may stand for.
    symbols: Vec<Dim>,
    /// Which of the objects it met are tensors that were computed from others, and whether tensors were kept for them.
    sources: Vec<usize>,
    saves: bool,
    /// The tensors that were kept, and by which function: among the objects it met, or among those of the result.
    kept: Vec<(Whose, &'static str)>,
    plain: Plain,
    steps: u64,
    /// Alive as long as its address stands for it.
    _function: Option<Rc<Function>>,
}

#[derive(Clone, Copy)]
enum Whose {
    Seen(usize),
    Made(usize),
}

/// How a result is made again.
enum Made {
    Plain(Value),
    /// An object that an argument holds, by the number under which it was met.
    Seen(usize),
    /// An object of the result that was made already, by its number.
    Again(usize),
    Tuple(Vec<Made>),
    Tensor(Box<MadeTensor>),
    Object(Box<MadeObject>),
}

struct MadeObject {
    class: Id,
    inside: Inside,
    attributes: Vec<(Name, Made)>,
}

enum Inside {
    Nothing,
    List(Vec<Made>),
    Dict(Vec<(Key, Value, Made)>),
    Wrapped(Made),
}

struct MadeTensor {
    class: Id,
    name: Rc<str>,
    kind: Kind,
    shape: Shape,
    between: Option<Between>,
    /// Between what its floats lie at first.
    within: Option<(f64, f64)>,
    gradient: Gradient,
    attributes: Vec<(Name, Value)>,
    /// The object of an argument with which it shares its elements.
    shares_with: Option<usize>,
}

/// A call that may be one of those seen before.
pub(super) struct Asked {
    question: Question,
    seen: Vec<Id>,
    symbols: Vec<Dim>,
}

/// Where the analysis stood when a call began.
pub(super) struct Begun {
    asked: Asked,
    objects: usize,
    changes: usize,
    symbols: usize,
    told: Told,
    plain: Plain,
    steps: u64,
    traces: usize,
    /// How many steps are followed.
    followed: Option<usize>,
}

impl Interpreter {
    /// The call as a question, if it can be compared with others: only calls with tensors are worth it.
    pub(super) fn asked(
        &self,
        function: &Rc<Function>,
        positional: &[Value],
        keywords: &Keywords,
    ) -> Option<Asked> {
        let is_comparable = self.heap.changes.is_loaded(function.globals)
            && !function.def.is_generator
            && !function.def.is_async
            && matches!(positional.first(), Some(Value::Object(_)));
        if !is_comparable {
            return None;
        }
        let looking = self.look_at(None, positional, keywords)?;
        (looking.tensors > 0).then(|| self.question(Some(Rc::as_ptr(function)), looking))
    }
    /// The making of a layer as a question: those of numbers and names are often made alike.
    pub(super) fn asked_to_make(
        &self,
        class: Id,
        positional: &[Value],
        keywords: &Keywords,
    ) -> Option<Asked> {
        let is_simple = |value: &Value| match value {
            Value::Object(id) => self.heap.changes.is_loaded(*id),
            Value::Int(number) => number.known().is_some(),
            value => {
                !matches!(value, Value::Tuple(items) if items.iter().any(|item| item.as_int().is_none()))
            }
        };
        let is_layer = self.heap.changes.is_loaded(class)
            && positional.iter().chain(keywords.iter().map(|(_, value)| value)).all(is_simple)
            && self.in_order(class, Name::MODULES).is_some();
        if !is_layer {
            return None;
        }
        Some(self.question(None, self.look_at(Some(&Value::Object(class)), positional, keywords)?))
    }
    /// All that a call is given, after the class that is called.
    fn look_at(
        &self,
        class: Option<&Value>,
        positional: &[Value],
        keywords: &Keywords,
    ) -> Option<Looking<'_>> {
        let mut looking = Looking::of(self);
        for value in class.into_iter().chain(positional) {
            looking.value(value, 0)?;
        }
        for (name, value) in keywords {
            looking.looks.push(Look::Name(*name));
            looking.value(value, 0)?;
        }
        looking.end();
        Some(looking)
    }
    fn question(&self, function: Option<*const Function>, looking: Looking) -> Asked {
        let Looking { looks, seen, symbols, .. } = looking;
        let (state, modes) = (self.heap.changes.state(), self.heap.modes());
        let hash = FxBuildHasher.hash_one((function, state, modes, &looks));
        Asked { question: Question { hash, function, state, modes, looks }, seen, symbols }
    }
    /// What a call gives that was followed before.
    pub(super) fn repeat(&mut self, asked: &Asked) -> Option<Value> {
        let known = self.repeated.0.get(&asked.question)?.clone();
        self.path.plain.calls += known.plain.calls;
        self.path.plain.requirements += known.plain.requirements;
        self.take_steps(known.steps);
        let traces =
            known.sources.iter().filter_map(|&place| match self.heap.get(asked.seen[place]).payload {
                Payload::Tensor(_, gradient) => gradient.trace(),
                _ => None,
            });
        // Parameters of layers are among what it hangs on.
        let trace = Trace::of(&traces.collect::<SmallVec<[Trace; 4]>>(), known.saves, true);
        let like = Like { seen: &asked.seen, symbols: &known.symbols, now: &asked.symbols, trace };
        let mut made = Vec::new();
        let result = self.make_again(&known.result, &like, &mut made);
        if !known.kept.is_empty() {
            let kept = known.kept.iter().filter_map(|&(whose, by)| {
                let tensor = match whose {
                    Whose::Seen(place) => asked.seen[place],
                    Whose::Made(number) => made[number].as_object()?,
                };
                Some(Kept { tensor, version: self.heap.passes.version(tensor), by })
            });
            trace.keep(kept);
        }
        Some(result)
    }
    pub(super) fn begin_call(&mut self, asked: Asked) -> Begun {
        Begun {
            asked,
            objects: self.heap.len(),
            changes: self.heap.changes.begin(),
            symbols: semantics::arena::symbols_made(),
            told: Told::of(self),
            plain: self.path.plain,
            steps: self.steps(),
            traces: Trace::count(),
            followed: self.path.made.as_ref().map(Vec::len),
        }
    }
    /// Remembers what a call gave, if it depends on nothing that was not looked at.
    pub(super) fn end_call(&mut self, begun: Begun, function: Option<&Rc<Function>>, result: &Outcome) {
        let changed = self.heap.changes.end(begun.changes);
        let Ok(value) = result else { return };
        if changed < begun.objects
            || Told::of(self) != begun.told
            || semantics::arena::symbols_made() != begun.symbols
            // Where its tensors come from would not be known of others.
            || self.path.made.as_ref().map(Vec::len) != begun.followed
        {
            return;
        }
        let question = begun.asked.question;
        if question.state != self.heap.changes.state() || question.modes != self.heap.modes() {
            return;
        }
        let Asked { seen, symbols, .. } = begun.asked;
        let is_exact = symbols.is_empty();
        let mut taking = Taking {
            heap: &self.heap,
            objects: begun.objects,
            seen: &seen,
            is_exact,
            results: Vec::new(),
            traces: Vec::new(),
        };
        let Some(result) = taking.value(value, 0) else { return };
        let plain = Plain {
            calls: self.path.plain.calls - begun.plain.calls,
            requirements: self.path.plain.requirements - begun.plain.requirements,
        };
        let steps = self.steps() - begun.steps;
        let saves = taking.traces.iter().any(|trace| trace.saves_since(begun.traces));
        let is_derived =
            |id: &Id| matches!(self.heap.get(*id).payload, Payload::Tensor(_, Gradient::Derived(_)));
        let sources = match taking.traces.is_empty() {
            true => Vec::new(),
            false => (0..seen.len()).filter(|&place| is_derived(&seen[place])).collect(),
        };
        let kept = taking.kept(begun.traces, &self.heap.passes);
        let known =
            Known { result, symbols, sources, saves, kept, plain, steps, _function: function.cloned() };
        self.repeated.0.insert(question, Rc::new(known));
    }

    /// The objects of the result are numbered in the order in which they are made.
    fn make_again(&mut self, made: &Made, like: &Like, so_far: &mut Vec<Value>) -> Value {
        match made {
            Made::Plain(value) => like.value(value),
            Made::Seen(number) => Value::Object(like.seen[*number]),
            Made::Again(number) => so_far[*number].clone(),
            Made::Tuple(items) => Value::tuple(items.iter().map(|item| self.make_again(item, like, so_far))),
            Made::Object(made) => {
                let object = self.new_object(made.class, Payload::Plain);
                so_far.push(object.clone());
                let mut again = |made: &Made| self.make_again(made, like, so_far);
                let payload = match &made.inside {
                    Inside::Nothing => Payload::Plain,
                    Inside::List(items) => Payload::List(items.iter().map(again).collect()),
                    Inside::Dict(pairs) => {
                        let pairs =
                            pairs.iter().map(|(key, name, made)| (key.clone(), (name.clone(), again(made))));
                        Payload::Dict(pairs.collect())
                    }
                    Inside::Wrapped(inner) => Payload::Wrapped(again(inner)),
                };
                let attributes: Vec<(Name, Value)> = made
                    .attributes
                    .iter()
                    .map(|(name, made)| (*name, self.make_again(made, like, so_far)))
                    .collect();
                if let Value::Object(id) = object {
                    let object = self.heap.get_mut(id);
                    object.payload = payload;
                    object.attributes.extend(attributes);
                }
                object
            }
            Made::Tensor(made) => {
                let given = Tensor::given(&made.name, made.kind, like.shape(made.shape));
                let tensor = made.between.map_or(given, |span| given.lying_between(span));
                let tensor = made.within.map_or(tensor, |(low, high)| tensor.within(low, high));
                let gradient = match made.gradient {
                    Gradient::Derived(_) => Gradient::Derived(like.trace),
                    Gradient::Leaf(_) => Gradient::Leaf(Trace::of(&[], false, false)),
                    other => other,
                };
                let value = self.new_tensor_with(tensor, gradient);
                so_far.push(value.clone());
                if let Value::Object(id) = value {
                    let object = self.heap.get_mut(id);
                    object.class = made.class;
                    let attributes = made.attributes.iter().map(|(name, value)| (*name, like.value(value)));
                    object.attributes.extend(attributes);
                    if let Some(number) = made.shares_with {
                        self.heap.add_view(id, like.seen[number]);
                    }
                }
                value
            }
        }
    }
}

/// What a call is given now where it was given something like it before.
struct Like<'r> {
    /// The objects of its arguments.
    seen: &'r [Id],
    /// The unknown integers of then and now.
    symbols: &'r [Dim],
    now: &'r [Dim],
    /// What the results were computed from.
    trace: Trace,
}

impl Like<'_> {
    fn integer(&self, number: Dim) -> Dim {
        self.symbols.iter().position(|then| then.id() == number.id()).map_or(number, |place| self.now[place])
    }
    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Int(number) => Value::Int(self.integer(*number)),
            Value::Tuple(items) => Value::tuple(items.iter().map(|item| self.value(item))),
            value => value.clone(),
        }
    }
    fn shape(&self, shape: Shape) -> Shape {
        match shape.sizes().filter(|_| !self.symbols.is_empty()) {
            Some(sizes) => Shape::new(sizes.into_iter().map(|size| self.integer(size))),
            None => shape,
        }
    }
}

/// Takes a result apart; each answer is `None` for what cannot be made again.
struct Taking<'r> {
    heap: &'r Heap,
    /// How many objects there were before the call.
    objects: usize,
    seen: &'r [Id],
    /// The answer is for these symbols and no others.
    is_exact: bool,
    /// The objects of the result, by number, and what the tensors among them were computed from.
    results: Vec<Id>,
    traces: Vec<Trace>,
}

impl Taking<'_> {
    /// The tensors that were kept in the call and are as they were.
    fn kept(&self, begin: usize, passes: &Passes) -> Vec<(Whose, &'static str)> {
        let kept = self.traces.iter().flat_map(|trace| trace.kept_since(begin));
        let kept = kept.filter(|kept| kept.version == passes.version(kept.tensor)).filter_map(|kept| {
            let number = self.results.iter().position(|&made| made == kept.tensor);
            let whose = number.map(Whose::Made).or_else(|| self.place(kept.tensor).map(Whose::Seen))?;
            Some((whose, kept.by))
        });
        kept.collect()
    }
    fn value(&mut self, value: &Value, depth: usize) -> Option<Made> {
        if depth > DEEPEST {
            return None;
        }
        Some(match value {
            value if self.is_plain(value) => Made::Plain(value.clone()),
            Value::Tuple(items) => Made::Tuple(self.all(items, depth)?),
            Value::Object(id) if self.heap.changes.is_loaded(*id) => Made::Plain(value.clone()),
            Value::Object(id) if id.number() < self.objects => Made::Seen(self.place(*id)?),
            Value::Object(id) => self.object(*id, depth)?,
            _ => return None,
        })
    }
    fn all(&mut self, values: &[Value], depth: usize) -> Option<Vec<Made>> {
        values.iter().map(|value| self.value(value, depth + 1)).collect()
    }
    /// Whether a value can be told as it is, or with other symbols in it.
    fn is_plain(&self, value: &Value) -> bool {
        match value {
            Value::None | Value::Float(_) | Value::Text(_) => true,
            Value::Bool(truth) => self.is_exact || truth.known().is_some(),
            Value::Int(number) => self.is_telling(*number),
            _ => false,
        }
    }
    fn is_telling(&self, number: Dim) -> bool {
        self.is_exact || number.known().is_some() || number.as_atom().is_some_and(is_symbol)
    }
    fn place(&self, id: Id) -> Option<usize> {
        self.seen.iter().position(|&other| other == id)
    }
    fn object(&mut self, id: Id, depth: usize) -> Option<Made> {
        // An object that stands in two places of a result is one.
        if let Some(number) = self.results.iter().position(|&other| other == id) {
            return Some(Made::Again(number));
        }
        let heap = self.heap;
        let object = heap.get(id);
        if let Payload::Tensor(tensor, gradient) = object.payload {
            self.traces.extend(gradient.trace());
            let shares = |&other: &Id| heap.share_elements(id, other);
            let shares_with = self.seen.iter().position(shares);
            if shares_with.is_none() && self.results.iter().any(shares) {
                return None;
            }
            self.results.push(id);
            return self.tensor(tensor, gradient, id, shares_with).map(|made| Made::Tensor(Box::new(made)));
        }
        if !heap.changes.is_loaded(object.class) {
            return None;
        }
        self.results.push(id);
        let inside = match &object.payload {
            Payload::Plain => Inside::Nothing,
            Payload::List(items) => Inside::List(self.all(items, depth)?),
            Payload::Dict(pairs) => {
                let mut made = Vec::with_capacity(pairs.len());
                for (key, (name, value)) in pairs {
                    let Key::Text(_) = key else { return None };
                    made.push((key.clone(), name.clone(), self.value(value, depth + 1)?));
                }
                Inside::Dict(made)
            }
            Payload::Wrapped(inner) => Inside::Wrapped(self.value(inner, depth + 1)?),
            _ => return None,
        };
        let mut attributes = Vec::with_capacity(object.attributes.len());
        for (name, value) in object.attributes.iter() {
            attributes.push((*name, self.value(value, depth + 1)?));
        }
        Some(Made::Object(Box::new(MadeObject { class: object.class, inside, attributes })))
    }
    fn tensor(
        &self,
        tensor: Tensor,
        gradient: Gradient,
        id: Id,
        shares_with: Option<usize>,
    ) -> Option<MadeTensor> {
        let object = self.heap.get(id);
        let DType::Known(kind) = tensor.dtype() else { return None };
        let sizes = tensor.shape().sizes()?;
        if !is_given(tensor) || !sizes.iter().all(|&size| self.is_telling(size)) {
            return None;
        }
        let between = tensor.between();
        let is_bounded_by_symbols =
            between.is_some_and(|span| span.low.known().is_none() || span.high.known().is_none());
        if is_bounded_by_symbols && !self.is_exact {
            return None;
        }
        let attributes = object.attributes.iter().map(|(name, value)| {
            let is_plain = match value {
                Value::Tuple(items) => items.iter().all(|item| self.is_plain(item)),
                value => self.is_plain(value),
            };
            is_plain.then(|| (*name, value.clone()))
        });
        Some(MadeTensor {
            class: object.class,
            name: tensor.name(),
            kind,
            shape: tensor.shape(),
            between,
            within: tensor.declared_range(),
            gradient,
            attributes: attributes.collect::<Option<_>>()?,
            shares_with,
        })
    }
}

fn is_symbol(atom: AtomId) -> bool {
    matches!(atom.view(), AtomView::Symbol(_))
}
