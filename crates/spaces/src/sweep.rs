//! A model and a space, compiled: the verdict on every vector.

use crate::model::Model;
use crate::parts::{Part, Progress, Watch, parts};
use crate::space::{Parameter, Space};
use anyhow::{Result, bail};
use engines::sweep::{Bare, Cause, Course, Diagram, Domain, Ending, Limits, Outcome, Verdict};
use smallvec::SmallVec;
use std::ops::Range;

/// What a model makes of every vector of a space. Plain data: any number of threads may ask it.
pub struct Sweep {
    pub space: Space,
    parts: Vec<Compiled>,
    /// For each choice of what is written out, where its parts end.
    ends: Vec<usize>,
    /// The hyper-parameters that are open in each part, and what they may be.
    open: Vec<usize>,
    domains: Vec<Domain>,
    /// Hyper-parameters of a search that are none of the model's: a learning rate.
    pub unread: Vec<String>,
    /// Hyper-parameters that no vector comes to, because the program fails before.
    pub unmet: Vec<String>,
    /// How far apart the parts of neighbouring values are; 0 for a hyper-parameter that is open.
    strides: Vec<usize>,
}

/// One choice of everything that is written out.
struct Compiled {
    fixed: Vec<Option<usize>>,
    absent: Vec<bool>,
    courses: Vec<Course>,
    diagram: Diagram,
    bare: Bare,
}

/// How many vectors come to which end.
#[derive(Clone, Debug, Default)]
pub struct Census {
    pub valid: u128,
    pub unknown: u128,
    /// Vectors of the plain product that the space does not have.
    pub outside: u128,
    /// Of the unknown: those that it would have taken too much to count.
    pub unsettled: u128,
    /// What makes vectors invalid; the most frequent first.
    pub invalid: Vec<Tally>,
    /// What works and is hardly meant, among the valid.
    pub improper: Vec<Tally>,
}

/// A cause, how many vectors have it first, and one of them.
#[derive(Clone, Debug)]
pub struct Tally {
    pub cause: Cause,
    pub count: u128,
    /// The places of its values.
    pub example: Vec<usize>,
}

impl Census {
    pub fn invalid(&self) -> u128 {
        self.invalid.iter().map(|tally| tally.count).sum()
    }
    pub fn improper(&self) -> u128 {
        self.improper.iter().map(|tally| tally.count).sum()
    }
    /// How many vectors the space has.
    pub fn total(&self) -> u128 {
        self.valid + self.invalid() + self.unknown
    }
}

impl Sweep {
    pub fn compile(model: &Model, space: &Space) -> Result<Sweep> {
        Sweep::compile_watched(model, space, Limits::default(), &mut |_| true)
    }
    /// As [`Sweep::compile`], with other limits on what the diagram of a part may take. `watch` learns how far it
    /// is; once it says no, what is left is unknown, or not counted.
    pub fn compile_watched(model: &Model, space: &Space, limits: Limits, watch: &mut Watch) -> Result<Sweep> {
        let made = parts(model, space, watch)?;
        let domains = made.domains;
        let total = made.parts.len();
        let mut compiled = |(number, part): (usize, Part)| Compiled {
            diagram: Diagram::of_watched(&part.courses, &domains, limits, &mut |growth| {
                watch(Progress::Counted(number, total, growth))
            }),
            bare: Bare::of(&part.courses, domains.len()),
            fixed: part.fixed,
            absent: part.absent,
            courses: part.courses,
        };
        let parts = made.parts.into_iter().enumerate().map(&mut compiled).collect();
        let unread = |parameter: &&Parameter| parameter.is_read && !model.uses(&parameter.name);
        let unread: Vec<&Parameter> = space.parameters.iter().filter(unread).collect();
        if unread.len() == space.parameters.len() && !made.is_stopped {
            let names: Vec<&str> = unread.iter().map(|it| it.name.as_str()).collect();
            bail!("the model has none of what the search tunes: `{}`", names.join("`, `"));
        }
        let unread = unread.into_iter().map(|it| it.name.clone()).collect();
        let unmet = if made.is_stopped { Vec::new() } else { model.unmet()? };
        let mut strides = vec![0; space.parameters.len()];
        let mut stride = 1;
        for (place, parameter) in space.parameters.iter().enumerate().rev() {
            if !made.open.contains(&place) {
                strides[place] = stride;
                stride *= parameter.values.len();
            }
        }
        Ok(Sweep {
            space: space.clone(),
            parts,
            ends: made.ends,
            open: made.open,
            domains,
            unread,
            unmet,
            strides,
        })
    }

    /// How many vectors the plain product of all values has.
    pub fn len(&self) -> u128 {
        self.space.len()
    }
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The verdict on the vector with these values, by their places.
    pub fn judge(&self, places: &[usize]) -> Verdict<'_> {
        let number: usize = self.strides.iter().zip(places).map(|(stride, place)| stride * place).sum();
        let choice: SmallVec<[usize; 16]> = self.open.iter().map(|&place| places[place]).collect();
        let from = if number == 0 { 0 } else { self.ends[number - 1] };
        for part in &self.parts[from..self.ends[number]] {
            let outcome = self.outcome(part, &choice);
            if outcome != Outcome::Outside {
                return outcome.verdict(&part.courses);
            }
        }
        Verdict::Outside
    }
    fn outcome(&self, part: &Compiled, choice: &[usize]) -> Outcome {
        let outcome = part.diagram.outcome(choice);
        // What of the valid is hardly meant may be told by the steps alone.
        let is_whole = part.diagram.remarks || outcome != Outcome::Valid;
        if outcome != Outcome::Unsettled && is_whole {
            return outcome;
        }
        let vector: Vec<i64> =
            choice.iter().zip(&self.domains).map(|(&place, domain)| domain.values[place]).collect();
        part.bare.outcome(&part.courses, &vector)
    }
    /// Judges the vectors of a range, by their number: the last value changes fastest. Ends when `see` says so.
    pub fn each(&self, range: Range<u128>, see: &mut dyn FnMut(&[usize], Verdict) -> bool) {
        let mut places = self.places(range.start);
        let mut number = range.start;
        while number < range.end.min(self.len()) {
            if !see(&places, self.judge(&places)) {
                return;
            }
            number += 1;
            for place in (0..places.len()).rev() {
                let is_last = places[place] + 1 == self.space.parameters[place].values.len();
                places[place] = if is_last { 0 } else { places[place] + 1 };
                if !is_last {
                    break;
                }
            }
        }
    }
    /// The places of the values of a vector, by its number.
    pub fn places(&self, number: u128) -> Vec<usize> {
        let mut rest = number;
        let lengths = self.space.parameters.iter().rev().map(|parameter| parameter.values.len() as u128);
        let mut places: Vec<usize> = lengths
            .map(|length| {
                let place = rest % length;
                rest /= length;
                place as usize
            })
            .collect();
        places.reverse();
        places
    }
    /// The vectors of one of several shares that are as equal as can be.
    pub fn shard(&self, number: u64, of: u64) -> Range<u128> {
        let at = |number: u64| {
            let (whole, rest) = (self.len() / u128::from(of), self.len() % u128::from(of));
            whole * u128::from(number) + rest * u128::from(number) / u128::from(of)
        };
        at(number)..at(number + 1)
    }

    /// Counts all vectors.
    pub fn census(&self) -> Census {
        self.census_where(&vec![None; self.space.parameters.len()])
    }
    /// Counts the vectors whose values are among these, by their places; `None` stands for all.
    pub fn census_where(&self, among: &[Option<Vec<usize>>]) -> Census {
        let mut census = Census::default();
        let restriction: Vec<Option<Vec<usize>>> =
            self.open.iter().map(|&place| among[place].clone()).collect();
        for part in &self.parts {
            let is_looked_at = part.fixed.iter().zip(among).all(|(fixed, among)| match (fixed, among) {
                (Some(place), Some(among)) => among.contains(place),
                _ => true,
            });
            if is_looked_at {
                self.add(&mut census, part, &restriction);
            }
        }
        // Whether a vector is one of the space at all may be open in several parts.
        let each = self.space.parameters.iter().zip(among);
        let looked_at = each.map(|(it, among)| among.as_ref().map_or(it.values.len(), Vec::len) as u128);
        let told = census.valid + census.invalid() + census.unknown - census.unsettled;
        let open = looked_at.fold(1, u128::saturating_mul).saturating_sub(told);
        census.unknown -= census.unsettled.saturating_sub(open);
        census.unsettled = census.unsettled.min(open);
        for tallies in [&mut census.invalid, &mut census.improper] {
            tallies.sort_by_key(|tally| std::cmp::Reverse(tally.count));
        }
        census
    }
    fn add(&self, census: &mut Census, part: &Compiled, restriction: &[Option<Vec<usize>>]) {
        let counts = part.diagram.counts_where(&self.domains, restriction);
        for (outcome, count, example) in counts.all {
            if outcome == Outcome::Unsettled {
                census.unsettled += count;
            }
            let tallies = match outcome.verdict(&part.courses) {
                Verdict::Valid => {
                    census.valid += count;
                    continue;
                }
                Verdict::Unknown(_) => {
                    census.unknown += count;
                    continue;
                }
                Verdict::Outside => {
                    census.outside += count;
                    continue;
                }
                Verdict::Improper(cause) => {
                    census.valid += count;
                    (&mut census.improper, cause)
                }
                Verdict::Invalid(cause) => (&mut census.invalid, cause),
            };
            let (tallies, cause) = tallies;
            match tallies.iter_mut().find(|tally| tally.cause == *cause) {
                Some(tally) => tally.count += count,
                None => {
                    let mut open = example.iter();
                    let place = |fixed: &Option<usize>| match fixed {
                        Some(place) => *place,
                        None => open.next().copied().unwrap_or(0),
                    };
                    let example = part.fixed.iter().map(place).collect();
                    tallies.push(Tally { cause: cause.clone(), count, example });
                }
            }
        }
    }

    /// Why vectors are unknown, each reason once.
    pub fn reasons(&self) -> Vec<String> {
        let endings = self.parts.iter().flat_map(|part| &part.courses).map(|course| &course.ending);
        let mut reasons = Vec::new();
        for ending in endings {
            if let Ending::Unknown(why) = ending
                && !reasons.contains(why)
            {
                reasons.push(why.clone());
            }
        }
        reasons
    }
    /// The hyper-parameters that are never there.
    pub fn never_there(&self) -> Vec<&str> {
        let absent = |&place: &usize| self.parts.iter().all(|part| part.absent[place]);
        let numbers = 0..self.space.parameters.len();
        numbers.filter(absent).map(|place| self.space.parameters[place].name.as_str()).collect()
    }
    /// What is taken for granted because it depends on more than the hyper-parameters.
    pub fn supposed(&self) -> Vec<String> {
        let mut supposed = Vec::new();
        let valid = |course: &&Course| matches!(course.ending, Ending::Valid);
        for course in self.parts.iter().flat_map(|part| &part.courses).filter(valid) {
            let of_steps = course.supposed().map(|cause| format!("{} ({})", cause.label, cause.place));
            for text in of_steps.chain(course.granted.iter().cloned()) {
                if !supposed.contains(&text) {
                    supposed.push(text);
                }
            }
        }
        supposed
    }
    /// The hyper-parameters that make a vector invalid: with their values no choice of the others is valid, and that is
    /// true of no part of them. Those that have no say in the cause at hand are let go first. `None` if some are not
    /// counted.
    pub fn clash(&self, places: &[usize]) -> Option<Vec<usize>> {
        let Verdict::Invalid(cause) = self.judge(places) else { return None };
        let mut among: Vec<Option<Vec<usize>>> = places.iter().map(|&place| Some(vec![place])).collect();
        let is_hopeless = |census: &Census| census.valid == 0 && census.unknown == 0;
        let is_alone =
            |census: &Census| is_hopeless(census) && census.invalid.iter().all(|it| it.cause == *cause);
        let mut order: Vec<usize> = (0..places.len()).collect();
        order
            .sort_by_key(|&parameter| is_mentioned(&cause.condition, &self.space.parameters[parameter].name));
        let tests: [&dyn Fn(&Census) -> bool; 2] = [&is_alone, &is_hopeless];
        for still in tests {
            if !still(&self.census_where(&among)) {
                return None;
            }
            for &parameter in
                order.iter().filter(|&&parameter| among[parameter].is_some()).collect::<Vec<_>>()
            {
                let held = among[parameter].take();
                if !still(&self.census_where(&among)) {
                    among[parameter] = held;
                }
            }
        }
        Some((0..places.len()).filter(|&parameter| among[parameter].is_some()).collect())
    }
    /// Whether what is hardly meant is counted apart from the rest of the valid.
    pub fn counts_improper(&self) -> bool {
        self.parts.iter().all(|part| part.diagram.remarks)
    }
    /// How many analyses it took, and how many edges the diagrams have.
    pub fn size(&self) -> (usize, usize) {
        (self.parts.len(), self.parts.iter().map(|part| part.diagram.size()).sum())
    }
}

/// Whether a condition names a hyper-parameter.
pub fn is_mentioned(condition: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    condition.match_indices(name).any(|(at, _)| {
        let (before, after) = (&condition[..at], &condition[at + name.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part)
    })
}
