//! Integers that may still be unknown: sizes, ranks, indices, hyper-parameters.
//!
//! Building an expression folds constants and brings it into a normal form (a sorted polynomial over
//! atoms), so an expression over known integers IS an integer and equal expressions have equal ids.
//! Folding uses declared symbol ranges only, never the facts of one path.
//! `Dim` has no `==` and no `<` on purpose: operator code cannot branch on an unknown size by accident,
//! it must state a [`Prop`].

mod atom;
mod display;
mod divide;
mod poly;

pub(crate) use atom::{Atom, SymbolData};
pub use atom::{AtomView, Origin, Source, SymbolId};
pub use display::telling_apart;
pub(crate) use poly::Poly;

use crate::arena;
use crate::prop::{Prop, PropView, Stated};
use std::marker::PhantomData;
use std::ops::{Add, Mul, Neg, Sub};
use std::rc::Rc;

/// An integer, known or not. Belongs to the arena it was built in.
#[derive(Clone, Copy)]
pub struct Dim {
    repr: Repr,
    not_send: PhantomData<*const ()>,
}

/// What engines compare and hash a [`Dim`] by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DimId(Repr);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
enum Repr {
    Known(i64),
    Poly(u32),
}

/// Stands for "no bound" in ranges: as the low end minus infinity, as the high end plus infinity.
pub const UNBOUNDED_BELOW: i64 = i64::MIN;
/// See [`UNBOUNDED_BELOW`].
pub const UNBOUNDED: i64 = i64::MAX;

/// The largest size that is taken to occur where nobody says otherwise.
/// It lies below the `INT_MAX` that exporters write for "to the end".
pub const LARGEST_SIZE: i64 = (1 << 31) - 2;

/// Expressions that are longer than this when written out become an unknown; real models stay far below.
pub(crate) const LONGEST: u32 = 1000;
const TOO_LONG: &str = "a size too long to write";

/// The name of the symbols that [`Dim::too_large`] makes.
const BEYOND_64_BITS: &str = "a size beyond 64 bits";

impl From<i64> for Dim {
    fn from(value: i64) -> Dim {
        Dim::new(Repr::Known(value))
    }
}
impl From<i32> for Dim {
    fn from(value: i32) -> Dim {
        Dim::from(i64::from(value))
    }
}
impl From<usize> for Dim {
    fn from(value: usize) -> Dim {
        i64::try_from(value).map_or_else(|_| Dim::too_large(), Dim::from)
    }
}

impl Dim {
    const fn new(repr: Repr) -> Dim {
        Dim { repr, not_send: PhantomData }
    }

    /// A fresh unknown integer in `low..=high`.
    pub fn symbol(name: &str, low: i64, high: i64) -> Dim {
        Dim::symbol_from(name, low, high, Origin::default())
    }
    pub fn symbol_from(name: &str, low: i64, high: i64, origin: Origin) -> Dim {
        if low == high {
            return low.into();
        }
        let id = arena::with(|arena| {
            arena.symbols.push(Rc::new(SymbolData { name: name.into(), low, high, origin }));
            SymbolId(arena.symbols.len() as u32 - 1)
        });
        Dim::atom(Atom::Symbol(id))
    }
    /// The result of arithmetic that leaves 64 bits: nothing is known of it, so nothing is claimed.
    pub fn too_large() -> Dim {
        Dim::symbol(BEYOND_64_BITS, UNBOUNDED_BELOW, UNBOUNDED)
    }

    /// The integer, if every part of the expression is known. For engines: operator files may not use it.
    pub fn known(self) -> Option<i64> {
        if let Repr::Known(value) = self.repr { Some(value) } else { None }
    }
    /// Identity up to normal form. For engines: operator files may not use it.
    pub fn id(self) -> DimId {
        DimId(self.repr)
    }
    /// Bounds that follow from declared symbol ranges alone.
    pub fn bounds(self) -> (i64, i64) {
        match self.repr {
            Repr::Known(value) => (value, value),
            Repr::Poly(id) => arena::with(|arena| arena.polys.get(id).bounds),
        }
    }
    /// How long the expression is, in symbols and what joins them.
    pub fn length(self) -> u32 {
        match self.repr {
            Repr::Known(_) => 1,
            Repr::Poly(id) => arena::with(|arena| arena.polys.get(id).weight),
        }
    }

    /// Rounds towards minus infinity. The divisor should be required positive; `x // 0` is 0 here.
    pub fn div_floor(self, divisor: impl Into<Dim>) -> Dim {
        divide::div_floor(self, divisor.into())
    }
    /// The quotient where the division leaves no remainder, whatever the unknowns are; the divisor is not zero.
    pub fn div_exact(self, divisor: Dim) -> Option<Dim> {
        divide::exact_quotient_unless_zero(self, divisor)
    }
    /// Rounds towards plus infinity.
    pub fn div_ceil(self, divisor: impl Into<Dim>) -> Dim {
        -((-self).div_floor(divisor))
    }
    /// The remainder of [`Dim::div_floor`]: it has the sign of the divisor.
    pub fn modulo(self, divisor: impl Into<Dim>) -> Dim {
        divide::modulo(self, divisor.into())
    }
    pub fn min(self, other: impl Into<Dim>) -> Dim {
        let other = other.into();
        match (self - other).bounds() {
            (_, high) if high <= 0 => self,
            (low, _) if low >= 0 => other,
            _ => Dim::atom(Atom::min(self, other)),
        }
    }
    pub fn max(self, other: impl Into<Dim>) -> Dim {
        let other = other.into();
        match (self - other).bounds() {
            (_, high) if high <= 0 => other,
            (low, _) if low >= 0 => self,
            _ => Dim::atom(Atom::max(self, other)),
        }
    }
    /// `self` where `condition` holds, else `other`.
    pub fn select(condition: Prop, then: impl Into<Dim>, otherwise: impl Into<Dim>) -> Dim {
        let (then, otherwise) = (then.into(), otherwise.into());
        match condition.known() {
            Some(true) => then,
            Some(false) => otherwise,
            None if then.id() == otherwise.id() => then,
            None if agree_where(condition, then, otherwise) => otherwise,
            None => Dim::atom(Atom::Select(condition.id(), then.id(), otherwise.id())),
        }
    }
    pub fn product(factors: impl IntoIterator<Item = Dim>) -> Dim {
        factors.into_iter().fold(Dim::from(1), |product, factor| product * factor)
    }
    pub fn sum(terms: impl IntoIterator<Item = Dim>) -> Dim {
        terms.into_iter().fold(Dim::from(0), |sum, term| sum + term)
    }

    pub fn eq(self, other: impl Into<Dim>) -> Prop {
        Prop::equal(self, other.into())
    }
    pub fn ne(self, other: impl Into<Dim>) -> Prop {
        !self.eq(other)
    }
    pub fn le(self, other: impl Into<Dim>) -> Prop {
        Prop::at_most(self, other.into())
    }
    pub fn lt(self, other: impl Into<Dim>) -> Prop {
        let other = other.into();
        if self.bounds().1 < other.bounds().0 {
            return true.into();
        }
        // Of `a + 1 <= b` and `a <= b - 1`, the one that adds to the expression and not to the number.
        let below = if self.known().is_some() { self.le(other - 1) } else { (self + 1).le(other) };
        below.stated_as(Stated::Compared { left: self, relation: "<", right: other })
    }
    pub fn ge(self, other: impl Into<Dim>) -> Prop {
        let other = other.into();
        other.le(self).stated_as(Stated::Compared { left: self, relation: ">=", right: other })
    }
    pub fn gt(self, other: impl Into<Dim>) -> Prop {
        let other = other.into();
        other.lt(self).stated_as(Stated::Compared { left: self, relation: ">", right: other })
    }
    /// Whether `self` divides `other` without remainder.
    pub fn divides(self, other: impl Into<Dim>) -> Prop {
        let number = other.into();
        number.modulo(self).eq(0).stated_as(Stated::Divides { divisor: self, number })
    }
    /// `low <= self < high`.
    pub fn within(self, low: impl Into<Dim>, high: impl Into<Dim>) -> Prop {
        let (low, high) = (low.into(), high.into());
        (self.ge(low) & self.lt(high)).stated_as(Stated::Within { value: self, low, high })
    }

    pub(crate) fn atom(atom: Atom) -> Dim {
        let poly = arena::with(|arena| {
            let (bounds, weight) = (atom.bounds(arena), atom.weight(arena));
            let atom = arena.atoms.intern_weighing(atom, weight);
            Poly::of_atom(atom, bounds, weight)
        });
        Dim::from_poly(poly)
    }
    pub(crate) fn from_poly(poly: Poly) -> Dim {
        if poly.terms.is_empty() {
            return poly.constant.into();
        }
        if poly.weight > LONGEST {
            return Dim::shortened(poly);
        }
        Dim::new(Repr::Poly(arena::with(|arena| arena.polys.intern(poly))))
    }
    /// An unknown in place of an expression that has grown too long: the same one for the same expression.
    /// Whoever walks over expressions may therefore do so without counting, even where parts are shared.
    fn shortened(poly: Poly) -> Dim {
        let symbol = arena::with(|arena| arena.shortened_polys.get(&poly).copied());
        let symbol = symbol.unwrap_or_else(|| {
            arena::with(|arena| {
                let (low, high) = poly.bounds;
                let origin = Origin::computed("an expression too long to follow");
                arena.symbols.push(Rc::new(SymbolData { name: TOO_LONG.into(), low, high, origin }));
                let symbol = SymbolId(arena.symbols.len() as u32 - 1);
                arena.shortened_polys.insert(poly, symbol);
                symbol
            })
        });
        symbol.dim()
    }
    pub(crate) fn poly(self) -> Rc<Poly> {
        match self.repr {
            Repr::Known(value) => Rc::new(Poly::constant(value)),
            Repr::Poly(id) => arena::with(|arena| arena.polys.get(id)),
        }
    }
    pub(crate) fn from_id(id: DimId) -> Dim {
        Dim::new(id.0)
    }
}

impl DimId {
    pub(crate) fn weight(self, arena: &arena::Arena) -> u32 {
        match self.0 {
            Repr::Known(_) => 1,
            Repr::Poly(poly) => arena.polys.get(poly).weight,
        }
    }
    pub fn dim(self) -> Dim {
        Dim::from_id(self)
    }
}

/// The normal form, for engines and the solver: `constant + Σ coefficient · Π atoms`.
pub struct Terms {
    pub constant: i64,
    pub terms: Vec<(i64, Vec<AtomId>)>,
}

/// One factor of a normal form that is not a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct AtomId(pub(crate) u32);

impl AtomId {
    pub fn dim(self) -> Dim {
        let poly = arena::with(|arena| {
            let atom = arena.atoms.get(self.0);
            let bounds = atom.bounds(arena);
            Poly::of_atom(self.0, bounds, arena.atoms.weight(self.0))
        });
        Dim::from_poly(poly)
    }
    pub fn view(self) -> AtomView {
        arena::with(|arena| arena.atoms.get(self.0)).view()
    }
    pub fn bounds(self) -> (i64, i64) {
        arena::with(|arena| arena.atoms.get(self.0).bounds(arena))
    }
}

impl Dim {
    /// The normal form of the expression.
    pub fn terms(self) -> Terms {
        let poly = self.poly();
        Terms {
            constant: poly.constant,
            terms: poly
                .terms
                .iter()
                .map(|term| (term.coefficient, term.atoms.iter().map(|&atom| AtomId(atom)).collect()))
                .collect(),
        }
    }
    /// The atom, if the expression is nothing but one.
    pub fn as_atom(self) -> Option<AtomId> {
        let poly = self.poly();
        match poly.terms.as_slice() {
            [term] if poly.constant == 0 && term.coefficient == 1 && term.atoms.len() == 1 => {
                Some(AtomId(term.atoms[0]))
            }
            _ => None,
        }
    }
}

impl<R: Into<Dim>> Add<R> for Dim {
    type Output = Dim;
    fn add(self, other: R) -> Dim {
        let other = other.into();
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            return a.checked_add(b).map_or_else(Dim::too_large, Dim::from);
        }
        match (self.known(), other.known()) {
            (_, Some(0)) => return self,
            (Some(0), _) => return other,
            _ => {}
        }
        self.poly().plus(&other.poly(), 1).map_or_else(Dim::too_large, Dim::from_poly)
    }
}
impl<R: Into<Dim>> Sub<R> for Dim {
    type Output = Dim;
    fn sub(self, other: R) -> Dim {
        let other = other.into();
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            return a.checked_sub(b).map_or_else(Dim::too_large, Dim::from);
        }
        if other.known() == Some(0) {
            return self;
        }
        if self.id() == other.id() {
            return 0.into();
        }
        self.poly().plus(&other.poly(), -1).map_or_else(Dim::too_large, Dim::from_poly)
    }
}
impl<R: Into<Dim>> Mul<R> for Dim {
    type Output = Dim;
    fn mul(self, other: R) -> Dim {
        let other = other.into();
        if let (Some(a), Some(b)) = (self.known(), other.known()) {
            return a.checked_mul(b).map_or_else(Dim::too_large, Dim::from);
        }
        match (self.known(), other.known()) {
            (Some(0), _) | (_, Some(0)) => return 0.into(),
            (_, Some(1)) => return self,
            (Some(1), _) => return other,
            _ => {}
        }
        let (a, b) = (self.poly(), other.poly());
        if a.terms.len() * b.terms.len() > poly::MOST_TERMS {
            return Dim::atom(Atom::product(self, other));
        }
        a.times(&b).map_or_else(Dim::too_large, Dim::from_poly)
    }
}
impl Neg for Dim {
    type Output = Dim;
    fn neg(self) -> Dim {
        Dim::from(0) - self
    }
}
macro_rules! number_on_the_left { ($($trait:ident $method:ident;)*) => {$(
    impl $trait<Dim> for i32 {
        type Output = Dim;
        fn $method(self, other: Dim) -> Dim { Dim::from(self).$method(other) }
    }
)*}; }
number_on_the_left! { Add add; Sub sub; Mul mul; }

#[cfg(test)]
mod tests;

/// Whether two numbers are equal where a condition of the form `size = 3` holds: `min(512, n)` and `n` where
/// `n = 1`.
fn agree_where(condition: Prop, then: Dim, otherwise: Dim) -> bool {
    let PropView::Equal(left, right) = condition.view() else { return false };
    let (atom, value) = match (left.as_atom(), right.as_atom()) {
        (Some(atom), None) => (atom, right),
        (None, Some(atom)) => (atom, left),
        _ => return false,
    };
    if value.known().is_none() {
        return false;
    }
    let there = |dim: Dim| dim.substitute(&mut |leaf| Some(if leaf == atom { value } else { leaf.dim() }));
    matches!((there(then), there(otherwise)), (Some(a), Some(b)) if a.id() == b.id())
}
