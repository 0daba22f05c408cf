//! From hazards of scalar functions to the calls they belong to: one site per call, and none for what only feels the
//! fault of another.

use super::Question;
use super::cone::{parents, tensors_in};
use super::equations;
use super::flows::Flows;
use super::sources::{Role, Source, Sources};
use super::trace::{Kept, Traced};
use crate::evaluate::interval::Interval;
use crate::ranges::{Fault, Hazard, Ranges, Settings};
use program::path::{How, Made};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::element::ElementView;
use semantics::tensor::{Content, Tensor};

/// A call that may go wrong.
#[derive(Clone)]
pub(super) struct Site {
    /// The call, by its number in the trace.
    pub call: usize,
    pub hazard: Hazard,
    pub pass: Pass,
    /// Calls of the backward pass that the same argument reaches.
    pub also: Vec<usize>,
}

/// Where the fault shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    Forward,
    /// In the derivative of the call.
    Backward,
    /// In the derivative of a branch that is not taken.
    Inactive,
}

/// All that is known of a trace.
pub(super) struct Analysis<'t> {
    pub traced: &'t Traced,
    pub sources: Sources,
    pub ranges: Ranges,
    /// The call that a tensor belongs to, inner ones of compositions included.
    pub owners: FxHashMap<Tensor, usize>,
    /// The call that gives a tensor.
    pub makers: FxHashMap<Tensor, usize>,
    /// Tensors whose elements depend on something that is not known, and on what.
    unknown: FxHashMap<Tensor, Tensor>,
    /// Tensors whose faults do not reach anything: a condition leaves out their elements where they are at fault.
    pub masked: Vec<Hazard>,
    pub checked: usize,
    /// What one of several tensors is.
    pub chosen: FxHashMap<Tensor, Vec<Tensor>>,
    /// How what no formula gives is computed when the program is run.
    pub flows: Flows,
}

impl<'t> Analysis<'t> {
    pub fn of(traced: &'t Traced, question: &'t Question) -> Analysis<'t> {
        let mut analysis = Analysis {
            traced,
            sources: Sources::default(),
            ranges: Ranges::with(Settings { flushes: traced.flushes, ..question.settings }),
            owners: FxHashMap::default(),
            makers: FxHashMap::default(),
            unknown: FxHashMap::default(),
            masked: Vec::new(),
            checked: 0,
            chosen: FxHashMap::default(),
            flows: Flows::of(&traced.made),
        };
        analysis.own();
        let sources = analysis.all_sources();
        analysis.sources = Sources::settle(sources, &question.ranges, question.weights);
        let kept: Vec<&Kept> =
            traced.kept.iter().filter(|kept| analysis.sources.is_kept(kept, question.weights)).collect();
        analysis.flows.starts.extend(kept.iter().map(|kept| (kept.variable, kept.start)));
        analysis.sources.give(&mut analysis.ranges);
        for (&tensor, &call) in &analysis.owners {
            let guards = &traced.made[call].guards;
            if !guards.is_empty() {
                analysis.ranges.guard(tensor, guards);
            }
        }
        let settings = Settings { flushes: traced.flushes, ..question.settings };
        let solution = equations::solve(&traced.made, &analysis.flows, &kept, &analysis.sources, settings);
        for kept in kept {
            analysis.sources.settle_kept(kept.variable, solution.get(&kept.variable).copied().flatten());
        }
        equations::give(&mut analysis.ranges, &solution);
        analysis.find_unknown();
        analysis
    }
    pub fn made(&self, call: usize) -> &'t Made {
        &self.traced.made[call]
    }

    /// Says which call each tensor belongs to.
    fn own(&mut self) {
        for (number, made) in self.traced.made.iter().enumerate() {
            if made.how == How::OneOf {
                for &output in &made.outputs {
                    self.chosen.insert(output, made.inputs.to_vec());
                }
                continue;
            }
            let mut open: Vec<Tensor> = made.outputs.to_vec();
            for &output in &made.outputs {
                self.makers.entry(output).or_insert(number);
            }
            while let Some(tensor) = open.pop() {
                if made.inputs.contains(&tensor) || self.owners.contains_key(&tensor) {
                    continue;
                }
                let is_leaf =
                    matches!(tensor.content(), Content::Given | Content::Stored(_) | Content::Random(_));
                if is_leaf && !made.outputs.contains(&tensor) {
                    continue;
                }
                self.owners.insert(tensor, number);
                open.extend(parents(tensor));
            }
        }
    }

    /// Every tensor that is read and that no formula gives.
    fn all_sources(&self) -> Vec<Source> {
        let mut sources = self.traced.sources.clone();
        sources.extend(self.traced.made.iter().filter(|made| made.how == How::Read).flat_map(read));
        let mut seen: FxHashSet<Tensor> = sources.iter().map(|source| source.tensor).collect();
        let mut drawn = 0;
        let mut open: Vec<Tensor> = Vec::new();
        for made in &self.traced.made {
            open.extend(made.inputs.iter().chain(&made.outputs));
            while let Some(tensor) = open.pop() {
                if !seen.insert(tensor) || self.chosen.contains_key(&tensor) {
                    continue;
                }
                let role = match tensor.content() {
                    Content::Random(_) => Role::Drawn,
                    Content::Stored(_) => Role::Parameter,
                    Content::Given if tensor.declared_range().is_some() => Role::Parameter,
                    Content::Given if promised(tensor).is_some() => Role::Drawn,
                    Content::Given | Content::Opaque(..) => Role::Unknown,
                    _ => {
                        open.extend(parents(tensor));
                        continue;
                    }
                };
                if let Content::Opaque(..) = tensor.content() {
                    open.extend(parents(tensor));
                }
                let mut name = tensor.name().to_string();
                if name.is_empty() {
                    drawn += 1;
                    name = format!("{} {drawn}", if role == Role::Drawn { "draw" } else { "constant" });
                }
                let initial = tensor.declared_range().or_else(|| promised(tensor));
                // What nobody calls a weight is a number of the program itself.
                let fixed = tensor.is_stored();
                sources.push(Source { initial, fixed, ..Source::new(tensor, name, role) });
            }
        }
        sources
    }

    fn find_unknown(&mut self) {
        let is_unknown = |analysis: &Analysis, tensor: &Tensor| {
            let known = analysis.sources.known.get(tensor);
            known.is_some_and(|known| {
                known.source.role == Role::Unknown && !known.assumption.ends_with("as stated")
            })
        };
        for made in &self.traced.made {
            let mut open: Vec<(Tensor, bool)> = made.outputs.iter().map(|&output| (output, false)).collect();
            let mut seen = FxHashSet::default();
            while let Some((tensor, done)) = open.pop() {
                let above = match self.chosen.get(&tensor) {
                    Some(inputs) => inputs.clone(),
                    None => parents(tensor),
                };
                if done {
                    if let Some(&cause) = above.iter().find_map(|parent| self.unknown.get(parent)) {
                        self.unknown.entry(tensor).or_insert(cause);
                    }
                    continue;
                }
                if !seen.insert(tensor) || self.unknown.contains_key(&tensor) {
                    continue;
                }
                if is_unknown(self, &tensor) {
                    self.unknown.insert(tensor, tensor);
                    continue;
                }
                let settled = self.makers.contains_key(&tensor) && !made.outputs.contains(&tensor);
                if settled || made.inputs.contains(&tensor) && self.makers.contains_key(&tensor) {
                    continue;
                }
                open.push((tensor, true));
                open.extend(above.into_iter().map(|parent| (parent, false)));
            }
        }
    }

    /// Every call that may go wrong, in the order of the trace.
    pub fn sites(&mut self) -> Vec<Site> {
        self.checked = self.traced.made.iter().filter(|made| made.how == How::Called).count();
        let mut felt = self.felt();
        if self.swallow(&felt) {
            felt = self.felt();
        }
        let mut sites: Vec<Site> = Vec::new();
        for hazard in self.ranges.hazards().to_vec() {
            let Some(call) = self.call_at_fault(&hazard) else { continue };
            if !felt.contains(&hazard.tensor) {
                self.masked.push(hazard);
                continue;
            }
            match sites.iter_mut().find(|site| site.call == call) {
                Some(site) if rank(hazard.fault) < rank(site.hazard.fault) => site.hazard = hazard,
                Some(_) => {}
                None => sites.push(Site { call, hazard, pass: Pass::Forward, also: Vec::new() }),
            }
        }
        sites.sort_by_key(|site| site.call);
        // What one function of a library does in several steps is one thing to the user, wherever it goes wrong, and so
        // is a line that is run again and again.
        // The condition of a loop is asked before it and in every round.
        let mut told = FxHashSet::default();
        let mut nodes = FxHashSet::default();
        sites.retain(|site| {
            let place = &self.made(site.call).place;
            match &place.spot {
                Some(spot) => told.insert((spot.clone(), place.spelled.clone())),
                None => place.node.is_empty() || nodes.insert((place.node.clone(), place.spelled.clone())),
            }
        });
        sites
    }

    /// Everything that is computed is read; gives the tensors whose faults reach what the program gives.
    fn felt(&mut self) -> FxHashSet<Tensor> {
        for made in &self.traced.made {
            for &output in &made.outputs {
                self.ranges.read(output);
            }
        }
        for &output in &self.traced.outputs {
            self.ranges.read(output);
        }
        let consumed: FxHashSet<Tensor> =
            self.traced.made.iter().flat_map(|made| made.inputs.iter().copied()).collect();
        let ends = self.traced.made.iter().flat_map(|made| made.outputs.iter().copied());
        let ends =
            ends.filter(|output| !consumed.contains(output)).chain(self.traced.outputs.iter().copied());
        // What goes through a loop or a branch is not followed to its end.
        let joined = self.traced.made.iter().filter(|made| made.how == How::OneOf);
        let ends = ends.chain(joined.flat_map(|made| made.inputs.iter().copied()));
        self.ranges.faults_behind(ends)
    }

    /// The call that a hazard is told of, if it is a fault of its own.
    pub(super) fn call_at_fault(&mut self, hazard: &Hazard) -> Option<usize> {
        let &call = self.owners.get(&hazard.tensor)?;
        // The step of an optimiser is the framework's own business.
        if self.made(call).operator.starts_with("apply_") {
            return None;
        }
        if hazard.fault == Fault::DoesNotFit || self.is_consequence(hazard) {
            return None;
        }
        // Frameworks keep what an operator computes on its way in a wider type, but for sums of what is as wide as that:
        // else only what comes out counts.
        let is_summed =
            hazard.function == "sum" && hazard.element.kind().bits().is_none_or(|bits| bits >= 32);
        let comes_out = hazard.fault != Fault::Overflow
            || is_summed
            || self.made(call).outputs.iter().any(|&output| {
                self.is_beyond(output) || is_moved(output, hazard.tensor) && self.is_beyond(hazard.tensor)
            });
        comes_out.then_some(call)
    }

    /// Whether a tensor may hold more than its element type can.
    fn is_beyond(&mut self, tensor: Tensor) -> bool {
        let most = tensor.kind().largest();
        match self.ranges.read(tensor).hull() {
            Some(Interval::Float { low, high, .. }) => low < -most || high > most,
            _ => true,
        }
    }

    /// Whether a result is too large only because something before it may have been as large as numbers get.
    fn is_consequence(&mut self, hazard: &Hazard) -> bool {
        if hazard.fault != Fault::Overflow {
            return false;
        }
        let read = tensors_in(hazard.element);
        read.into_iter().any(|tensor| {
            // A quotient by what is nearly zero is as large as numbers get, or as large as what is divided is small.
            const NO_DATA: f64 = 1e19;
            let large = match self.ranges.read(tensor).hull() {
                Some(Interval::Float { low, high, .. }) => {
                    low.abs().max(high.abs()) >= NO_DATA.min(0.2 * tensor.kind().largest())
                }
                _ => false,
            };
            // So is what was infinite, until the program itself saw to that.
            let is_cleaned = || self.ranges.is_loosened(moved_from(tensor));
            large && (is_cleaned() || self.faults_nearby(tensor).any(|fault| fault != hazard.tensor))
        })
    }

    /// The faults that a tensor feels, also those that came with what it is one of: a diagonal, or a side of a branch.
    fn faults_nearby(&self, tensor: Tensor) -> impl Iterator<Item = Tensor> + '_ {
        const MOST: usize = 64;
        let mut open = vec![tensor];
        let mut seen = FxHashSet::default();
        while let Some(next) = open.pop() {
            if seen.len() < MOST && seen.insert(next) {
                match self.chosen.get(&next) {
                    Some(inputs) => open.extend(inputs),
                    None => open.extend(parents(next)),
                }
            }
        }
        let parted = seen.into_iter().filter_map(|tensor| self.chosen.get(&tensor)).flatten().copied();
        std::iter::once(tensor).chain(parted).flat_map(|tensor| self.ranges.nearest_faults(tensor))
    }

    /// Whether nothing is known of a tensor.
    pub fn is_unknown(&self, tensor: Tensor) -> bool {
        self.unknown.contains_key(&tensor)
    }

    /// What is not known of what reaches a site: of the argument at fault, or of all where the result is too large.
    pub fn unknown_behind(&self, site: &Site) -> Option<String> {
        let cause = match site.hazard.fault {
            Fault::OutsideDomain | Fault::Pole => tensors_in(site.hazard.blamed)
                .into_iter()
                .find_map(|tensor| self.unknown.get(&tensor).copied()),
            Fault::Overflow | Fault::DoesNotFit => self.unknown.get(&site.hazard.tensor).copied(),
        }?;
        let name = cause.name();
        Some(if name.is_empty() {
            "a tensor of which no element is known".into()
        } else {
            format!("`{name}`")
        })
    }
}

/// The tensor whose elements another one has, whatever moved them about.
fn moved_from(tensor: Tensor) -> Tensor {
    let mut tensor = tensor;
    loop {
        while let Content::Composed(composition, output) = tensor.content() {
            tensor = composition.output(output);
        }
        match tensor.formula().map(|formula| formula.element.view()) {
            Some(ElementView::At(before, _)) => tensor = before,
            _ => return tensor,
        }
    }
}

/// Whether a tensor has the elements of another, moved about: a product of a vector and a matrix is one of matrices.
fn is_moved(tensor: Tensor, from: Tensor) -> bool {
    let mut tensor = tensor;
    loop {
        while let Content::Composed(composition, output) = tensor.content() {
            tensor = composition.output(output);
        }
        if tensor == from {
            return true;
        }
        match tensor.formula().map(|formula| formula.element.view()) {
            Some(ElementView::At(before, _)) => tensor = before,
            _ => return false,
        }
    }
}

/// Between which whole numbers a tensor is promised to lie that somebody draws or counts.
fn promised(tensor: Tensor) -> Option<(f64, f64)> {
    let span = tensor.dtype().known().filter(|kind| kind.is_int()).and_then(|_| tensor.between())?;
    Some((span.low.bounds().0 as f64, span.high.bounds().1 as f64))
}

/// What a program reads from somewhere.
fn read(made: &Made) -> impl Iterator<Item = Source> {
    made.outputs.iter().map(|&tensor| Source {
        initial: tensor.declared_range(),
        why: "as its preprocessing leaves it",
        ..Source::new(tensor, tensor.name().to_string(), Role::Input)
    })
}

/// Which of several faults of one call is told.
fn rank(fault: Fault) -> usize {
    match fault {
        Fault::OutsideDomain => 0,
        Fault::Pole => 1,
        Fault::Overflow => 2,
        Fault::DoesNotFit => 3,
    }
}
