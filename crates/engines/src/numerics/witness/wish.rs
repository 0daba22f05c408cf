//! Reasoning backwards: for an element to be large, what must the elements of the sources be?
//!
//! Every function of one argument that rises or falls passes the wish on; sums pass it to all terms, products to the
//! corner of their ranges that is largest. A wish is about a whole box of elements, so that a sum of a thousand terms is
//! one step. Where an element is wished both ways, the first wish counts. What comes out is a guess that is checked.

use super::super::sites::{Analysis, Site};
use super::boxes::Region;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::element::{Element, ElementView};
use semantics::prop::{Prop, PropView};
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

/// Boxes of sources and the numbers their elements should be; of several that hold an element the first counts.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Wishes {
    set: FxHashMap<Tensor, Vec<(Region, f64)>>,
}

impl Wishes {
    /// What is wished for the argument at fault to be low, high or zero, in the first place or the last.
    pub fn of(
        analysis: &mut Analysis<'_>,
        site: &Site,
        aim: Aim,
        last: bool,
        sizes: &FxHashMap<AtomId, i64>,
        (usual, frugal): (bool, bool),
    ) -> Option<Wishes> {
        let tensor = site.hazard.tensor;
        let formula = tensor.formula()?;
        let mut wisher = Wisher {
            analysis,
            sizes,
            usual,
            frugal,
            last,
            wishes: Wishes::default(),
            seen: FxHashSet::default(),
            steps: 0,
        };
        let whole = wisher.whole(tensor)?;
        if whole.iter().any(|(_, size)| *size == 0) {
            return None;
        }
        let known: Vec<bool> = tensor.shape().sizes()?.iter().map(|size| size.known().is_some()).collect();
        let mut frame = Frame::default();
        for ((variable, &(low, high)), known) in formula.index.iter().zip(&whole).zip(known) {
            let span = match (known, last) {
                (false, _) => (low, high),
                (true, false) => (low, low + 1),
                (true, true) => (high - 1, high),
            };
            if let Some(atom) = variable.as_atom() {
                frame.insert(atom, span);
            }
        }
        wisher.wish(site.hazard.blamed, &frame, aim);
        Some(wisher.wishes)
    }
    pub fn of_source(&self, source: Tensor) -> &[(Region, f64)] {
        self.set.get(&source).map_or(&[], Vec::as_slice)
    }
}

/// Where the variables of indices are: from one number on and before another.
type Frame = FxHashMap<AtomId, (i64, i64)>;

struct Wisher<'a, 't> {
    analysis: &'a mut Analysis<'t>,
    sizes: &'a FxHashMap<AtomId, i64>,
    usual: bool,
    /// Of a sum the term that is an input or parameter itself has to do, a bias for one, and all else stays as it is.
    frugal: bool,
    /// The last place is meant: where one of many is enough, the first is taken, so that both wishes can come true.
    last: bool,
    wishes: Wishes,
    seen: FxHashSet<(Tensor, Region, Aim)>,
    steps: usize,
}

/// Wishes that are passed on for one site.
const MOST_STEPS: usize = 20_000;

impl Wisher<'_, '_> {
    fn wish(&mut self, element: Element, frame: &Frame, aim: Aim) {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return;
        }
        match element.view() {
            ElementView::At(tensor, index) => {
                if let Some(region) = self.region(tensor, &index, frame) {
                    self.at(tensor, region, aim);
                }
            }
            ElementView::Cast(x) => self.wish(x, frame, aim),
            ElementView::Unary(function, x) => self.unary(function, x, frame, aim),
            ElementView::Binary(function, x, y) => self.binary(function, x, y, frame, aim),
            ElementView::When(prop, x, y) => {
                let truth = self.truth(prop, frame);
                if truth != Some(false) {
                    self.wish(x, frame, aim);
                }
                if truth != Some(true) {
                    self.wish(y, frame, aim);
                }
            }
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
                let (Some((_, count)), Some(atom)) = (self.span(extent, frame), variable.as_atom()) else {
                    return;
                };
                if count <= 0 {
                    return;
                }
                let aim = match (aim, with) {
                    (Aim::Near(bits), Fold::Sum) => Aim::near(f64::from_bits(bits) / count as f64),
                    _ => aim,
                };
                // One is enough for the largest to be large, and for the smallest to be small.
                let span = match (with, aim) {
                    (Fold::Max, Aim::High) | (Fold::Min, Aim::Low) if self.last => (0, 1),
                    (Fold::Max, Aim::High) | (Fold::Min, Aim::Low) => (count - 1, count),
                    _ => (0, count),
                };
                let mut inner = frame.clone();
                inner.insert(atom, span);
                self.wish(body, &inner, aim);
            }
            _ => {}
        }
    }

    fn at(&mut self, tensor: Tensor, region: Region, aim: Aim) {
        if self.analysis.flows.is_followed(tensor) {
            if self.seen.insert((tensor, region.clone(), aim)) {
                for other in self.analysis.flows.at_first(tensor) {
                    let alike = self.whole(other).is_some_and(|whole| whole.len() == region.len());
                    if alike {
                        self.at(other, region.clone(), aim);
                    }
                }
            }
            return;
        }
        let known = self.analysis.sources.known.get(&tensor);
        let is_source = match tensor.content() {
            Content::Given | Content::Random(_) => true,
            Content::Stored(_) => known.is_some_and(|known| known.is_free()),
            _ => false,
        };
        if is_source {
            let (low, high) = super::bounds(self.analysis, tensor, self.usual);
            let value = match aim {
                Aim::Low => low,
                Aim::High => high,
                Aim::Near(bits) => f64::from_bits(bits).clamp(low, high),
            };
            self.wishes.set.entry(tensor).or_default().push((region, value));
            return;
        }
        if !self.seen.insert((tensor, region.clone(), aim)) {
            return;
        }
        let mut tensor = tensor;
        while let Content::Composed(composition, output) = tensor.content() {
            tensor = composition.output(output);
        }
        if matches!(tensor.content(), Content::Given) {
            return self.at(tensor, region, aim);
        }
        let Some(formula) = tensor.formula() else { return };
        let places = formula.index.iter().zip(&region);
        let frame: Frame = places.filter_map(|(variable, &at)| Some((variable.as_atom()?, at))).collect();
        self.wish(formula.element, &frame, aim);
    }

    /// Whether an element is one of a tensor that has to be supplied, and may be several numbers.
    fn is_source(&mut self, element: Element) -> bool {
        let Some(tensor) = super::super::causes::origin(element) else { return false };
        let known = self.analysis.sources.known.get(&tensor);
        known.is_some_and(|known| known.is_free() && known.low < known.high)
    }

    /// All of a tensor.
    fn whole(&self, tensor: Tensor) -> Option<Region> {
        let sizes = tensor.shape().sizes()?;
        sizes.into_iter().map(|size| Some((0, self.span(size, &Frame::default())?.0))).collect()
    }

    /// The box of a tensor that indices lie in. Examples of a batch are alike: along an axis of unknown size all are
    /// meant.
    fn region(&self, tensor: Tensor, index: &[Dim], frame: &Frame) -> Option<Region> {
        let whole = self.whole(tensor)?;
        let sizes = tensor.shape().sizes()?;
        let axes = whole.into_iter().zip(sizes).zip(index);
        let region = axes.map(|(((from, to), size), &dim)| match self.span(dim, frame) {
            Some((low, high)) if size.known().is_some() => {
                (low.clamp(from, to - 1), high.clamp(from, to - 1) + 1)
            }
            _ => (from, to),
        });
        let region: Region = region.collect();
        region.iter().all(|(low, high)| low < high).then_some(region)
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
                        let (first, second) = match self.frugal {
                            true => (self.is_source(x), self.is_source(y)),
                            false => (false, false),
                        };
                        if !second || first {
                            self.wish(x, frame, aim);
                        }
                        if !first || second {
                            self.wish(y, frame, if sign > 0.0 { aim } else { aim.turned() });
                        }
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
                let (Some(region), Some(formula)) = (self.region(tensor, &index, frame), tensor.formula())
                else {
                    return;
                };
                let places = formula.index.iter().zip(&region);
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

    /// Between what an expression lies, both ends included; `None` if something in it is not known.
    fn span(&self, dim: Dim, frame: &Frame) -> Option<(i64, i64)> {
        if let Some(known) = dim.known() {
            return Some((known, known));
        }
        let normal = dim.terms();
        let mut sum = (normal.constant, normal.constant);
        for (coefficient, atoms) in normal.terms {
            let mut product = (coefficient, coefficient);
            for atom in atoms {
                product = times(product, self.span_of_atom(atom, frame)?)?;
            }
            sum = (sum.0.checked_add(product.0)?, sum.1.checked_add(product.1)?);
        }
        Some(sum)
    }
    fn span_of_atom(&self, atom: AtomId, frame: &Frame) -> Option<(i64, i64)> {
        if let Some(&(low, high)) = frame.get(&atom) {
            return Some((low, high - 1));
        }
        Some(match atom.view() {
            AtomView::FloorDiv(a, b) => {
                let ((low, high), divisor) = (self.span(a, frame)?, self.point(b, frame)?);
                (low.div_euclid(divisor), high.div_euclid(divisor))
            }
            AtomView::Modulo(a, b) => {
                let ((low, high), divisor) = (self.span(a, frame)?, self.point(b, frame)?);
                if low.div_euclid(divisor) == high.div_euclid(divisor) {
                    (low.rem_euclid(divisor), high.rem_euclid(divisor))
                } else {
                    (0, divisor - 1)
                }
            }
            AtomView::Min(a, b) => {
                let ((a, b), (c, d)) = (self.span(a, frame)?, self.span(b, frame)?);
                (a.min(c), b.min(d))
            }
            AtomView::Max(a, b) => {
                let ((a, b), (c, d)) = (self.span(a, frame)?, self.span(b, frame)?);
                (a.max(c), b.max(d))
            }
            AtomView::Product(a, b) => times(self.span(a, frame)?, self.span(b, frame)?)?,
            AtomView::Select(prop, a, b) => match self.truth(prop, frame) {
                Some(true) => self.span(a, frame)?,
                Some(false) => self.span(b, frame)?,
                None => {
                    let ((a, b), (c, d)) = (self.span(a, frame)?, self.span(b, frame)?);
                    (a.min(c), b.max(d))
                }
            },
            _ => self.sizes.get(&atom).map(|&size| (size, size))?,
        })
    }
    /// A positive number that an expression is.
    fn point(&self, dim: Dim, frame: &Frame) -> Option<i64> {
        self.span(dim, frame).filter(|(low, high)| low == high && *low > 0).map(|(low, _)| low)
    }
    fn truth(&self, prop: Prop, frame: &Frame) -> Option<bool> {
        if let Some(truth) = prop.known() {
            return Some(truth);
        }
        match prop.view() {
            PropView::AtMost(a, b) => match self.span(b - a, frame)? {
                (low, _) if low >= 0 => Some(true),
                (_, high) if high < 0 => Some(false),
                _ => None,
            },
            PropView::Equal(a, b) => match self.span(b - a, frame)? {
                (0, 0) => Some(true),
                (low, high) if low > 0 || high < 0 => Some(false),
                _ => None,
            },
            PropView::And(parts) => self.connected(&parts, false, frame),
            PropView::Or(parts) => self.connected(&parts, true, frame),
            PropView::Not(inner) => self.truth(inner, frame).map(|truth| !truth),
            _ => None,
        }
    }
    fn connected(&self, parts: &[Prop], decisive: bool, frame: &Frame) -> Option<bool> {
        let mut all = Some(!decisive);
        for part in parts {
            match self.truth(*part, frame) {
                Some(truth) if truth == decisive => return Some(decisive),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }
}

fn times((a, b): (i64, i64), (c, d): (i64, i64)) -> Option<(i64, i64)> {
    let corners = [a.checked_mul(c)?, a.checked_mul(d)?, b.checked_mul(c)?, b.checked_mul(d)?];
    Some((*corners.iter().min()?, *corners.iter().max()?))
}
