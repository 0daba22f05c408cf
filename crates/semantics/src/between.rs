//! Between which numbers the elements of an integer tensor lie, read from its formula without its elements:
//! where indices, classes and lengths may lead.

use crate::dim::{Dim, LARGEST_SIZE};
use crate::dtype::Kind;
use crate::element::{Element, ElementView};
use crate::scalar::{Binary, Fold, Unary};
use crate::tensor::{Content, Tensor};
use crate::values::deeper;

/// Every element lies between two numbers, both included.
#[derive(Clone, Copy)]
pub struct Between {
    pub low: Dim,
    pub high: Dim,
    /// Whether both ends are to be expected: numbers that are there or are drawn, not merely bounded.
    pub is_reached: bool,
}

impl Between {
    pub fn new(low: impl Into<Dim>, high: impl Into<Dim>) -> Between {
        Between { low: low.into(), high: high.into(), is_reached: true }
    }
    fn exactly(number: impl Into<Dim>) -> Between {
        let number = number.into();
        Between::new(number, number)
    }
    fn is_one(self) -> bool {
        self.low.id() == self.high.id()
    }
    /// The same span, of which the ends need not come.
    pub fn only_bounded(self) -> Between {
        Between { is_reached: self.is_one(), ..self }
    }
    /// Ends that are images of the ends; two spans that vary may vary together, so that their ends do not meet.
    fn of_both(self, other: Between, low: Dim, high: Dim) -> Between {
        let is_reached = self.is_reached && other.is_reached && (self.is_one() || other.is_one());
        Between { low, high, is_reached }
    }
    /// Where elements of either lie.
    pub fn union(self, other: Between) -> Between {
        // A part of the whole may have the numbers of one side only.
        let is_same = self.low.id() == other.low.id() && self.high.id() == other.high.id();
        let is_reached = is_same && self.is_reached && other.is_reached;
        Between { low: self.low.min(other.low), high: self.high.max(other.high), is_reached }
    }
    /// The span, unless its numbers do not fit the type or are too large to reason about.
    fn in_kind(self, kind: Kind) -> Option<Between> {
        let (low, high) = (self.low.bounds().0, self.high.bounds().1);
        let (least, most) = kind.int_range()?;
        let fits = i128::from(low) >= least && i128::from(high) <= most;
        (fits && low >= -LARGEST_SIZE && high <= LARGEST_SIZE).then_some(self)
    }
}

/// Between what the elements of an integer tensor lie, if that is known: [`Tensor::between`] remembers it.
pub(crate) fn read(tensor: Tensor) -> Option<Between> {
    let kind = tensor.dtype().known().filter(|kind| kind.is_int())?;
    let found = match tensor.content() {
        Content::Stored(read) => {
            let array = read()?;
            let numbers = array.as_ints()?;
            Between::new(*numbers.iter().min()?, *numbers.iter().max()?)
        }
        Content::Dims(dims) => dims
            .iter()
            .map(|&dim| Between::exactly(dim))
            .reduce(|a, b| Between::union(a, b).only_bounded())?,
        Content::Formula { .. } => deeper(|| of_element(tensor.formula()?.element))??,
        Content::Composed(composition, output) => deeper(|| composition.output(output).between())??,
        Content::Given | Content::Opaque(..) | Content::Random(_) => return None,
    };
    found.in_kind(kind)
}

fn of_element(element: Element) -> Option<Between> {
    let kind = element.kind();
    let found = match element.view() {
        ElementView::Int(number) => Between::exactly(number),
        ElementView::Index(index) => {
            let (low, high) = index.bounds();
            Between { is_reached: low == high, ..Between::new(low, high) }
        }
        ElementView::At(tensor, _) => tensor.between()?,
        ElementView::Unary(Unary::Neg, inner) => {
            let inner = of_element(inner)?;
            Between { low: -inner.high, high: -inner.low, ..inner }
        }
        ElementView::Binary(function, a, b) => of_two(function, of_element(a)?, of_element(b)?)?,
        // Which part an index falls into is no question of data: both parts are there.
        ElementView::When(_, then, otherwise) => of_element(then)?.union(of_element(otherwise)?),
        ElementView::Select(_, then, otherwise) => {
            of_element(then)?.union(of_element(otherwise)?).only_bounded()
        }
        ElementView::Fold { with: Fold::Max | Fold::Min, body, .. } => of_element(body)?,
        ElementView::Cast(inner) if inner.kind().is_int() => of_element(inner)?,
        _ => return None,
    };
    found.in_kind(kind)
}

fn of_two(function: Binary, a: Between, b: Between) -> Option<Between> {
    let least_positive = |divisor: Between| divisor.low.known().filter(|&low| low > 0 && divisor.is_one());
    Some(match function {
        Binary::Add => a.of_both(b, a.low + b.low, a.high + b.high),
        Binary::Sub => a.of_both(b, a.low - b.high, a.high - b.low),
        Binary::Mul => {
            let (varied, factor) = if a.is_one() { (b, a.low.known()?) } else { (a, b.low.known()?) };
            if !a.is_one() && !b.is_one() {
                return None;
            }
            let (one, other) = (varied.low * Dim::from(factor), varied.high * Dim::from(factor));
            let (low, high) = if factor >= 0 { (one, other) } else { (other, one) };
            Between { low, high, ..varied }
        }
        Binary::FloorDiv => {
            let divisor = least_positive(b)?;
            Between { low: a.low.div_floor(divisor), high: a.high.div_floor(divisor), ..a }
        }
        Binary::Modulo => {
            let divisor = least_positive(b)?;
            if a.low.bounds().0 >= 0 && a.high.bounds().1 < divisor {
                return Some(a);
            }
            Between::new(0, divisor - 1).only_bounded()
        }
        Binary::Max => a.of_both(b, a.low.max(b.low), a.high.max(b.high)),
        Binary::Min => a.of_both(b, a.low.min(b.low), a.high.min(b.high)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena;
    use crate::shape::Shape;

    fn drawn(low: i64, high: i64) -> Tensor {
        let shape = Shape::new([Dim::from(5)]);
        Tensor::given("x", Kind::I64, shape).lying_between(Between::new(low, high))
    }
    fn told(tensor: Tensor) -> Option<(i64, i64, bool)> {
        let span = tensor.between()?;
        Some((span.low.known()?, span.high.known()?, span.is_reached))
    }
    fn mapped(a: Tensor, formula: impl Fn(Element) -> Element + 'static) -> Tensor {
        Tensor::from_elements(Kind::I64, a.shape(), move |index| formula(a.at(index)))
    }

    #[test]
    fn arithmetic_moves_the_ends() {
        arena::scope(|| {
            let int = |number: i64| Element::int(Kind::I64, number);
            assert_eq!(
                told(mapped(drawn(0, 4), move |x| x.binary(Binary::Mul, int(-2)))),
                Some((-8, 0, true))
            );
            assert_eq!(
                told(mapped(drawn(0, 9), move |x| x.binary(Binary::FloorDiv, int(4)))),
                Some((0, 2, true))
            );
            assert_eq!(
                told(mapped(drawn(0, 9), move |x| x.binary(Binary::Modulo, int(4)))),
                Some((0, 3, false))
            );
            assert_eq!(
                told(mapped(drawn(0, 3), move |x| x.binary(Binary::Modulo, int(4)))),
                Some((0, 3, true))
            );
        });
    }
    #[test]
    fn what_varies_together_need_not_reach_the_ends() {
        arena::scope(|| {
            let (a, b) = (drawn(0, 4), drawn(0, 9));
            let less = Tensor::from_elements(Kind::I64, a.shape(), move |index| {
                a.at(index).binary(Binary::Sub, a.at(index))
            });
            assert_eq!(told(less), Some((-4, 4, false)));
            let either = a.between().zip(b.between()).map(|(a, b)| a.union(b).is_reached);
            assert_eq!(either, Some(false), "a part may have the numbers of one side only");
        });
    }
    #[test]
    fn nothing_is_said_of_what_leaves_the_type() {
        arena::scope(|| {
            let shape = Shape::new([Dim::from(5)]);
            let small = Tensor::given("x", Kind::I8, shape).lying_between(Between::new(0, 100));
            let twice = Tensor::from_elements(Kind::I8, shape, move |index| {
                small.at(index).binary(Binary::Add, small.at(index))
            });
            assert_eq!(told(twice), None);
        });
    }
}
