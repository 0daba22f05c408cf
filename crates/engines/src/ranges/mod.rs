//! Reading formulas as intervals over boxes of indices.
//!
//! The conditions on indices inside a formula (`index < size of the first input` in concat) and the parts of
//! what it reads say where a box must be cut; so does a summation with its own index. Where a condition is
//! about several indices at once, or there are too many boxes, both sides are joined. Sizes may be unknown:
//! the ends of boxes are expressions.
//!
//! An interval holds the results of exact arithmetic and of arithmetic rounded in the element type (sums of
//! short floats being accumulated in float32 at least).

mod affine;
mod conditions;
mod diagonal;
mod fold;
mod hazard;
mod infinite;
mod loose;
mod means;
mod mixture;
mod norms;
mod order;
mod partition;
mod pieces;
mod read;
mod relations;
mod round;
mod settings;
mod spans;
mod totals;

pub use conditions::smallest_normal;
pub use hazard::{Fault, Hazard};
pub use loose::Outcome;
pub use partition::{Part, Partition, Span, between, shown};
pub use settings::{Parts, Settings};

use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use loose::Loose;
use partition::overlap;
use read::{Look, Reader, Stop, Written};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{AtomView, Dim, SymbolId};
use semantics::dtype::{Class, Kind};
use semantics::element::Element;
use semantics::tensor::{Content, Tensor};
use std::rc::Rc;

/// Ranges of the tensors of the current arena, each read once.
#[derive(Default)]
pub struct Ranges {
    partitions: FxHashMap<Tensor, Rc<Partition>>,
    hazards: Vec<Hazard>,
    /// The tensors with hazards whose results may be among the elements of others, or have had a say in them.
    faults: FxHashMap<Tensor, Rc<FxHashSet<Tensor>>>,
    /// For a tensor with hazards: those that are felt in it. Others feel them through it.
    deeper: FxHashMap<Tensor, FxHashSet<Tensor>>,
    settings: Settings,
    /// Sums of products whose factors were looked at once more, and whether that is being done.
    refined: FxHashSet<Tensor>,
    refining: bool,
    /// Sizes that are taken to be known.
    sizes: FxHashMap<SymbolId, i64>,
    /// Tensors that are computed only where conditions, single elements, are true or false.
    guards: FxHashMap<Tensor, Vec<(Tensor, bool)>>,
    written: Written,
    loose: Loose,
}

impl Ranges {
    pub fn new() -> Ranges {
        Ranges::default()
    }
    pub fn with(settings: Settings) -> Ranges {
        Ranges { settings, ..Ranges::default() }
    }
    /// Takes a size to be a number.
    pub fn fix(&mut self, size: SymbolId, number: i64) {
        self.sizes.insert(size, number);
    }
    fn reader<'r>(&'r self, tensor: Tensor, divisible: &[Option<SymbolId>]) -> Reader<'r> {
        let mut reader = Reader::new(&self.partitions, &self.written, tensor, divisible, self.settings);
        reader.loose = Some(&self.loose.tensors);
        reader.lets_through = self.loose.tensors.contains(&tensor);
        if !self.refining {
            reader.refined = Some(&self.refined);
        }
        for (&size, &number) in &self.sizes {
            reader.bind(size, Span { low: Dim::from(number), high: Dim::from(number + 1) });
        }
        reader
    }
    /// States that a tensor is computed only where conditions are true or false.
    pub fn guard(&mut self, tensor: Tensor, guards: &[(Tensor, bool)]) {
        self.guards.insert(tensor, guards.to_vec());
    }
    /// States that every element of a tensor lies between two numbers.
    pub fn give(&mut self, tensor: Tensor, low: f64, high: f64) {
        let interval = tensor.dtype().known().and_then(|kind| between(kind, low, high));
        self.give_partition(tensor, Partition::whole(tensor, interval));
    }
    /// States what is known of a tensor, box by box.
    pub fn give_partition(&mut self, tensor: Tensor, partition: Partition) {
        self.partitions.insert(tensor, Rc::new(partition));
    }
    /// Functions on the way to what was read so far that may be given arguments they do not bear.
    pub fn hazards(&self) -> &[Hazard] {
        &self.hazards
    }
    /// The tensors whose hazards may be felt in others, which were read; these, if they have some.
    pub fn faults_behind(&self, tensors: impl Iterator<Item = Tensor>) -> FxHashSet<Tensor> {
        let mut open: Vec<Tensor> = tensors.flat_map(|tensor| self.nearest_faults(tensor)).collect();
        let mut all = FxHashSet::default();
        while let Some(next) = open.pop() {
            if all.insert(next) {
                open.extend(self.deeper.get(&next).into_iter().flatten());
            }
        }
        all
    }
    /// The same, but for those that are felt through others.
    pub fn nearest_faults(&self, tensor: Tensor) -> impl Iterator<Item = Tensor> + '_ {
        self.faults.get(&tensor).into_iter().flat_map(|faults| faults.iter().copied())
    }
    /// The ranges of a tensor's elements.
    pub fn read(&mut self, tensor: Tensor) -> Rc<Partition> {
        // Tensors wait on a list of their own rather than on the stack: a model is a thousand layers deep.
        let mut open = vec![tensor];
        while let Some(&next) = open.last() {
            if self.partitions.contains_key(&next) {
                open.pop();
                continue;
            }
            match self.attempt(next) {
                Ok(mut partition) => {
                    // What is declared holds where all went well.
                    if let Some((low, high)) = next.declared_range().filter(|_| !self.is_loose(next)) {
                        partition.meet(low, high);
                    }
                    self.partitions.insert(next, Rc::new(partition));
                }
                // A tensor that depends on itself has no range to be told.
                Err(needed) if open.contains(&needed) => {
                    let anything = Partition::whole(needed, anything(needed));
                    self.partitions.insert(needed, Rc::new(anything));
                }
                Err(needed) => open.push(needed),
            }
        }
        self.partitions.get(&tensor).cloned().unwrap_or_else(|| Rc::new(Partition::whole(tensor, None)))
    }

    /// The ranges of a tensor, or another that must be read before.
    fn attempt(&mut self, tensor: Tensor) -> Result<Partition, Tensor> {
        let whole = |interval| Ok(Partition::whole(tensor, interval));
        match tensor.content() {
            Content::Given | Content::Opaque(..) => whole(anything(tensor)),
            Content::Stored(load) => match load() {
                Some(array) => Ok(Partition::of_array(&array)),
                None => whole(anything(tensor)),
            },
            Content::Random(random) => {
                whole(tensor.dtype().known().and_then(|kind| between(kind, random.low, random.high)))
            }
            Content::Dims(dims) => {
                let kind = tensor.kind();
                let intervals =
                    dims.iter().map(|&dim| read::number_of(kind, self.told_as(kind, self.size_bounds(dim))));
                let hull = intervals.reduce(|hull, next| hull?.hull(&next?)).flatten();
                whole(hull.or(anything(tensor)))
            }
            Content::Composed(composition, output) => {
                let last = composition.output(output);
                let partition =
                    self.partitions.get(&last).map(|partition| (**partition).clone()).ok_or(last)?;
                if let Some(faults) = self.faults.get(&last).cloned() {
                    self.faults.insert(tensor, faults);
                }
                Ok(partition)
            }
            Content::Formula { .. } => match (tensor.dtype().known(), tensor.formula()) {
                (Some(_), Some(_)) if self.unread_guard(tensor).is_some() => {
                    self.unread_guard(tensor).map_or_else(|| whole(None), Err)
                }
                (Some(kind), Some(formula)) if !matches!(kind.class(), Class::Complex | Class::Opaque) => {
                    match self.sizes_in(tensor) {
                        Some(partition) => Ok(partition),
                        None => self.formula(tensor, &formula),
                    }
                }
                _ => whole(anything(tensor)),
            },
        }
    }

    /// A condition that a tensor is computed under and that has not been read.
    fn unread_guard(&self, tensor: Tensor) -> Option<Tensor> {
        let guards = self.guards.get(&tensor)?;
        let guard = |(guard, _): &(Tensor, bool)| (!self.partitions.contains_key(guard)).then_some(*guard);
        guards.iter().find_map(guard)
    }

    /// Looks once more at the factors of a sum of products, through what they are computed from, and then at the sum:
    /// an interval is all that anybody will know of it.
    fn refine(&mut self, tensor: Tensor) {
        self.refined.insert(tensor);
        let sum = composed_of(tensor);
        let factors = sum.formula().map(|formula| mixture::factors(formula.element)).unwrap_or_default();
        let settings = self.settings;
        self.settings.eager = true;
        self.refining = true;
        for factor in factors {
            let computed = composed_of(factor);
            if matches!(computed.content(), Content::Formula { .. })
                && self.refined.insert(computed)
                && let Ok(partition) = self.attempt(computed)
            {
                let partition = Rc::new(partition);
                self.partitions.insert(factor, partition.clone());
                self.partitions.insert(computed, partition);
            }
        }
        self.settings = settings;
        if let Ok(partition) = self.attempt(sum) {
            let partition = Rc::new(partition);
            self.partitions.insert(tensor, partition.clone());
            self.partitions.insert(sum, partition);
        }
        self.refining = false;
    }

    /// Between what a size lies; where things are taken to go well, nothing is empty.
    fn size_bounds(&self, dim: Dim) -> (i64, i64) {
        let mut fixed = |atom: semantics::dim::AtomId| match atom.view() {
            AtomView::Symbol(symbol) => self.sizes.get(&symbol).copied(),
            _ => None,
        };
        if !self.sizes.is_empty()
            && let Some(number) = dim.evaluate(&mut fixed)
        {
            return (number, number);
        }
        let (low, high) = dim.bounds();
        let terms = dim.terms();
        let is_product = terms.constant == 0 && terms.terms.iter().all(|(coefficient, _)| *coefficient > 0);
        if self.settings.sane && low == 0 && is_product && !terms.terms.is_empty() {
            (1, high)
        } else {
            (low, high)
        }
    }

    /// Where things are taken to go well, a size fits the type that it is told in.
    fn told_as(&self, kind: Kind, (low, high): (i64, i64)) -> (i64, i64) {
        match kind.int_range() {
            Some((least, most)) if self.settings.sane && low >= 0 => {
                let fitted = |bound: i64| i128::from(bound).clamp(least, most) as i64;
                (fitted(low), fitted(high))
            }
            _ => (low, high),
        }
    }

    /// The hazards of an expression over the index of a tensor's formula, wherever in the tensor; elements may be
    /// supposed not to be certain numbers.
    pub fn hazards_in(&mut self, tensor: Tensor, element: Element, but: &[(Element, f64)]) -> Vec<Hazard> {
        self.read(tensor);
        let Some(formula) = tensor.formula() else { return Vec::new() };
        let sizes = tensor.shape().sizes().unwrap_or_default();
        let mut found = Vec::new();
        let mut looks = Look::ALL.into_iter();
        let mut look = None;
        loop {
            let mut reader = self.reader(tensor, &[]);
            // What is infinite and lost again further on is so in a derivative all the same.
            reader.lets_through = false;
            if let Some(look) = look {
                reader = reader.attentive(look);
            }
            for (variable, &size) in formula.index.iter().zip(&sizes) {
                if let Some(variable) = symbol(*variable) {
                    reader.bind(variable, Span::of(size));
                }
            }
            if but.iter().try_for_each(|&(other, number)| reader.suppose_other(other, number)).is_err() {
                return found;
            }
            match reader.element(element) {
                Ok(_) => found = reader.hazards,
                Err(Stop::Refine(sum)) => {
                    self.refine(sum);
                    continue;
                }
                Err(_) => return found,
            }
            look = looks.next();
            if look.is_none() || found.is_empty() || !self.settings.relations {
                break;
            }
        }
        found
    }

    /// The range of a tensor's elements where a condition, a single element, is true or false; `None` if it never is.
    /// Conditions are about single numbers, counters mostly: nothing more is found out about larger tensors.
    pub fn hull_where(&mut self, tensor: Tensor, (guard, truth): (Tensor, bool)) -> Option<Option<Interval>> {
        let plain = self.read(tensor).hull();
        if self.read(guard).hull().and_then(|hull| hull.truth()) == Some(!truth) {
            return None;
        }
        let sizes = tensor.shape().sizes().unwrap_or_default();
        let is_single =
            tensor.shape().known_rank().is_some() && sizes.iter().all(|size| size.known() == Some(1));
        let is_real =
            tensor.dtype().known().is_some_and(|kind| matches!(kind.class(), Class::Float | Class::Int));
        if !is_single || !is_real || !self.settings.relations {
            return Some(plain);
        }
        const MOST_TRIES: usize = 64;
        let element = tensor.at(&vec![Dim::from(0); sizes.len()]);
        for _ in 0..MOST_TRIES {
            let mut reader = self.reader(tensor, &[]).attentive(Look::Deep);
            let read = match reader.guarded(&[(guard, truth)]) {
                Ok(false) => return None,
                Ok(true) => reader.element(element),
                Err(stop) => Err(stop),
            };
            match read {
                Ok(closer) => return Some(plain.map_or(Some(closer), |plain| Some(overlap(plain, closer)))),
                Err(Stop::Needs(needed)) => {
                    self.read(needed);
                }
                Err(Stop::Refine(sum)) => self.refine(sum),
                Err(Stop::Cut(_)) => break,
            }
        }
        Some(plain)
    }

    /// The range of a tensor's elements, seen through the tensors it is computed from.
    pub fn hull_closely(&mut self, tensor: Tensor) -> Option<Interval> {
        let plain = self.read(tensor).hull();
        let computed = composed_of(tensor);
        if !matches!(computed.content(), Content::Formula { .. }) {
            return plain;
        }
        let settings = self.settings;
        self.settings.eager = true;
        let closer = self.attempt(computed);
        self.settings = settings;
        match (plain, closer.ok().and_then(|partition| partition.hull())) {
            (Some(plain), Some(closer)) => Some(overlap(plain, closer)),
            (plain, closer) => plain.or(closer),
        }
    }

    /// The range of an expression over the index of a tensor's formula, at certain places.
    pub fn element_at(&mut self, tensor: Tensor, element: Element, places: &[Span]) -> Option<Interval> {
        self.read(tensor);
        let formula = tensor.formula()?;
        let mut reader = self.reader(tensor, &[]);
        for (variable, span) in formula.index.iter().zip(places) {
            if let Some(variable) = symbol(*variable) {
                reader.bind(variable, *span);
            }
        }
        reader.element(element).ok()
    }

    /// The elements of a small integer tensor as expressions of sizes, which know more of each other than bounds do.
    fn sizes_in(&self, tensor: Tensor) -> Option<Partition> {
        const MOST: i64 = 8;
        let kind = tensor.dtype().known().filter(|kind| kind.class() == Class::Int)?;
        let shape: Option<Vec<i64>> = tensor.shape().sizes()?.iter().map(|size| size.known()).collect();
        let shape = shape?;
        let count: i64 = shape.iter().product();
        if count == 0 || count > MOST || shape.len() > 1 {
            return None;
        }
        let values = tensor.values()?;
        // Of numbers the formula says as much, and what floats were rounded to on the way.
        if values.iter().all(|value| value.dim().is_none_or(|dim| dim.known().is_some())) {
            return None;
        }
        let mut parts = Vec::new();
        for (at, value) in values.iter().enumerate() {
            let bounds = self.told_as(kind, self.size_bounds(value.dim()?));
            let interval = read::number_of(kind, bounds)?;
            let at = Dim::from(at);
            let region = shape.iter().map(|_| Span { low: at, high: at + 1 }).collect();
            parts.push(Part { region, interval: Some(interval) });
        }
        Some(Partition { parts })
    }

    fn formula(&mut self, tensor: Tensor, formula: &semantics::tensor::Formula) -> Result<Partition, Tensor> {
        let sizes = tensor.shape().sizes().unwrap_or_default();
        let variables: Vec<Option<SymbolId>> = formula.index.iter().map(|&dim| symbol(dim)).collect();
        let mut open: Vec<Vec<Span>> = vec![sizes.iter().map(|&size| Span::of(size)).collect()];
        if let Parts::Expanded(most) = self.settings.parts {
            open = expanded(&sizes, most).unwrap_or(open);
        }
        let is_loose = self.is_loose(tensor);
        let mut parts = Vec::new();
        let mut hazards = Vec::new();
        let mut behind: FxHashSet<Tensor> = FxHashSet::default();
        while let Some(region) = open.pop() {
            if region.iter().any(|span| span.count().1 == 0) {
                // Nothing is in it, and nothing needs to be said of it, but that the tensor is covered.
                parts.push(Part { region, interval: None });
                continue;
            }
            let full = parts.len() + open.len() + 1 >= self.settings.most_parts();
            let divisible: &[Option<SymbolId>] = if full { &[] } else { &variables };
            let reader = |divisible| {
                let mut reader = self.reader(tensor, divisible);
                for (variable, span) in variables.iter().zip(&region) {
                    if let Some(variable) = variable {
                        reader.bind(*variable, *span);
                    }
                }
                reader
            };
            let mut plain = reader(divisible);
            let mut result = plain.element(formula.element);
            let (mut found, mut relied_on) = (plain.hazards, plain.relied_on);
            if let Ok(interval) = result
                && (self.settings.eager || found.iter().any(hazard::may_be_related))
                && (self.settings.eager || !mixture::is_mixture(formula.element))
                && self.settings.relations
                && !is_loose
            {
                // More looks, through the tensors it reads: as far as it takes until nothing is at fault any more.
                let guards = self.guards.get(&tensor).map_or(&[][..], Vec::as_slice);
                for look in Look::ALL {
                    let mut attentive = reader(&[]).attentive(look);
                    let held = result.as_ref().map_or(interval, |held| *held);
                    result = match attentive.guarded(guards) {
                        Ok(true) => attentive.element(formula.element).map(|closer| overlap(held, closer)),
                        // It is never computed.
                        Ok(false) => Ok(held),
                        Err(stop) => Err(stop),
                    };
                    (found, relied_on) = (attentive.hazards, attentive.relied_on);
                    if result.is_err() || found.is_empty() && !self.settings.eager {
                        break;
                    }
                }
            }
            match result {
                Ok(interval) => {
                    for other in relied_on {
                        behind.extend(self.nearest_faults(other));
                    }
                    hazards.append(&mut found);
                    let interval = tensor
                        .dtype()
                        .known()
                        .map_or(interval, |kind| round::as_read(kind, interval, self.settings));
                    parts.push(Part { region, interval: Some(interval) });
                }
                Err(Stop::Needs(needed)) => return Err(needed),
                Err(Stop::Refine(sum)) => {
                    self.refine(sum);
                    open.push(region);
                }
                Err(Stop::Cut(cut)) => {
                    let axis = variables.iter().position(|variable| *variable == Some(cut.variable));
                    let Some(axis) = axis else {
                        parts.push(Part { region, interval: anything(tensor) });
                        continue;
                    };
                    let (mut below, mut above) = (region.clone(), region);
                    below[axis].high = cut.at;
                    above[axis].low = cut.at;
                    open.push(above);
                    open.push(below);
                }
            }
        }
        if parts.iter().any(|part| part.interval.is_some()) {
            parts.retain(|part| part.interval.is_some() || part.region.iter().all(|span| span.count().1 > 0));
        }
        // A definition that states how far its numbers go means them to.
        if tensor.declared_range().is_some() {
            hazards.retain(|hazard: &Hazard| hazard.fault != Fault::Overflow);
        }
        if self.loose.is_trial {
            return Ok(Partition { parts });
        }
        // What is infinite in it is lost again.
        if is_loose {
            hazards.retain(|hazard| hazard.fault == Fault::OutsideDomain);
        }
        if !hazards.is_empty() {
            self.deeper.insert(tensor, std::mem::take(&mut behind));
            behind.insert(tensor);
        }
        if self.settings.sane && !behind.is_empty() {
            self.faults.insert(tensor, Rc::new(behind));
        }
        for hazard in hazards {
            self.note(hazard);
        }
        Ok(Partition { parts })
    }

    /// One hazard for each function of a tensor, whatever the box.
    fn note(&mut self, hazard: Hazard) {
        let same = self.hazards.iter_mut().find(|other| {
            other.tensor == hazard.tensor && other.function == hazard.function && other.fault == hazard.fault
        });
        match same {
            Some(other) => {
                other.argument = other.argument.hull(&hazard.argument).unwrap_or(other.argument);
            }
            None => self.hazards.push(hazard),
        }
    }
}

/// The tensor that a composition ends in.
fn composed_of(tensor: Tensor) -> Tensor {
    let mut tensor = tensor;
    while let Content::Composed(composition, output) = tensor.content() {
        tensor = composition.output(output);
    }
    tensor
}

/// Every element as a box of its own, if they are few enough.
fn expanded(sizes: &[Dim], most: usize) -> Option<Vec<Vec<Span>>> {
    let mut boxes: Vec<Vec<Span>> = vec![Vec::new()];
    for size in sizes {
        let size = size.known()?;
        if boxes.len().saturating_mul(usize::try_from(size).ok()?) > most {
            return None;
        }
        let spans = (0..size).map(|at| Span { low: at.into(), high: (at + 1).into() });
        let longer = |span: Span| boxes.iter().map(move |each| each.iter().copied().chain([span]).collect());
        boxes = spans.flat_map(longer).collect();
    }
    Some(boxes)
}

fn anything(tensor: Tensor) -> Option<Interval> {
    tensor.dtype().known().and_then(Interval::anything)
}

/// The symbol, if the expression is nothing but one.
fn symbol(dim: Dim) -> Option<SymbolId> {
    match dim.as_atom()?.view() {
        AtomView::Symbol(symbol) => Some(symbol),
        _ => None,
    }
}
