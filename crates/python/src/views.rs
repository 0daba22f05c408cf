//! Tensors that share their elements: a change of one makes what is known of the others void.

use crate::heap::Id;
use rustc_hash::FxHashMap;

#[derive(Clone, Default)]
pub struct Views {
    /// What a view was taken of in the first place.
    roots: FxHashMap<Id, Id>,
    of_root: FxHashMap<Id, Vec<Id>>,
}

impl Views {
    pub fn add(&mut self, view: Id, of: Id) {
        let root = self.root(of);
        if view != root && self.roots.insert(view, root) != Some(root) {
            self.of_root.entry(root).or_default().push(view);
        }
    }
    /// What a tensor is a view of in the first place: itself, if it is none.
    pub fn root(&self, of: Id) -> Id {
        self.roots.get(&of).copied().unwrap_or(of)
    }
    /// The tensors that share elements with one.
    pub fn sharing(&self, with: Id) -> Vec<Id> {
        let root = self.root(with);
        let views = self.of_root.get(&root).into_iter().flatten().copied();
        [root].into_iter().chain(views).filter(|&other| other != with).collect()
    }
}
