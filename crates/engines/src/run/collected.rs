//! What the rounds of a loop or a scan give, before it is put together.

use crate::evaluate::Reading;
use std::rc::Rc;

/// One list per output that is collected.
pub(super) struct Collected {
    lists: Vec<Vec<Rc<Reading>>>,
    bytes: usize,
}

impl Collected {
    pub fn new(outputs: usize) -> Collected {
        Collected { lists: vec![Vec::new(); outputs], bytes: 0 }
    }
    /// What one round gave.
    pub fn push(&mut self, outputs: &[Rc<Reading>]) {
        for (list, reading) in self.lists.iter_mut().zip(outputs) {
            self.bytes += reading.bytes();
            list.push(reading.clone());
        }
    }
    pub fn lists(&self) -> &[Vec<Rc<Reading>>] {
        &self.lists
    }
    pub fn is_empty(&self) -> bool {
        self.lists.iter().all(Vec::is_empty)
    }
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}
