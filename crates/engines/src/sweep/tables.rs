//! What a course says of every vector, as tables over the hyper-parameters that steps share.
//!
//! A step that mentions two of ten hyper-parameters is evaluated once for each pair of their values, not for each vector.

use super::columns::Formula;
use super::{Cause, Course, Domain, Ending};

/// What becomes of a vector on one course.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict<'c> {
    Valid,
    Invalid(&'c Cause),
    /// The program goes another way.
    Elsewhere,
    Unknown,
}

/// The first step that a vector does not pass, twice its number; one more if that is not known.
type Code = u32;
const PASSED: Code = Code::MAX;

/// A course over a space.
pub struct Tables<'c> {
    pub course: &'c Course,
    tables: Vec<Table>,
}

struct Table {
    /// How far apart the cells of neighbouring values of each hyper-parameter are; 0 for one that has no say.
    strides: Vec<usize>,
    cells: Vec<Code>,
}

/// Vectors that are evaluated at once.
const BLOCK: usize = 1024;

impl<'c> Tables<'c> {
    /// `None` if they would have more cells than this.
    pub fn of(course: &'c Course, domains: &[Domain], most_cells: u64) -> Option<Tables<'c>> {
        let sets = shared(course.steps.iter().map(|step| course.formulas.mentions(step.formula())));
        let cells = |set: u64| {
            let lengths = among(set, domains).map(|place| domains[place].values.len() as u64);
            lengths.fold(1u64, u64::saturating_mul)
        };
        if sets.iter().map(|&set| cells(set)).fold(0, u64::saturating_add) > most_cells {
            return None;
        }
        let mut rest: Vec<usize> = (0..course.steps.len()).collect();
        let tables = sets.into_iter().map(|set| {
            let is_inside =
                |step: &mut usize| course.formulas.mentions(course.steps[*step].formula()) & !set == 0;
            let steps: Vec<usize> = rest.extract_if(.., is_inside).collect();
            Table::of(course, &steps, set, domains)
        });
        let tables = tables.collect();
        Some(Tables { course, tables })
    }
    fn code(&self, choice: &[usize]) -> Code {
        let codes = self.tables.iter().map(|table| {
            let place: usize = table.strides.iter().zip(choice).map(|(stride, at)| stride * at).sum();
            table.cells[place]
        });
        codes.min().unwrap_or(PASSED)
    }
    /// What becomes of the vector with these values, by their places in the domains.
    pub fn verdict(&self, choice: &[usize]) -> Verdict<'c> {
        verdict_of(self.course, self.code(choice))
    }
    /// What becomes of the vectors that begin with these places, by the place of the last value: each code is written.
    pub(super) fn codes(&self, first: &[usize], codes: &mut [Code]) {
        codes.fill(PASSED);
        for table in &self.tables {
            let (stride, others) =
                table.strides.split_last().map_or((0, &[][..]), |(last, others)| (*last, others));
            let base: usize = others.iter().zip(first).map(|(stride, at)| stride * at).sum();
            if stride == 0 {
                let cell = table.cells[base];
                codes.iter_mut().for_each(|code| *code = (*code).min(cell));
            } else {
                let cells = table.cells[base..].iter().step_by(stride);
                codes.iter_mut().zip(cells).for_each(|(code, cell)| *code = (*code).min(*cell));
            }
        }
    }
}

/// What a code says of a course.
pub(super) fn verdict_of(course: &Course, code: Code) -> Verdict<'_> {
    if code == PASSED {
        return match &course.ending {
            Ending::Valid => Verdict::Valid,
            Ending::Fails(cause) => Verdict::Invalid(cause),
            Ending::Unknown(_) => Verdict::Unknown,
        };
    }
    if code % 2 == 1 {
        return Verdict::Unknown;
    }
    course.cause(code as usize / 2).map_or(Verdict::Elsewhere, Verdict::Invalid)
}

impl Table {
    fn of(course: &Course, steps: &[usize], set: u64, domains: &[Domain]) -> Table {
        let mut strides = vec![0; domains.len()];
        let mut length = 1;
        for place in among(set, domains).collect::<Vec<_>>().into_iter().rev() {
            strides[place] = length;
            length *= domains[place].values.len();
        }
        let parts = course.formulas.parts(steps.iter().map(|&step| course.steps[step].formula()));
        let mut cells = Vec::with_capacity(length);
        let mut parameters = vec![Vec::new(); domains.len()];
        while cells.len() < length {
            let block = cells.len()..length.min(cells.len() + BLOCK);
            for place in among(set, domains) {
                let values = &domains[place].values;
                parameters[place].clear();
                parameters[place]
                    .extend(block.clone().map(|cell| values[cell / strides[place] % values.len()]));
            }
            let columns = course.formulas.evaluate(&parts, &parameters, block.len());
            let mut codes = vec![PASSED; block.len()];
            for &step in steps.iter().rev() {
                let formula: Formula = course.steps[step].formula();
                let is_supposed = course.formulas.is_foreign(formula);
                for (code, held) in codes.iter_mut().zip(columns.of(formula)) {
                    match held {
                        Some(0) => *code = step as Code * 2,
                        Some(_) => {}
                        None if is_supposed => {}
                        None => *code = step as Code * 2 + 1,
                    }
                }
            }
            cells.extend(codes);
        }
        Table { strides, cells }
    }
}

/// The hyper-parameters of a set.
fn among(set: u64, domains: &[Domain]) -> impl Iterator<Item = usize> + use<> {
    (0..domains.len()).filter(move |place| set >> place & 1 == 1)
}

/// Sets of which none is part of another, so that each given one is part of one of them; the largest come first.
fn shared(given: impl Iterator<Item = u64>) -> Vec<u64> {
    let mut all: Vec<u64> = given.collect();
    all.sort_unstable_by_key(|set| (std::cmp::Reverse(set.count_ones()), *set));
    all.dedup();
    let mut kept: Vec<u64> = Vec::new();
    for set in all {
        if !kept.iter().any(|held| set & !held == 0) {
            kept.push(set);
        }
    }
    kept
}
