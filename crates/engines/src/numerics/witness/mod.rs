//! Inputs and weights inside their ranges for which the reference evaluator gives NaN or Inf at a site.
//!
//! First by reasoning backwards: what would have to be large or small for the argument at fault to leave what the
//! function bears ([`wish`])? Then with ends, middles and random numbers of the ranges.

mod concrete;
mod wish;

use super::cone::parents;
use super::sites::{Analysis, Pass, Site};
use super::words::ends;
use crate::draw::Draw;
use crate::finding::WitnessValue;
use crate::ranges::Fault;
use concrete::{Concrete, Course};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::array::{Array, Data};
use semantics::dim::{AtomId, AtomView};
use semantics::dtype::{Class, Kind};
use semantics::tensor::{Content, Tensor};
use wish::{Aim, Wishes};

pub(super) struct Witness {
    pub values: Vec<WitnessValue>,
}

/// Work that one site is worth, in elements computed.
const MOST_WORK: f64 = 6e7;
/// Sources of more elements are told by their ends only.
const MOST_TOLD: usize = 4096;

/// How elements that nothing is wished of are filled.
#[derive(Clone, Copy, PartialEq)]
enum Fill {
    Zero,
    Low,
    High,
    Middle,
    /// Everywhere the same, drawn once for each source; or nearly so, such that differences drown in rounding.
    Level,
    Nearly,
    Random,
}

/// Inputs for which a site fails.
pub(super) fn find(analysis: &mut Analysis<'_>, site: &Site) -> Option<Witness> {
    let call = analysis.made(site.call);
    let targets: Vec<Tensor> = match site.pass {
        Pass::Forward => call.outputs.to_vec(),
        Pass::Backward | Pass::Inactive => vec![site.hazard.tensor],
    };
    let sources = sources_of(analysis, &targets)?;
    let sizes = sizes(&sources)?;
    let course = Course::to(&targets, &sources, &call.inputs)?;
    let work = course.work(&sizes)?;
    let attempts = (MOST_WORK / work.max(1.0)) as usize;
    let mut draw = Draw::new(7);
    let wished = wishes(analysis, site, &sizes);
    let fills = [Fill::Zero, Fill::Low, Fill::High, Fill::Random, Fill::Middle];
    let after = [Fill::Level, Fill::Nearly].repeat(8).into_iter().chain([Fill::Random; 6]);
    let none = Wishes::default();
    let plan = wished
        .iter()
        .flat_map(|wishes| fills.into_iter().map(move |fill| (wishes, fill)))
        .chain(fills.into_iter().chain(after).map(|fill| (&none, fill)));
    for (wishes, fill) in plan.take(attempts) {
        let mut given: FxHashMap<Tensor, Array> = FxHashMap::default();
        for &source in &sources {
            given.insert(source, filled(analysis, source, &sizes, wishes, fill, &mut draw)?);
        }
        let concrete = Concrete { course: &course, sizes: &sizes, given: &given };
        if concrete.fails() {
            return Some(Witness { values: told(analysis, &sources, &given) });
        }
    }
    None
}

/// Every tensor that something is computed from and that has to be supplied.
fn sources_of(analysis: &Analysis<'_>, targets: &[Tensor]) -> Option<Vec<Tensor>> {
    let mut open = targets.to_vec();
    let mut seen = FxHashSet::default();
    let mut sources = Vec::new();
    while let Some(tensor) = open.pop() {
        if !seen.insert(tensor) {
            continue;
        }
        match tensor.content() {
            // What a loop carries is not computed step by step.
            Content::Given if analysis.chosen.contains_key(&tensor) => return None,
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
    Some(sources)
}

/// Small numbers for unknown sizes.
fn sizes(sources: &[Tensor]) -> Option<FxHashMap<AtomId, i64>> {
    let mut sizes = FxHashMap::default();
    for source in sources {
        for size in source.shape().sizes()? {
            size.leaves(&mut |leaf| {
                let (low, high) = leaf.bounds();
                if let AtomView::Symbol(_) = leaf.view() {
                    sizes.insert(leaf, 2.clamp(low, high.max(low)));
                }
            });
        }
    }
    Some(sizes)
}

/// What would make the argument at fault leave what the function bears, for the first element it may happen at.
fn wishes(analysis: &mut Analysis<'_>, site: &Site, sizes: &FxHashMap<AtomId, i64>) -> Vec<Wishes> {
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
    aims.iter().filter_map(|&aim| Wishes::of(analysis, site, aim, sizes)).collect()
}

/// An array for a source: what is wished, and the fill elsewhere.
fn filled(
    analysis: &Analysis<'_>,
    source: Tensor,
    sizes: &FxHashMap<AtomId, i64>,
    wishes: &Wishes,
    fill: Fill,
    draw: &mut Draw,
) -> Option<Array> {
    let kind = source.dtype().known()?;
    let shape: Option<Vec<usize>> =
        source.shape().sizes()?.iter().map(|&size| concrete::number(size, sizes)).collect();
    let shape = shape?;
    let count: usize = shape.iter().product();
    let (low, high) =
        analysis.sources.known.get(&source).map_or((-1.0, 1.0), |known| (known.low, known.high));
    Some(match kind.class() {
        Class::Float => {
            let (low, high) = (inside(kind, low, high, low), inside(kind, low, high, high));
            let level = draw.uniform(low, high);
            let mut values: Vec<f64> = (0..count)
                .map(|_| match fill {
                    Fill::Zero => 0f64.clamp(low, high),
                    Fill::Low => low,
                    Fill::High => high,
                    Fill::Middle => low / 2.0 + high / 2.0,
                    Fill::Level => level,
                    Fill::Nearly => level + (high - low) * 1e-5 * draw.unit(),
                    Fill::Random => draw.uniform(low, high),
                })
                .map(|value| inside(kind, low, high, value))
                .collect();
            for (&at, &value) in wishes.of_source(source).into_iter().flatten() {
                if let Some(slot) = values.get_mut(at) {
                    *slot = inside(kind, low, high, value);
                }
            }
            Array::new(kind, shape, Data::Float(values))
        }
        Class::Int => {
            let value = if (low..=high).contains(&0.0) { 0 } else { low as i64 };
            Array::new(kind, shape, Data::Int(vec![value; count]))
        }
        Class::Bool => {
            Array::new(kind, shape, Data::Bool(vec![fill == Fill::High || fill == Fill::Zero; count]))
        }
        _ => return None,
    })
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

fn told(analysis: &Analysis<'_>, sources: &[Tensor], given: &FxHashMap<Tensor, Array>) -> Vec<WitnessValue> {
    let mut values = Vec::new();
    for source in sources {
        let Some(array) = given.get(source) else { continue };
        let name = match analysis.sources.known.get(source) {
            Some(known) => known.source.name.clone(),
            None => source.name().to_string(),
        };
        let numbers: Vec<f64> = match &array.data {
            Data::Float(values) => values.clone(),
            Data::Int(values) => values.iter().map(|value| *value as f64).collect(),
            Data::Bool(values) => values.iter().map(|value| f64::from(u8::from(*value))).collect(),
            _ => continue,
        };
        let uniform = numbers.first().filter(|first| numbers.iter().all(|value| value == *first)).copied();
        let numbers = if uniform.is_some() || numbers.len() > MOST_TOLD { Vec::new() } else { numbers };
        values.push(WitnessValue { name, shape: array.shape.clone(), uniform, values: numbers });
    }
    values.sort_by(|a, b| a.name.cmp(&b.name));
    values
}
