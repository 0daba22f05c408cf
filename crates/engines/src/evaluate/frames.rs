//! Blocks under construction, and the registers that steps in them are given.

use super::compile::{Compiler, Part, Stop};
use super::program::{Block, IndexSlot, Slot, Step, TruthSlot};
use semantics::dim::{AtomId, DimId};
use semantics::dtype::Class;
use semantics::element::ElementId;
use semantics::prop::PropId;

/// Programs longer than this are not worth their memory.
const MOST_STEPS: usize = 1 << 18;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// Runs once.
    Once,
    /// Runs once per position, or chunk of positions.
    Loop,
    /// Runs for some lanes only.
    Branch,
}

/// A block under construction.
pub(super) struct Frame {
    pub kind: FrameKind,
    pub block: Block,
    pub captures: Vec<Slot>,
    /// The innermost enclosing frame that it reads from.
    pub outer: usize,
    /// Whether it reads tensors at positions that may be outside.
    pub fallible: bool,
    pub added: Vec<Key>,
}

#[derive(Clone, Copy)]
pub(super) enum Key {
    Element(ElementId),
    Dim(DimId),
    Atom(AtomId),
    Prop(PropId),
}

/// The frame in which each register is computed.
#[derive(Default)]
pub(super) struct Levels {
    floats: Vec<usize>,
    ints: Vec<usize>,
    bools: Vec<usize>,
    complexes: Vec<usize>,
    indices: Vec<usize>,
    truths: Vec<usize>,
}

impl Compiler<'_> {
    pub fn open(&mut self, kind: FrameKind) {
        self.frames.push(Frame {
            kind,
            block: Vec::new(),
            captures: Vec::new(),
            outer: 0,
            fallible: false,
            added: Vec::new(),
        });
    }
    pub fn close(&mut self) -> Frame {
        let frame = self.frames.pop().expect("every frame closed was opened");
        for key in &frame.added {
            match key {
                Key::Element(id) => drop(self.elements.remove(id)),
                Key::Dim(id) => drop(self.dims.remove(id)),
                Key::Atom(id) => drop(self.atoms.remove(id)),
                Key::Prop(id) => drop(self.props.remove(id)),
            }
        }
        frame
    }
    /// Where to compute something that reads from `operands` at the innermost: outside every loop that it
    /// does not depend on, but not outside a branch if it may fail there.
    pub fn place(&mut self, operands: usize, fallible: bool) -> usize {
        let branch = || self.frames.iter().rposition(|frame| frame.kind == FrameKind::Branch).unwrap_or(0);
        let least = if fallible { operands.max(branch()) } else { operands };
        let outermost_loop = (least + 1..self.frames.len()).find(|&k| self.frames[k].kind == FrameKind::Loop);
        let level = outermost_loop.map_or(self.frames.len() - 1, |k| k - 1);
        self.frames[level].fallible |= fallible;
        level
    }
    pub fn emit(&mut self, level: usize, step: Step) -> Result<(), Stop> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(Stop::Irregular);
        }
        self.frames[level].block.push(step);
        Ok(())
    }
    /// Notes that something at `level` reads from a register computed at `from`.
    pub fn reaches(&mut self, from: usize, level: usize) {
        for frame in &mut self.frames[from + 1..=level] {
            frame.outer = frame.outer.max(from);
        }
    }
    pub fn reads(&mut self, slot: Slot, level: usize) {
        let from = self.level(slot);
        self.reaches(from, level);
        for frame in &mut self.frames[from + 1..=level] {
            if frame.kind == FrameKind::Loop && !frame.captures.contains(&slot) {
                frame.captures.push(slot);
            }
        }
    }
    pub fn level(&self, slot: Slot) -> usize {
        let at = slot.at as usize;
        match slot.class {
            Class::Bool => self.levels.bools[at],
            Class::Int => self.levels.ints[at],
            Class::Complex => self.levels.complexes[at],
            _ => self.levels.floats[at],
        }
    }
    pub fn index_level(&self, slot: IndexSlot) -> usize {
        self.levels.indices[slot as usize]
    }
    pub fn truth_level(&self, slot: TruthSlot) -> usize {
        self.levels.truths[slot as usize]
    }
    pub fn slot(&mut self, class: Class, level: usize) -> Slot {
        let (count, levels) = match class {
            Class::Bool => (&mut self.counts.bools, &mut self.levels.bools),
            Class::Int => (&mut self.counts.ints, &mut self.levels.ints),
            Class::Complex => (&mut self.counts.complexes, &mut self.levels.complexes),
            _ => (&mut self.counts.floats, &mut self.levels.floats),
        };
        *count += 1;
        levels.push(level);
        Slot { class, at: *count - 1 }
    }
    /// A register for lanes that an index or a condition may need.
    pub fn buffer(&mut self, class: Class) -> u32 {
        self.slot(class, 0).at
    }
    pub fn index_slot(&mut self, level: usize) -> IndexSlot {
        self.levels.indices.push(level);
        self.counts.indices += 1;
        self.counts.indices - 1
    }
    pub fn truth_slot(&mut self, level: usize) -> TruthSlot {
        self.levels.truths.push(level);
        self.counts.truths += 1;
        self.counts.truths - 1
    }
    pub fn remember_dim(&mut self, id: DimId, part: Part) {
        self.dims.insert(id, part);
        self.remember(part, Key::Dim(id));
    }
    pub fn remember_atom(&mut self, id: AtomId, part: Part) {
        self.atoms.insert(id, part);
        self.remember(part, Key::Atom(id));
    }
    pub fn remember_prop(&mut self, id: PropId, slot: TruthSlot) {
        self.props.insert(id, slot);
        let level = self.truth_level(slot);
        self.frames[level].added.push(Key::Prop(id));
    }
    fn remember(&mut self, part: Part, key: Key) {
        let level = if let Part::Slot(slot) = part { self.index_level(slot) } else { 0 };
        self.frames[level].added.push(key);
    }
}
