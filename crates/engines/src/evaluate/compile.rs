//! From a formula to a program: each element of the hash-consed expression becomes one register,
//! computed in the outermost loop it can be computed in.

use super::begun;
use super::coalesce::Survey;
use super::frames::{Frame, FrameKind, Key, Levels};
use super::offset::offset;
use super::program::{
    Arm, Axis, Block, Cases, Counts, EXTRA, FoldLoop, IndexSlot, Literal, Program, SPARE, Slot, Space, Step,
    TruthSlot,
};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim, DimId, SymbolId};
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementId, ElementView};
use semantics::prop::PropId;
use semantics::scalar::{Binary, Fold};
use semantics::tensor::{Formula, Tensor};

/// Formulas nested deeper than this are left to nobody: they would exhaust the stack.
pub(super) const MOST_DEPTH: usize = 300;
/// Below this many positions, looking for axes to merge costs more than it saves.
const WORTH_MERGING: i64 = 128;

/// What a formula is compiled against.
pub(super) trait Surroundings {
    /// The sizes of a tensor, once they are known.
    fn sizes(&self, tensor: Tensor) -> Option<Vec<usize>>;
    /// The value of a symbol (or of a size or rank of an unknown shape) that is no index variable.
    fn atom(&self, atom: AtomId) -> Option<i64>;
}

/// Why a formula was not compiled.
#[derive(Debug)]
pub(super) enum Stop {
    /// This tensor must be evaluated first: its sizes depend on data.
    Needs(Tensor),
    /// The careful reader has to decide.
    Irregular,
}

/// Compiles a formula for an output of the given sizes.
pub(super) fn compile(
    formula: &Formula,
    sizes: &[usize],
    around: &dyn Surroundings,
) -> Result<Program, Stop> {
    let mut compiler = Compiler::new(around);
    let axes: Vec<(Dim, i64)> =
        formula.index.iter().zip(sizes).map(|(&variable, &size)| (variable, size as i64)).collect();
    let long = sizes.iter().try_fold(1i64, |count, &size| count.checked_mul(size as i64));
    if long.is_none_or(|count| count >= WORTH_MERGING) || folds(formula.element, 3) {
        compiler.survey = Survey::of(formula.element, &|tensor| around.sizes(tensor));
    }
    compiler.open(FrameKind::Loop);
    let space = compiler.space(&axes)?;
    let result = compiler.element(formula.element)?;
    compiler.reads(result, 1);
    let mut body = compiler.close();
    let prologue = compiler.close();
    compiler.forget_spread(&mut body.block);
    Ok(Program {
        prologue: prologue.block,
        captures: body.captures,
        space,
        body: body.block,
        result,
        tensors: compiler.tensors,
        counts: compiler.counts,
    })
}

/// Whether there is a fold not far below.
fn folds(element: Element, depth: usize) -> bool {
    match element.view() {
        ElementView::Fold { .. } => true,
        ElementView::Unary(_, x) | ElementView::Cast(x) if depth > 0 => folds(x, depth - 1),
        ElementView::Binary(_, x, y) if depth > 0 => folds(x, depth - 1) || folds(y, depth - 1),
        _ => false,
    }
}

/// An index expression: a number, or a register.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Number(i64),
    Slot(IndexSlot),
}

pub(super) struct Compiler<'a> {
    pub around: &'a dyn Surroundings,
    survey: Option<Survey>,
    pub frames: Vec<Frame>,
    pub counts: Counts,
    tensors: Vec<(Tensor, Vec<usize>)>,
    numbers: FxHashMap<Tensor, u32>,
    pub variables: FxHashMap<SymbolId, Part>,
    pub constants: FxHashMap<i64, IndexSlot>,
    pub elements: FxHashMap<ElementId, Slot>,
    pub dims: FxHashMap<DimId, Part>,
    pub atoms: FxHashMap<AtomId, Part>,
    pub props: FxHashMap<PropId, TruthSlot>,
    pub levels: Levels,
    pub steps: usize,
    depth: usize,
}

impl<'a> Compiler<'a> {
    fn new(around: &'a dyn Surroundings) -> Self {
        let mut compiler = Compiler {
            around,
            survey: None,
            frames: Vec::new(),
            counts: Counts::default(),
            tensors: Vec::new(),
            numbers: FxHashMap::default(),
            variables: FxHashMap::default(),
            constants: FxHashMap::default(),
            elements: FxHashMap::default(),
            dims: FxHashMap::default(),
            atoms: FxHashMap::default(),
            props: FxHashMap::default(),
            levels: Levels::default(),
            steps: 0,
            depth: 0,
        };
        compiler.open(FrameKind::Once);
        let spare = compiler.buffer(Class::Int);
        debug_assert_eq!(spare, SPARE);
        compiler
    }

    /// Index variables over a box, neighbours merged where that changes nothing.
    fn space(&mut self, axes: &[(Dim, i64)]) -> Result<Space, Stop> {
        let mut space = Space::default();
        let mut last: Option<SymbolId> = None;
        for &(variable, size) in axes {
            // An axis of one position has the constant 0 for its variable.
            let Some(symbol) = symbol(variable) else { continue };
            if let (Some(outer), Some(axis)) = (last, space.axes.last_mut())
                && self.survey.as_ref().is_some_and(|survey| survey.mergeable(outer, symbol, size))
            {
                axis.size = axis.size.checked_mul(size).ok_or(Stop::Irregular)?;
                self.variables.insert(outer, Part::Number(0));
                self.variables.insert(symbol, Part::Slot(axis.variable));
            } else {
                let slot = self.index_slot(self.frames.len() - 1);
                self.variables.insert(symbol, Part::Slot(slot));
                space.axes.push(Axis { variable: slot, size, buffer: self.buffer(Class::Int) });
            }
            last = Some(symbol);
        }
        Ok(space)
    }

    // Elements.

    pub fn element(&mut self, element: Element) -> Result<Slot, Stop> {
        if let Some(&slot) = self.elements.get(&element.id()) {
            return Ok(slot);
        }
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            return Err(Stop::Irregular);
        }
        let slot = self.compute(element)?;
        self.depth -= 1;
        self.elements.insert(element.id(), slot);
        let level = self.level(slot);
        self.frames[level].added.push(Key::Element(element.id()));
        Ok(slot)
    }

    fn compute(&mut self, element: Element) -> Result<Slot, Stop> {
        let kind = element.kind();
        if kind.class() == Class::Opaque {
            return Err(Stop::Irregular);
        }
        match element.view() {
            ElementView::Float(value) => self.constant(kind, Literal::Float(value)),
            ElementView::Int(value) => self.constant(kind, Literal::Int(value)),
            ElementView::Bool(value) => self.constant(kind, Literal::Bool(value)),
            ElementView::Index(dim) => {
                let from = self.index(dim)?;
                let level = self.index_level(from);
                self.result(kind, level, &[], |out| Step::NumberOf { out, kind, from })
            }
            ElementView::At(tensor, index) => self.load(tensor, &index, kind),
            ElementView::Unary(function, argument) => {
                let (x, kind_x) = (self.element(argument)?, argument.kind());
                self.result(kind, 0, &[x], |out| Step::Unary { function, kind: kind_x, x, out })
            }
            ElementView::Binary(function, left, right) => {
                let (x, y, kind_x) = (self.element(left)?, self.element(right)?, left.kind());
                if right.kind() != kind_x {
                    return Err(Stop::Irregular);
                }
                let terms = match function {
                    Binary::Add if kind.class() == Class::Float => {
                        begun::terms(left, right, &|dim| self.number(dim))
                    }
                    _ => None,
                };
                self.result(kind, 0, &[x, y], |out| Step::Binary { function, kind: kind_x, x, y, out, terms })
            }
            ElementView::Cast(argument) => {
                let (x, from) = (self.element(argument)?, argument.kind());
                self.result(kind, 0, &[x], |out| Step::Cast { from, to: kind, x, out })
            }
            ElementView::When(..) | ElementView::Select(..) => self.cases(element),
            ElementView::Fold { with, .. } => self.fold(with, element),
        }
    }

    fn constant(&mut self, kind: Kind, value: Literal) -> Result<Slot, Stop> {
        self.result(kind, 0, &[], |out| Step::Constant { out, kind, value })
    }

    /// Emits a step that reads `operands` and what lies at `level` at the innermost.
    fn result(
        &mut self,
        kind: Kind,
        level: usize,
        operands: &[Slot],
        step: impl FnOnce(Slot) -> Step,
    ) -> Result<Slot, Stop> {
        let from = operands.iter().map(|&slot| self.level(slot)).max().unwrap_or(0).max(level);
        let at = self.place(from, false);
        operands.iter().for_each(|&slot| self.reads(slot, at));
        self.reaches(level, at);
        let out = self.slot(kind.class(), at);
        self.emit(at, step(out))?;
        Ok(out)
    }

    fn load(&mut self, tensor: Tensor, index: &[Dim], kind: Kind) -> Result<Slot, Stop> {
        let number = match self.numbers.get(&tensor) {
            Some(&number) => number,
            None => {
                let sizes = self.around.sizes(tensor).ok_or(Stop::Needs(tensor))?;
                self.tensors.push((tensor, sizes));
                self.numbers.insert(tensor, self.tensors.len() as u32 - 1);
                self.tensors.len() as u32 - 1
            }
        };
        let sizes = &self.tensors[number as usize].1;
        if sizes.len() != index.len() {
            return Err(Stop::Irregular);
        }
        let offset = offset(index, sizes);
        let unchecked: Vec<(usize, i64)> =
            offset.unchecked.iter().map(|&axis| (axis, sizes[axis] as i64)).collect();
        let position = self.polynomial(offset.position)?;
        let mut checks = Vec::with_capacity(unchecked.len());
        for (axis, size) in unchecked {
            checks.push((self.index(index[axis])?, size));
        }
        let indices = || checks.iter().map(|&(slot, _)| slot).chain([position]);
        let level = indices().map(|slot| self.index_level(slot)).max().unwrap_or(0);
        let at = self.place(level, !checks.is_empty());
        let levels: Vec<usize> = indices().map(|slot| self.index_level(slot)).collect();
        levels.into_iter().for_each(|level| self.reaches(level, at));
        let out = self.slot(kind.class(), at);
        self.emit(at, Step::Load { out, tensor: number, offset: position, checks })?;
        Ok(out)
    }

    /// A chain of conditions becomes one step, however long.
    fn cases(&mut self, element: Element) -> Result<Slot, Stop> {
        let (mut arms, mut outer, mut fallible) = (Vec::new(), 0, false);
        let mut rest = element;
        loop {
            let (condition, then, otherwise) = match rest.view() {
                ElementView::When(prop, then, otherwise) => (prop, then, otherwise),
                ElementView::Select(condition, then, otherwise) => (condition.as_prop(), then, otherwise),
                _ => break,
            };
            let (condition, before) = if arms.is_empty() {
                let slot = self.truth(condition)?;
                outer = self.truth_level(slot);
                self.reaches(outer, self.frames.len() - 1);
                (slot, Block::new())
            } else {
                self.branch(&mut outer, &mut fallible, |this| {
                    let slot = this.truth(condition)?;
                    let level = this.frames.len() - 1;
                    this.reaches(this.truth_level(slot), level);
                    Ok(slot)
                })?
            };
            let (value, block) = self.branch(&mut outer, &mut fallible, |this| this.value(then))?;
            arms.push(Arm { before, condition, block, value });
            rest = otherwise;
        }
        let (last, otherwise) = self.branch(&mut outer, &mut fallible, |this| this.value(rest))?;
        let at = self.place(outer, fallible);
        let out = self.slot(element.kind().class(), at);
        self.reaches(outer, at);
        self.emit(at, Step::Cases(Box::new(Cases { arms, otherwise, last, out })))?;
        Ok(out)
    }
    fn value(&mut self, element: Element) -> Result<Slot, Stop> {
        let slot = self.element(element)?;
        self.reads(slot, self.frames.len() - 1);
        Ok(slot)
    }
    fn branch<T>(
        &mut self,
        outer: &mut usize,
        fallible: &mut bool,
        inside: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<(T, Block), Stop> {
        self.open(FrameKind::Branch);
        let value = inside(self)?;
        let frame = self.close();
        *outer = frame.outer.max(*outer);
        *fallible |= frame.fallible;
        Ok((value, frame.block))
    }

    /// Nested folds of one function become one loop over several variables.
    fn fold(&mut self, with: Fold, element: Element) -> Result<Slot, Stop> {
        let kind = element.kind();
        let (mut axes, mut body) = (Vec::new(), element);
        while let ElementView::Fold { with: inner, variable, extent, body: next } = body.view() {
            if inner != with || body.kind() != kind {
                break;
            }
            // A number of terms that depends on the position is left to the careful reader.
            axes.push((variable, self.number(extent).ok_or(Stop::Irregular)?.max(0)));
            body = next;
        }
        self.open(FrameKind::Loop);
        let space = self.space(&axes)?;
        let empty = axes.iter().any(|&(_, size)| size == 0);
        let space = if empty {
            Space {
                axes: vec![Axis { variable: self.index_slot(0), size: 0, buffer: self.buffer(Class::Int) }],
            }
        } else {
            space
        };
        let value = self.value(body)?;
        let frame = self.close();
        let at = self.place(frame.outer, frame.fallible);
        self.reaches(frame.outer, at);
        let out = self.slot(kind.class(), at);
        let extra = self.slot(Class::Float, at).at;
        for _ in 1..EXTRA {
            self.slot(Class::Float, at);
        }
        let step =
            FoldLoop { with, kind, space, body: frame.block, value, out, extra, captures: frame.captures };
        self.emit(at, Step::Fold(Box::new(step)))?;
        Ok(out)
    }

    /// An index expression that depends on no index variable, as a number.
    fn number(&self, dim: Dim) -> Option<i64> {
        if let Some(number) = dim.known() {
            return Some(number);
        }
        dim.evaluate(&mut |atom| self.around.atom(atom))
    }
    pub fn truth_of_element(&mut self, element: Element) -> Result<TruthSlot, Stop> {
        let from = self.element(element)?;
        let at = self.place(self.level(from), false);
        self.reads(from, at);
        let out = self.truth_slot(at);
        self.emit(at, Step::TruthOf { out, from })?;
        Ok(out)
    }
    pub fn index_of_element(&mut self, element: Element) -> Result<Part, Stop> {
        let from = self.element(element)?;
        let at = self.place(self.level(from), false);
        self.reads(from, at);
        let out = self.index_slot(at);
        self.emit(at, Step::IndexOf { out, from })?;
        Ok(Part::Slot(out))
    }
}

/// The symbol, if the expression is nothing but one.
pub(super) fn symbol(variable: Dim) -> Option<SymbolId> {
    match variable.as_atom()?.view() {
        AtomView::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}
