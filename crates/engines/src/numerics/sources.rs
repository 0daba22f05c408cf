//! Where values come from that no call computes, and between which numbers they lie.

use super::trace::Kept;
use super::words::short;
use crate::evaluate::interval::Interval;
use crate::ranges::{Partition, Ranges, between};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::dtype::Kind;
use semantics::tensor::{Content, Tensor};

/// A range that the user states: of everything whose name fits the pattern, in which `*` stands for anything.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounds {
    pub pattern: String,
    pub low: f64,
    pub high: f64,
}

/// What parameters are taken to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Weights {
    /// The values in the file; where there are none, as they are initialised.
    #[default]
    Stored,
    /// As they are initialised.
    Initial,
    /// Any finite numbers.
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    Input,
    Parameter,
    /// Drawn at random while the program runs.
    Drawn,
    /// The result of something of which no meaning is known.
    Unknown,
}

/// A tensor that no call of the trace computes.
#[derive(Clone, Debug)]
pub struct Source {
    pub tensor: Tensor,
    pub name: String,
    pub role: Role,
    /// Between what it lies and why, if something says so: how a parameter is initialised, for one.
    pub initial: Option<(f64, f64)>,
    pub why: &'static str,
    /// Where a trained variable starts, before training takes it anywhere.
    pub usual: Option<(f64, f64)>,
    /// A number of the program itself, whatever weights are taken to be.
    pub fixed: bool,
}

impl Source {
    pub fn new(tensor: Tensor, name: String, role: Role) -> Source {
        Source { tensor, name, role, initial: None, why: "as it is initialised", usual: None, fixed: false }
    }
}

/// A source, the range it is taken to have, and why.
pub(super) struct Known {
    pub source: Source,
    pub low: f64,
    pub high: f64,
    /// What a verdict that depends on it takes for granted.
    pub assumption: String,
    stated: bool,
}

impl Known {
    /// Whether its range is not the user's word.
    pub fn is_assumed(&self) -> bool {
        !self.stated
    }
    /// Whether it may be any number in its range, though a value may be stored.
    pub fn is_free(&self) -> bool {
        self.stated || !matches!(self.source.tensor.content(), Content::Stored(_))
    }
}

/// Draws from a normal distribution lie within so many deviations: a million million draws stay inside.
const DEVIATIONS: f64 = 8.0;

#[derive(Default)]
pub(super) struct Sources {
    pub known: FxHashMap<Tensor, Known>,
}

impl Sources {
    /// Settles the ranges of sources and gives them to a reading.
    pub fn settle(sources: Vec<Source>, bounds: &[Bounds], weights: Weights) -> Sources {
        let mut all = Sources::default();
        // A result of which nothing is known may go by the name of what it is like: ranges are not meant for it.
        let names: FxHashSet<String> = sources
            .iter()
            .filter(|source| source.role != Role::Unknown)
            .map(|source| source.name.clone())
            .collect();
        for source in sources {
            let Some(kind) = source.tensor.dtype().known() else {
                let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
                let known = Known { source, low, high, assumption: String::new(), stated: false };
                all.known.insert(known.source.tensor, known);
                continue;
            };
            let is_meant = source.role != Role::Unknown || !names.contains(&source.name);
            let bounds = if is_meant { bounds } else { &[] };
            let known = settle(source, kind, bounds, weights);
            all.known.insert(known.source.tensor, known);
        }
        all
    }
    pub fn give(&self, ranges: &mut Ranges) {
        for (&tensor, known) in &self.known {
            let stored = matches!(tensor.content(), Content::Stored(_)) && !known.stated;
            if stored {
                continue;
            }
            if known.source.role == Role::Unknown && !known.stated {
                ranges.give_partition(tensor, Partition::whole(tensor, usual(tensor)));
            } else {
                ranges.give(tensor, known.low, known.high);
            }
        }
    }
    /// Whether the program says what a variable is: nobody states anything else of it.
    pub fn is_kept(&self, kept: &Kept, weights: Weights) -> bool {
        weights == Weights::Stored && self.known.get(&kept.variable).is_some_and(Known::is_assumed)
    }
    /// Notes where the program's own assignments lead.
    pub fn settle_kept(&mut self, variable: Tensor, interval: Option<Interval>) {
        let Some(known) = self.known.get_mut(&variable) else { return };
        let Some(Interval::Float { low, high, .. }) = interval else { return };
        (known.low, known.high) = (low, high);
        known.assumption = format!(
            "`{}` lies in [{}, {}]: what it starts with, and what the program sets it to run after run",
            known.source.name,
            short(low),
            short(high)
        );
    }
    pub fn names(&self) -> Vec<String> {
        // Inputs first, then what may change, and constants last.
        let rank = |known: &Known| match known.source.role {
            Role::Input => 0,
            Role::Parameter if !known.source.fixed => 1,
            _ => 2,
        };
        let known = self.known.values().filter(|known| known.source.role != Role::Unknown);
        let mut names: Vec<(usize, String)> =
            known.map(|known| (rank(known), known.source.name.clone())).collect();
        names.sort();
        names.dedup();
        names.into_iter().map(|(_, name)| name).collect()
    }
    /// Patterns that fit no name.
    pub fn unused(&self, bounds: &[Bounds]) -> Vec<String> {
        let fits =
            |bounds: &&Bounds| !self.known.values().any(|known| fits(&bounds.pattern, &known.source.name));
        bounds.iter().filter(fits).map(|bounds| bounds.pattern.clone()).collect()
    }
}

/// Finite numbers of a tensor's type.
fn usual(tensor: Tensor) -> Option<Interval> {
    let kind = tensor.dtype().known()?;
    if kind.is_float() {
        between(kind, -kind.largest(), kind.largest())
    } else {
        between(kind, f64::NEG_INFINITY, f64::INFINITY)
    }
}

/// Whether a range is for a source. A pattern is for what may vary: single numbers that a program stores, the `1` of
/// `1 - x`, have to be called by their names.
fn is_meant(pattern: &str, source: &Source) -> bool {
    let is_single = || {
        let sizes = source.tensor.shape().sizes();
        sizes.is_some_and(|sizes| sizes.iter().all(|size| size.known() == Some(1)))
    };
    let is_own_number = || matches!(source.tensor.content(), Content::Stored(_)) && is_single();
    fits(pattern, &source.name) && (pattern == source.name || !is_own_number())
}

fn settle(source: Source, kind: Kind, bounds: &[Bounds], weights: Weights) -> Known {
    let name = &source.name;
    let told = |low: f64, high: f64, why: &str| {
        (low, high, format!("`{name}` lies in [{}, {}]: {why}", end(low), end(high)))
    };
    let any = if kind.is_float() { kind.largest() } else { f64::INFINITY };
    // The last that fits counts, as with options.
    let stated = bounds.iter().rev().find(|bounds| is_meant(&bounds.pattern, &source));
    let is_stored = matches!(source.tensor.content(), Content::Stored(_));
    let weights = if source.fixed { Weights::Stored } else { weights };
    let (low, high, assumption) = match (stated, source.role) {
        (Some(bounds), _) => told(bounds.low, bounds.high, "as stated"),
        (None, Role::Unknown) => (-any, any, String::new()),
        (None, Role::Parameter) if weights == Weights::Any => told(-any, any, "any weights"),
        (None, Role::Parameter) if is_stored && weights == Weights::Stored => {
            // What the program says is no assumption.
            let assumption = if source.fixed { String::new() } else { format!("`{name}` is as stored") };
            (-any, any, assumption)
        }
        (None, Role::Drawn) => match source.tensor.content() {
            Content::Random(random) => {
                let (mut low, mut high) = (random.low, random.high);
                if let (Some(mean), Some(deviation)) = (random.mean, random.deviation) {
                    low = low.max(mean - DEVIATIONS * deviation);
                    high = high.min(mean + DEVIATIONS * deviation);
                }
                (low, high, format!("draws of `{name}` lie in [{low}, {high}]"))
            }
            _ => match source.initial {
                Some((low, high)) => (low, high, String::new()),
                None => (-any, any, String::new()),
            },
        },
        (None, Role::Parameter) => match source.initial {
            Some(_) if weights == Weights::Initial && source.usual.is_some() => {
                let (low, high) = source.usual.unwrap_or_default();
                told(low, high, "as it is initialised")
            }
            Some((low, high)) => told(low, high, source.why),
            None => match by_fan_in(source.tensor).filter(|_| is_stored) {
                Some((low, high)) => told(low, high, "as layers are initialised"),
                None => told(-1.0, 1.0, "nothing is said of it"),
            },
        },
        (None, Role::Input) => match source.initial {
            Some((low, high)) => told(low, high, source.why),
            None if kind.is_float() => told(-1.0, 1.0, "nothing is said of it"),
            None => (-any, any, String::new()),
        },
    };
    let stated =
        stated.is_some() || (is_stored && weights != Weights::Stored && source.role == Role::Parameter);
    Known { source, low, high, assumption, stated }
}

/// An end of a range as it was written, unless it has very many digits.
fn end(number: f64) -> String {
    if number.abs() < 1e16 { format!("{number}") } else { short(number) }
}

/// How layers initialise a matrix or a filter: between plus and minus `1 / sqrt(n)`, where `n` numbers go into one. Of a
/// matrix that is stored nobody knows which axis these are along: the shorter one allows for more.
fn by_fan_in(tensor: Tensor) -> Option<(f64, f64)> {
    let sizes: Option<Vec<i64>> = tensor.shape().sizes()?.iter().map(|size| size.known()).collect();
    let (first, rest) = sizes.as_deref()?.split_first()?;
    let into = if rest.is_empty() { return None } else { (*first).min(rest.iter().product()) };
    (into >= 1).then(|| (-1.0 / (into as f64).sqrt(), 1.0 / (into as f64).sqrt()))
}

/// Whether a name fits a pattern in which `*` stands for anything.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let pieces: Vec<&str> = pieces.collect();
    let Some((last, middle)) = pieces.split_last() else { return rest.is_empty() };
    for piece in middle {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn patterns_fit_names() {
        assert!(fits("x", "x") && !fits("x", "xy") && fits("x*", "xy") && fits("*", ""));
        assert!(fits("*/variance", "bn1/variance") && !fits("*/variance", "bn1/variance/read"));
        assert!(fits("a*b*c", "a-b-b-c") && !fits("a*b*c", "a-c-b") && !fits("ab*b", "ab"));
    }
}
