//! Everything that can change, as numbered objects. A copy of the whole heap is cheap: what is not changed
//! is shared, so a branch can be tried and undone.

use crate::changes::Changes;
use crate::gradient::Gradient;
use crate::interpreter::{Autocast, Flow};
use crate::syntax::{Body, FunctionDef, Name, Source};
use crate::tape::Passes;
use crate::value::{Attributes, BuiltIn, Pairs, Value};
use crate::views::Views;
use semantics::dim::Dim;
use semantics::tensor::Tensor;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Id(u32);

impl Id {
    pub(crate) const fn of_built_in(number: u32) -> Id {
        Id(number)
    }
    pub(crate) fn numbered(number: usize) -> Id {
        Id(number as u32)
    }
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone)]
pub struct Object {
    pub class: Id,
    pub attributes: Attributes,
    pub payload: Payload,
}

/// No object, but room for one.
impl Default for Object {
    fn default() -> Object {
        Object { class: BuiltIn::Object.class(), attributes: Attributes::default(), payload: Payload::Hole }
    }
}

/// What an object is besides its attributes.
#[derive(Clone)]
pub enum Payload {
    Plain,
    /// Room for an object that another copy of the heap has, or that nobody can reach any more.
    Hole,
    List(Vec<Value>),
    /// A list of which the length is known, or what it depends on, and one element that stands for all.
    Many {
        element: Value,
        length: Dim,
    },
    Dict(Pairs),
    Set(Pairs),
    /// A container whose content is not known any more, and why.
    Opaque(Rc<str>),
    /// The keys, values or items of a dictionary, as they are when asked.
    View(Id, Part),
    /// An instance of a subclass of `int`, `str`, `tuple` and the like.
    Wrapped(Value),
    Tensor(Tensor, Gradient),
    Function(Rc<Function>),
    Class(Class),
    Module {
        name: Rc<str>,
        scope: Id,
    },
    /// Names in the attributes, and where to look further.
    Scope {
        around: Option<Id>,
    },
    /// What is still to come, last first.
    Iterator(Iterator),
    Property {
        get: Value,
        set: Value,
        delete: Value,
    },
    StaticMethod(Value),
    ClassMethod(Value),
    Super {
        after: Id,
        on: Value,
    },
    /// A body that is waiting at a `yield`.
    Generator(Box<Generator>),
}

/// A function that was left at a `yield`, as data: a copy of the heap copies where it stands.
#[derive(Clone)]
pub struct Generator {
    pub function: Rc<Function>,
    pub scope: Id,
    pub receiver: Option<Value>,
    /// What is left to do, innermost last.
    pub blocks: Vec<Block>,
    pub state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum State {
    Fresh,
    /// At a `yield`, which gives this name what is sent.
    Waiting(Name),
    Running,
    Done,
}

/// A statement, as the body it is in and its place there.
#[derive(Clone)]
pub struct Statement(pub Body, pub usize);

/// A statement that has begun and is not done.
#[derive(Clone)]
pub enum Block {
    /// Statements, and the next of them.
    Body(Body, usize),
    /// A loop, with how often its condition was open so far.
    While(Statement, usize),
    For(Statement, Value),
    /// The number of the item that is entered, and its manager.
    With(Statement, usize, Value),
    Try(Statement, Phase),
    /// `yield from`: what is walked through, and the name for what it returns.
    Delegate(Value, Name),
}

#[derive(Clone)]
pub enum Phase {
    Body,
    Else,
    /// A handler, with the exception that was being handled before.
    Handler(Value),
    /// `finally`, and how the rest ended.
    Last(Option<Flow>),
}

#[derive(Clone)]
pub struct Function {
    pub name: Name,
    /// A function of a library that is called as a method, which takes no `out`.
    pub is_method: bool,
    pub def: Rc<FunctionDef>,
    pub source: Rc<Source>,
    pub globals: Id,
    pub around: Option<Id>,
    /// Defaults in the order of `positional` and `keyword_only`.
    pub defaults: Vec<Option<Value>>,
    /// The class in whose body it was made, for `super()`.
    pub class: Option<Id>,
    /// Whether gradients are followed inside, where a decorator says so.
    pub follows_gradients: Option<bool>,
    /// A `__setattr__` that does nothing of its own with plain values: see `native/modules.rs`.
    pub lets_plain_pass: bool,
}

#[derive(Clone)]
pub struct Class {
    pub name: Name,
    pub bases: Vec<Id>,
    /// The class itself first, `object` last.
    pub order: Rc<[Id]>,
    /// The built-in type that instances are made of.
    pub layout: BuiltIn,
    pub is_library: bool,
    /// The program itself defines it.
    pub is_own: bool,
    /// It has a base that is not known, so it may have any attribute.
    pub is_open: bool,
}

/// What of a dictionary's pairs is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Keys,
    Values,
    Items,
}

#[derive(Clone)]
pub enum Iterator {
    /// Known elements, and the place of the next.
    Items(Rc<[Value]>, usize),
    /// A list is followed while it changes.
    List(Id, usize),
    /// Numbers, and how many were given; they are open if nobody wants to see them all.
    Range { next: Dim, stop: Dim, step: i64, given: usize, is_open: bool },
    /// Objects with `__getitem__` only.
    Indexed(Value, i64),
    /// Something of unknown length: an element that stands for all, and how often it was given.
    Unknown(Value, usize),
    /// `iter(callable, sentinel)`.
    Called(Value, Value),
    /// A dictionary or set, which may not grow meanwhile: the place of the next, and how many there were.
    Pairs(Id, Part, usize, usize),
}

/// Objects in a leaf, and leaves in a page.
const WIDTH: usize = 32;

/// Up to [`WIDTH`] things that copies share.
type Node<T> = [Option<Rc<T>>; WIDTH];
type Leaf = Node<Object>;
type Page = Node<Leaf>;

/// Objects by number, in a tree of which copies share everything: a copy costs nothing, and the first change after it
/// copies the way to what is changed.
#[derive(Clone, Default)]
pub struct Heap {
    pages: Rc<Vec<Rc<Page>>>,
    count: u32,
    /// Which tensors share their elements.
    views: Rc<Views>,
    hole: Rc<Object>,
    /// Whether gradients are followed; `None` if that is not known.
    pub follows_gradients: Option<bool>,
    /// The backward passes so far.
    pub passes: Passes,
    /// What holds of element types inside `torch.autocast`.
    pub autocast: Option<Autocast>,
    /// Which objects were changed, as far as somebody wants to know.
    pub(crate) changes: Changes,
}

impl Heap {
    /// A heap with the classes of Python itself at their fixed places.
    pub fn new() -> Heap {
        let mut heap = Heap { follows_gradients: Some(true), ..Heap::default() };
        let object = BuiltIn::Object.class();
        for built_in in BuiltIn::ALL {
            let class = built_in.class();
            let bases = match built_in {
                BuiltIn::Object => vec![],
                BuiltIn::Bool => vec![BuiltIn::Int.class()],
                _ => vec![object],
            };
            let order: Rc<[Id]> = match built_in {
                BuiltIn::Object => [object].into(),
                BuiltIn::Bool => [class, BuiltIn::Int.class(), object].into(),
                _ => [class, object].into(),
            };
            let name = Name::new(built_in.name());
            let payload = Payload::Class(Class {
                name,
                bases,
                order,
                layout: built_in,
                is_library: true,
                is_own: false,
                is_open: false,
            });
            let id = heap.push(Object {
                class: BuiltIn::Type.class(),
                attributes: Attributes::default(),
                payload,
            });
            debug_assert_eq!(id, class);
        }
        heap
    }
    /// Notes that a tensor shows elements of another.
    pub fn add_view(&mut self, view: Id, of: Id) {
        self.changes.note(view);
        Rc::make_mut(&mut self.views).add(view, of);
    }
    /// Whether two tensors share elements.
    pub fn share_elements(&self, one: Id, other: Id) -> bool {
        self.views.root(one) == self.views.root(other)
    }
    /// The tensors that share elements with one.
    pub fn sharing(&self, with: Id) -> Vec<Id> {
        let mut shared = self.views.sharing(with);
        shared.retain(|other| other.0 < self.count);
        shared
    }
    pub fn push(&mut self, object: Object) -> Id {
        self.push_shared(Rc::new(object))
    }
    pub(crate) fn push_shared(&mut self, object: Rc<Object>) -> Id {
        let id = Id(self.count);
        let [page, leaf, place] = way_to(id);
        let leaf = self.page_mut(page)[leaf].get_or_insert_default();
        Rc::make_mut(leaf)[place] = Some(object);
        self.count += 1;
        id
    }
    pub(crate) fn shared(&self, id: Id) -> Option<&Rc<Object>> {
        let [page, leaf, place] = way_to(id);
        self.pages.get(page)?[leaf].as_ref()?[place].as_ref()
    }
    pub fn get(&self, id: Id) -> &Object {
        self.shared(id).expect(NUMBERED)
    }
    pub fn get_mut(&mut self, id: Id) -> &mut Object {
        self.changes.note(id);
        let [page, leaf, place] = way_to(id);
        let page = Rc::make_mut(&mut Rc::make_mut(&mut self.pages)[page]);
        let leaf = Rc::make_mut(page[leaf].as_mut().expect(NUMBERED));
        Rc::make_mut(leaf[place].as_mut().expect(NUMBERED))
    }
    /// Puts another object in the place of one.
    pub(crate) fn put(&mut self, id: Id, object: Object) {
        self.put_shared(id, Rc::new(object));
    }
    pub(crate) fn put_shared(&mut self, id: Id, object: Rc<Object>) {
        self.changes.note(id);
        let [page, leaf, place] = way_to(id);
        let page = Rc::make_mut(&mut Rc::make_mut(&mut self.pages)[page]);
        Rc::make_mut(page[leaf].as_mut().expect(NUMBERED))[place] = Some(object);
    }
    /// Gives up an object that nobody can reach.
    pub(crate) fn forget(&mut self, id: Id) {
        self.put_shared(id, self.hole.clone());
    }
    pub fn len(&self) -> usize {
        self.count as usize
    }
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Leaves room for so many objects that another heap has.
    pub(crate) fn skip_to(&mut self, count: usize) {
        let hole = || Some(self.hole.clone());
        let leaf: Rc<Leaf> = Rc::new(std::array::from_fn(|_| hole()));
        while self.len() < count {
            let [page, place_of_leaf, place] = way_to(Id(self.count));
            if place == 0 && count - self.len() >= WIDTH {
                self.page_mut(page)[place_of_leaf] = Some(leaf.clone());
                self.count += WIDTH as u32;
            } else {
                self.push_shared(self.hole.clone());
            }
        }
    }
    /// This heap's objects, and those that the other made after them.
    pub(crate) fn joined_with(&self, other: &Heap) -> Heap {
        let mut joined = self.clone();
        if self.follows_gradients != other.follows_gradients {
            joined.follows_gradients = None;
        }
        if self.autocast != other.autocast {
            joined.autocast = Some(Autocast::Gpu);
        }
        joined.passes.join(&other.passes);
        joined.changes.join(&other.changes);
        while joined.count < other.count {
            let [page, leaf, place] = way_to(Id(joined.count));
            let theirs = &other.pages[page][leaf];
            if place == 0 {
                joined.page_mut(page)[leaf] = theirs.clone();
                joined.count = other.count.min(joined.count + WIDTH as u32);
            } else if let Some(object) = theirs.as_ref().and_then(|leaf| leaf[place].clone()) {
                joined.push_shared(object);
            }
        }
        joined
    }
    /// A page to be changed, made if it is the next.
    fn page_mut(&mut self, page: usize) -> &mut Page {
        let pages = Rc::make_mut(&mut self.pages);
        if page == pages.len() {
            pages.push(Rc::default());
        }
        Rc::make_mut(&mut pages[page])
    }
    /// The objects that two heaps of one origin hold differently; those that only one has are left out.
    pub fn differences(&self, other: &Heap) -> Vec<Id> {
        let mut found = Vec::new();
        let both = self.count.min(other.count);
        for (number, (mine, its)) in self.pages.iter().zip(other.pages.iter()).enumerate() {
            each_difference(mine, its, number, |leaf, mine, its| {
                each_difference(mine, its, leaf, |id, _, _| found.push(Id(id as u32)));
            });
        }
        found.retain(|id| id.0 < both);
        found
    }
}

/// Whoever has a number got it when the object was made.
const NUMBERED: &str = "objects are numbered as they are made";

/// The page, the leaf in it and the place in that.
fn way_to(id: Id) -> [usize; 3] {
    let number = id.number();
    [number / (WIDTH * WIDTH), number / WIDTH % WIDTH, number % WIDTH]
}

/// Calls `f` with what two nodes hold differently, and its number.
fn each_difference<T>(
    mine: &Rc<Node<T>>,
    its: &Rc<Node<T>>,
    number: usize,
    mut f: impl FnMut(usize, &Rc<T>, &Rc<T>),
) {
    if Rc::ptr_eq(mine, its) {
        return;
    }
    for (place, both) in mine.iter().zip(its.iter()).enumerate() {
        if let (Some(mine), Some(its)) = both
            && !Rc::ptr_eq(mine, its)
        {
            f(number * WIDTH + place, mine, its);
        }
    }
}
