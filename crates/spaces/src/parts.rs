//! A space in parts: words, flags and numbers that no symbol can stand for are written out, the other numbers stay open.

use crate::choice::Choice;
use crate::condition::Meaning;
use crate::model::{Bound, Model};
use crate::space::{Parameter, Space};
use anyhow::{Context, Result, bail};
use engines::sweep::{Course, Domain, Ending, Growth, Reading};
use semantics::arena;
use semantics::dim::Dim;

/// More analyses than this are not made for one space.
const MOST_ANALYSES: u64 = 20_000;

/// In so many parts it is looked for the numbers that have to be known.
const MOST_LOOKED_AT: usize = 4;

/// One choice of everything that is written out, and what it leaves of the program.
pub struct Part {
    /// The place of the value of each hyper-parameter; those that are open are `None`.
    pub fixed: Vec<Option<usize>>,
    pub courses: Vec<Course>,
}

/// The parts of a space, the last hyper-parameter that is written out changing fastest.
pub struct Parts {
    pub parts: Vec<Part>,
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
        let doubtful = parts.parts.iter().filter(|part| undecided(&part.courses) > 0);
        for part in doubtful.take(MOST_LOOKED_AT) {
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

/// How much is not known: of courses nobody knows what becomes of a vector, and of requirements whether they hold.
fn undecided(courses: &[Course]) -> usize {
    let of = |course: &Course| {
        let is_undecided =
            matches!(course.ending, Ending::Unknown(_)) || course.is_open() || course.leaves_out;
        usize::from(is_undecided) + course.supposed().count()
    };
    courses.iter().map(of).sum()
}

/// The numbers that have to be known for more to be decided, as few as will do; none if it would not help.
fn culprits(model: &Model, space: &Space, part: &Part) -> Result<Vec<usize>> {
    let parameters = &space.parameters;
    let left = |fixed: &[Option<usize>]| {
        Ok::<_, anyhow::Error>(undecided(&courses(model, space, fixed, &domains(parameters, fixed))?))
    };
    let middle = |place: usize| Some(parameters[place].values.len() / 2);
    let fixed = part.fixed.iter().enumerate();
    let mut fixed: Vec<Option<usize>> = fixed.map(|(place, held)| held.or_else(|| middle(place))).collect();
    let least = left(&fixed)?;
    if least >= undecided(&part.courses) {
        return Ok(Vec::new());
    }
    // Those with many values first: it is them that one would rather not write out.
    let mut tried: Vec<usize> = (0..parameters.len()).filter(|&place| part.fixed[place].is_none()).collect();
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

/// What the model and the space ask of the vectors of a part.
fn courses(model: &Model, space: &Space, fixed: &[Option<usize>], domains: &[Domain]) -> Result<Vec<Course>> {
    let bound = |(parameter, fixed): (&Parameter, &Option<usize>)| match fixed {
        Some(place) => Bound::Fixed(parameter.values[*place].clone()),
        None => {
            let numbers = parameter.numbers().unwrap_or_default();
            let low = numbers.first().copied().unwrap_or(0);
            Bound::Between(low, numbers.last().copied().unwrap_or(low))
        }
    };
    let bounds: Vec<Bound> = space.parameters.iter().zip(fixed).map(bound).collect();
    let mut courses = Vec::new();
    courses.extend(membership(space, &bounds, domains)?);
    courses.extend(model.courses(&space.parameters, &bounds, domains)?);
    Ok(courses)
}

/// Which vectors the space has at all.
fn membership(space: &Space, bounds: &[Bound], domains: &[Domain]) -> Result<Option<Course>> {
    if space.requires.is_empty() && space.parameters.iter().all(|parameter| parameter.when.is_none()) {
        return Ok(None);
    }
    arena::scope(|| {
        let place = |name: &str| space.parameters.iter().position(|parameter| parameter.name == name);
        let meaning = |place: usize| match &bounds[place] {
            Bound::Fixed(choice) => Meaning::of(choice),
            Bound::Between(low, high) => {
                Meaning::Number(Dim::symbol(&space.parameters[place].name, *low, *high))
            }
        };
        let of = |name: &str| place(name).map(meaning);
        let mut reading = Reading::new(domains);
        for (condition, text) in &space.requires {
            reading.belong(condition.meaning(&of).and_then(|it| it.truth()).with_context(|| text.clone())?);
        }
        for (number, parameter) in space.parameters.iter().enumerate() {
            let Some(when) = &parameter.when else { continue };
            let context = || format!("`when` of `{}`", parameter.name);
            let active = when.meaning(&of).and_then(|it| it.truth()).with_context(context)?;
            let is_first = match (&bounds[number], &parameter.values[0]) {
                (Bound::Between(..), Choice::Int(first)) => meaning(number).number()?.eq(*first),
                (Bound::Fixed(choice), first) => (choice == first).into(),
                (Bound::Between(..), _) => true.into(),
            };
            reading.belong(active | is_first);
        }
        Ok(Some(reading.end(Ending::Elsewhere)))
    })
}

fn parts_with(model: &Model, space: &Space, open: &[bool], watch: &mut Watch) -> Result<Parts> {
    let parameters = &space.parameters;
    let (mut parts, mut is_stopped) = (Vec::new(), false);
    let total = analyses(parameters, open);
    let mut choice = vec![0; parameters.len()];
    let fixed_of = |choice: &[usize]| -> Vec<Option<usize>> {
        choice.iter().zip(open).map(|(&place, open)| (!open).then_some(place)).collect()
    };
    let domains = domains(parameters, &fixed_of(&choice));
    loop {
        let fixed = fixed_of(&choice);
        is_stopped |= !watch(Progress::Analysed(parts.len() as u64, total));
        let courses = match is_stopped {
            true => vec![Reading::new(&domains).end(Ending::Unknown("it was stopped before that".into()))],
            false => courses(model, space, &fixed, &domains)?,
        };
        parts.push(Part { fixed, courses });
        let next = (0..parameters.len()).rev().find(|&place| {
            let is_last = open[place] || choice[place] + 1 == parameters[place].values.len();
            choice[place] = if is_last { 0 } else { choice[place] + 1 };
            !is_last
        });
        if next.is_none() {
            let open = (0..parameters.len()).filter(|&place| open[place]).collect();
            return Ok(Parts { parts, open, domains, is_stopped });
        }
    }
}
