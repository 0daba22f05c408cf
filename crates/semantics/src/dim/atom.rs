//! What a polynomial is made of besides numbers.

use super::poly::Range;
use super::{Dim, DimId, UNBOUNDED, UNBOUNDED_BELOW};
use crate::arena::{self, Arena};
use crate::element::{Element, ElementId};
use crate::prop::{Prop, PropId};
use crate::shape::{ShapeVariable, Slot};
use std::rc::Rc;

/// An unknown integer by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub(crate) u32);

/// Where a symbol comes from: of what sort it is, in words a message can use ("axis 0 of `x`"),
/// and optionally a place that the front end numbers.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Origin {
    pub source: Source,
    pub text: Rc<str>,
    pub place: Option<u32>,
}

/// What sort of unknown a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Source {
    /// A property of the input that the user may choose or bound.
    Input,
    /// A property of the data, of which every value is to be expected.
    Data,
    /// A property of the input that a model is built without: it is open until somebody calls the model.
    Open,
    /// How many elements of the data are such and such.
    Count,
    /// A result that only the run will tell.
    #[default]
    Computed,
}

impl Origin {
    pub fn input(text: &str) -> Origin {
        Origin { source: Source::Input, text: text.into(), place: None }
    }
    pub fn open(text: &str) -> Origin {
        Origin { source: Source::Open, text: text.into(), place: None }
    }
    pub fn data(text: &str) -> Origin {
        Origin { source: Source::Data, text: text.into(), place: None }
    }
    pub fn count(text: &str) -> Origin {
        Origin { source: Source::Count, text: text.into(), place: None }
    }
    pub fn computed(text: &str) -> Origin {
        Origin { source: Source::Computed, text: text.into(), place: None }
    }
}

#[derive(PartialEq, Eq, Hash)]
pub(crate) struct SymbolData {
    pub(crate) name: Rc<str>,
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) origin: Origin,
}

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Atom {
    Symbol(SymbolId),
    FloorDiv(DimId, DimId),
    Modulo(DimId, DimId),
    Min(DimId, DimId),
    Max(DimId, DimId),
    /// A product too large to expand.
    Product(DimId, DimId),
    Select(PropId, DimId, DimId),
    /// The rank of a shape of unknown rank.
    Rank(ShapeVariable),
    /// One size of a shape of unknown rank.
    Size(ShapeVariable, Slot),
    /// The number of elements of part of a shape of unknown rank, some left out at either end.
    Count(ShapeVariable, u32, u32),
    /// The value of an integer element: what a gather is indexed by.
    Value(ElementId),
}

/// What engines and the solver see of an atom.
#[derive(Clone, Copy)]
pub enum AtomView {
    Symbol(SymbolId),
    FloorDiv(Dim, Dim),
    Modulo(Dim, Dim),
    Min(Dim, Dim),
    Max(Dim, Dim),
    Product(Dim, Dim),
    Select(Prop, Dim, Dim),
    Rank(ShapeVariable),
    Size(ShapeVariable, Slot),
    Count(ShapeVariable, u32, u32),
    Value(Element),
}

impl SymbolId {
    fn data(self) -> Rc<SymbolData> {
        arena::with(|arena| arena.symbols[self.0 as usize].clone())
    }
    pub fn name(self) -> Rc<str> {
        self.data().name.clone()
    }
    pub fn range(self) -> (i64, i64) {
        let data = self.data();
        (data.low, data.high)
    }
    pub fn origin(self) -> Origin {
        self.data().origin.clone()
    }
    pub fn dim(self) -> Dim {
        Dim::atom(Atom::Symbol(self))
    }
    /// How many symbols were made before it.
    pub fn number(self) -> usize {
        self.0 as usize
    }
    /// Stands for the result of [`Dim::too_large`]: no value of it means anything.
    pub fn is_beyond_64_bits(self) -> bool {
        *self.data().name == *super::BEYOND_64_BITS
    }
}

impl Atom {
    pub(crate) fn min(a: Dim, b: Dim) -> Atom {
        let (a, b) = (a.id().min(b.id()), a.id().max(b.id()));
        Atom::Min(a, b)
    }
    pub(crate) fn max(a: Dim, b: Dim) -> Atom {
        let (a, b) = (a.id().min(b.id()), a.id().max(b.id()));
        Atom::Max(a, b)
    }
    pub(crate) fn product(a: Dim, b: Dim) -> Atom {
        let (a, b) = (a.id().min(b.id()), a.id().max(b.id()));
        Atom::Product(a, b)
    }
    pub(crate) fn view(&self) -> AtomView {
        match *self {
            Atom::Symbol(id) => AtomView::Symbol(id),
            Atom::FloorDiv(a, b) => AtomView::FloorDiv(a.dim(), b.dim()),
            Atom::Modulo(a, b) => AtomView::Modulo(a.dim(), b.dim()),
            Atom::Min(a, b) => AtomView::Min(a.dim(), b.dim()),
            Atom::Max(a, b) => AtomView::Max(a.dim(), b.dim()),
            Atom::Product(a, b) => AtomView::Product(a.dim(), b.dim()),
            Atom::Select(p, a, b) => AtomView::Select(p.prop(), a.dim(), b.dim()),
            Atom::Rank(shape) => AtomView::Rank(shape),
            Atom::Size(shape, slot) => AtomView::Size(shape, slot),
            Atom::Count(shape, front, back) => AtomView::Count(shape, front, back),
            Atom::Value(element) => AtomView::Value(element.element()),
        }
    }
    /// How long the atom is when written out.
    pub(crate) fn weight(&self, arena: &Arena) -> u32 {
        let both = |a: DimId, b: DimId| a.weight(arena).saturating_add(b.weight(arena)).saturating_add(1);
        match *self {
            Atom::FloorDiv(a, b)
            | Atom::Modulo(a, b)
            | Atom::Min(a, b)
            | Atom::Max(a, b)
            | Atom::Product(a, b) => both(a, b),
            Atom::Select(p, a, b) => both(a, b).saturating_add(p.weight(arena)),
            Atom::Symbol(_) | Atom::Rank(_) | Atom::Size(..) | Atom::Count(..) | Atom::Value(_) => 1,
        }
    }
    pub(crate) fn bounds(&self, arena: &Arena) -> (i64, i64) {
        match *self {
            Atom::Symbol(id) => {
                let symbol = &arena.symbols[id.0 as usize];
                (symbol.low, symbol.high)
            }
            Atom::FloorDiv(a, b) => div_bounds(dim_bounds(arena, a), dim_bounds(arena, b)),
            Atom::Modulo(a, b) => modulo_bounds(dim_bounds(arena, a), dim_bounds(arena, b)),
            Atom::Min(a, b) => {
                let (a, b) = (dim_bounds(arena, a), dim_bounds(arena, b));
                (a.0.min(b.0), a.1.min(b.1))
            }
            Atom::Max(a, b) => {
                let (a, b) = (dim_bounds(arena, a), dim_bounds(arena, b));
                (a.0.max(b.0), a.1.max(b.1))
            }
            Atom::Product(a, b) => {
                Range::from(dim_bounds(arena, a)).times(Range::from(dim_bounds(arena, b))).into()
            }
            Atom::Select(_, a, b) => {
                let (a, b) = (dim_bounds(arena, a), dim_bounds(arena, b));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Atom::Rank(_) | Atom::Size(..) | Atom::Count(..) => (0, UNBOUNDED),
            Atom::Value(_) => (UNBOUNDED_BELOW, UNBOUNDED),
        }
    }
}

pub(crate) fn bounds_of(arena: &Arena, atom: u32) -> (i64, i64) {
    arena.atoms.get(atom).bounds(arena)
}

fn dim_bounds(arena: &Arena, id: DimId) -> (i64, i64) {
    match id.0 {
        super::Repr::Known(value) => (value, value),
        super::Repr::Poly(poly) => arena.polys.get(poly).bounds,
    }
}

fn div_bounds((low, high): (i64, i64), (smallest, largest): (i64, i64)) -> (i64, i64) {
    if smallest < 1 {
        return (UNBOUNDED_BELOW, UNBOUNDED);
    }
    // Dividing a negative bound by the smallest divisor and a positive one by the largest moves it least up.
    let new_low = match low {
        UNBOUNDED_BELOW => UNBOUNDED_BELOW,
        low if low < 0 => low.div_euclid(smallest),
        low => low / largest,
    };
    let new_high = match high {
        UNBOUNDED => UNBOUNDED,
        high if high < 0 => high.div_euclid(largest),
        high => high / smallest,
    };
    (new_low, new_high)
}

fn modulo_bounds((low, high): (i64, i64), (smallest, largest): (i64, i64)) -> (i64, i64) {
    if smallest < 1 {
        return (UNBOUNDED_BELOW, UNBOUNDED);
    }
    let top = if largest == UNBOUNDED { UNBOUNDED } else { largest - 1 };
    (0, if low >= 0 { top.min(high) } else { top })
}
