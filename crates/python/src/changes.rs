//! Which objects of a heap were changed, told so cheaply that every change can be noted: the lowest number among them,
//! and whether what libraries made when they were loaded is as it was.

use crate::heap::Id;
use semantics::dim::SymbolId;
use std::cell::Cell;
use std::rc::Rc;

thread_local!(static LATEST: Cell<u64> = const { Cell::new(0) });

#[derive(Clone)]
pub(crate) struct Changes {
    /// The lowest number of a changed object since somebody asked.
    lowest: usize,
    /// What libraries made when they were loaded, as ranges of numbers, and a number for the state that it is in:
    /// copies of a heap with the same number hold the same.
    loaded: Rc<Vec<(usize, usize)>>,
    /// All that is loaded has lower numbers.
    end: usize,
    state: u64,
    /// How many symbols there were when the state began: it cannot speak of later ones.
    symbols: usize,
    /// Objects in which libraries write for others to look up: whoever does is told from those that do not, so what is
    /// written is no part of the state.
    books: Rc<Vec<Id>>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes {
            lowest: usize::MAX,
            loaded: Rc::default(),
            end: 0,
            state: 0,
            symbols: 0,
            books: Rc::default(),
        }
    }
}

impl Changes {
    pub(crate) fn note(&mut self, id: Id) {
        self.lowest = self.lowest.min(id.number());
        if self.is_loaded(id) && !self.books.contains(&id) {
            self.begin_state();
        }
    }
    fn begin_state(&mut self) {
        self.state = next_state();
        self.symbols = semantics::arena::symbols_made();
    }
    /// Whether a symbol was made after the last change of what libraries hold.
    pub(crate) fn is_later(&self, symbol: SymbolId) -> bool {
        symbol.number() >= self.symbols
    }
    /// Whether an object was made while a library was loaded.
    pub(crate) fn is_loaded(&self, id: Id) -> bool {
        let number = id.number();
        number < self.end && self.loaded.iter().rev().any(|&(from, to)| from <= number && number < to)
    }
    /// Notes that a library has made the objects with these numbers.
    pub(crate) fn load(&mut self, from: usize, to: usize) {
        let loaded = Rc::make_mut(&mut self.loaded);
        loaded.retain(|&(start, end)| !(from <= start && end <= to));
        loaded.push((from, to));
        self.end = self.end.max(to);
        self.begin_state();
    }
    /// From now on an object is only written and looked up in.
    pub(crate) fn keep_book(&mut self, book: Id) {
        Rc::make_mut(&mut self.books).push(book);
    }
    /// What is found in a book is neither an argument nor a part of the state: it counts as a change.
    pub(crate) fn look_up(&mut self, book: Id) {
        self.lowest = self.lowest.min(book.number());
    }
    pub(crate) fn state(&self) -> u64 {
        self.state
    }
    /// Looks for changes from here on; the answer goes back to [`Changes::end`].
    pub(crate) fn begin(&mut self) -> usize {
        std::mem::replace(&mut self.lowest, usize::MAX)
    }
    /// The lowest number that was changed since the beginning.
    pub(crate) fn end(&mut self, begun: usize) -> usize {
        let lowest = self.lowest;
        self.lowest = lowest.min(begun);
        lowest
    }
    /// Of a heap that is one or the other.
    pub(crate) fn join(&mut self, other: &Changes) {
        self.lowest = self.lowest.min(other.lowest);
        if self.state != other.state {
            self.begin_state();
        }
        if other.loaded.len() > self.loaded.len() {
            self.loaded = other.loaded.clone();
        }
        self.end = self.end.max(other.end);
        if other.books.len() > self.books.len() {
            self.books = other.books.clone();
        }
    }
}

fn next_state() -> u64 {
    LATEST.with(|latest| {
        latest.set(latest.get() + 1);
        latest.get()
    })
}
