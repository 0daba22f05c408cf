//! How many vectors of a space come to which end.

use super::diagram::Level;
use super::{Diagram, Domain, Outcome, vectors};

/// How many vectors there are of each outcome, and one of them, by the places of its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub all: Vec<(Outcome, u128, Vec<usize>)>,
}

impl Counts {
    /// How many vectors have an outcome of a kind.
    pub fn of(&self, is_it: impl Fn(Outcome) -> bool) -> u128 {
        self.all.iter().filter(|(outcome, ..)| is_it(*outcome)).map(|(_, count, _)| count).sum()
    }
    pub fn valid(&self) -> u128 {
        self.of(|outcome| matches!(outcome, Outcome::Valid | Outcome::Improper { .. }))
    }
    pub fn invalid(&self) -> u128 {
        self.of(|outcome| matches!(outcome, Outcome::Invalid { .. }))
    }
    pub fn unknown(&self) -> u128 {
        self.of(|outcome| matches!(outcome, Outcome::Unknown { .. } | Outcome::Unsettled))
    }
}

/// For each hyper-parameter the places of the values that are looked at; `None` for all.
pub type Restriction = [Option<Vec<usize>>];

impl Diagram {
    /// Counts all vectors of the space.
    pub fn counts(&self, domains: &[Domain]) -> Counts {
        self.counts_where(domains, &vec![None; domains.len()])
    }

    /// Counts the vectors whose values are among those that are looked at.
    pub fn counts_where(&self, domains: &[Domain], restriction: &Restriction) -> Counts {
        let looked_at = |parameter: usize| {
            let of = restriction[parameter].as_ref();
            of.map_or(domains[parameter].values.len(), Vec::len) as u128
        };
        let least = |parameter: usize| restriction[parameter].as_ref().and_then(|of| of.first()).copied();
        let all: u128 = match restriction.iter().all(Option::is_none) {
            true => vectors(domains),
            false => (0..domains.len()).map(looked_at).fold(1, u128::saturating_mul),
        };
        let example: Vec<usize> = (0..domains.len()).map(|parameter| least(parameter).unwrap_or(0)).collect();
        let mut found: Vec<(u128, Option<Vec<usize>>)> = vec![(0, None); self.outcomes.len()];
        // Per state how many choices lead to it, and the first of them: where it comes from, by which value.
        let mut reached: Vec<u128> = match self.start.target() {
            Ok(_) => vec![1],
            Err(outcome) => {
                found[outcome] = (all, Some(example.clone()));
                Vec::new()
            }
        };
        let mut ways: Vec<Vec<(u32, u32)>> = vec![vec![(0, 0)]];
        let mut rest = all;
        for (depth, level) in self.levels.iter().enumerate() {
            rest /= looked_at(level.parameter).max(1);
            let places: Vec<usize> = match &restriction[level.parameter] {
                Some(places) => places.clone(),
                None => (0..level.values).collect(),
            };
            let (mut next, mut from): (Vec<u128>, Vec<(u32, u32)>) = (Vec::new(), Vec::new());
            for (state, &count) in reached.iter().enumerate().filter(|(_, count)| **count > 0) {
                for &place in &places {
                    match level.edges[state * level.values + place].target() {
                        Ok(target) => {
                            if next.len() <= target {
                                next.resize(target + 1, 0);
                                from.resize(target + 1, (0, 0));
                            }
                            if next[target] == 0 {
                                from[target] = (state as u32, place as u32);
                            }
                            next[target] += count;
                        }
                        Err(outcome) => {
                            let (number, first) = &mut found[outcome];
                            *number += count * rest;
                            if first.is_none() {
                                let mut vector = example.clone();
                                vector[level.parameter] = place;
                                way_back(&self.levels[..depth], &ways, state, &mut vector);
                                *first = Some(vector);
                            }
                        }
                    }
                }
            }
            reached = next;
            ways.push(from);
        }
        let counted = self.outcomes.iter().zip(found);
        let counted = counted.filter_map(|(outcome, (count, first))| Some((*outcome, count, first?)));
        Counts { all: counted.collect() }
    }
}

/// Fills in the values by which a state was first reached.
fn way_back(levels: &[Level], ways: &[Vec<(u32, u32)>], mut state: usize, vector: &mut [usize]) {
    for (depth, level) in levels.iter().enumerate().rev() {
        let (before, place) = ways[depth + 1][state];
        vector[level.parameter] = place as usize;
        state = before as usize;
    }
}
