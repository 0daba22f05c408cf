//! Shapes, whose rank itself may be unknown.
//!
//! A shape is a list of sizes and of stretches of unknown shapes: `[N, ...s[1:], 3]`.
//! It can be sliced, extended and broadcast whether or not its rank is known; sizes of a stretch
//! are atoms, the same ones every time, so that two demands on one tensor meet in the solver.

use crate::arena;
use crate::dim::{Atom, Dim, DimId, Origin};
use crate::prop::{Prop, Stated};
use smallvec::SmallVec;
use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

/// The sizes of a tensor. Belongs to the arena it was built in.
#[derive(Clone, Copy)]
pub struct Shape {
    id: ShapeId,
    not_send: PhantomData<*const ()>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ShapeId(u32);

/// Sizes of a shape whose rank is known.
pub type Sizes = SmallVec<[Dim; 6]>;

/// A wholly unknown shape, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ShapeVariable(pub(crate) u32);

/// A position counted from either end: `Front(0)` is the first axis, `Back(0)` the last.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Slot {
    Front(u32),
    Back(u32),
}

/// Shapes with more axes are not followed: no framework has them, and gathering by a gathered tensor doubles the rank.
const MOST_AXES: usize = 256;

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ShapeNode {
    pieces: SmallVec<[Piece; 6]>,
}

impl ShapeNode {
    fn is_uncountable(&self) -> bool {
        let least = |piece: &Piece| match *piece {
            Piece::Size(size) => size.dim().bounds().0.max(0) as f64,
            Piece::Stretch { .. } => 0.0,
        };
        self.pieces.iter().map(least).product::<f64>() >= i64::MAX as f64
    }
}

/// Whether any shape of the current arena is. There are few shapes, and many tensors that have them.
pub fn any_is_uncountable() -> bool {
    let count = arena::with(|arena| arena.shapes.len());
    (0..count as u32).any(|number| ShapeId(number).shape().is_uncountable())
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Piece {
    Size(DimId),
    /// All sizes of an unknown shape but the first `front` and the last `back`.
    Stretch {
        variable: ShapeVariable,
        front: u32,
        back: u32,
    },
}

/// One piece of a shape, for engines.
#[derive(Clone, Copy)]
pub enum PieceView {
    Size(Dim),
    Stretch { variable: ShapeVariable, front: u32, back: u32 },
}

pub(crate) struct ShapeVariableData {
    name: Rc<str>,
    origin: Origin,
    /// The operands, for the result of broadcasting shapes of which one has an unknown rank.
    broadcast_of: Option<(ShapeId, ShapeId)>,
}

impl ShapeVariable {
    fn data(self) -> Rc<ShapeVariableData> {
        arena::with(|arena| arena.shape_variables[self.0 as usize].clone())
    }
    pub fn origin(self) -> Origin {
        self.data().origin.clone()
    }
    pub fn broadcast_of(self) -> Option<(Shape, Shape)> {
        self.data().broadcast_of.map(|(a, b)| (a.shape(), b.shape()))
    }
    pub fn rank(self) -> Dim {
        Dim::atom(Atom::Rank(self))
    }
    pub fn size(self, slot: Slot) -> Dim {
        Dim::atom(Atom::Size(self, slot))
    }
    fn new(data: ShapeVariableData) -> ShapeVariable {
        arena::with(|arena| {
            arena.shape_variables.push(Rc::new(data));
            ShapeVariable(arena.shape_variables.len() as u32 - 1)
        })
    }
    fn whole(self) -> Shape {
        self.stretch(0, 0)
    }
    /// All sizes but the first `front` and the last `back`.
    pub fn stretch(self, front: u32, back: u32) -> Shape {
        Shape::from_pieces([Piece::Stretch { variable: self, front, back }])
    }
}

impl ShapeId {
    /// How long the shape is when written out.
    pub(crate) fn weight(self, arena: &arena::Arena) -> u32 {
        let node = arena.shapes.get(self.0);
        let pieces = node.pieces.iter().map(|piece| match piece {
            Piece::Size(size) => size.weight(arena),
            Piece::Stretch { .. } => 1,
        });
        pieces.fold(1, u32::saturating_add)
    }
    pub fn shape(self) -> Shape {
        Shape { id: self, not_send: PhantomData }
    }
}

impl Shape {
    pub fn new(sizes: impl IntoIterator<Item = Dim>) -> Shape {
        Shape::from_pieces(sizes.into_iter().map(|size| Piece::Size(size.id())))
    }
    pub fn scalar() -> Shape {
        Shape::new([])
    }
    /// A shape of which not even the rank is known.
    pub fn unknown(name: &str) -> Shape {
        Shape::unknown_from(name, Origin::default())
    }
    pub fn unknown_from(name: &str, origin: Origin) -> Shape {
        ShapeVariable::new(ShapeVariableData { name: name.into(), origin, broadcast_of: None }).whole()
    }
    /// A shape of a known rank and unknown sizes.
    pub fn of_rank(rank: usize, name: &str) -> Shape {
        Shape::new((0..rank).map(|axis| Dim::symbol(&format!("{name}[{axis}]"), 0, crate::dim::LARGEST_SIZE)))
    }
    /// Another shape of the same rank, of which no size is known; of an unknown rank, another one.
    pub fn of_same_rank(self, name: &str) -> Shape {
        self.known_rank().map_or_else(|| Shape::unknown(name), |rank| Shape::of_rank(rank, name))
    }
    fn from_pieces(pieces: impl IntoIterator<Item = Piece>) -> Shape {
        let node = ShapeNode { pieces: pieces.into_iter().take(MOST_AXES + 1).collect() };
        if node.pieces.len() > MOST_AXES {
            return Shape::unknown("a shape of too many axes");
        }
        ShapeId(arena::with(|arena| arena.shapes.intern(node))).shape()
    }
    /// For engines: operator files may not use it.
    pub fn id(self) -> ShapeId {
        self.id
    }
    fn node(self) -> Rc<ShapeNode> {
        arena::with(|arena| arena.shapes.get(self.id.0))
    }
    pub fn pieces(self) -> Vec<PieceView> {
        let view = |piece: &Piece| match *piece {
            Piece::Size(size) => PieceView::Size(size.dim()),
            Piece::Stretch { variable, front, back } => PieceView::Stretch { variable, front, back },
        };
        self.node().pieces.iter().map(view).collect()
    }
    /// The sizes, if the rank is known.
    pub fn sizes(self) -> Option<Sizes> {
        self.node()
            .pieces
            .iter()
            .map(|piece| if let Piece::Size(size) = piece { Some(size.dim()) } else { None })
            .collect()
    }
    /// The rank, if it is known.
    pub fn known_rank(self) -> Option<usize> {
        let node = self.node();
        node.pieces.iter().all(|piece| matches!(piece, Piece::Size(_))).then_some(node.pieces.len())
    }
    pub fn rank(self) -> Dim {
        Dim::sum(self.node().pieces.iter().map(|piece| match *piece {
            Piece::Size(_) => 1i64.into(),
            Piece::Stretch { variable, front, back } => variable.rank() - i64::from(front) - i64::from(back),
        }))
    }
    /// The number of elements.
    pub fn count(self) -> Dim {
        Dim::product(self.node().pieces.iter().map(|piece| match *piece {
            Piece::Size(size) => size.dim(),
            Piece::Stretch { variable, front, back } => Dim::atom(Atom::Count(variable, front, back)),
        }))
    }
    /// Whether it surely has more elements than 64 bits can count.
    pub fn is_uncountable(self) -> bool {
        self.node().is_uncountable()
    }
    /// The size at a slot. The caller states that the slot exists.
    pub fn size(self, slot: Slot) -> Dim {
        let node = self.node();
        let sizes_at_end = |pieces: &mut dyn Iterator<Item = &Piece>, position: u32, from_front: bool| {
            let mut passed = 0;
            for piece in pieces {
                match *piece {
                    Piece::Size(size) if passed == position => return size.dim(),
                    Piece::Size(_) => passed += 1,
                    Piece::Stretch { variable, front, back } => {
                        let beyond = position - passed;
                        return variable.size(if from_front {
                            Slot::Front(front + beyond)
                        } else {
                            Slot::Back(back + beyond)
                        });
                    }
                }
            }
            // No such axis: whoever asked has stated that there is one, which is then refuted.
            Dim::symbol("a size that does not exist", 0, crate::dim::UNBOUNDED)
        };
        match slot {
            Slot::Front(k) => sizes_at_end(&mut node.pieces.iter(), k, true),
            Slot::Back(k) => sizes_at_end(&mut node.pieces.iter().rev(), k, false),
        }
    }
    /// Without the first `front` and the last `back` sizes. The caller states that there are as many.
    pub fn trim(self, front: u32, back: u32) -> Shape {
        let mut pieces = self.node().pieces.clone();
        cut(&mut pieces, front, true);
        cut(&mut pieces, back, false);
        Shape::from_pieces(pieces)
    }
    /// The sizes before a slot and those after it.
    pub fn around(self, slot: Slot) -> (Shape, Shape) {
        match (slot, self.known_rank()) {
            (Slot::Front(k), Some(rank)) => {
                (self.trim(0, (rank as u32).saturating_sub(k)), self.trim(k + 1, 0))
            }
            (Slot::Back(k), Some(rank)) => {
                (self.trim(0, k + 1), self.trim((rank as u32).saturating_sub(k), 0))
            }
            (Slot::Front(k), None) => (self.first(k), self.trim(k + 1, 0)),
            (Slot::Back(k), None) => (self.trim(0, k + 1), self.last(k)),
        }
    }
    /// The first `count` sizes.
    pub fn first(self, count: u32) -> Shape {
        Shape::new((0..count).map(|k| self.size(Slot::Front(k))))
    }
    /// The last `count` sizes.
    pub fn last(self, count: u32) -> Shape {
        Shape::new((0..count).rev().map(|k| self.size(Slot::Back(k))))
    }
    pub fn join(self, other: Shape) -> Shape {
        Shape::from_pieces(self.node().pieces.iter().chain(&other.node().pieces).copied())
    }
    pub fn followed_by(self, sizes: impl IntoIterator<Item = Dim>) -> Shape {
        self.join(Shape::new(sizes))
    }
    pub fn with_size(self, slot: Slot, size: Dim) -> Shape {
        let (before, after) = self.around(slot);
        before.followed_by([size]).join(after)
    }
    /// With a new axis, which is then at the slot.
    pub fn with_inserted(self, slot: Slot, size: Dim) -> Shape {
        let (before, after) = match slot {
            Slot::Front(k) => (self.first(k), self.trim(k, 0)),
            Slot::Back(k) => (self.trim(0, k), self.last(k)),
        };
        before.followed_by([size]).join(after)
    }
    pub fn without(self, slot: Slot) -> Shape {
        let (before, after) = self.around(slot);
        before.join(after)
    }
    /// True if rank and all sizes agree.
    pub fn same(self, other: Shape) -> Prop {
        if self.id == other.id {
            return true.into();
        }
        match (self.sizes(), other.sizes()) {
            (Some(a), Some(b)) if a.len() == b.len() => {
                Prop::all(a.iter().zip(&b).map(|(mine, its)| mine.eq(*its)))
            }
            (Some(a), Some(b)) => Dim::from(a.len()).eq(b.len()),
            _ => Prop::same_shape(self, other),
        }
    }
    /// NumPy's rule: aligned at the back, sizes agree or one of them is 1.
    /// Returns the common shape and what must hold for it to exist.
    pub fn broadcast(self, other: Shape) -> (Shape, Prop) {
        if self.id == other.id {
            return (self, true.into());
        }
        match (self.sizes(), other.sizes()) {
            (Some(a), _) if a.is_empty() => (other, true.into()),
            (_, Some(b)) if b.is_empty() => (self, true.into()),
            (Some(a), Some(b)) => {
                let rank = a.len().max(b.len());
                let aligned = |sizes: &Sizes, k: usize| {
                    (k + sizes.len()).checked_sub(rank).map_or(Dim::from(1), |k| sizes[k])
                };
                let pairs: Vec<(Dim, Dim)> = (0..rank).map(|k| (aligned(&a, k), aligned(&b, k))).collect();
                let agree = Prop::all(pairs.iter().map(|&(x, y)| can_meet(x, y)));
                (Shape::new(pairs.into_iter().map(|(x, y)| meet(x, y))), agree)
            }
            _ => {
                let data = ShapeVariableData {
                    name: "broadcast".into(),
                    origin: Origin::default(),
                    broadcast_of: Some((self.id, other.id)),
                };
                (ShapeVariable::new(data).whole(), Prop::broadcastable(self, other))
            }
        }
    }
    /// Whether broadcasting gives this shape the sizes of `target`, leaving those as they are.
    pub fn broadcasts_to(self, target: Shape) -> Prop {
        let fits = match (self.sizes(), target.sizes()) {
            (Some(a), Some(b)) if a.len() > b.len() => Dim::from(a.len()).le(b.len()),
            (Some(a), Some(b)) => {
                Prop::all(a.iter().rev().zip(b.iter().rev()).map(|(&mine, &its)| mine.eq(its) | mine.eq(1)))
            }
            _ => {
                let (shape, agree) = target.broadcast(self);
                agree & shape.same(target)
            }
        };
        fits.stated_as(Stated::BroadcastsTo { shape: self, target })
    }
    pub fn slots(self) -> Option<impl Iterator<Item = Slot>> {
        self.known_rank().map(|rank| (0..rank as u32).map(Slot::Front))
    }
}

/// Whether two sizes can be broadcast together.
pub fn can_meet(a: Dim, b: Dim) -> Prop {
    let equal = a.eq(b);
    if equal.known() == Some(true) {
        return equal;
    }
    // The plain refutation `3 = 4` says more than "neither is 1".
    Prop::any([equal, a.eq(1), b.eq(1)])
}

/// The size that two sizes broadcast to, provided that they can.
pub fn meet(a: Dim, b: Dim) -> Dim {
    match (a.known(), b.known()) {
        (Some(1), _) => b,
        (_, Some(1)) => a,
        (Some(_), _) => a,
        (_, Some(_)) => b,
        _ if a.id() == b.id() => a,
        _ => Dim::select(a.eq(1), b, a),
    }
}

fn cut(pieces: &mut SmallVec<[Piece; 6]>, count: u32, at_front: bool) {
    let mut left = count;
    while left > 0 {
        let end = if at_front { 0 } else { pieces.len().saturating_sub(1) };
        match pieces.get_mut(end) {
            None => return,
            Some(Piece::Size(_)) => {
                pieces.remove(end);
                left -= 1;
            }
            Some(Piece::Stretch { front, back, .. }) => {
                let cut = if at_front { front } else { back };
                *cut = cut.saturating_add(left);
                return;
            }
        }
    }
}

impl fmt::Display for ShapeVariable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.data().name)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (k, piece) in self.pieces().into_iter().enumerate() {
            if k > 0 {
                f.write_str(", ")?;
            }
            match piece {
                PieceView::Size(size) => write!(f, "{size}")?,
                PieceView::Stretch { variable, front: 0, back: 0 } => write!(f, "...{variable}")?,
                PieceView::Stretch { variable, front, back: 0 } => write!(f, "...{variable}[{front}:]")?,
                PieceView::Stretch { variable, front, back } => write!(f, "...{variable}[{front}:-{back}]")?,
            }
        }
        f.write_str("]")
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
