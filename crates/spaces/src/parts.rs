//! A space in parts: words, flags and numbers that no symbol can stand for are written out, the other numbers stay open.

use crate::choice::Choice;
use crate::condition::Meaning;
use crate::model::{Bound, Model, limits};
use crate::space::{Parameter, Space};
use anyhow::{Context, Result, bail};
use engines::sweep::{Course, Domain, Ending, Growth, Reading};
use semantics::arena;
use semantics::dim::Dim;
use semantics::prop::Prop;
use solver::{Context as Facts, Verdict};
use std::collections::{BTreeMap, BTreeSet};

/// More analyses than this are not made for one space.
const MOST_ANALYSES: u64 = 20_000;

/// In so many parts, each in doubt about something else, it is looked for the numbers that have to be known.
const MOST_LOOKED_AT: usize = 8;

/// One choice of everything that is written out, and what it leaves of the program.
pub struct Part {
    /// The place of the value of each hyper-parameter; those that are open are `None`.
    pub fixed: Vec<Option<usize>>,
    /// Which hyper-parameters are not there, because their condition does not hold.
    pub absent: Vec<bool>,
    pub courses: Vec<Course>,
}

/// The parts of a space.
pub struct Parts {
    pub parts: Vec<Part>,
    /// For each choice of what is written out, the last changing fastest, where its parts end: one for each choice of
    /// hyper-parameters that are there, of which every vector belongs to one.
    pub ends: Vec<usize>,
    /// The hyper-parameters that are open, by number.
    pub open: Vec<usize>,
    pub domains: Vec<Domain>,
    /// The user did not want to wait for all of them.
    pub is_stopped: bool,
}

/// Learns how far it is, and says whether to go on.
pub type Watch<'w> = dyn FnMut(Progress) -> bool + 'w;

/// How far a sweep is.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// So many analyses of the model, of how many.
    Analysed(u64, u64),
    /// So many parts are counted, of how many, and how far the next one is.
    Counted(usize, usize, Growth),
}

/// The model for every choice of what is written out.
pub fn parts(model: &Model, space: &Space, watch: &mut Watch) -> Result<Parts> {
    let parameters = &space.parameters;
    let is_open = |parameter: &Parameter| {
        parameter.values.len() > 1 && parameter.numbers().is_some() && !model.is_structural(&parameter.name)
    };
    let mut open: Vec<bool> = parameters.iter().map(is_open).collect();
    let needed = analyses(parameters, &open);
    if needed > MOST_ANALYSES {
        bail!(
            "words, flags and fractions alone make {needed} combinations, each an analysis: at most {MOST_ANALYSES} are made"
        );
    }
    loop {
        let mut parts = parts_with(model, space, &open, watch)?;
        if parts.is_stopped {
            return Ok(parts);
        }
        let mut culprits = Vec::new();
        for part in doubtful(&parts.parts).into_iter().take(MOST_LOOKED_AT) {
            culprits = self::culprits(model, space, part)?;
            if !culprits.is_empty() {
                break;
            }
        }
        culprits.iter().for_each(|&place| open[place] = false);
        if culprits.is_empty() {
            return Ok(parts);
        }
        let needed = analyses(parameters, &open);
        if needed > MOST_ANALYSES {
            // What these numbers would decide is not known, and nothing to suppose.
            let names: Vec<&str> = culprits.iter().map(|&place| parameters[place].name.as_str()).collect();
            let names = names.join("`, `");
            parts.parts.iter_mut().flat_map(|part| &mut part.courses).for_each(|course| {
                course.doubt(&format!("it takes each value of `{names}` by itself, {needed} analyses in all, and at most {MOST_ANALYSES} are made"));
            });
            return Ok(parts);
        }
    }
}

/// How many analyses it takes if these hyper-parameters are symbols and the others are written out.
fn analyses(parameters: &[Parameter], open: &[bool]) -> u64 {
    let fixed = parameters.iter().zip(open).filter(|(_, open)| !**open);
    fixed.map(|(parameter, _)| parameter.values.len() as u64).fold(1u64, u64::saturating_mul)
}

/// What is not known: of courses what becomes of a vector, and of requirements whether they hold.
fn doubts(courses: &[Course]) -> Vec<String> {
    let mut found = Vec::new();
    for course in courses {
        match &course.ending {
            Ending::Unknown(why) => found.push(why.clone()),
            _ if course.is_open() || course.leaves_out => found.push("a way that nobody has followed".into()),
            _ => {}
        }
        found.extend(course.supposed().map(|cause| format!("{} ({})", cause.label, cause.place)));
        found.extend(course.granted.iter().cloned());
    }
    found
}

fn undecided(courses: &[Course]) -> usize {
    doubts(courses).len()
}

/// Parts in doubt, one for each set of doubts: those about the most first, for what is open in all of them may be
/// what no number decides.
fn doubtful(parts: &[Part]) -> Vec<&Part> {
    let mut found: BTreeMap<BTreeSet<String>, &Part> = BTreeMap::new();
    for part in parts {
        let doubts: BTreeSet<String> = doubts(&part.courses).into_iter().collect();
        if !doubts.is_empty() {
            found.entry(doubts).or_insert(part);
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(doubts, _)| std::cmp::Reverse(doubts.len()));
    found.into_iter().map(|(_, part)| part).collect()
}

/// The numbers that have to be known for more to be decided, as few as will do; none if it would not help.
fn culprits(model: &Model, space: &Space, part: &Part) -> Result<Vec<usize>> {
    let parameters = &space.parameters;
    let courses = |fixed: &[Option<usize>]| {
        let bounds = told(space, &bounds(space, fixed), &part.absent);
        model.courses(parameters, &bounds, &domains(parameters, fixed))
    };
    let left = |fixed: &[Option<usize>]| Ok::<_, anyhow::Error>(undecided(&courses(fixed)?));
    // Where a model fails early, nothing that comes after is looked at: a vector is looked for that it does not fail for.
    let own = |number: usize| {
        let default = model.default_of(&parameters[number]);
        default.and_then(|own| parameters[number].place(&own)).unwrap_or(parameters[number].values.len() / 2)
    };
    let choices: [&dyn Fn(usize) -> usize; 4] =
        [&own, &|number| parameters[number].values.len() / 2, &|_| 0, &|number| {
            parameters[number].values.len() - 1
        }];
    let mut looked_at = Vec::new();
    for choice in choices {
        let fixed = part.fixed.iter().enumerate();
        let fixed: Vec<Option<usize>> =
            fixed.map(|(number, held)| held.or_else(|| Some(choice(number)))).collect();
        let courses = courses(&fixed)?;
        let is_valid = courses.iter().any(|course| course.ending == Ending::Valid);
        let doubt = (undecided(&courses), !is_valid);
        looked_at.push((doubt, fixed));
        if doubt == (0, false) {
            break;
        }
    }
    let best = looked_at.into_iter().min_by_key(|(doubt, _)| *doubt);
    let Some(((least, _), mut fixed)) = best.filter(|((least, _), _)| *least < undecided(&part.courses))
    else {
        return Ok(Vec::new());
    };
    // Those with many values first: it is them that one would rather not write out.
    let is_tried = |place: &usize| part.fixed[*place].is_none() && !part.absent[*place];
    let mut tried: Vec<usize> = (0..parameters.len()).filter(is_tried).collect();
    tried.sort_by_key(|&place| std::cmp::Reverse(parameters[place].values.len()));
    for &place in &tried {
        let held = fixed[place].take();
        if left(&fixed)? > least {
            fixed[place] = held;
        }
    }
    tried.retain(|&place| fixed[place].is_some());
    Ok(tried)
}

fn domains(parameters: &[Parameter], fixed: &[Option<usize>]) -> Vec<Domain> {
    let open = parameters.iter().zip(fixed).filter(|(_, fixed)| fixed.is_none());
    open.map(|(parameter, _)| Domain {
        name: parameter.name.clone(),
        values: parameter.numbers().unwrap_or_default(),
    })
    .collect()
}

/// What each hyper-parameter may be in a part.
fn bounds(space: &Space, fixed: &[Option<usize>]) -> Vec<Bound> {
    let bound = |(parameter, fixed): (&Parameter, &Option<usize>)| match fixed {
        Some(place) => Bound::Fixed(parameter.values[*place].clone()),
        None => {
            let numbers = parameter.numbers().unwrap_or_default();
            let low = numbers.first().copied().unwrap_or(0);
            Bound::Between(low, numbers.last().copied().unwrap_or(low))
        }
    };
    space.parameters.iter().zip(fixed).map(bound).collect()
}

/// What the model is told of each hyper-parameter.
fn told(space: &Space, bounds: &[Bound], absent: &[bool]) -> Vec<Bound> {
    let each = space.parameters.iter().zip(bounds).zip(absent);
    let told = each.map(|((parameter, bound), absent)| match (absent, &parameter.otherwise) {
        (false, _) => bound.clone(),
        (true, Some(otherwise)) => Bound::Fixed(otherwise.clone()),
        (true, None) => Bound::Absent,
    });
    told.collect()
}

/// Hyper-parameters in the current arena: symbols, where they are open.
struct Symbols<'s> {
    space: &'s Space,
    bounds: &'s [Bound],
}

impl Symbols<'_> {
    fn of(&self, name: &str) -> Option<Meaning> {
        let place = self.space.parameters.iter().position(|parameter| parameter.name == name)?;
        Some(self.at(place))
    }
    fn at(&self, place: usize) -> Meaning {
        match &self.bounds[place] {
            Bound::Fixed(choice) => Meaning::of(choice),
            Bound::Between(low, high) => {
                Meaning::Number(Dim::symbol(&self.space.parameters[place].name, *low, *high))
            }
            Bound::Absent => Meaning::Plain(Choice::Nothing),
        }
    }
    /// Whether there is a hyper-parameter; `None` if it always is.
    fn active(&self, place: usize) -> Result<Option<Prop>> {
        let parameter = &self.space.parameters[place];
        let Some(when) = &parameter.when else { return Ok(None) };
        let active = when.meaning(&|name| self.of(name)).and_then(|meaning| meaning.truth());
        active.map(Some).with_context(|| format!("`when` of `{}`", parameter.name))
    }
    /// Whether a hyper-parameter has its first value, which those have that are not there.
    fn is_first(&self, place: usize) -> Result<Prop> {
        Ok(match (&self.bounds[place], &self.space.parameters[place].values[0]) {
            (Bound::Between(..), Choice::Int(first)) => self.at(place).number()?.eq(*first),
            (Bound::Fixed(choice), first) => (choice == first).into(),
            _ => true.into(),
        })
    }
}

/// Every choice of hyper-parameters that are not there which conditions allow.
fn absences(space: &Space, bounds: &[Bound]) -> Result<Vec<Vec<bool>>> {
    arena::scope(|| {
        let symbols = Symbols { space, bounds };
        let mut held = vec![(vec![false; space.parameters.len()], Vec::new())];
        for place in 0..space.parameters.len() {
            let Some(active) = symbols.active(place)? else { continue };
            let gone = !active & symbols.is_first(place)?;
            let mut next = Vec::new();
            for (absent, facts) in held {
                for (statement, is_absent) in [(active, false), (gone, true)] {
                    let mut known = Facts::new(limits());
                    facts.iter().for_each(|fact| known.assume(*fact));
                    if matches!(known.decide(statement), Verdict::Fails) {
                        continue;
                    }
                    let (mut absent, mut facts): (Vec<bool>, Vec<Prop>) = (absent.clone(), facts.clone());
                    absent[place] = is_absent;
                    facts.push(statement);
                    next.push((absent, facts));
                }
            }
            if next.len() as u64 > MOST_ANALYSES {
                bail!("conditions alone make {} combinations of what is there", next.len());
            }
            held = next;
        }
        Ok(held.into_iter().map(|(absent, _)| absent).collect())
    })
}

/// Which vectors the space has at all.
fn membership(
    space: &Space,
    bounds: &[Bound],
    absent: &[bool],
    domains: &[Domain],
) -> Result<Option<Course>> {
    if space.requires.is_empty() && space.parameters.iter().all(|parameter| parameter.when.is_none()) {
        return Ok(None);
    }
    arena::scope(|| {
        let symbols = Symbols { space, bounds };
        let mut reading = Reading::new(domains);
        for (number, &absent) in absent.iter().enumerate() {
            match (symbols.active(number)?, absent) {
                (None, _) => {}
                (Some(active), false) => reading.belong(active),
                (Some(active), true) => reading.belong(!active & symbols.is_first(number)?),
            }
        }
        let is_there = |name: &String| {
            !space.parameters.iter().zip(absent).any(|(parameter, absent)| *absent && parameter.name == *name)
        };
        for (condition, text) in &space.requires {
            let mut names = Vec::new();
            condition.names(&mut names);
            // Nothing can be asked of what is not there.
            if names.iter().all(is_there) {
                let meaning = condition.meaning(&|name| symbols.of(name));
                reading.belong(meaning.and_then(|it| it.truth()).with_context(|| text.clone())?);
            }
        }
        Ok(Some(reading.end(Ending::Elsewhere)))
    })
}

fn parts_with(model: &Model, space: &Space, open: &[bool], watch: &mut Watch) -> Result<Parts> {
    let parameters = &space.parameters;
    let (mut parts, mut ends, mut is_stopped, mut done) = (Vec::new(), Vec::new(), false, 0);
    let total = analyses(parameters, open);
    let mut choice = vec![0; parameters.len()];
    let fixed_of = |choice: &[usize]| -> Vec<Option<usize>> {
        choice.iter().zip(open).map(|(&place, open)| (!open).then_some(place)).collect()
    };
    let domains = domains(parameters, &fixed_of(&choice));
    loop {
        let fixed = fixed_of(&choice);
        is_stopped |= !watch(Progress::Analysed(done, total));
        done += 1;
        let bounds = bounds(space, &fixed);
        for absent in absences(space, &bounds)? {
            let mut courses = Vec::new();
            courses.extend(membership(space, &bounds, &absent, &domains)?);
            match is_stopped {
                true => {
                    let why = "it was stopped before that";
                    courses.push(Reading::new(&domains).end(Ending::Unknown(why.into())));
                }
                false => {
                    courses.extend(model.courses(parameters, &told(space, &bounds, &absent), &domains)?)
                }
            }
            parts.push(Part { fixed: fixed.clone(), absent, courses });
        }
        ends.push(parts.len());
        let next = (0..parameters.len()).rev().find(|&place| {
            let is_last = open[place] || choice[place] + 1 == parameters[place].values.len();
            choice[place] = if is_last { 0 } else { choice[place] + 1 };
            !is_last
        });
        if next.is_none() {
            let open = (0..parameters.len()).filter(|&place| open[place]).collect();
            return Ok(Parts { parts, ends, open, domains, is_stopped });
        }
    }
}
