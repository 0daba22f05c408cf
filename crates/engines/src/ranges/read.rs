//! Reads one element as an interval, its index variables being anywhere in their spans.

use super::conditions::{Everywhere, Supposed};
use super::fold::{Segment, fold};
use super::hazard::{self, Fault, Hazard};
use super::loose::let_through;
use super::mixture::is_mixture;
use super::partition::{Partition, Span, overlap};
use super::round::{as_read, outwards};
use super::settings::Settings;
use super::symbol;
use crate::evaluate::interval::Interval;
use crate::evaluate::number::Number;
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dim::{AtomId, Dim, DimId, SymbolId, UNBOUNDED, UNBOUNDED_BELOW};
use semantics::dtype::{Class, Kind};
use semantics::element::{Element, ElementId, ElementView};
use semantics::prop::Prop;
use semantics::scalar::{Binary, Fold, Unary};
use semantics::tensor::{Content, Tensor};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::rc::Rc;

/// A sum has no more terms: those of a petabyte of float32.
pub(super) const MOST_TERMS: i64 = 1 << 48;

/// Segments that the span of a summation index is cut into at most.
const MOST_SEGMENTS: usize = 32;
/// Formulas nested deeper than this are not followed.
const MOST_DEPTH: usize = 256;
/// Tensors that are looked through for one part of another, and how deep.
const MOST_LOOKS: usize = 400;
const DEEPEST_LOOK: usize = 24;
const NEAREST_LOOK: usize = 4;
/// Elements of one part that are read by pieces.
const MOST_CUT: usize = 2;
/// Indices longer than this are not looked through.
const LONGEST_INDEX: u32 = 24;

/// Why reading stopped.
pub(super) enum Stop {
    /// This tensor must be read first.
    Needs(Tensor),
    /// Cutting the span of a variable tells more.
    Cut(Cut),
    /// Looking at the factors of this sum of products tells more.
    Refine(Tensor),
}

/// How closely tensors are looked at that others are computed from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Those nearby: far ones would use up what may be looked at.
    Near,
    /// All, and what is read more than once is read by pieces.
    Deep,
}

impl Look {
    /// One after the other, until enough is known.
    pub const ALL: [Look; 2] = [Look::Near, Look::Deep];
}

/// A variable is below `at`, or not.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    pub variable: SymbolId,
    pub at: Dim,
}

/// Elements of tensors as they are computed, written with the indices that were asked for: the same are asked for in
/// every look.
pub(super) type Written = RefCell<FxHashMap<(Tensor, SmallVec<[DimId; 4]>), Element>>;

pub(super) struct Reader<'a> {
    pub(super) partitions: &'a FxHashMap<Tensor, Rc<Partition>>,
    written: &'a Written,
    tensor: Tensor,
    pub(super) spans: FxHashMap<SymbolId, Span>,
    /// Variables whose span may still be cut.
    pub(super) divisible: Vec<SymbolId>,
    /// What was read with the present spans, one level for each summation index.
    pub(super) known: Vec<FxHashMap<ElementId, Interval>>,
    pub(super) hazards: Vec<Hazard>,
    /// The tensors whose faults reach what is read: those that were read as they are, and those that were looked
    /// through and found at fault even under the conditions around.
    pub(super) relied_on: Vec<Tensor>,
    pub(super) settings: Settings,
    /// Sums of products that cannot be told better; none if nothing may be looked at once more.
    pub(super) refined: Option<&'a FxHashSet<Tensor>>,
    /// Tensors that are read with what is infinite in them, and whether what is read here is one of them.
    pub(super) loose: Option<&'a FxHashSet<Tensor>>,
    pub(super) lets_through: bool,
    /// What the conditions of the branches around say.
    pub(super) supposed: Vec<Supposed>,
    pub(super) everywhere: Vec<Everywhere>,
    /// How deep it is in conditions of which one or another holds.
    pub(super) alternatives: usize,
    /// Conditions on indices that are taken to hold, or not to.
    pub(super) assumed: Vec<(Prop, bool)>,
    /// The variables that are anything at all in what is being supposed, and how far they go.
    pub(super) quantified: Vec<(SymbolId, Dim)>,
    /// Whether tensors are looked through, how often that may still be done, and how deep it has gone.
    looks: bool,
    pub(super) looks_left: usize,
    look_depth: usize,
    deepest_look: usize,
    /// How many elements may still be read by pieces.
    pub(super) cuts_left: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    pub fn new(
        partitions: &'a FxHashMap<Tensor, Rc<Partition>>,
        written: &'a Written,
        tensor: Tensor,
        divisible: &[Option<SymbolId>],
        settings: Settings,
    ) -> Reader<'a> {
        Reader {
            partitions,
            written,
            tensor,
            spans: FxHashMap::default(),
            divisible: divisible.iter().copied().flatten().collect(),
            known: vec![FxHashMap::default()],
            hazards: Vec::new(),
            relied_on: Vec::new(),
            settings,
            refined: None,
            loose: None,
            lets_through: false,
            supposed: Vec::new(),
            everywhere: Vec::new(),
            alternatives: 0,
            assumed: Vec::new(),
            quantified: Vec::new(),
            looks: false,
            looks_left: MOST_LOOKS,
            look_depth: 0,
            deepest_look: DEEPEST_LOOK,
            cuts_left: 0,
            depth: 0,
        }
    }
    /// From here on tensors are looked through, into what they were computed from.
    pub fn attentive(mut self, look: Look) -> Reader<'a> {
        self.looks = true;
        self.deepest_look = if look == Look::Near { NEAREST_LOOK } else { DEEPEST_LOOK };
        self.cuts_left = match look {
            // Where everything is looked at as closely, the first will do.
            Look::Deep if self.settings.eager => 1,
            Look::Deep => MOST_CUT,
            Look::Near => 0,
        };
        self
    }
    pub(super) fn looking_through<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.looks, true);
        let result = read(self);
        self.looks = before;
        result
    }
    pub(super) fn may_look_through(&self) -> bool {
        self.looks && self.settings.relations && self.looks_left > 0
    }
    /// What an element of a tensor is computed as, one step back.
    pub(super) fn inlined(&mut self, tensor: Tensor, index: &[Dim]) -> Option<Element> {
        if !self.settings.relations || self.looks_left == 0 {
            return None;
        }
        // Relations are between elements at plain indices; long ones only make what is read longer.
        if index.iter().any(|dim| dim.length() > LONGEST_INDEX) {
            return None;
        }
        self.looks_left -= 1;
        let mut tensor = tensor;
        while let Content::Composed(composition, output) = tensor.content() {
            tensor = composition.output(output);
        }
        // Relations are between finite numbers; conditions may be about others, too.
        if self.is_loose(tensor) && tensor.dtype().known() != Some(Kind::Bool) {
            return None;
        }
        let formula = tensor.formula()?;
        if formula.index.len() != index.len() {
            return None;
        }
        let asked = (tensor, index.iter().map(|dim| dim.id()).collect());
        if let Some(&element) = self.written.borrow().get(&asked) {
            return Some(element);
        }
        let mut places: Vec<(AtomId, Dim)> = Vec::with_capacity(index.len());
        for (&variable, &place) in formula.index.iter().zip(index) {
            if let Some(atom) = variable.as_atom() {
                places.push((atom, place));
            }
        }
        let element = formula.element.at_indices(&places);
        self.written.borrow_mut().insert(asked, element);
        Some(element)
    }
    /// Reads without asking for cuts: relations speak of elements under folds whose variables nobody else knows of.
    fn undivided<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Stop>) -> Result<T, Stop> {
        let divisible = std::mem::take(&mut self.divisible);
        let result = read(self);
        self.divisible = divisible;
        result
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
        let mut interval = self.narrowed(id, interval?);
        if !self.supposed.is_empty()
            && self.may_look_through()
            && matches!(element.view(), ElementView::Fold { .. })
        {
            interval = self.narrowed_as_another(element, interval);
        }
        let mut interval = if self.settings.rounded { interval } else { outwards(element.kind(), interval) };
        if self.lets_through {
            interval = let_through(element.kind(), interval);
        }
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
                if function == Unary::Reciprocal && holds_zero(&argument) && self.lets_through {
                    let one = Interval::float(kind, 1.0);
                    return self.through_pole(kind, &one, &argument, x);
                }
                if function == Unary::Reciprocal && holds_zero(&argument) && self.may_look_through() {
                    let least = self.undivided(|reader| reader.least_magnitude(x, 0))?;
                    let away = self.away_from_zero(x.id()).max(least);
                    let one = Interval::float(kind, 1.0);
                    if away > 0.0
                        && let Some(result) = self.quotient_apart(kind, &one, &argument, away)
                    {
                        if let Some(fault) = hazard::overflow(kind, &[&argument], &result) {
                            self.report(function.name(), fault, argument, element, x);
                        }
                        return Ok(result);
                    }
                }
                let result = Interval::unary(function, x.kind(), &argument).unwrap_or_else(|| anything(kind));
                let result = as_frameworks_do(function, x.kind(), &argument, result);
                match hazard::of_unary(function, x.kind(), &argument, &result) {
                    Some(fault) => {
                        self.report(function.name(), fault, argument, element, x);
                        match fault {
                            Fault::Overflow => result,
                            _ if self.lets_through => result,
                            _ => self.gone_well(function, x.kind(), argument, result),
                        }
                    }
                    None => result,
                }
            }
            ElementView::Binary(function, x, y) => self.binary(element, function, x, y)?,
            ElementView::Cast(x) => {
                let argument = self.element(x)?;
                if let (Interval::Float { low, high, .. }, Some((least, most))) = (argument, kind.int_range())
                    && (low.trunc() < least as f64 || high.trunc() > most as f64)
                {
                    self.report("cast", Fault::DoesNotFit, argument, element, x);
                }
                let result = Interval::cast(x.kind(), kind, &argument).unwrap_or_else(|| anything(kind));
                // What a narrower type cannot hold.
                if let Some(fault) = hazard::overflow(kind, &[], &argument).filter(|_| x.kind().is_float()) {
                    self.report("cast", fault, argument, element, x);
                }
                result
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
                None if self.settings.relations => {
                    let sides =
                        [self.under(condition, true, then)?, self.under(condition, false, otherwise)?];
                    match sides {
                        [Some(a), Some(b)] => a.hull(&b).unwrap_or_else(|| anything(kind)),
                        [Some(one), None] | [None, Some(one)] => one,
                        [None, None] => self.either(then, otherwise)?,
                    }
                }
                None => self.either(then, otherwise)?,
            },
            ElementView::Fold { with, variable, extent, body } => {
                let mut segments = Vec::new();
                self.segments(variable, extent, body, &mut segments)?;
                let inner = if with == Fold::Sum { self.added_up_in(body)? } else { None };
                let mut result = fold(with, kind, &segments, inner).unwrap_or_else(|| anything(kind));
                if self.may_look_through() && kind.is_float() {
                    let known = self.undivided(|reader| {
                        let entropy = if with == Fold::Sum { reader.entropy(element)? } else { None };
                        Ok([reader.sums_to_one(element)?, reader.largest_of_shares(element)?, entropy])
                    })?;
                    result = known.into_iter().flatten().fold(result, overlap);
                }
                // While factors of a sum of products are looked at once more, tensors are not looked through.
                if with == Fold::Sum
                    && self.settings.relations
                    && (self.may_look_through() || self.refined.is_none())
                    && let Some(most) = self.undivided(|reader| reader.product_of_norms(variable, body))?
                {
                    result = overlap(result, within_norm(kind, most));
                }
                if self.may_look_through()
                    && with == Fold::Sum
                    && kind.is_float()
                    && let Some(closer) = self.but_for_one_place(variable, extent, body)?
                {
                    result = overlap(result, closer);
                }
                let is_full = segments.iter().any(|segment| segment.count.0 > 0);
                if self.may_look_through()
                    && with == Fold::Sum
                    && is_full
                    && self.undivided(|reader| reader.holds_the_largest(element))?
                {
                    result = overlap(result, Interval::Float { low: 1.0, high: f64::INFINITY, nan: true });
                }
                if self.may_look_through()
                    && with == Fold::Sum
                    && is_full
                    && matches!(result, Interval::Float { low, .. } if low == 0.0)
                    && self.undivided(|reader| reader.counts_the_largest(element))?
                {
                    result = overlap(result, Interval::Float { low: 1.0, high: f64::INFINITY, nan: true });
                }
                let terms: Vec<&Interval> = segments.iter().map(|segment| &segment.interval).collect();
                if let (Some(fault), Some(term)) = (hazard::overflow(kind, &terms, &result), terms.first()) {
                    self.report(with.name(), fault, **term, element, element);
                }
                result
            }
        })
    }

    fn binary(
        &mut self,
        element: Element,
        function: Binary,
        x: Element,
        y: Element,
    ) -> Result<Interval, Stop> {
        let kind = element.kind();
        let (a, b) = (self.element(x)?, self.element(y)?);
        if self.lets_through && function == Binary::Div && kind.is_float() && holds_zero(&b) {
            return self.through_pole(kind, &a, &b, y);
        }
        if self.lets_through
            && function == Binary::Pow
            && let Some(result) = self.power_through_pole(kind, &a, &b, x)
        {
            return Ok(result);
        }
        let mut away = self.away_from_zero(y.id());
        if function == Binary::Div && away == 0.0 && holds_zero(&b) && self.may_look_through() {
            away = self.undivided(|reader| reader.least_magnitude(y, 0))?;
        }
        let parts_from_zero = function == Binary::Div && away > 0.0;
        let mut result = match with_itself(function, &a).filter(|_| x.id() == y.id()) {
            Some(result) => result,
            None if parts_from_zero || (self.settings.sane && function == Binary::Div && holds_zero(&b)) => {
                self.quotient_apart(kind, &a, &b, away).unwrap_or_else(|| anything(kind))
            }
            None => Interval::binary(function, x.kind(), &a, &b).unwrap_or_else(|| anything(kind)),
        };
        if self.may_look_through() && kind.is_float() {
            result = overlap(result, self.undivided(|reader| reader.related(element, function, x, y))?);
            if let Some(closer) = self.undivided(|reader| reader.by_pieces(element, (x, y), result))? {
                result = overlap(result, closer);
            }
        }
        let fault = match parts_from_zero {
            true => hazard::overflow(kind, &[&a], &result).map(|fault| (fault, b)),
            false => hazard::of_binary(function, x.kind(), &a, &b, &result),
        };
        if let Some((fault, argument)) = fault {
            let blamed = match function {
                Binary::Div | Binary::FloorDiv | Binary::Remainder | Binary::Modulo => y,
                Binary::Pow => x,
                _ => element,
            };
            // How many there are of something is no data.
            if !matches!(blamed.view(), ElementView::Index(_)) {
                self.report(function.name(), fault, argument, element, blamed);
            }
        }
        Ok(result)
    }

    /// What a function gives for arguments that it bears.
    fn gone_well(&self, function: Unary, kind: Kind, argument: Interval, result: Interval) -> Interval {
        let Interval::Float { low, high, .. } = argument else { return result };
        let (least, most) = function.domain();
        if !self.settings.sane || low > high || low > most || high < least {
            return result;
        }
        let step = 2.0 * kind.smallest_error();
        let (mut low, mut high) = (low.max(least), high.min(most));
        for &pole in function.poles() {
            let away = if pole == 0.0 { step } else { kind.unit_roundoff() };
            if low == pole {
                low = (pole + away).min(high);
            }
            if high == pole {
                high = (pole - away).max(low);
            }
        }
        let bearable = Interval::Float { low, high, nan: false };
        Interval::unary(function, kind, &bearable).map_or(result, |result| sane(kind, result))
    }

    /// What relations between its arguments say of a result.
    fn related(
        &mut self,
        element: Element,
        function: Binary,
        x: Element,
        y: Element,
    ) -> Result<Interval, Stop> {
        Ok(match function {
            Binary::Add | Binary::Sub => {
                let sum = self.affine(element)?;
                let (mut low, mut high) = self.affine_bounds(&sum)?;
                if function == Binary::Sub {
                    let (mores, lesses) = (self.faces(x)?, self.faces(y)?);
                    for (more, less) in
                        mores.iter().flat_map(|more| lesses.iter().map(move |less| (*more, *less)))
                    {
                        if let Some((least, most)) = self.difference(more, less)? {
                            (low, high) = (low.max(least), high.min(most));
                        }
                    }
                    if low < 0.0 && self.is_no_less(x, y, 0)? {
                        low = 0.0;
                    }
                    if low < 0.0
                        && let Some(left) = self.left_of_union(x, y)?
                    {
                        low = low.max(left);
                    }
                }
                let adds = function == Binary::Add;
                if adds
                    && low < 1.0
                    && let Some(least) = self.holds_the_larger(x, y)?
                {
                    low = low.max(least);
                }
                for (own, step) in [(x, y), (y, x)].into_iter().take(if adds { 2 } else { 1 }) {
                    if let Some((least, most)) = self.towards(own, step, adds)? {
                        (low, high) = (low.max(least), high.min(most));
                    }
                }
                Interval::Float { low, high, nan: true }
            }
            Binary::Div => {
                let (part, whole) = (self.seen_through(x), self.seen_through(y));
                let is_part =
                    self.is_term(whole, x)? || self.is_term(whole, part)? || self.is_added(whole, x)?;
                if is_part && self.float_low(x)? >= 0.0 && self.float_low(y)? > 0.0 {
                    Interval::Float { low: 0.0, high: 1.0, nan: true }
                } else if let Some(most) = self.over_norm(x, y, 0)? {
                    within_norm(element.kind(), most)
                } else if let Some((low, high)) = self.mean(x, y)? {
                    Interval::Float { low, high, nan: true }
                } else if let Some(most) = self.weighted_mean(x, y)? {
                    Interval::Float { low: -most, high: most, nan: true }
                } else {
                    anything(element.kind())
                }
            }
            // A square, though both factors were computed by themselves.
            Binary::Mul if x.id() != y.id() && self.is_same(x, y) => {
                Interval::Float { low: 0.0, high: f64::INFINITY, nan: true }
            }
            Binary::Mul => match self.times_inverse_norm(x, y)? {
                Some(most) => within_norm(element.kind(), most),
                None => anything(element.kind()),
            },
            _ => anything(element.kind()),
        })
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
        // However open sizes are: more terms are held by no memory, those of sums inside of sums included.
        let room = MOST_TERMS / self.terms_in(body)?;
        let (least, most) = (least.clamp(0, room), most.clamp(0, room));
        let Some(own) = symbol(variable) else {
            let count = (least, most);
            segments.push(Segment { count, interval: self.element(body)? });
            return Ok(());
        };
        let mut open = vec![Span::of(extent)];
        while let Some(span) = open.pop() {
            let mut count = span.count();
            if span.low.known() == Some(0) && span.high.id() == extent.id() {
                // The extent itself may depend on outer variables.
                count = (least, most);
            }
            count.1 = count.1.min(room);
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
            // A single part is all there is.
            let mut meets = true;
            if partition.parts.len() == 1 {
                met.push(number);
                break;
            }
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
        let mut found = hull.flatten().unwrap_or_else(|| anything(kind));
        if self.settings.sane && !self.is_loose(tensor) {
            found = sane(kind, found);
        }
        for supposed in self.everywhere.iter().filter(|supposed| supposed.tensor == tensor && kind.is_float())
        {
            found = overlap(found, Interval::Float { low: supposed.low, high: supposed.high, nan: true });
        }
        if self.may_look_through()
            && self.look_depth < self.deepest_look
            && let Some(inner) = self.inlined(tensor, index)
            && !self.is_refined(tensor, inner)?
        {
            self.look_depth += 1;
            let reported = self.hazards.len();
            let closer = self.element(inner);
            // What is wrong with another tensor is told where that is computed.
            let is_at_fault = self.hazards.len() > reported;
            self.hazards.truncate(reported);
            self.look_depth -= 1;
            if is_at_fault {
                self.relies_on(tensor);
            }
            let mut closer = as_read(kind, closer?, self.settings);
            // A piece of a range in which it does not go well has no say.
            if self.settings.sane && !self.is_loose(tensor) {
                closer = sane(kind, closer);
            }
            found = overlap(found, closer);
        } else {
            self.relies_on(tensor);
        }
        Ok(found)
    }

    /// Whether an element is of a sum of products, which is known as well as it can be.
    fn is_refined(&self, tensor: Tensor, element: Element) -> Result<bool, Stop> {
        if !is_mixture(element) {
            return Ok(false);
        }
        match self.refined {
            Some(refined) if !refined.contains(&tensor) => Err(Stop::Refine(tensor)),
            _ => Ok(true),
        }
    }

    fn relies_on(&mut self, tensor: Tensor) {
        if self.settings.sane && !self.relied_on.contains(&tensor) {
            self.relied_on.push(tensor);
        }
    }

    fn report(
        &mut self,
        function: &'static str,
        fault: Fault,
        argument: Interval,
        element: Element,
        blamed: Element,
    ) {
        self.hazards.push(Hazard { tensor: self.tensor, function, fault, argument, element, blamed });
    }
}

/// What frameworks may give beside the exact result: a sigmoid that is computed as `1 / (1 + exp(-x))` is zero as soon as
/// the power exceeds the largest number, though the result would not.
fn as_frameworks_do(function: Unary, kind: Kind, argument: &Interval, result: Interval) -> Interval {
    match (function, *argument, result) {
        (Unary::Sigmoid, Interval::Float { low, .. }, Interval::Float { low: least, high, nan })
            if least <= high && low < -kind.largest().ln() =>
        {
            Interval::Float { low: least.min(0.0), high, nan }
        }
        _ => result,
    }
}

/// A quotient by a norm. Rounding the root and the sum may lose a little.
fn within_norm(kind: Kind, most: f64) -> Interval {
    let most = most * (1.0 + 64.0 * kind.unit_roundoff());
    Interval::Float { low: -most, high: most, nan: true }
}

fn holds_zero(interval: &Interval) -> bool {
    matches!(*interval, Interval::Float { low, high, .. } if low <= 0.0 && high >= 0.0)
}

/// The part of a range that is left if the computation went well.
pub(super) fn sane(kind: Kind, interval: Interval) -> Interval {
    let most = kind.largest();
    match interval {
        Interval::Float { low, high, .. } if low <= high && kind.is_float() => {
            Interval::Float { low: low.clamp(-most, most), high: high.clamp(-most, most), nan: false }
        }
        Interval::Float { .. } if kind.is_float() => Interval::Float { low: -most, high: most, nan: false },
        other => other,
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
