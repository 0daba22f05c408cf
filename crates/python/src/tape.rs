//! What tensors were computed from, as far as gradients flow: the graph that a backward pass walks, and frees.
//!
//! Nodes are only ever added, and every path of a program shares them; the backward passes are those of a path.

use crate::heap::Id;
use crate::kept::Kept;
use program::ir::Spot;
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
    /// Where the tensors begin that were kept for it, and how many there are.
    first_kept: u32,
    kept: u32,
}

#[derive(Default)]
struct Tape {
    nodes: Vec<Node>,
    parents: Vec<NonZeroU32>,
    kept: Vec<Kept>,
}

impl Tape {
    fn parents_of(&self, node: &Node) -> &[NonZeroU32] {
        &self.parents[node.first as usize..][..node.count as usize]
    }
    fn kept_of(&self, node: &Node) -> &[Kept] {
        &self.kept[node.first_kept as usize..][..node.kept as usize]
    }
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Walks that see more nodes give up.
const LONGEST: usize = 20_000;

/// So many nodes are the latest: of a function, of the operator in it, and of a cast.
const LATEST: usize = 4;

impl Trace {
    /// The node of what is computed from others.
    pub fn of(parents: &[Trace], saves: bool, is_open: bool) -> Trace {
        TAPE.with_borrow_mut(|tape| {
            let first = tape.parents.len() as u32;
            tape.parents.extend(parents.iter().filter_map(|parent| parent.0));
            let count = tape.parents.len() as u32 - first;
            let is_open = is_open || (count as usize) < parents.len();
            tape.nodes.push(Node { first, count, saves, is_open, first_kept: 0, kept: 0 });
            Trace(NonZeroU32::new(tape.nodes.len() as u32))
        })
    }
    /// The node of the same, for which tensors were kept as they are.
    pub fn keeping(self, kept: impl IntoIterator<Item = Kept>) -> Trace {
        let trace = Trace::of(&[self], true, false);
        trace.keep(kept);
        trace
    }
    /// Says which tensors were kept for a node.
    pub fn keep(self, kept: impl IntoIterator<Item = Kept>) {
        let Some(number) = self.0 else { return };
        TAPE.with_borrow_mut(|tape| {
            let first = tape.kept.len() as u32;
            tape.kept.extend(kept);
            let node = &mut tape.nodes[number.get() as usize - 1];
            (node.first_kept, node.kept) = (first, tape.kept.len() as u32 - first);
        });
    }
    /// The tensors that were kept for this node and those before it, back to the given number of nodes.
    pub fn kept_since(self, begin: usize) -> Vec<Kept> {
        let mut all = Vec::new();
        TAPE.with_borrow(|tape| {
            walk_on(tape, &[self], |number, node| {
                all.extend_from_slice(tape.kept_of(node));
                number.get() as usize > begin
            })
        });
        all
    }
    /// Forgets that a tensor was kept for the latest nodes, those of the function that changes it in place: PyTorch
    /// keeps it as it was. What the tensor itself was computed by comes before them. Gives what keeps another one there.
    pub fn hand_over(self, changed: Id, made: Id, before: Trace) -> Option<&'static str> {
        let mut by = None;
        let mut latest = self.0;
        TAPE.with_borrow_mut(|tape| {
            for _ in 0..LATEST {
                let Some(number) = latest.filter(|number| before.0.is_none_or(|before| *number > before))
                else {
                    break;
                };
                let node = &tape.nodes[number.get() as usize - 1];
                latest = tape.parents_of(node).first().copied().filter(|_| node.count == 1);
                let range = node.first_kept as usize..(node.first_kept + node.kept) as usize;
                for kept in &mut tape.kept[range] {
                    if kept.tensor == made {
                        by = Some(kept.by);
                    }
                    if kept.tensor == changed {
                        kept.tensor = made;
                    }
                }
            }
        });
        by
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
    visit: impl FnMut(NonZeroU32, &Node) -> bool,
) -> Option<(FxHashSet<NonZeroU32>, bool)> {
    TAPE.with_borrow(|tape| walk_on(tape, from, visit))
}
fn walk_on(
    tape: &Tape,
    from: &[Trace],
    mut visit: impl FnMut(NonZeroU32, &Node) -> bool,
) -> Option<(FxHashSet<NonZeroU32>, bool)> {
    let mut is_whole = from.iter().all(|trace| trace.0.is_some());
    let mut open: Vec<NonZeroU32> = from.iter().filter_map(|trace| trace.0).collect();
    let mut seen: FxHashSet<NonZeroU32> = open.iter().copied().collect();
    while let Some(number) = open.pop() {
        let node = &tape.nodes[number.get() as usize - 1];
        is_whole &= !node.is_open;
        if !visit(number, node) {
            continue;
        }
        for &parent in tape.parents_of(node) {
            if seen.insert(parent) {
                open.push(parent);
            }
        }
        if seen.len() > LONGEST {
            return None;
        }
    }
    Some((seen, is_whole))
}

/// What became of a backward pass.
pub enum Pass {
    Done,
    /// An earlier one has freed what it needs.
    Freed,
    /// A tensor that was kept for it has been changed since: by which function it was kept, and where it was changed.
    Changed(&'static str, Rc<Spot>),
}

/// How often a tensor was changed in place, and where last.
#[derive(Clone)]
struct Version {
    number: u32,
    /// `None` if nobody knows how often.
    at: Option<Rc<Spot>>,
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
    /// Tensors that were changed in place.
    versions: Rc<FxHashMap<Id, Version>>,
    /// How often they were asked for or changed.
    asked: Cell<u64>,
}

impl Version {
    /// What is known if it is this or the other.
    fn either(&mut self, other: &Version) {
        if self.number != other.number || other.at.is_none() {
            self.at = None;
        }
        self.number = self.number.max(other.number);
    }
}

/// So many passes are remembered.
const RECENT: usize = 8;

impl Passes {
    /// How often a tensor was changed in place so far.
    pub fn version(&self, tensor: Id) -> u32 {
        self.versions.get(&tensor).map_or(0, |version| version.number)
    }
    /// Notes that a tensor is changed in place.
    pub fn change(&mut self, tensor: Id, at: Rc<Spot>) {
        let version = Version { number: self.version(tensor) + 1, at: Some(at) };
        Rc::make_mut(&mut self.versions).insert(tensor, version);
    }
    /// Notes that tensors are changed in place where a pass has left them a gradient.
    pub fn step(&mut self, tensors: &[(Id, Trace)], at: &Rc<Spot>) {
        self.note();
        for (number, from) in self.recent.clone().iter() {
            let Some((nodes, _)) = walk(from, |_, _| true) else { continue };
            for (tensor, trace) in tensors {
                let has_gradient = self.cleared.get(tensor).is_none_or(|since| number > since);
                if has_gradient && trace.0.is_some_and(|node| nodes.contains(&node)) {
                    self.change(*tensor, at.clone());
                }
            }
        }
    }
    /// What was kept for backward passes from here and has been changed since.
    fn changed(&self, from: &[Trace]) -> Option<Pass> {
        if self.versions.is_empty() {
            return None;
        }
        let mut found = None;
        TAPE.with_borrow(|tape| {
            walk_on(tape, from, |_, node| {
                if found.is_none() {
                    found = tape.kept_of(node).iter().find_map(|kept| {
                        let now = self.versions.get(&kept.tensor).filter(|now| now.number != kept.version)?;
                        now.at.clone().map(|at| Pass::Changed(kept.by, at))
                    });
                }
                found.is_none()
            })
        });
        found
    }
    /// A backward pass, which frees what it used unless it keeps it, and leaves gradients if it counts.
    pub fn go(&mut self, from: Vec<Trace>, keeps: bool, is_counted: bool) -> Pass {
        self.note();
        let mut is_freed = false;
        if !self.freed.is_empty() {
            walk(&from, |number, node| {
                is_freed |= node.saves && self.freed.contains(&number);
                !is_freed
            });
        }
        if is_freed {
            return Pass::Freed;
        }
        // Where gradients flow to a few tensors only, not all of the graph is walked through.
        if is_counted && let Some(changed) = self.changed(&from) {
            return changed;
        }
        if !keeps && let Some((nodes, _)) = walk(&from, |_, _| true) {
            let freed = Rc::make_mut(&mut self.freed);
            if freed.len() > LONGEST {
                freed.clear();
            }
            freed.extend(nodes);
        }
        if !is_counted {
            return Pass::Done;
        }
        self.count += 1;
        let recent = Rc::make_mut(&mut self.recent);
        recent.push_back((self.count, from));
        if recent.len() > RECENT {
            recent.pop_front();
        }
        Pass::Done
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
        if !Rc::ptr_eq(&self.versions, &other.versions) {
            let versions = Rc::make_mut(&mut self.versions);
            for (&tensor, theirs) in other.versions.iter() {
                versions.entry(tensor).or_insert(Version { number: 0, at: None }).either(theirs);
            }
            for (_, ours) in versions.iter_mut().filter(|(tensor, _)| !other.versions.contains_key(tensor)) {
                ours.at = None;
            }
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
