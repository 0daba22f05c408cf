//! Reasoning backwards: for an element to be large, what must the elements of the sources be?
//!
//! Every function of one argument that rises or falls passes the wish on; sums pass it to all terms, products to the
//! corner of their ranges that is largest. Where an element is wished both ways, the first wish counts. What comes out
//! is a guess that the evaluator checks.

use super::super::sites::{Analysis, Site};
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{AtomId, Dim};
use semantics::element::{Element, ElementView};
use semantics::prop::Prop;
use semantics::scalar::{Binary, Fold, Unary};
use semantics::tensor::{Content, Tensor};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Aim {
    Low,
    High,
    /// As near as can be to a number, by its bits.
    Near(u64),
}

impl Aim {
    pub const ZERO: Aim = Aim::Near(0);
    fn near(value: f64) -> Aim {
        Aim::Near(if value == 0.0 { 0 } else { value.to_bits() })
    }
    fn turned(self) -> Aim {
        match self {
            Aim::Low => Aim::High,
            Aim::High => Aim::Low,
            Aim::Near(bits) => Aim::near(-f64::from_bits(bits)),
        }
    }
}

/// Elements of sources and the numbers they should be.
#[derive(Default)]
pub(super) struct Wishes {
    set: FxHashMap<Tensor, FxHashMap<usize, f64>>,
}

impl Wishes {
    /// What is wished for the argument at fault to be low, high or zero.
    pub fn of(
        analysis: &mut Analysis<'_>,
        site: &Site,
        aim: Aim,
        sizes: &FxHashMap<AtomId, i64>,
    ) -> Option<Wishes> {
        let formula = site.hazard.tensor.formula()?;
        // The first element, and those at the ends, where parts differ.
        let shape: Vec<i64> = site
            .hazard
            .tensor
            .shape()
            .sizes()?
            .iter()
            .map(|size| size.evaluate(&mut |atom| sizes.get(&atom).copied()))
            .collect::<Option<_>>()?;
        if shape.contains(&0) {
            return None;
        }
        let mut wisher =
            Wisher { analysis, sizes, wishes: Wishes::default(), seen: FxHashSet::default(), steps: 0 };
        for end in [0, 1] {
            let frame: Frame = formula
                .index
                .iter()
                .zip(&shape)
                .filter_map(|(variable, size)| {
                    Some((variable.as_atom()?, if end == 0 { 0 } else { size - 1 }))
                })
                .collect();
            wisher.wish(site.hazard.blamed, &frame, aim);
        }
        Some(wisher.wishes)
    }
    pub fn of_source(&self, source: Tensor) -> Option<&FxHashMap<usize, f64>> {
        self.set.get(&source)
    }
}

type Frame = FxHashMap<AtomId, i64>;

struct Wisher<'a, 't> {
    analysis: &'a mut Analysis<'t>,
    sizes: &'a FxHashMap<AtomId, i64>,
    wishes: Wishes,
    seen: FxHashSet<(Tensor, Vec<i64>, Aim)>,
    steps: usize,
}

/// Wishes that are passed on for one element.
const MOST_STEPS: usize = 200_000;

impl Wisher<'_, '_> {
    fn wish(&mut self, element: Element, frame: &Frame, aim: Aim) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        match element.view() {
            ElementView::At(tensor, index) => {
                let index: Option<Vec<i64>> = index.iter().map(|&dim| self.number(dim, frame)).collect();
                if let Some(index) = index {
                    self.at(tensor, index, aim);
                }
            }
            ElementView::Cast(x) => self.wish(x, frame, aim),
            ElementView::Unary(function, x) => self.unary(function, x, frame, aim),
            ElementView::Binary(function, x, y) => self.binary(function, x, y, frame, aim),
            ElementView::When(prop, x, y) => match self.truth(prop, frame) {
                Some(true) => self.wish(x, frame, aim),
                Some(false) => self.wish(y, frame, aim),
                None => {}
            },
            ElementView::Select(condition, x, y) => {
                let (a, b) = (self.ends(x), self.ends(y));
                let first = match aim {
                    Aim::High => a.1 >= b.1,
                    Aim::Low => a.0 <= b.0,
                    Aim::Near(bits) => (a.0..=a.1).contains(&f64::from_bits(bits)),
                };
                self.choose(condition, first, frame);
                self.wish(if first { x } else { y }, frame, aim);
            }
            ElementView::Fold { with, variable, extent, body } => {
                let (Some(count), Some(atom)) = (self.number(extent, frame), variable.as_atom()) else {
                    return;
                };
                let aim = match (aim, with) {
                    (Aim::Near(bits), Fold::Sum) => Aim::near(f64::from_bits(bits) / count.max(1) as f64),
                    _ => aim,
                };
                for at in 0..count {
                    let mut inner = frame.clone();
                    inner.insert(atom, at);
                    self.wish(body, &inner, aim);
                    // One is enough for the largest to be large, and for the smallest to be small.
                    if matches!((with, aim), (Fold::Max, Aim::High) | (Fold::Min, Aim::Low))
                        || self.steps > MOST_STEPS
                    {
                        break;
                    }
                }
            }
            _ => {}
        }
    }

    fn at(&mut self, tensor: Tensor, index: Vec<i64>, aim: Aim) {
        let known = self.analysis.sources.known.get(&tensor);
        let is_source = match tensor.content() {
            Content::Given | Content::Random(_) => true,
            Content::Stored(_) => known.is_some_and(|known| known.is_free()),
            _ => false,
        };
        if is_source {
            let (low, high) = known.map_or((-1.0, 1.0), |known| (known.low, known.high));
            let value = match aim {
                Aim::Low => low,
                Aim::High => high,
                Aim::Near(bits) => f64::from_bits(bits).clamp(low, high),
            };
            if let Some(at) = self.position(tensor, &index) {
                self.wishes.set.entry(tensor).or_default().entry(at).or_insert(value);
            }
            return;
        }
        if !self.seen.insert((tensor, index.clone(), aim)) {
            return;
        }
        let mut tensor = tensor;
        while let Content::Composed(composition, output) = tensor.content() {
            tensor = composition.output(output);
        }
        if matches!(tensor.content(), Content::Given) {
            return self.at(tensor, index, aim);
        }
        let Some(formula) = tensor.formula() else { return };
        let places = formula.index.iter().zip(&index);
        let frame: Frame = places.filter_map(|(variable, &at)| Some((variable.as_atom()?, at))).collect();
        self.wish(formula.element, &frame, aim);
    }

    fn unary(&mut self, function: Unary, x: Element, frame: &Frame, aim: Aim) {
        let (low, high) = self.ends(x);
        let aim = match (function, aim) {
            (Unary::Neg | Unary::Acos, _) => aim.turned(),
            (Unary::Reciprocal, Aim::Low | Aim::High) if low > 0.0 || high < 0.0 => aim.turned(),
            (Unary::Abs | Unary::Cosh, Aim::High) if -low > high => Aim::Low,
            (Unary::Abs | Unary::Cosh, Aim::Low) => Aim::ZERO,
            (Unary::Exp | Unary::Sigmoid, Aim::Near(0)) => Aim::Low,
            (Unary::Exp, Aim::Near(bits)) => Aim::near(f64::from_bits(bits).ln()),
            (Unary::Sqrt, Aim::Near(bits)) => Aim::near(f64::from_bits(bits) * f64::from_bits(bits)),
            (_, aim) => aim,
        };
        self.wish(x, frame, aim);
    }

    fn binary(&mut self, function: Binary, x: Element, y: Element, frame: &Frame, aim: Aim) {
        match function {
            Binary::Add | Binary::Sub => {
                let sign = if function == Binary::Add { 1.0 } else { -1.0 };
                let ((a, b), (c, d)) = (self.ends(x), self.ends(y));
                match aim {
                    // Some number that one can have settles what the other has to be.
                    Aim::Near(bits) => {
                        let value = f64::from_bits(bits);
                        let first = (value / 2.0).clamp(a, b);
                        let second = (sign * (value - first)).clamp(c, d);
                        let first = (value - sign * second).clamp(a, b);
                        self.wish(x, frame, Aim::near(first));
                        self.wish(y, frame, Aim::near(second));
                    }
                    _ => {
                        self.wish(x, frame, aim);
                        self.wish(y, frame, if sign > 0.0 { aim } else { aim.turned() });
                    }
                }
            }
            Binary::Max | Binary::Min => {
                let ((a, b), (c, d)) = (self.ends(x), self.ends(y));
                match (function, aim) {
                    (Binary::Max, Aim::High) => self.wish(if b >= d { x } else { y }, frame, aim),
                    (Binary::Min, Aim::Low) => self.wish(if a <= c { x } else { y }, frame, aim),
                    (Binary::Max, Aim::ZERO) => {
                        self.wish(x, frame, Aim::Low);
                        self.wish(y, frame, Aim::Low);
                    }
                    _ => {
                        self.wish(x, frame, aim);
                        self.wish(y, frame, aim);
                    }
                }
            }
            Binary::Mul | Binary::Div | Binary::Pow if x.id() == y.id() => {
                let (low, high) = self.ends(x);
                self.wish(
                    x,
                    frame,
                    match aim {
                        Aim::High if -low > high => Aim::Low,
                        Aim::High => Aim::High,
                        _ => Aim::ZERO,
                    },
                );
            }
            Binary::Mul | Binary::Div if matches!(aim, Aim::Near(_)) => {
                let Aim::Near(bits) = aim else { return };
                let value = f64::from_bits(bits);
                let ((a, b), (c, d)) = (self.ends(x), self.ends(y));
                match function {
                    Binary::Mul if a == b && a != 0.0 => self.wish(y, frame, Aim::near(value / a)),
                    Binary::Mul if c == d && c != 0.0 => self.wish(x, frame, Aim::near(value / c)),
                    Binary::Div if c == d => self.wish(x, frame, Aim::near(value * c)),
                    _ => self.wish(x, frame, aim),
                }
            }
            Binary::Mul | Binary::Div | Binary::Pow => {
                let ((a, b), (c, d)) = (self.ends(x), self.ends(y));
                let (mut best, mut chosen) = (f64::NEG_INFINITY, (Aim::High, Aim::High));
                for (p, first) in [(a, Aim::Low), (b, Aim::High)] {
                    for (q, second) in [(c, Aim::Low), (d, Aim::High)] {
                        let value = match function {
                            Binary::Mul => p * q,
                            Binary::Div => p / q,
                            _ => p.powf(q),
                        };
                        let value = if aim == Aim::Low { -value } else { value };
                        if value > best {
                            (best, chosen) = (value, (first, second));
                        }
                    }
                }
                self.wish(x, frame, chosen.0);
                self.wish(y, frame, chosen.1);
            }
            _ => {}
        }
    }

    /// Wishes that a condition holds, or not.
    fn choose(&mut self, condition: Element, truth: bool, frame: &Frame) {
        match condition.view() {
            ElementView::At(tensor, index) => {
                let index: Option<Vec<i64>> = index.iter().map(|&dim| self.number(dim, frame)).collect();
                let (Some(index), Some(formula)) = (index, tensor.formula()) else { return };
                let places = formula.index.iter().zip(&index);
                let frame: Frame =
                    places.filter_map(|(variable, &at)| Some((variable.as_atom()?, at))).collect();
                self.choose(formula.element, truth, &frame);
            }
            ElementView::Unary(Unary::Not, x) => self.choose(x, !truth, frame),
            ElementView::Binary(Binary::Lt | Binary::Le, x, y) => {
                let (less, more) = if truth { (x, y) } else { (y, x) };
                self.wish(less, frame, Aim::Low);
                self.wish(more, frame, Aim::High);
            }
            _ => {}
        }
    }

    /// Between what an element lies, whatever its index.
    fn ends(&mut self, element: Element) -> (f64, f64) {
        match self.range(element, 0) {
            Some(Interval::Float { low, high, .. }) if low <= high => (low, high),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }
    fn range(&mut self, element: Element, depth: usize) -> Option<Interval> {
        if depth > 8 {
            return None;
        }
        let depth = depth + 1;
        match element.view() {
            ElementView::Float(value) => Some(Interval::Float { low: value, high: value, nan: false }),
            ElementView::At(tensor, _) => self.analysis.ranges.read(tensor).hull(),
            ElementView::Unary(function, x) => Interval::unary(function, x.kind(), &self.range(x, depth)?),
            ElementView::Binary(function, x, y) => {
                let (a, b) = (self.range(x, depth)?, self.range(y, depth)?);
                Interval::binary(function, x.kind(), &a, &b)
            }
            ElementView::Cast(x) => Interval::cast(x.kind(), element.kind(), &self.range(x, depth)?),
            _ => None,
        }
    }

    fn number(&mut self, dim: Dim, frame: &Frame) -> Option<i64> {
        let sizes = self.sizes;
        dim.evaluate(&mut |atom| frame.get(&atom).or_else(|| sizes.get(&atom)).copied())
    }
    fn truth(&mut self, prop: Prop, frame: &Frame) -> Option<bool> {
        let sizes = self.sizes;
        prop.substitute(&mut |atom| frame.get(&atom).or_else(|| sizes.get(&atom)).map(|&at| Dim::from(at)))?
            .known()
    }
    fn position(&mut self, tensor: Tensor, index: &[i64]) -> Option<usize> {
        let mut position = 0i64;
        for (size, &at) in tensor.shape().sizes()?.into_iter().zip(index) {
            let size = self.number(size, &Frame::default())?;
            if at < 0 || at >= size {
                return None;
            }
            position = position * size + at;
        }
        usize::try_from(position).ok()
    }
}
