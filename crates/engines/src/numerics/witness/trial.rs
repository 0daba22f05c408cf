//! Inputs that are one number over boxes, followed by intervals: if what comes out is no finite number whatever the
//! order of additions, they are a witness, and computing every element of a large network is spared.

use super::super::sites::{Analysis, Pass, Site};
use super::boxes::Boxes;
use super::wish::Wishes;
use super::{Fill, uniform};
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use crate::ranges::{Fault, Ranges, Settings, Span};
use rustc_hash::FxHashMap;
use semantics::dim::{AtomId, AtomView, Dim};
use semantics::dtype::Kind;
use semantics::element::{Element, ElementView};
use semantics::tensor::{Content, Tensor};

pub(super) struct Trial {
    pub wishes: Wishes,
    pub fill: Fill,
    /// Trained weights are as they start.
    pub usual: bool,
    pub boxes: FxHashMap<Tensor, Boxes>,
    ranges: Ranges,
}

impl Trial {
    pub fn new(
        analysis: &Analysis<'_>,
        sizes: &FxHashMap<AtomId, i64>,
        (wishes, fill, usual): (Wishes, Fill, bool),
    ) -> Trial {
        let settings = Settings { flushes: analysis.traced.flushes, ..Settings::KNOWN };
        let mut ranges = Ranges::with(settings);
        for (atom, &size) in sizes {
            if let AtomView::Symbol(symbol) = atom.view() {
                ranges.fix(symbol, size);
            }
        }
        Trial { wishes, fill, usual, boxes: FxHashMap::default(), ranges }
    }

    /// Numbers for sources that have none yet; `None` if one cannot be told by boxes.
    pub fn supply(
        &mut self,
        analysis: &Analysis<'_>,
        sources: &[Tensor],
        sizes: &FxHashMap<AtomId, i64>,
    ) -> Option<()> {
        for &source in sources {
            if self.boxes.contains_key(&source) {
                continue;
            }
            let boxes = uniform(analysis, source, sizes, self)?;
            self.ranges.give_partition(source, boxes.partition(source)?);
            self.boxes.insert(source, boxes);
        }
        Some(())
    }

    /// Whether the call of a site surely makes something that is no finite number out of finite ones.
    pub fn fails(&mut self, analysis: &Analysis<'_>, site: &Site) -> bool {
        let call = analysis.made(site.call);
        // A branch that is not taken computes nothing.
        let is_taken = |&(guard, truth): &(Tensor, bool), ranges: &mut Ranges| {
            ranges.read(guard).hull().and_then(|hull| hull.truth()) == Some(truth)
        };
        if !call.guards.iter().all(|guard| is_taken(guard, &mut self.ranges)) {
            return false;
        }
        // What is not known is taken to be finite, as everywhere.
        let mut known = call.inputs.iter().filter(|input| !analysis.is_unknown(**input));
        if known.any(|&input| !self.is_finite(input)) {
            return false;
        }
        if is_own(analysis, site) && [false, true].into_iter().any(|last| self.is_at_fault(site, last)) {
            return true;
        }
        call.outputs.iter().any(|&output| {
            let parts = self.ranges.read(output);
            parts.parts.iter().any(|part| {
                part.region.iter().all(|span| span.count().0 > 0)
                    && part.interval.is_some_and(|interval| is_surely_infinite(output.kind(), &interval))
            })
        })
    }

    fn is_finite(&mut self, tensor: Tensor) -> bool {
        if !tensor.dtype().known().is_some_and(|kind| kind.is_float()) {
            return true;
        }
        let most = tensor.kind().largest();
        matches!(self.ranges.read(tensor).hull(),
            Some(Interval::Float { low, high, nan: false }) if low >= -most && high <= most)
    }

    /// Whether the function at fault gives the element itself at certain places: conditions are decided there.
    fn is_result(&mut self, site: &Site, places: &[Span]) -> bool {
        let tensor = site.hazard.tensor;
        let Some(formula) = tensor.formula() else { return false };
        let wanted = without_casts(site.hazard.element).id();
        let mut element = without_casts(formula.element);
        while element.id() != wanted {
            let ElementView::Select(condition, then, otherwise) = element.view() else { return false };
            let truth = self.ranges.element_at(tensor, condition, places).and_then(|truth| truth.truth());
            element = match truth {
                Some(true) => without_casts(then),
                Some(false) => without_casts(otherwise),
                None => return false,
            };
        }
        true
    }

    fn is_at_fault(&mut self, site: &Site, last: bool) -> bool {
        let tensor = site.hazard.tensor;
        let Some(sizes) = tensor.shape().sizes() else { return false };
        let spans: Vec<Span> = sizes
            .iter()
            .map(|&size| match size.known() {
                Some(known) => {
                    let at = if last { known - 1 } else { 0 };
                    Span { low: Dim::from(at), high: Dim::from(at + 1) }
                }
                None => Span::of(size),
            })
            .collect();
        if !self.is_result(site, &spans) {
            return false;
        }
        let argument = self.ranges.element_at(tensor, site.hazard.blamed, &spans);
        let divides = matches!(site.hazard.function, "/" | "//" | "rem" | "%" | "reciprocal");
        if divides && site.hazard.fault == Fault::Pole {
            return matches!(
                argument,
                Some(Interval::Float { low: 0.0, high: 0.0, .. } | Interval::Int { low: 0, high: 0 })
            );
        }
        let result = self.ranges.element_at(tensor, site.hazard.element, &spans);
        result.is_some_and(|result| is_surely_infinite(site.hazard.element.kind(), &result))
    }
}

/// Whether it is the formula of what the call gives that is at fault, rather than one on the way to it.
fn is_own(analysis: &Analysis<'_>, site: &Site) -> bool {
    let mut tensor = match site.pass {
        Pass::Forward => match analysis.made(site.call).outputs.as_slice() {
            [output] => *output,
            _ => return false,
        },
        Pass::Backward | Pass::Inactive => site.hazard.tensor,
    };
    while let Content::Composed(composition, output) = tensor.content() {
        tensor = composition.output(output);
    }
    tensor == site.hazard.tensor
}

fn without_casts(element: Element) -> Element {
    match element.view() {
        ElementView::Cast(x) => without_casts(x),
        _ => element,
    }
}

fn is_surely_infinite(kind: Kind, interval: &Interval) -> bool {
    let most = kind.largest() * (1.0 + kind.unit_roundoff());
    matches!(*interval, Interval::Float { low, high, .. } if low > high || low > most || high < -most)
}
