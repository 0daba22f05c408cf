//! The values known so far, and how much memory they take.

use crate::evaluate::Reading;
use program::ir::ValueId;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Values by number.
#[derive(Default)]
pub struct Values {
    known: FxHashMap<ValueId, Rc<Reading>>,
    /// What they take, in bytes.
    held: usize,
}

impl Values {
    pub fn get(&self, value: ValueId) -> Option<&Rc<Reading>> {
        self.known.get(&value)
    }
    pub fn insert(&mut self, value: ValueId, reading: Rc<Reading>) {
        self.held += reading.bytes();
        if let Some(replaced) = self.known.insert(value, reading) {
            self.held -= replaced.bytes();
        }
    }
    pub fn remove(&mut self, value: ValueId) {
        if let Some(removed) = self.known.remove(&value) {
            self.held -= removed.bytes();
        }
    }
    /// In bytes.
    pub fn held(&self) -> usize {
        self.held
    }
}
