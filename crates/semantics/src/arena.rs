//! Where the expressions of one analysis live.
//!
//! Every expression is a small `Copy` id into an arena of the current thread, entered by [`scope`]:
//! equal expressions have equal ids, nothing is reference-counted by hand, and everything is dropped
//! at once when the analysis ends. Only owned data (text, numbers, findings) may leave a scope.

use crate::dim::{Atom, Poly, SymbolData};
use crate::element::ElementNode;
use crate::prop::PropNode;
use crate::shape::{ShapeNode, ShapeVariableData};
use crate::tensor::TensorNode;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::hash::Hash;
use std::rc::Rc;

/// Runs `analysis` in an arena of its own and drops everything it built.
/// Scopes nest: the outer arena is untouched meanwhile.
pub fn scope<R>(analysis: impl FnOnce() -> R) -> R {
    struct Restore(Option<Arena>);
    impl Drop for Restore {
        fn drop(&mut self) {
            let outer = self.0.take().unwrap_or_default();
            let inner = ARENA.with(|arena| arena.replace(outer));
            // Dropped after the replacement: closures inside may still touch the thread's arena.
            drop(inner);
        }
    }
    let _restore = Restore(Some(ARENA.with(|arena| arena.replace(Arena::default()))));
    analysis()
}

/// How many expressions the current arena holds: a measure of memory for budgets.
pub fn population() -> usize {
    with(|arena| arena.polys.len() + arena.props.len() + arena.elements.len() + arena.tensors.len())
}

#[derive(Default)]
pub(crate) struct Arena {
    pub(crate) symbols: Vec<Rc<SymbolData>>,
    pub(crate) atoms: Interner<Atom>,
    pub(crate) polys: Interner<Poly>,
    pub(crate) props: Interner<PropNode>,
    pub(crate) shape_variables: Vec<Rc<ShapeVariableData>>,
    pub(crate) shapes: Interner<ShapeNode>,
    pub(crate) elements: Interner<ElementNode>,
    pub(crate) tensors: Vec<Rc<TensorNode>>,
}

thread_local!(static ARENA: RefCell<Arena> = RefCell::new(Arena::default()));

/// Short accesses only: `f` must not build expressions.
pub(crate) fn with<R>(f: impl FnOnce(&mut Arena) -> R) -> R {
    ARENA.with(|arena| f(&mut arena.borrow_mut()))
}

/// Gives equal values equal numbers.
pub(crate) struct Interner<T> {
    values: Vec<Rc<T>>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { values: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let number = u32::try_from(self.values.len()).expect("fewer than 2^32 expressions in one analysis");
        let value = Rc::new(value);
        self.values.push(value.clone());
        self.numbers.insert(value, number);
        number
    }
    pub(crate) fn get(&self, number: u32) -> Rc<T> {
        self.values[number as usize].clone()
    }
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}
