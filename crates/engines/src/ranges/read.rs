//! Reads one element as an interval, its index variables being anywhere in their spans.

use super::fold::{Segment, fold};
use super::hazard::{self, Fault, Hazard};
use super::partition::{Partition, Span};
use super::round::outwards;
use super::symbol;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use rustc_hash::FxHashMap;
use semantics::dim::{Dim, SymbolId, UNBOUNDED, UNBOUNDED_BELOW};
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementId, ElementView};
use semantics::scalar::{Binary, Unary};
use semantics::tensor::Tensor;
use std::rc::Rc;

/// Segments that the span of a summation index is cut into at most.
const MOST_SEGMENTS: usize = 32;
/// Formulas nested deeper than this are not followed.
const MOST_DEPTH: usize = 256;

/// Why reading stopped.
pub(super) enum Stop {
    /// This tensor must be read first.
    Needs(Tensor),
    /// Cutting the span of a variable tells more.
    Cut(Cut),
}

/// A variable is below `at`, or not.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub variable: SymbolId,
    pub at: Dim,
}

pub(super) struct Reader<'a> {
    partitions: &'a FxHashMap<Tensor, Rc<Partition>>,
    tensor: Tensor,
    pub(super) spans: FxHashMap<SymbolId, Span>,
    /// Variables whose span may still be cut.
    pub(super) divisible: Vec<SymbolId>,
    /// What was read with the present spans, one level for each summation index.
    known: Vec<FxHashMap<ElementId, Interval>>,
    pub(super) hazards: Vec<Hazard>,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub fn new(
        partitions: &'a FxHashMap<Tensor, Rc<Partition>>,
        tensor: Tensor,
        divisible: &[Option<SymbolId>],
    ) -> Reader<'a> {
        Reader {
            partitions,
            tensor,
            spans: FxHashMap::default(),
            divisible: divisible.iter().copied().flatten().collect(),
            known: vec![FxHashMap::default()],
            hazards: Vec::new(),
            depth: 0,
        }
    }
    pub fn bind(&mut self, variable: SymbolId, span: Span) {
        self.spans.insert(variable, span);
    }

    /// The range of an element of a real type.
    pub fn element(&mut self, element: Element) -> Result<Interval, Stop> {
        let id = element.id();
        if let Some(interval) = self.known.iter().rev().find_map(|level| level.get(&id)) {
            return Ok(*interval);
        }
        if self.depth >= MOST_DEPTH {
            return Ok(anything(element.kind()));
        }
        self.depth += 1;
        let interval = self.compute(element);
        self.depth -= 1;
        let interval = outwards(element.kind(), interval?);
        if let Some(level) = self.known.last_mut() {
            level.insert(id, interval);
        }
        Ok(interval)
    }

    fn compute(&mut self, element: Element) -> Result<Interval, Stop> {
        let kind = element.kind();
        let unordered = |x: Element| matches!(x.kind().class(), Class::Complex | Class::Opaque);
        Ok(match element.view() {
            ElementView::Float(value) => Interval::float(kind, value),
            ElementView::Int(value) => <Interval as Number>::int(kind, value),
            ElementView::Bool(value) => Interval::bool(value),
            ElementView::Index(dim) => number_of(kind, self.bounds(dim)?).unwrap_or_else(|| anything(kind)),
            ElementView::At(tensor, index) => self.at(tensor, &index, kind)?,
            ElementView::Unary(_, x) | ElementView::Cast(x) if unordered(x) => anything(kind),
            ElementView::Binary(_, x, _) if unordered(x) => anything(kind),
            ElementView::Unary(function, x) => {
                let argument = self.element(x)?;
                self.unary(function, x.kind(), argument)
            }
            ElementView::Binary(function, x, y) => {
                let (a, b) = (self.element(x)?, self.element(y)?);
                let result = match with_itself(function, &a).filter(|_| x.id() == y.id()) {
                    Some(result) => result,
                    None => Interval::binary(function, x.kind(), &a, &b).unwrap_or_else(|| anything(kind)),
                };
                if let Some((fault, argument)) = hazard::of_binary(function, x.kind(), &a, &b, &result) {
                    self.report(function.name(), fault, argument);
                }
                result
            }
            ElementView::Cast(x) => {
                let argument = self.element(x)?;
                if let (Interval::Float { low, high, .. }, Some((least, most))) = (argument, kind.int_range())
                    && (low.trunc() < least as f64 || high.trunc() > most as f64)
                {
                    self.report("cast", Fault::DoesNotFit, argument);
                }
                Interval::cast(x.kind(), kind, &argument).unwrap_or_else(|| anything(kind))
            }
            ElementView::When(prop, then, otherwise) => match self.truth(prop)? {
                Some(true) => self.element(then)?,
                Some(false) => self.element(otherwise)?,
                None => match self.cut_for(prop)? {
                    Some(cut) => return Err(Stop::Cut(cut)),
                    None => self.either(then, otherwise)?,
                },
            },
            ElementView::Select(condition, then, otherwise) => match self.element(condition)?.truth() {
                Some(true) => self.element(then)?,
                Some(false) => self.element(otherwise)?,
                None => self.either(then, otherwise)?,
            },
            ElementView::Fold { with, variable, extent, body } => {
                let mut segments = Vec::new();
                self.segments(variable, extent, body, &mut segments)?;
                let result = fold(with, kind, &segments).unwrap_or_else(|| anything(kind));
                let terms: Vec<&Interval> = segments.iter().map(|segment| &segment.interval).collect();
                if let (Some(fault), Some(term)) = (hazard::overflow(kind, &terms, &result), terms.first()) {
                    self.report(with.name(), fault, **term);
                }
                result
            }
        })
    }

    fn unary(&mut self, function: Unary, kind: Kind, argument: Interval) -> Interval {
        let result =
            Interval::unary(function, kind, &argument).unwrap_or_else(|| anything(function.result(kind)));
        if let Some(fault) = hazard::of_unary(function, kind, &argument, &result) {
            self.report(function.name(), fault, argument);
        }
        result
    }

    fn either(&mut self, then: Element, otherwise: Element) -> Result<Interval, Stop> {
        let (a, b) = (self.element(then)?, self.element(otherwise)?);
        Ok(a.hull(&b).unwrap_or_else(|| anything(then.kind())))
    }

    /// The terms of a fold, the span of its variable cut where its body says so.
    fn segments(
        &mut self,
        variable: Dim,
        extent: Dim,
        body: Element,
        segments: &mut Vec<Segment>,
    ) -> Result<(), Stop> {
        let (least, most) = self.bounds(extent)?;
        let Some(own) = symbol(variable) else {
            let count = (least.max(0), most.max(0));
            segments.push(Segment { count, interval: self.element(body)? });
            return Ok(());
        };
        let mut open = vec![Span::of(extent)];
        while let Some(span) = open.pop() {
            let mut count = span.count();
            if span.low.known() == Some(0) && span.high.id() == extent.id() {
                // The extent itself may depend on outer variables.
                count = (least.max(0), most.max(0));
            }
            if count.1 == 0 {
                continue;
            }
            let outer = self.spans.insert(own, span);
            let divisible = segments.len() + open.len() + 1 < MOST_SEGMENTS;
            if divisible {
                self.divisible.push(own);
            }
            let reported = self.hazards.len();
            self.known.push(FxHashMap::default());
            let interval = self.element(body);
            self.known.pop();
            if divisible {
                self.divisible.pop();
            }
            match outer {
                Some(outer) => self.spans.insert(own, outer),
                None => self.spans.remove(&own),
            };
            match interval {
                Ok(interval) => segments.push(Segment { count, interval }),
                Err(Stop::Cut(cut)) if cut.variable == own => {
                    self.hazards.truncate(reported);
                    open.push(Span { low: cut.at, high: span.high });
                    open.push(Span { low: span.low, high: cut.at });
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    /// What the parts of a tensor that an index may lie in have in common.
    fn at(&mut self, tensor: Tensor, index: &[Dim], kind: Kind) -> Result<Interval, Stop> {
        let partition = self.partitions.get(&tensor).cloned().ok_or(Stop::Needs(tensor))?;
        let mut met: Vec<usize> = Vec::new();
        for (number, part) in partition.parts.iter().enumerate() {
            let mut meets = true;
            for (span, &at) in part.region.iter().zip(index) {
                meets =
                    meets && self.bounds(at - span.low)?.1 >= 0 && self.bounds(span.high - 1 - at)?.1 >= 0;
            }
            if meets {
                met.push(number);
            }
        }
        let interval = |number: &usize| partition.parts[*number].interval;
        let differ = met.windows(2).any(|pair| interval(&pair[0]) != interval(&pair[1]));
        if differ {
            for number in &met {
                for (span, &at) in partition.parts[*number].region.iter().zip(index) {
                    for side in [at - span.low, at - span.high] {
                        let (low, high) = self.bounds(side)?;
                        if low < 0
                            && high >= 0
                            && let Some(cut) = self.cut_where_reached(side)?
                        {
                            return Err(Stop::Cut(cut));
                        }
                    }
                }
            }
        }
        let hull = met.iter().map(interval).reduce(|hull, next| hull?.hull(&next?));
        Ok(hull.flatten().unwrap_or_else(|| anything(kind)))
    }

    fn report(&mut self, function: &'static str, fault: Fault, argument: Interval) {
        self.hazards.push(Hazard { tensor: self.tensor, function, fault, argument });
    }
}

/// What a function gives for one number taken twice, where that says more than two numbers would.
fn with_itself(function: Binary, x: &Interval) -> Option<Interval> {
    match (function, *x) {
        (Binary::Sub, Interval::Float { low, high, nan })
            if low <= high && low.is_finite() && high.is_finite() =>
        {
            Some(Interval::Float { low: 0.0, high: 0.0, nan })
        }
        (Binary::Mul, Interval::Float { low, high, nan }) if low <= high => {
            let square = |x: f64| Interval::Float { low: x, high: x, nan: false };
            let ends =
                [low, high].map(|end| Interval::binary(Binary::Mul, Kind::F64, &square(end), &square(end)));
            let Interval::Float { low: a, high: b, .. } = ends[0]?.hull(&ends[1]?)? else { return None };
            let a = if low <= 0.0 && high >= 0.0 { 0.0 } else { a.max(0.0) };
            Some(Interval::Float { low: a, high: b, nan })
        }
        _ => None,
    }
}

/// An integer between two bounds as a number of a type.
pub(super) fn number_of(kind: Kind, (low, high): (i64, i64)) -> Option<Interval> {
    match kind.class() {
        Class::Int => {
            let (least, most) = kind.int_range()?;
            let (low, high) = (i128::from(low), i128::from(high));
            // Beyond the type an index wraps.
            if low < least || high > most {
                Interval::anything(kind)
            } else {
                Some(Interval::Int { low, high })
            }
        }
        Class::Float => {
            let low = if low == UNBOUNDED_BELOW { f64::NEG_INFINITY } else { low as f64 };
            let high = if high == UNBOUNDED { f64::INFINITY } else { high as f64 };
            Some(outwards(kind, Interval::Float { low, high, nan: false }))
        }
        _ => Interval::anything(kind),
    }
}

pub(super) fn anything(kind: Kind) -> Interval {
    let whole = Interval::Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true };
    Interval::anything(kind).unwrap_or(whole)
}
