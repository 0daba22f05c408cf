//! Statements about integers that may be true, false or not known yet.
//!
//! A proposition that folds to true costs nothing; one that folds to false keeps its two sides and the form
//! in which it was stated, so that a message can still show them.

use crate::arena::{self, Arena};
use crate::dim::{Dim, DimId};
use crate::element::{Element, ElementId};
use crate::shape::{Shape, ShapeId};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, Not};
use std::rc::Rc;

#[derive(Clone, Copy)]
pub struct Prop {
    id: PropId,
    not_send: PhantomData<*const ()>,
}

/// What engines compare and hash a [`Prop`] by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct PropId {
    node: u32,
    truth: Option<bool>,
}

/// Statements that are longer than this when written out become unknown.
const LONGEST: u32 = 4 * crate::dim::LONGEST;

/// No node: the bare constants.
const BARE: u32 = u32::MAX;

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum PropNode {
    Equal(DimId, DimId),
    AtMost(DimId, DimId),
    And(Vec<PropId>),
    Or(Vec<PropId>),
    Not(PropId),
    /// Two shapes of which at least one has an unknown rank are equal.
    SameShape(ShapeId, ShapeId),
    /// Two shapes of which at least one has an unknown rank can be broadcast together.
    Broadcastable(ShapeId, ShapeId),
    /// The value of a bool element.
    Value(ElementId),
    /// Something only the run will tell.
    Free(u32, Rc<str>),
    /// A statement that folding refuted, and the form in which it was made.
    Stated(PropId, StatedNode),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum StatedNode {
    Divides(DimId, DimId),
    Within(DimId, DimId, DimId),
    Compared(DimId, &'static str, DimId),
    BroadcastsTo(ShapeId, ShapeId),
}

/// The form in which a statement was made before folding refuted it: what a message tells of it.
#[derive(Clone, Copy)]
pub enum Stated {
    Divides {
        divisor: Dim,
        number: Dim,
    },
    /// `low <= value < high`.
    Within {
        value: Dim,
        low: Dim,
        high: Dim,
    },
    /// `left < right`, `left > right` or `left >= right`.
    Compared {
        left: Dim,
        relation: &'static str,
        right: Dim,
    },
    /// Broadcasting makes `shape` the `target`, which stays as it is.
    BroadcastsTo {
        shape: Shape,
        target: Shape,
    },
}

/// What the solver and the printer see of a proposition.
#[derive(Clone)]
pub enum PropView {
    Constant(bool),
    /// `left = right`.
    Equal(Dim, Dim),
    /// `left <= right`.
    AtMost(Dim, Dim),
    And(Vec<Prop>),
    Or(Vec<Prop>),
    Not(Prop),
    SameShape(Shape, Shape),
    Broadcastable(Shape, Shape),
    Value(Element),
    Free(u32, Rc<str>),
}

impl Prop {
    const fn bare(truth: bool) -> Prop {
        Prop { id: PropId { node: BARE, truth: Some(truth) }, not_send: PhantomData }
    }
    fn node(node: PropNode, truth: Option<bool>) -> Prop {
        let node = arena::with(|arena| {
            let weight = node.weight(arena);
            if weight <= LONGEST {
                return arena.props.intern_weighing(node, weight);
            }
            // Too long to follow: nothing is known of it, but it is the same unknown every time.
            if let Some(&known) = arena.shortened_props.get(&node) {
                return known;
            }
            let free = PropNode::Free(arena.props.len() as u32, "a condition too long to write".into());
            let number = arena.props.intern(free);
            arena.shortened_props.insert(node, number);
            number
        });
        Prop { id: PropId { node, truth }, not_send: PhantomData }
    }

    /// A statement that nothing known can decide, in the words a message will use.
    pub fn unknown(what: &str) -> Prop {
        let number = arena::with(|arena| arena.props.len()) as u32;
        Prop::node(PropNode::Free(number, what.into()), None)
    }
    pub(crate) fn equal(a: Dim, b: Dim) -> Prop {
        let ((a_low, a_high), (b_low, b_high)) = (a.bounds(), b.bounds());
        if a_high < b_low || b_high < a_low {
            return Prop::node(PropNode::Equal(a.id(), b.id()), Some(false));
        }
        let difference = a - b;
        let truth = match (difference.known(), difference.bounds()) {
            (Some(0), _) => return Prop::bare(true),
            (Some(_), _) => Some(false),
            (_, (low, high)) if low > 0 || high < 0 => Some(false),
            _ => {
                let poly = difference.poly();
                let content = poly.content();
                if content > 1 && poly.constant % content != 0 { Some(false) } else { None }
            }
        };
        Prop::node(PropNode::Equal(a.id(), b.id()), truth)
    }
    pub(crate) fn at_most(a: Dim, b: Dim) -> Prop {
        let ((a_low, a_high), (b_low, b_high)) = (a.bounds(), b.bounds());
        if a_high <= b_low {
            return Prop::bare(true);
        }
        if a_low > b_high {
            return Prop::node(PropNode::AtMost(a.id(), b.id()), Some(false));
        }
        match (b - a).bounds() {
            (low, _) if low >= 0 => Prop::bare(true),
            (_, high) if high < 0 => Prop::node(PropNode::AtMost(a.id(), b.id()), Some(false)),
            _ => Prop::node(PropNode::AtMost(a.id(), b.id()), None),
        }
    }
    pub(crate) fn same_shape(a: Shape, b: Shape) -> Prop {
        Prop::node(PropNode::SameShape(a.id(), b.id()), None)
    }
    pub(crate) fn broadcastable(a: Shape, b: Shape) -> Prop {
        Prop::node(PropNode::Broadcastable(a.id(), b.id()), None)
    }
    pub(crate) fn value(element: Element) -> Prop {
        Prop::node(PropNode::Value(element.id()), None)
    }
    /// The same statement; where folding refuted it, a message tells it in this form.
    pub(crate) fn stated_as(self, form: Stated) -> Prop {
        if self.known() != Some(false) {
            return self;
        }
        let form = match form {
            Stated::Divides { divisor, number } => StatedNode::Divides(divisor.id(), number.id()),
            Stated::Within { value, low, high } => StatedNode::Within(value.id(), low.id(), high.id()),
            Stated::Compared { left, relation, right } => {
                StatedNode::Compared(left.id(), relation, right.id())
            }
            Stated::BroadcastsTo { shape, target } => StatedNode::BroadcastsTo(shape.id(), target.id()),
        };
        Prop::node(PropNode::Stated(self.id, form), Some(false))
    }
    /// The form in which a refuted statement was made, if it is one with a form of its own.
    pub fn stated(self) -> Option<Stated> {
        if self.id.node == BARE {
            return None;
        }
        let node = arena::with(|arena| arena.props.get(self.id.node));
        let PropNode::Stated(_, form) = &*node else { return None };
        Some(match *form {
            StatedNode::Divides(divisor, number) => {
                Stated::Divides { divisor: divisor.dim(), number: number.dim() }
            }
            StatedNode::Within(value, low, high) => {
                Stated::Within { value: value.dim(), low: low.dim(), high: high.dim() }
            }
            StatedNode::Compared(left, relation, right) => {
                Stated::Compared { left: left.dim(), relation, right: right.dim() }
            }
            StatedNode::BroadcastsTo(shape, target) => {
                Stated::BroadcastsTo { shape: shape.shape(), target: target.shape() }
            }
        })
    }
    /// True if all are.
    pub fn all(props: impl IntoIterator<Item = Prop>) -> Prop {
        let mut open = Vec::new();
        for prop in props {
            match prop.known() {
                Some(true) => {}
                Some(false) => return prop,
                None => match prop.view() {
                    PropView::And(inner) => open.extend(inner.iter().map(|p| p.id)),
                    _ => open.push(prop.id),
                },
            }
        }
        open.sort_unstable();
        open.dedup();
        match open.as_slice() {
            [] => Prop::bare(true),
            [one] => one.prop(),
            _ => {
                let truth = holds_opposites(&open).then_some(false);
                Prop::node(PropNode::And(open), truth)
            }
        }
    }
    /// True if one is.
    pub fn any(props: impl IntoIterator<Item = Prop>) -> Prop {
        let mut open = Vec::new();
        let mut refuted = None;
        for prop in props {
            match prop.known() {
                Some(true) => return Prop::bare(true),
                // The first that says something is what a message shows.
                Some(false) => refuted = refuted.filter(|told: &Prop| told.id.node != BARE).or(Some(prop)),
                None => match prop.view() {
                    PropView::Or(inner) => open.extend(inner.iter().map(|p| p.id)),
                    _ => open.push(prop.id),
                },
            }
        }
        open.sort_unstable();
        open.dedup();
        match open.as_slice() {
            [] => refuted.unwrap_or(Prop::bare(false)),
            [one] => one.prop(),
            _ if holds_opposites(&open) => Prop::bare(true),
            _ => Prop::node(PropNode::Or(open), None),
        }
    }
    /// `self` implies `other`.
    pub fn implies(self, other: Prop) -> Prop {
        !self | other
    }

    /// The truth, if folding decided it. For engines: operator files may not use it.
    pub fn known(self) -> Option<bool> {
        self.id.truth
    }
    /// For engines: operator files may not use it.
    pub fn id(self) -> PropId {
        self.id
    }
    /// What the statement says, even where folding refuted it already.
    pub fn view(self) -> PropView {
        if self.id.node == BARE {
            return PropView::Constant(self.id.truth == Some(true));
        }
        let node = arena::with(|arena| arena.props.get(self.id.node));
        match &*node {
            PropNode::Equal(a, b) => PropView::Equal(a.dim(), b.dim()),
            PropNode::AtMost(a, b) => PropView::AtMost(a.dim(), b.dim()),
            PropNode::And(inner) => PropView::And(inner.iter().map(|id| id.prop()).collect()),
            PropNode::Or(inner) => PropView::Or(inner.iter().map(|id| id.prop()).collect()),
            PropNode::Not(inner) => PropView::Not(inner.prop()),
            PropNode::SameShape(a, b) => PropView::SameShape(a.shape(), b.shape()),
            PropNode::Broadcastable(a, b) => PropView::Broadcastable(a.shape(), b.shape()),
            PropNode::Value(element) => PropView::Value(element.element()),
            PropNode::Free(number, what) => PropView::Free(*number, what.clone()),
            PropNode::Stated(inner, _) => inner.prop().view(),
        }
    }
}

/// Whether a sorted list holds a statement and its negation.
fn holds_opposites(props: &[PropId]) -> bool {
    props.iter().any(|prop| {
        prop.node != BARE
            && matches!(&*arena::with(|arena| arena.props.get(prop.node)),
                PropNode::Not(inner) if props.binary_search(inner).is_ok())
    })
}

impl PropNode {
    /// How long the statement is when written out.
    fn weight(&self, arena: &Arena) -> u32 {
        let sum = |parts: &mut dyn Iterator<Item = u32>| parts.fold(1, u32::saturating_add);
        match self {
            PropNode::Equal(a, b) | PropNode::AtMost(a, b) => {
                sum(&mut [a.weight(arena), b.weight(arena)].into_iter())
            }
            PropNode::And(inner) | PropNode::Or(inner) => sum(&mut inner.iter().map(|p| p.weight(arena))),
            PropNode::Not(inner) | PropNode::Stated(inner, _) => sum(&mut [inner.weight(arena)].into_iter()),
            PropNode::SameShape(a, b) | PropNode::Broadcastable(a, b) => {
                sum(&mut [a.weight(arena), b.weight(arena)].into_iter())
            }
            PropNode::Value(_) | PropNode::Free(..) => 1,
        }
    }
}

impl PropId {
    pub(crate) fn weight(self, arena: &Arena) -> u32 {
        if self.node == BARE { 1 } else { arena.props.weight(self.node) }
    }
    pub fn prop(self) -> Prop {
        Prop { id: self, not_send: PhantomData }
    }
}

impl From<bool> for Prop {
    fn from(truth: bool) -> Prop {
        Prop::bare(truth)
    }
}
impl BitAnd for Prop {
    type Output = Prop;
    fn bitand(self, other: Prop) -> Prop {
        Prop::all([self, other])
    }
}
impl BitOr for Prop {
    type Output = Prop;
    fn bitor(self, other: Prop) -> Prop {
        Prop::any([self, other])
    }
}
impl Not for Prop {
    type Output = Prop;
    fn not(self) -> Prop {
        match (self.known(), self.view()) {
            (Some(true), PropView::Constant(_)) => Prop::bare(false),
            (Some(false), _) => Prop::bare(true),
            (Some(true), _) => Prop::node(PropNode::Not(self.id), Some(false)),
            // Over integers the negation of `a <= b` is `b + 1 <= a`.
            (None, PropView::AtMost(a, b)) => b.lt(a),
            (None, PropView::Not(inner)) => inner,
            (None, PropView::And(inner)) => Prop::any(inner.into_iter().map(|p| !p)),
            (None, PropView::Or(inner)) => Prop::all(inner.into_iter().map(|p| !p)),
            (None, _) => Prop::node(PropNode::Not(self.id), None),
        }
    }
}

impl fmt::Display for Prop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |f: &mut fmt::Formatter<'_>, inner: &[Prop], word: &str| {
            for (k, prop) in inner.iter().enumerate() {
                if k > 0 {
                    write!(f, " {word} ")?;
                }
                match prop.view() {
                    PropView::And(_) | PropView::Or(_) => write!(f, "({prop})")?,
                    _ => write!(f, "{prop}")?,
                }
            }
            Ok(())
        };
        if let Some(stated) = self.stated() {
            return stated.fmt(f);
        }
        match self.view() {
            PropView::Constant(truth) => write!(f, "{truth}"),
            // `k + 1 <= x` reads better as `k < x`.
            PropView::AtMost(a, b) if a.known().is_none() && a.terms().constant == 1 => {
                write!(f, "{} < {b}", a - 1)
            }
            PropView::Equal(a, b) => write!(f, "{a} = {b}"),
            PropView::AtMost(a, b) => write!(f, "{a} <= {b}"),
            PropView::And(inner) => joined(f, &inner, "and"),
            PropView::Or(inner) => joined(f, &inner, "or"),
            PropView::Not(inner) => match inner.view() {
                PropView::Equal(a, b) => write!(f, "{a} != {b}"),
                _ => write!(f, "not ({inner})"),
            },
            PropView::SameShape(a, b) => write!(f, "{a} = {b}"),
            PropView::Broadcastable(a, b) => write!(f, "{a} and {b} broadcast"),
            PropView::Value(element) => write!(f, "{element}"),
            PropView::Free(_, what) => f.write_str(&what),
        }
    }
}

impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stated::Divides { divisor, number } => {
                write!(f, "{number} % {divisor} = 0, but it is {}", number.modulo(divisor))
            }
            Stated::Within { value, low, high } => write!(f, "{low} <= {value} < {high}"),
            Stated::Compared { left, relation, right } => write!(f, "{left} {relation} {right}"),
            Stated::BroadcastsTo { shape, target } => write!(f, "{shape} broadcasts to {target}"),
        }
    }
}

impl fmt::Debug for Prop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use crate::arena;
    use crate::dim::Dim;
    use crate::prop::Prop;
    use crate::shape::Shape;

    #[test]
    fn a_statement_and_its_negation_decide() {
        arena::scope(|| {
            let (a, b) = (Dim::symbol("a", 0, 9).eq(3), Dim::symbol("b", 0, 9).eq(4));
            assert_eq!((a & b & !a).known(), Some(false));
            assert_eq!((a | b | !a).known(), Some(true));
            assert_eq!((a | (a & !a)).id(), a.id());
            assert_eq!((a & b).known(), None);
        });
    }

    #[test]
    fn a_refuted_statement_is_told_as_it_was_made() {
        arena::scope(|| {
            let told = |prop: Prop, words: &str| {
                assert_eq!(prop.known(), Some(false));
                assert_eq!(prop.to_string(), words);
            };
            let five = Dim::from(5);
            told(Dim::from(2).divides(5), "5 % 2 = 0, but it is 1");
            told(five.within(-4, 4), "-4 <= 5 < 4");
            told(five.lt(5), "5 < 5");
            told(Dim::from(-3).ge(1), "-3 >= 1");
            told(five.gt(five), "5 > 5");
            let (short, long) = (Shape::new([2.into()]), Shape::new([2.into(), 4.into()]));
            told(short.broadcasts_to(long), "[2] broadcasts to [2, 4]");
            // Of alternatives, one that says something; of several facts, the first that is broken.
            told(Prop::from(false) | five.eq(4), "5 = 4");
            told(five.ge(1) & five.lt(3) & five.lt(2), "5 < 3");
        });
    }
}
