//! Where the expressions of one analysis live.
//!
//! Every expression is a small `Copy` id into an arena of the current thread, entered by [`scope`]:
//! equal expressions have equal ids, nothing is reference-counted by hand, and everything is dropped
//! at once when the analysis ends. Only owned data (text, numbers, findings) may leave a scope.

use crate::dim::{Atom, Poly, SymbolData, SymbolId};
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
    within(Arena::default(), analysis)
}

/// An arena as it stood, from which several analyses can go on.
pub struct Kept(Arena);

/// What the current arena holds.
pub fn keep() -> Kept {
    Kept(ARENA.with(|arena| arena.borrow().clone()))
}

/// As [`scope`], with everything that was kept: its expressions mean the same here.
pub fn scope_from<R>(kept: &Kept, analysis: impl FnOnce() -> R) -> R {
    within(kept.0.clone(), analysis)
}

fn within<R>(inner: Arena, analysis: impl FnOnce() -> R) -> R {
    struct Restore(Option<Arena>);
    impl Drop for Restore {
        fn drop(&mut self) {
            let outer = self.0.take().unwrap_or_default();
            let inner = ARENA.with(|arena| arena.replace(outer));
            // Dropped after the replacement: closures inside may still touch the thread's arena.
            drop(inner);
        }
    }
    let _restore = Restore(Some(ARENA.with(|arena| arena.replace(inner))));
    analysis()
}

/// Limits the work of the analysis from here on. Whoever loops over expressions asks [`is_used_up`] and gives
/// up with a reason; nothing stops by itself.
pub fn allow(work: u64) {
    with(|arena| arena.allowed = arena.work.saturating_add(work));
}

/// Whether the work that [`allow`] granted is done. Every access to the arena counts, so that time and memory
/// are bounded alike, and the same on every machine.
pub fn is_used_up() -> bool {
    with(|arena| arena.work > arena.allowed)
}

/// How many symbols were made so far: who made none has answered with what was there before.
pub fn symbols_made() -> usize {
    with(|arena| arena.symbols.len())
}

/// The reason that everybody gives who stops because of [`is_used_up`].
pub const USED_UP: &str = "the budget of the analysis is used up";

#[derive(Clone)]
pub(crate) struct Arena {
    work: u64,
    allowed: u64,
    /// What stands for sums and statements that have grown too long to follow.
    pub(crate) shortened_polys: FxHashMap<Poly, SymbolId>,
    pub(crate) shortened_props: FxHashMap<PropNode, u32>,
    pub(crate) symbols: Vec<Rc<SymbolData>>,
    pub(crate) atoms: Interner<Atom>,
    pub(crate) polys: Interner<Poly>,
    pub(crate) props: Interner<PropNode>,
    pub(crate) shape_variables: Vec<Rc<ShapeVariableData>>,
    pub(crate) shapes: Interner<ShapeNode>,
    pub(crate) elements: Interner<ElementNode>,
    pub(crate) tensors: Vec<Rc<TensorNode>>,
}

impl Default for Arena {
    fn default() -> Arena {
        Arena {
            work: 0,
            allowed: u64::MAX,
            shortened_polys: FxHashMap::default(),
            shortened_props: FxHashMap::default(),
            symbols: Vec::new(),
            atoms: Interner::default(),
            polys: Interner::default(),
            props: Interner::default(),
            shape_variables: Vec::new(),
            shapes: Interner::default(),
            elements: Interner::default(),
            tensors: Vec::new(),
        }
    }
}

thread_local!(static ARENA: RefCell<Arena> = RefCell::new(Arena::default()));

/// Short accesses only: `f` must not build expressions.
pub(crate) fn with<R>(f: impl FnOnce(&mut Arena) -> R) -> R {
    ARENA.with(|arena| {
        let mut arena = arena.borrow_mut();
        arena.work += 1;
        f(&mut arena)
    })
}

/// Gives equal values equal numbers.
pub(crate) struct Interner<T> {
    values: Vec<Rc<T>>,
    /// How large each value is when written out, everything shared counted as often as it occurs.
    weights: Vec<u32>,
    numbers: FxHashMap<Rc<T>, u32>,
}

impl<T> Clone for Interner<T> {
    fn clone(&self) -> Self {
        Interner { values: self.values.clone(), weights: self.weights.clone(), numbers: self.numbers.clone() }
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Interner { values: Vec::new(), weights: Vec::new(), numbers: FxHashMap::default() }
    }
}

impl<T: Eq + Hash> Interner<T> {
    pub(crate) fn intern(&mut self, value: T) -> u32 {
        self.intern_weighing(value, 1)
    }
    pub(crate) fn intern_weighing(&mut self, value: T, weight: u32) -> u32 {
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let number = u32::try_from(self.values.len()).expect("fewer than 2^32 expressions in one analysis");
        let value = Rc::new(value);
        self.values.push(value.clone());
        self.weights.push(weight);
        self.numbers.insert(value, number);
        number
    }
    pub(crate) fn get(&self, number: u32) -> Rc<T> {
        self.values[number as usize].clone()
    }
    pub(crate) fn weight(&self, number: u32) -> u32 {
        self.weights[number as usize]
    }
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }
}
