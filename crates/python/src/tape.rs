//! What tensors were computed from, as far as gradients flow: the graph that a backward pass walks, and frees.
//!
//! Nodes are only ever added, and every path of a program shares them; the backward passes are those of a path.

use crate::heap::Id;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::rc::Rc;

/// The node of a tensor, if it is known.
///
/// Two tensors that differ in nothing else are alike: what a tensor was computed from is told of it, not part of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace(Option<NonZeroU32>);

impl PartialEq for Trace {
    fn eq(&self, _: &Trace) -> bool {
        true
    }
}
impl Eq for Trace {}
impl Hash for Trace {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

struct Node {
    /// Where its parents begin, and how many there are.
    first: u32,
    count: u32,
    /// Its backward pass needs tensors that were kept for it, and are freed after it.
    saves: bool,
    /// It hangs on more than its parents.
    is_open: bool,
}

#[derive(Default)]
struct Tape {
    nodes: Vec<Node>,
    parents: Vec<NonZeroU32>,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Walks that see more nodes give up.
const LONGEST: usize = 20_000;

impl Trace {
    /// The node of what is computed from others.
    pub fn of(parents: &[Trace], saves: bool, is_open: bool) -> Trace {
        TAPE.with_borrow_mut(|tape| {
            let first = tape.parents.len() as u32;
            tape.parents.extend(parents.iter().filter_map(|parent| parent.0));
            let count = tape.parents.len() as u32 - first;
            let is_open = is_open || (count as usize) < parents.len();
            tape.nodes.push(Node { first, count, saves, is_open });
            Trace(NonZeroU32::new(tape.nodes.len() as u32))
        })
    }
    /// The node of what is one or the other.
    pub fn either(self, other: Trace) -> Trace {
        if self.0 == other.0 { self } else { Trace(None) }
    }
    /// How many nodes there are.
    pub fn count() -> usize {
        TAPE.with_borrow(|tape| tape.nodes.len())
    }
    /// Whether anything is kept for the backward pass of this node or of those before it, back to the given number of
    /// nodes.
    pub fn saves_since(self, begin: usize) -> bool {
        let mut saves = false;
        walk(&[self], |number, node| {
            saves |= node.saves;
            number.get() as usize > begin && !saves
        });
        saves
    }
}

/// Visits every node that some hang on, each once, those below only where the visitor wants it. Gives the nodes, and
/// whether they are all; `None` if there are too many.
fn walk(
    from: &[Trace],
    mut visit: impl FnMut(NonZeroU32, &Node) -> bool,
) -> Option<(FxHashSet<NonZeroU32>, bool)> {
    let mut is_whole = from.iter().all(|trace| trace.0.is_some());
    let mut open: Vec<NonZeroU32> = from.iter().filter_map(|trace| trace.0).collect();
    let mut seen: FxHashSet<NonZeroU32> = open.iter().copied().collect();
    TAPE.with_borrow(|tape| {
        while let Some(number) = open.pop() {
            let node = &tape.nodes[number.get() as usize - 1];
            is_whole &= !node.is_open;
            if !visit(number, node) {
                continue;
            }
            for &parent in &tape.parents[node.first as usize..][..node.count as usize] {
                if seen.insert(parent) {
                    open.push(parent);
                }
            }
            if seen.len() > LONGEST {
                return None;
            }
        }
        Some((seen, is_whole))
    })
}

/// The backward passes of a path.
#[derive(Clone, Default)]
pub struct Passes {
    /// Nodes of which nothing is kept any more.
    freed: Rc<FxHashSet<NonZeroU32>>,
    count: u32,
    /// Where the last ones began.
    recent: Rc<VecDeque<(u32, Vec<Trace>)>>,
    /// After how many passes a gradient was taken away.
    cleared: Rc<FxHashMap<Id, u32>>,
    /// It is not known which passes there were.
    is_vague: bool,
    /// How often they were asked for or changed.
    asked: Cell<u64>,
}

/// So many passes are remembered.
const RECENT: usize = 8;

impl Passes {
    /// A backward pass, which frees what it used unless it keeps it, and leaves gradients if it counts. Gives whether it
    /// can be: not if an earlier one has freed what it needs.
    pub fn go(&mut self, from: Vec<Trace>, keeps: bool, is_counted: bool) -> bool {
        self.note();
        let mut is_freed = false;
        if !self.freed.is_empty() {
            walk(&from, |number, node| {
                is_freed |= node.saves && self.freed.contains(&number);
                !is_freed
            });
        }
        if is_freed {
            return false;
        }
        if !keeps && let Some((nodes, _)) = walk(&from, |_, _| true) {
            let freed = Rc::make_mut(&mut self.freed);
            if freed.len() > LONGEST {
                freed.clear();
            }
            freed.extend(nodes);
        }
        if !is_counted {
            return true;
        }
        self.count += 1;
        let recent = Rc::make_mut(&mut self.recent);
        recent.push_back((self.count, from));
        if recent.len() > RECENT {
            recent.pop_front();
        }
        true
    }
    /// Takes the gradient of a tensor away.
    pub fn clear(&mut self, tensor: Id) {
        self.note();
        Rc::make_mut(&mut self.cleared).insert(tensor, self.count);
    }
    /// Whether a tensor has got a gradient since it was last taken away; `None` if nobody knows.
    pub fn reached(&self, tensor: Id, trace: Trace) -> Option<bool> {
        self.note();
        let since = self.cleared.get(&tensor).copied().unwrap_or(0);
        if self.is_vague {
            return None;
        }
        let forgotten = (self.count - since) as usize > self.recent.len();
        let mut answer = if forgotten { None } else { Some(false) };
        for (_, from) in self.recent.iter().rev().filter(|(number, _)| *number > since) {
            match reaches(from, trace) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => answer = None,
            }
        }
        answer
    }
    /// How often they had a say: a call in which they had one may give something else the next time.
    pub fn asked(&self) -> u64 {
        self.asked.get()
    }
    fn note(&self) {
        self.asked.set(self.asked.get() + 1);
    }
    /// What holds on both of two paths.
    pub fn join(&mut self, other: &Passes) {
        if !Rc::ptr_eq(&self.freed, &other.freed) {
            Rc::make_mut(&mut self.freed).retain(|number| other.freed.contains(number));
        }
        self.is_vague |= other.is_vague || self.count != other.count || self.cleared != other.cleared;
    }
}

/// Whether some hang on another: `None` if nobody knows.
pub fn reaches(from: &[Trace], to: Trace) -> Option<bool> {
    let to = to.0?;
    let (nodes, is_whole) = walk(from, |_, _| true)?;
    if nodes.contains(&to) { Some(true) } else { is_whole.then_some(false) }
}
