//! What one element of a tensor is, as a typed expression over elements of other tensors.
//!
//! A formula is data. Evaluation, error bounds, ranges, shapes as values and the documentation are
//! readings of it; none of them is written a second time by hand.

use crate::arena;
use crate::dim::{Atom, Dim, DimId};
use crate::dtype::{Class, Kind};
use crate::prop::{Prop, PropId, PropView};
use crate::scalar::{Binary, Fold, Unary};
use crate::tensor::Tensor;
use smallvec::SmallVec;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::rc::Rc;

/// One element. Belongs to the arena it was built in.
#[derive(Clone, Copy)]
pub struct Element {
    id: ElementId,
    not_send: PhantomData<*const ()>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ElementId(u32);

#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct ElementNode {
    kind: Kind,
    what: What,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum What {
    /// The bits of an `f64`.
    Float(u64),
    Int(i64),
    Bool(bool),
    Index(DimId),
    At(Tensor, SmallVec<[DimId; 4]>),
    Unary(Unary, ElementId),
    Binary(Binary, ElementId, ElementId),
    /// By a fact about indices: says where a tensor falls into parts.
    When(PropId, ElementId, ElementId),
    /// By a bool element: depends on data.
    Select(ElementId, ElementId, ElementId),
    Fold(Fold, DimId, DimId, ElementId),
    Cast(ElementId),
}

/// What an engine sees of an element.
#[derive(Clone)]
pub enum ElementView {
    Float(f64),
    Int(i64),
    Bool(bool),
    /// An integer expression over index variables, as a number.
    Index(Dim),
    At(Tensor, Vec<Dim>),
    Unary(Unary, Element),
    Binary(Binary, Element, Element),
    When(Prop, Element, Element),
    Select(Element, Element, Element),
    /// `with` over `variable` in `0..extent` of `body`.
    Fold {
        with: Fold,
        variable: Dim,
        extent: Dim,
        body: Element,
    },
    /// To the kind of this element.
    Cast(Element),
}

impl Element {
    fn new(kind: Kind, what: What) -> Element {
        ElementId(arena::with(|arena| arena.elements.intern(ElementNode { kind, what }))).element()
    }
    /// A number of the given type; an integer type takes the integral part.
    pub fn constant(kind: Kind, value: f64) -> Element {
        match kind.class() {
            Class::Int => Element::int(kind, value as i64),
            Class::Bool => Element::bool(value != 0.0),
            _ => Element::new(kind, What::Float(value.to_bits())),
        }
    }
    pub fn int(kind: Kind, value: i64) -> Element {
        match kind.class() {
            Class::Int => Element::new(kind, What::Int(kind.wrap(value))),
            _ => Element::constant(kind, value as f64),
        }
    }
    pub fn bool(value: bool) -> Element {
        Element::new(Kind::Bool, What::Bool(value))
    }
    /// An index expression as a number of the given type.
    pub fn index(kind: Kind, index: Dim) -> Element {
        Element::new(kind, What::Index(index.id()))
    }
    /// A fact about indices as a bool element.
    pub fn holds(prop: Prop) -> Element {
        Element::when(prop, Element::bool(true), Element::bool(false))
    }
    pub(crate) fn at(kind: Kind, tensor: Tensor, index: &[Dim]) -> Element {
        Element::new(kind, What::At(tensor, index.iter().map(|dim| dim.id()).collect()))
    }
    /// `then` where a fact about indices holds.
    pub fn when(prop: Prop, then: Element, otherwise: Element) -> Element {
        match (prop.known(), prop.view()) {
            (Some(true), _) => then,
            (Some(false), _) => otherwise,
            (None, _) if then.id == otherwise.id => then,
            (None, PropView::Value(condition)) => condition.select(then, otherwise),
            (None, _) => Element::new(then.kind(), What::When(prop.id(), then.id, otherwise.id)),
        }
    }
    /// `then` where this bool is true.
    pub fn select(self, then: Element, otherwise: Element) -> Element {
        Element::new(then.kind(), What::Select(self.id, then.id, otherwise.id))
    }
    pub fn unary(self, function: Unary) -> Element {
        Element::new(function.result(self.kind()), What::Unary(function, self.id))
    }
    pub fn binary(self, function: Binary, other: Element) -> Element {
        Element::new(function.result(self.kind()), What::Binary(function, self.id, other.id))
    }
    /// Folds `body` over `0..extent` of a fresh index variable.
    pub fn fold(with: Fold, extent: Dim, body: impl FnOnce(Dim) -> Element) -> Element {
        let variable = index_variable("k", extent);
        let body = body(variable);
        if extent.known() == Some(1) {
            return body;
        }
        Element::new(body.kind(), What::Fold(with, variable.id(), extent.id(), body.id))
    }
    /// Folds a body that is already an expression of the variable.
    pub(crate) fn folded(with: Fold, variable: Dim, extent: Dim, body: Element) -> Element {
        Element::new(body.kind(), What::Fold(with, variable.id(), extent.id(), body.id))
    }
    /// Folds over several index variables, the first outermost.
    pub fn fold_over(with: Fold, extents: &[Dim], body: &dyn Fn(&[Dim]) -> Element) -> Element {
        fn nest(
            with: Fold,
            extents: &[Dim],
            bound: &mut Vec<Dim>,
            body: &dyn Fn(&[Dim]) -> Element,
        ) -> Element {
            let Some((first, rest)) = extents.split_first() else { return body(bound) };
            Element::fold(with, *first, |variable| {
                bound.push(variable);
                let inner = nest(with, rest, bound, body);
                bound.pop();
                inner
            })
        }
        nest(with, extents, &mut Vec::new(), body)
    }
    /// To another type: integers wrap, floats round, a float becomes an integer by cutting off.
    pub fn cast(self, kind: Kind) -> Element {
        if kind == self.kind() { self } else { Element::new(kind, What::Cast(self.id)) }
    }
    /// This integer as an index.
    pub fn as_index(self) -> Dim {
        match self.view() {
            ElementView::Int(value) => value.into(),
            ElementView::Index(dim) => dim,
            _ => Dim::atom(Atom::Value(self.id)),
        }
    }
    /// This bool as a statement.
    pub fn as_prop(self) -> Prop {
        match self.view() {
            ElementView::Bool(value) => value.into(),
            _ => Prop::value(self),
        }
    }

    pub fn kind(self) -> Kind {
        arena::with(|arena| arena.elements.get(self.id.0)).kind
    }
    pub fn id(self) -> ElementId {
        self.id
    }
    pub fn view(self) -> ElementView {
        let node: Rc<ElementNode> = arena::with(|arena| arena.elements.get(self.id.0));
        match &node.what {
            What::Float(bits) => ElementView::Float(f64::from_bits(*bits)),
            What::Int(value) => ElementView::Int(*value),
            What::Bool(value) => ElementView::Bool(*value),
            What::Index(index) => ElementView::Index(index.dim()),
            What::At(tensor, index) => ElementView::At(*tensor, index.iter().map(|id| id.dim()).collect()),
            What::Unary(function, x) => ElementView::Unary(*function, x.element()),
            What::Binary(function, x, y) => ElementView::Binary(*function, x.element(), y.element()),
            What::When(prop, x, y) => ElementView::When(prop.prop(), x.element(), y.element()),
            What::Select(c, x, y) => ElementView::Select(c.element(), x.element(), y.element()),
            What::Fold(with, variable, extent, body) => ElementView::Fold {
                with: *with,
                variable: variable.dim(),
                extent: extent.dim(),
                body: body.element(),
            },
            What::Cast(x) => ElementView::Cast(x.element()),
        }
    }
}

/// A fresh variable for an axis of the given size.
pub(crate) fn index_variable(name: &str, size: Dim) -> Dim {
    let last = match size.bounds().1 {
        crate::dim::UNBOUNDED => crate::dim::UNBOUNDED,
        high => high.saturating_sub(1).max(0),
    };
    Dim::symbol(name, 0, last)
}

impl ElementId {
    pub fn element(self) -> Element {
        Element { id: self, not_send: PhantomData }
    }
}

macro_rules! unary_methods { ($($method:ident $function:ident;)*) => {
    impl Element { $(pub fn $method(self) -> Element { self.unary(Unary::$function) })* }
}; }
unary_methods! {
    abs Abs; sign Sign; exp Exp; expm1 Expm1; ln Ln; log1p Log1p; sqrt Sqrt; reciprocal Reciprocal;
    sin Sin; cos Cos; tan Tan; asin Asin; acos Acos; atan Atan; sinh Sinh; cosh Cosh; tanh Tanh; sigmoid Sigmoid;
    asinh Asinh; acosh Acosh; atanh Atanh; erf Erf; floor Floor; ceil Ceil; round Round; trunc Trunc;
    is_nan IsNan; negated Not; bit_not BitNot; real Real; imag Imag;
}

/// The right operand of an arithmetic operator: an element, or a number that takes the left one's type.
pub trait Operand {
    fn element(self, kind: Kind) -> Element;
}
impl Operand for Element {
    fn element(self, _: Kind) -> Element {
        self
    }
}
impl Operand for f64 {
    fn element(self, kind: Kind) -> Element {
        Element::constant(kind, self)
    }
}

macro_rules! binary_methods { ($($method:ident $function:ident;)*) => {
    impl Element { $(
        pub fn $method(self, other: impl Operand) -> Element {
            let other = other.element(self.kind());
            self.binary(Binary::$function, other)
        }
    )* }
}; }
binary_methods! {
    floor_div FloorDiv; remainder Remainder; modulo Modulo; pow Pow; max Max; min Min; atan2 Atan2;
    eq Eq; lt Lt; le Le; and And; or Or; xor Xor; bit_and BitAnd; bit_or BitOr; bit_xor BitXor;
    shift_left ShiftLeft; shift_right ShiftRight;
}
impl Element {
    pub fn gt(self, other: impl Operand) -> Element {
        let other = other.element(self.kind());
        other.lt(self)
    }
    pub fn ge(self, other: impl Operand) -> Element {
        let other = other.element(self.kind());
        other.le(self)
    }
    pub fn ne(self, other: impl Operand) -> Element {
        self.eq(other).negated()
    }
    /// A complex number from its parts.
    pub fn complex(self, imaginary: Element) -> Element {
        self.binary(Binary::Complex, imaginary)
    }
}

macro_rules! operators { ($($trait:ident $method:ident;)*) => {$(
    impl<R: Operand> $trait<R> for Element {
        type Output = Element;
        fn $method(self, other: R) -> Element {
            let other = other.element(self.kind());
            self.binary(Binary::$trait, other)
        }
    }
    impl $trait<Element> for f64 {
        type Output = Element;
        fn $method(self, other: Element) -> Element {
            Element::constant(other.kind(), self).binary(Binary::$trait, other)
        }
    }
)*}; }
operators! { Add add; Sub sub; Mul mul; Div div; }
impl Neg for Element {
    type Output = Element;
    fn neg(self) -> Element {
        self.unary(Unary::Neg)
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.view() {
            ElementView::Float(value) => write!(f, "{value}"),
            ElementView::Int(value) => write!(f, "{value}"),
            ElementView::Bool(value) => write!(f, "{value}"),
            ElementView::Index(dim) => write!(f, "{dim}"),
            ElementView::At(tensor, index) => {
                write!(f, "{}[", tensor.name())?;
                for (k, dim) in index.iter().enumerate() {
                    write!(f, "{}{dim}", if k > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            ElementView::Unary(Unary::Neg, x) => write!(f, "-{x}"),
            ElementView::Unary(function, x) => write!(f, "{}({x})", function.name()),
            ElementView::Binary(function, x, y) => match function {
                Binary::Pow | Binary::Max | Binary::Min | Binary::Atan2 | Binary::Complex => {
                    write!(f, "{}({x}, {y})", function.name())
                }
                _ => write!(f, "({x} {} {y})", function.name()),
            },
            ElementView::When(prop, x, y) => write!(f, "({x} if {prop} else {y})"),
            ElementView::Select(c, x, y) => write!(f, "({x} if {c} else {y})"),
            ElementView::Fold { with, variable, extent, body } => {
                write!(f, "{}({body} for {variable} < {extent})", with.name())
            }
            ElementView::Cast(x) => write!(f, "{}({x})", self.kind()),
        }
    }
}

impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
