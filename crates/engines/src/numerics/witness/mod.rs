//! Inputs and weights inside their ranges for which NaN or Inf comes out at a site.
//!
//! First by reasoning backwards: what would have to be large or small for the argument at fault to leave what the
//! function bears ([`wish`])? What is wished is the same over whole boxes of indices, and so intervals can follow it
//! ([`trial`]) through networks of any size. Where they leave it open, and the work is small, the reference evaluator
//! computes every element, of these inputs and of random ones.

mod boxes;
mod concrete;
mod trial;
mod wish;

use super::cone::parents;
use super::sites::{Analysis, Pass, Site};
use super::words::ends;
use crate::draw::Draw;
use crate::finding::WitnessValue;
use crate::ranges::Fault;
use boxes::Boxes;
use concrete::{Concrete, Course};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::Array;
use semantics::dim::{AtomId, AtomView};
use semantics::dtype::{Class, Kind};
use semantics::tensor::{Content, Tensor};
use trial::Trial;
use wish::{Aim, Wishes};

pub(super) struct Witness {
    pub values: Vec<WitnessValue>,
}

/// Work that computing element by element may take for all sites of a program, in elements read.
const MOST_WORK: f64 = 4e6;
/// Trials that are kept for later sites.
const MOST_KEPT: usize = 12;

/// How elements that nothing is wished of are filled.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fill {
    Zero,
    /// Near zero: nothing saturates, and no gradient vanishes.
    Little,
    Low,
    High,
    Middle,
    /// Everywhere the same, drawn once for each source; or nearly so, such that differences drown in rounding.
    Level,
    Nearly,
    Random,
}

/// The search for witnesses of one program: what was followed for one site is tried for the next.
pub(super) struct Search {
    kept: Vec<Trial>,
    work_left: f64,
}

impl Search {
    pub fn new() -> Search {
        Search { kept: Vec::new(), work_left: MOST_WORK }
    }

    /// Inputs for which a site fails. With `usual`, trained weights are as they start.
    pub fn find(&mut self, analysis: &mut Analysis<'_>, site: &Site, usual: bool) -> Option<Witness> {
        let call = analysis.made(site.call);
        if call.is_open {
            return None;
        }
        let targets: Vec<Tensor> = match site.pass {
            Pass::Forward => call.outputs.to_vec(),
            Pass::Backward | Pass::Inactive => vec![site.hazard.tensor],
        };
        let guards = call.guards.iter().map(|(guard, _)| *guard);
        let wanted: Vec<Tensor> = targets.iter().copied().chain(guards).collect();
        let (sources, in_steps) = sources_of(analysis, &wanted)?;
        let sizes = sizes(analysis, &wanted);
        if in_steps {
            // Intervals do not follow loops and branches round by round.
            let wished = wishes(analysis, site, &sizes, usual);
            return self.computed(analysis, site, &targets, &sources, &sizes, &wished, usual);
        }
        for trial in self.kept.iter_mut().filter(|trial| trial.usual == usual) {
            if trial.supply(analysis, &sources, &sizes).is_some() && trial.fails(analysis, site) {
                return Some(told(analysis, &sources, &trial.boxes));
            }
        }
        let wished = wishes(analysis, site, &sizes, usual);
        const FILLS: [Fill; 4] = [Fill::Zero, Fill::Little, Fill::High, Fill::Low];
        let first = wished.iter().map(|wishes| (wishes.clone(), Fill::Zero));
        let then = wished
            .iter()
            .flat_map(|wishes| [Fill::Little, Fill::High, Fill::Low].map(|fill| (wishes.clone(), fill)));
        let last = FILLS.into_iter().map(|fill| (Wishes::default(), fill));
        let plan: Vec<(Wishes, Fill)> = first.chain(then).chain(last).collect();
        for (wishes, fill) in plan {
            let mut trial = Trial::new(analysis, &sizes, (wishes, fill, usual));
            if trial.supply(analysis, &sources, &sizes).is_none() {
                continue;
            }
            if trial.fails(analysis, site) {
                let told = told(analysis, &sources, &trial.boxes);
                if self.kept.len() < MOST_KEPT {
                    self.kept.push(trial);
                }
                return Some(told);
            }
        }
        self.computed(analysis, site, &targets, &sources, &sizes, &wished, usual)
    }

    /// Inputs of which every element is computed.
    #[expect(clippy::too_many_arguments, reason = "the parts of one search, used once")]
    fn computed(
        &mut self,
        analysis: &Analysis<'_>,
        site: &Site,
        targets: &[Tensor],
        sources: &[Tensor],
        sizes: &FxHashMap<AtomId, i64>,
        wished: &[Wishes],
        usual: bool,
    ) -> Option<Witness> {
        let call = analysis.made(site.call);
        let course = Course::to(&analysis.flows, targets, sources, &call.inputs, &call.guards)?;
        let supplied: f64 = sources.iter().filter_map(|source| count(*source, sizes)).sum();
        let work = (course.work(sizes)? + supplied).max(1.0);
        let mut draw = Draw::new(7);
        let fills = [Fill::Zero, Fill::Low, Fill::High, Fill::Random, Fill::Middle];
        let after = [Fill::Level, Fill::Nearly].repeat(8).into_iter().chain([Fill::Random; 6]);
        let none = Wishes::default();
        let plan = wished
            .iter()
            .flat_map(|wishes| fills.into_iter().map(move |fill| (wishes, fill)))
            .chain(fills.into_iter().chain(after).map(|fill| (&none, fill)));
        for (wishes, fill) in plan {
            if work > self.work_left {
                return None;
            }
            self.work_left -= work;
            let mut given: FxHashMap<Tensor, Array> = FxHashMap::default();
            for &source in sources {
                given.insert(source, filled(analysis, source, sizes, (wishes, fill, usual), &mut draw)?);
            }
            let flushes = analysis.traced.flushes;
            let infinities = site.hazard.function == super::masked::SOFTMAX;
            let concrete = Concrete { course: &course, sizes, given: &given, flushes, infinities };
            if concrete.fails() {
                return Some(told_as_computed(analysis, sources, &given));
            }
        }
        None
    }
}

/// Every tensor that something is computed from and that has to be supplied, and whether it is computed in rounds or by
/// cases.
fn sources_of(analysis: &Analysis<'_>, targets: &[Tensor]) -> Option<(Vec<Tensor>, bool)> {
    let mut open = targets.to_vec();
    let mut seen = FxHashSet::default();
    let mut sources = Vec::new();
    let mut in_steps = false;
    while let Some(tensor) = open.pop() {
        if !seen.insert(tensor) {
            continue;
        }
        if analysis.flows.is_followed(tensor) {
            in_steps = true;
            open.extend(analysis.flows.parents(tensor));
            continue;
        }
        match tensor.content() {
            // What a scan walks along is not computed step by step.
            Content::Given if analysis.chosen.contains_key(&tensor) => return None,
            // A result that nobody can compute is no input.
            Content::Given
                if analysis.is_unknown(tensor) || !analysis.sources.known.contains_key(&tensor) =>
            {
                return None;
            }
            Content::Given | Content::Random(_) => sources.push(tensor),
            Content::Stored(_)
                if analysis.sources.known.get(&tensor).is_some_and(|known| known.is_free()) =>
            {
                sources.push(tensor);
            }
            _ => open.extend(parents(tensor)),
        }
    }
    sources.sort_unstable();
    Some((sources, in_steps))
}

/// Small numbers for unknown sizes, wherever they come from.
fn sizes(analysis: &Analysis<'_>, targets: &[Tensor]) -> FxHashMap<AtomId, i64> {
    let mut sizes = FxHashMap::default();
    for tensor in analysis.sources.known.keys().chain(targets) {
        for size in tensor.shape().sizes().into_iter().flatten().filter(|size| size.known().is_none()) {
            size.leaves(&mut |leaf| {
                let (low, high) = leaf.bounds();
                if let AtomView::Symbol(_) = leaf.view() {
                    sizes.insert(leaf, 2.clamp(low, high.max(low)));
                }
            });
        }
    }
    sizes
}

fn shape(source: Tensor, sizes: &FxHashMap<AtomId, i64>) -> Option<Vec<i64>> {
    let sizes = source.shape().sizes()?.into_iter().map(|size| concrete::number(size, sizes));
    sizes.map(|size| i64::try_from(size?).ok()).collect()
}

fn count(source: Tensor, sizes: &FxHashMap<AtomId, i64>) -> Option<f64> {
    Some(shape(source, sizes)?.iter().map(|&size| size as f64).product())
}

/// What would make the argument at fault leave what the function bears, at the first place it may happen and the last.
fn wishes(
    analysis: &mut Analysis<'_>,
    site: &Site,
    sizes: &FxHashMap<AtomId, i64>,
    usual: bool,
) -> Vec<Wishes> {
    let (low, high) = ends(&site.hazard.argument);
    let aims: &[Aim] = match (site.hazard.fault, site.hazard.function) {
        (_, "exp" | "expm1" | "sinh") if site.pass == Pass::Forward => &[Aim::High],
        (_, "cosh") => &[Aim::High, Aim::Low],
        (_, "asin" | "acos" | "atanh") if high >= 1.0 => &[Aim::High, Aim::Low],
        (_, "asin" | "acos" | "atanh") => &[Aim::Low],
        (_, "/" | "reciprocal" | "rem" | "%" | "//") if low < 0.0 && high > 0.0 => {
            &[Aim::ZERO, Aim::Low, Aim::High]
        }
        (_, "/" | "reciprocal" | "rem" | "%" | "//") if high <= 0.0 => &[Aim::High, Aim::ZERO],
        (_, "/" | "reciprocal" | "rem" | "%" | "//") => &[Aim::Low, Aim::ZERO],
        (Fault::Overflow, _) => &[Aim::High, Aim::Low],
        (_, "sqrt") if site.pass != Pass::Forward => &[Aim::ZERO, Aim::Low],
        _ => &[Aim::Low, Aim::ZERO],
    };
    let mut all: Vec<Wishes> = Vec::new();
    for (last, frugal) in [(false, true), (false, false), (true, true), (true, false)] {
        for &aim in aims {
            let wishes = Wishes::of(analysis, site, aim, last, sizes, (usual, frugal));
            all.extend(wishes.filter(|wishes| !all.contains(wishes)));
        }
    }
    all
}

/// Between what a source lies.
fn bounds(analysis: &Analysis<'_>, source: Tensor, usual: bool) -> (f64, f64) {
    analysis.sources.known.get(&source).map_or((-1.0, 1.0), |known| match known.source.usual {
        Some(starts) if usual && known.is_assumed() => starts,
        _ => (known.low, known.high),
    })
}

/// One number for a fill that is the same everywhere.
fn level(kind: Kind, fill: Fill, (low, high): (f64, f64)) -> f64 {
    match (kind.class(), fill) {
        (Class::Float, Fill::Little) => 0.01f64.clamp(low, high),
        (Class::Float, Fill::Low) => low,
        (Class::Float, Fill::High) => high,
        (Class::Float, Fill::Middle) => low / 2.0 + high / 2.0,
        (Class::Float, _) => 0f64.clamp(low, high),
        (Class::Bool, fill) => f64::from(u8::from(matches!(fill, Fill::High | Fill::Zero))),
        (_, fill) => {
            let (low, high) = whole_ends((low, high));
            match fill {
                Fill::Low => low,
                Fill::High => high,
                Fill::Middle => (low / 2.0 + high / 2.0).floor(),
                _ => 0f64.clamp(low, high),
            }
        }
    }
}

/// The first and the last whole number of a range. Where nothing is said of it, few numbers are tried: they may be places
/// along an axis.
fn whole_ends((low, high): (f64, f64)) -> (f64, f64) {
    const LARGEST: f64 = (1u64 << 53) as f64;
    const FEW: f64 = 1.0;
    let is_said = |end: f64| end.abs() <= LARGEST;
    let low = if is_said(low) { low.ceil() } else { 0f64.min(high.floor()) };
    let high = if is_said(high) { high.floor() } else { low.max(0.0) + FEW };
    (low, high.max(low))
}

/// The number that a type holds nearest to one that is wished.
fn held(kind: Kind, (low, high): (f64, f64), value: f64) -> f64 {
    match kind.class() {
        Class::Float => inside(kind, low, high, value),
        Class::Int => {
            value.round().max(low.max(i64::MIN as f64).ceil()).min(high.min(i64::MAX as f64).floor())
        }
        _ => value,
    }
}

/// What a trial gives a source.
fn uniform(
    analysis: &Analysis<'_>,
    source: Tensor,
    sizes: &FxHashMap<AtomId, i64>,
    trial: &Trial,
) -> Option<Boxes> {
    let kind = source.dtype().known()?;
    let (low, high) = bounds(analysis, source, trial.usual);
    let rounded = |value: f64| held(kind, (low, high), value);
    let wishes: Vec<_> = trial
        .wishes
        .of_source(source)
        .iter()
        .map(|(region, value)| (region.clone(), rounded(*value)))
        .collect();
    let fill = rounded(level(kind, trial.fill, (low, high)));
    Boxes::new(kind, shape(source, sizes)?, &wishes, fill)
}

/// An array for a source: what is wished, and the fill elsewhere.
fn filled(
    analysis: &Analysis<'_>,
    source: Tensor,
    sizes: &FxHashMap<AtomId, i64>,
    (wishes, fill, usual): (&Wishes, Fill, bool),
    draw: &mut Draw,
) -> Option<Array> {
    let kind = source.dtype().known()?;
    let shape = shape(source, sizes)?;
    let count = usize::try_from(shape.iter().product::<i64>()).ok()?;
    let (low, high) = bounds(analysis, source, usual);
    let mut values = if kind.is_float() {
        let (low, high) = (inside(kind, low, high, low), inside(kind, low, high, high));
        let drawn = draw.uniform(low, high);
        let mut each = || match fill {
            Fill::Level => drawn,
            Fill::Nearly => drawn + (high - low) * 1e-5 * draw.unit(),
            Fill::Random => draw.uniform(low, high),
            fill => level(kind, fill, (low, high)),
        };
        (0..count).map(|_| inside(kind, low, high, each())).collect()
    } else if kind.class() == Class::Int && matches!(fill, Fill::Random | Fill::Level | Fill::Nearly) {
        let (least, most) = whole_ends((low, high));
        let drawn = draw.between(least as i64, most as i64) as f64;
        let mut each =
            || if fill == Fill::Level { drawn } else { draw.between(least as i64, most as i64) as f64 };
        (0..count).map(|_| each()).collect()
    } else {
        vec![level(kind, fill, (low, high)); count]
    };
    // The first wish counts: it is put in last.
    for (region, value) in wishes.of_source(source).iter().rev() {
        let value = held(kind, (low, high), *value);
        boxes::set(&mut values, &shape, region, value);
    }
    boxes::array(kind, &shape, values)
}

/// The number of the type nearest to another that lies between two.
fn inside(kind: Kind, low: f64, high: f64, value: f64) -> f64 {
    let most = kind.largest();
    let rounded = kind.round(value.clamp(-most, most));
    if rounded < low {
        kind.round(rounded + (rounded.abs() * 2.0 * kind.unit_roundoff()).max(2.0 * kind.smallest_error()))
    } else if rounded > high {
        kind.round(rounded - (rounded.abs() * 2.0 * kind.unit_roundoff()).max(2.0 * kind.smallest_error()))
    } else {
        rounded
    }
}

fn name(analysis: &Analysis<'_>, source: Tensor) -> String {
    match analysis.sources.known.get(&source) {
        Some(known) => known.source.name.clone(),
        None => source.name().to_string(),
    }
}

fn told(analysis: &Analysis<'_>, sources: &[Tensor], boxes: &FxHashMap<Tensor, Boxes>) -> Witness {
    let told = |source: &Tensor| Some(boxes.get(source)?.told(name(analysis, *source)));
    let mut values: Vec<WitnessValue> = sources.iter().filter_map(told).collect();
    values.sort_by(|a, b| a.name.cmp(&b.name));
    Witness { values }
}

fn told_as_computed(
    analysis: &Analysis<'_>,
    sources: &[Tensor],
    given: &FxHashMap<Tensor, Array>,
) -> Witness {
    /// Sources of more elements are told by their ends only.
    const MOST_TOLD: usize = 4096;
    let mut values = Vec::new();
    for source in sources {
        let Some(array) = given.get(source) else { continue };
        let Some(numbers) = concrete::numbers(array) else { continue };
        let uniform = numbers.first().filter(|first| numbers.iter().all(|value| value == *first)).copied();
        let numbers = if uniform.is_some() || numbers.len() > MOST_TOLD { Vec::new() } else { numbers };
        let (name, shape) = (name(analysis, *source), array.shape.clone());
        values.push(WitnessValue { name, shape, uniform, values: numbers, parts: Vec::new() });
    }
    values.sort_by(|a, b| a.name.cmp(&b.name));
    Witness { values }
}
