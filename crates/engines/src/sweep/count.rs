//! How many vectors of a space are valid, and what the others break first.

use super::tables::verdict_of;
use super::{Cause, Domain, Tables, Verdict, vectors};
use std::sync::atomic::{AtomicU64, Ordering};

/// A census of a space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub valid: u64,
    pub unknown: u64,
    /// What vectors break first, each with how many there are and one of them, by the places of its values.
    pub invalid: Vec<(Cause, u64, Vec<usize>)>,
}

impl Counts {
    pub fn invalid(&self) -> u64 {
        self.invalid.iter().map(|(_, count, _)| count).sum()
    }
    fn add(&mut self, cause: &Cause, count: u64, example: &[usize]) {
        match self.invalid.iter_mut().find(|(held, ..)| held == cause) {
            Some((_, held, first)) => {
                *held += count;
                if *example < **first {
                    *first = example.to_vec();
                }
            }
            None => self.invalid.push((cause.clone(), count, example.to_vec())),
        }
    }
}

/// Vectors with the same first values, of one thread: how many fail at each code of each course, and the first of them.
#[derive(Default)]
struct Tally {
    valid: u64,
    unknown: u64,
    broken: rustc_hash::FxHashMap<(usize, u32), (u64, Vec<usize>)>,
}

/// Counts over all vectors of a space, one after the other, on all cores. `seen` learns how many are done.
pub fn count(courses: &[Tables], domains: &[Domain], seen: &AtomicU64) -> Counts {
    let last = domains.last().map_or(1, |domain| domain.values.len());
    let rows = vectors(domains).unwrap_or(u64::MAX) / last.max(1) as u64;
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get() as u64).min(rows.max(1));
    let share = |worker: u64| worker * rows / workers;
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let hands: Vec<_> = (0..workers)
            .map(|worker| {
                scope.spawn(move || tally(courses, domains, share(worker)..share(worker + 1), last, seen))
            })
            .collect();
        hands.into_iter().map(|hand| hand.join().expect("counting does not fail")).collect()
    });
    let mut counts = Counts::default();
    for tally in tallies {
        counts.valid += tally.valid;
        counts.unknown += tally.unknown;
        let mut broken: Vec<_> = tally.broken.into_iter().collect();
        broken.sort_unstable_by_key(|&(key, _)| key);
        for ((course, code), (count, example)) in broken {
            if let Verdict::Invalid(cause) = verdict_of(courses[course].course, code) {
                counts.add(cause, count, &example);
            }
        }
    }
    counts
}

fn tally(
    courses: &[Tables],
    domains: &[Domain],
    rows: std::ops::Range<u64>,
    last: usize,
    seen: &AtomicU64,
) -> Tally {
    let mut tally = Tally::default();
    let mut codes = vec![vec![0; last]; courses.len()];
    for row in rows {
        let first = choice_of(row, &domains[..domains.len().saturating_sub(1)]);
        for (course, codes) in courses.iter().zip(&mut codes) {
            course.codes(&first, codes);
        }
        for place in 0..last {
            tally.vector(courses, &codes, &first, place);
        }
        seen.fetch_add(last as u64, Ordering::Relaxed);
    }
    tally
}

impl Tally {
    fn vector(&mut self, courses: &[Tables], codes: &[Vec<u32>], first: &[usize], place: usize) {
        for (number, (course, codes)) in courses.iter().zip(codes).enumerate() {
            let code = codes[place];
            match verdict_of(course.course, code) {
                Verdict::Elsewhere => continue,
                Verdict::Valid => self.valid += 1,
                Verdict::Unknown => self.unknown += 1,
                Verdict::Invalid(_) => {
                    let example = || {
                        let mut example = first.to_vec();
                        example.push(place);
                        (0, example)
                    };
                    self.broken.entry((number, code)).or_insert_with(example).0 += 1;
                }
            }
            return;
        }
        self.unknown += 1;
    }
}

/// The places of values that a number stands for, the last changing fastest.
pub(super) fn choice_of(number: u64, domains: &[Domain]) -> Vec<usize> {
    let mut rest = number;
    let mut choice: Vec<usize> = domains
        .iter()
        .rev()
        .map(|domain| {
            let length = domain.values.len() as u64;
            let place = rest % length;
            rest /= length;
            place as usize
        })
        .collect();
    choice.reverse();
    choice
}
